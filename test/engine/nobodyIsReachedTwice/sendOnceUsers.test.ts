import type { INodeParameters } from 'n8n-workflow';
import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { useAttempts } from '../support/attempts';
import { accountOf, createUsers } from '../support/sends';

const use = useAttempts();

/** A workflow may have been saved with Send Once, for example by hand or by a program. */
const users = (options: INodeParameters = {}): INodeParameters => ({
	...createUsers(options),
	sendOnce: true,
});

/** The version that each user has in the account, after all accepted requests. */
function versions(): Record<string, unknown> {
	const stored: Record<string, unknown> = {};
	for (const { body, accepted } of use().sandbox.record) {
		if (!accepted) continue;
		const { nv } = body as {
			nv: Array<{ userID: string; user_attributes: { version: unknown } }>;
		};
		for (const { userID, user_attributes } of nv) stored[userID] = user_attributes.version;
	}
	return stored;
}

test('The form offers Send Once for messages and events, and not for users', () => {
	const { properties } = new CustomerMessaging().description;
	const offered = properties
		.filter(({ name }) => name === 'sendOnce')
		.flatMap(({ displayOptions }) => displayOptions?.show?.resource ?? []);
	const { options = [] } = properties.find(({ name }) => name === 'resource') ?? {};
	const resources = options.flatMap((one) => ('value' in one ? [one.value] : []));
	expect([...new Set(offered)].sort()).toEqual(resources.filter((one) => one !== 'user').sort());
	expect(offered).toContain('sms');
});

describe('With a stored Send Once, the last row of a user', () => {
	const rows = ['A', 'B', 'A'].map((version) => ({ id: 'C-1', version }));

	test.each([{ batchSize: 1 }, {}])(
		'remains if an earlier one is the same: %j',
		async (options) => {
			const { output } = await use().list.start({
				parameters: users(options),
				rows,
				credential: accountOf(use().sandbox),
			});
			expect(output.map(({ json }) => json.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(versions()).toEqual({ 'C-1': 'A' });
		},
	);

	test('remains in a later execution that returns to an older value', async () => {
		for (const row of rows) {
			await use().list.start({
				parameters: users(),
				rows: [row],
				credential: accountOf(use().sandbox),
			});
		}
		expect(versions()).toEqual({ 'C-1': 'A' });
	});
});
