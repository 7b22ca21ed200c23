import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { ExecutionList } from './support/executionList';
import { useNewStore } from './support/memoryStore';
import { accountOf, createUsers, roomySandbox } from './support/sends';

let sandbox: Sandbox;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

/** A workflow may have been saved with Send Once, for example by hand or by a program. */
const users = (options: INodeParameters = {}): INodeParameters => ({
	...createUsers(options),
	sendOnce: true,
});

/** The version that each user has in the account, after all accepted requests. */
function versions(): Record<string, unknown> {
	const stored: Record<string, unknown> = {};
	for (const { body, accepted } of sandbox.record) {
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
	expect([...new Set(offered)].sort()).toEqual(['customRequest', 'email', 'event', 'push', 'sms']);
});

describe('With a stored Send Once, the last row of a user', () => {
	const rows = ['A', 'B', 'A'].map((version) => ({ id: 'C-1', version }));

	test.each([{ batchSize: 1 }, {}])(
		'remains if an earlier one is the same: %j',
		async (options) => {
			const { output } = await list.start({
				parameters: users(options),
				rows,
				credential: accountOf(sandbox),
			});
			expect(output.map(({ json }) => json.outcome)).toEqual(['accepted', 'accepted', 'accepted']);
			expect(versions()).toEqual({ 'C-1': 'A' });
		},
	);

	test('remains in a later execution that returns to an older value', async () => {
		for (const row of rows) {
			await list.start({ parameters: users(), rows: [row], credential: accountOf(sandbox) });
		}
		expect(versions()).toEqual({ 'C-1': 'A' });
	});

	test('remains if an earlier row failed once, and n8n runs the node again', async () => {
		sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: '"old"' }, first: 1 });
		const { error } = await list.start({
			parameters: users({ batchSize: 1, concurrency: 1 }),
			rows: [
				{ id: 'C-1', version: 'old' },
				{ id: 'C-1', version: 'new' },
			],
			credential: accountOf(sandbox),
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 2,
		});
		expect(error).toBeUndefined();
		expect(sandbox.record.map(({ status }) => status)).toEqual([400, 200, 200, 200]);
		expect(versions()).toEqual({ 'C-1': 'new' });
	});
});
