import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, testCredentials } from '../../../sandbox';
import { Attempts, each, saidBy, useAttempts, wordsOf } from '../support/attempts';
import type { Order } from '../support/engine';
import { trackEvent } from '../support/orders';
import { accountOf, idOf, push, roomySandbox, rowsOf } from '../support/sends';
import { accessToken } from '../support/service';

const use = useAttempts();

const toColumn = (column: string): INodeParameters => ({
	...push({ concurrency: 1 }),
	user_id: `={{ $json.${column} }}`,
});
const toEvent = (more: INodeParameters): INodeParameters => ({
	...trackEvent,
	userID: '={{ $json.id }}',
	options: { batchSize: 1, concurrency: 1 },
	...more,
});
const refuseOnce = (text: string) => use().refuseOnce(text);

describe('A retry in which the recipient is another one', () => {
	const rows = rowsOf(4).map(({ id }, row) => ({ id, other: idOf(row, 'v') }));
	const others = rows.map(({ other }) => other);

	test('sends to everybody who got nothing, and calls nobody else accepted', async () => {
		refuseOnce(idOf(3));
		const first = await use().list.start(use().order(toColumn('id'), rows));
		expect(wordsOf(first)).toContain('3 accepted, 1 not sent');
		const second = await use().list.retry(first, { parameters: toColumn('other') });
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(each('accepted', 4));
		expect(use().accepted(others)).toEqual([1, 1, 1, 1]);
		expect(use().accepted(rows.map(({ id }) => id))).toEqual([1, 1, 1, 0]);
	});

	test('in some rows leaves the others as they are', async () => {
		refuseOnce(idOf(3));
		const first = await use().list.start(use().order(toColumn('id'), rows));
		const parameters = {
			...toColumn('id'),
			user_id: `={{ $json.id.replace('${idOf(1)}', 'new') }}`,
		};
		const second = await use().list.retry(first, { parameters });
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(['accepted before', 'accepted', 'accepted before', 'accepted']);
		expect(use().accepted([...rows.map(({ id }) => id), 'new'])).toEqual([1, 1, 1, 1, 1]);
	});

	test('sends nothing twice where two rows had each other’s recipient', async () => {
		refuseOnce(idOf(1));
		const first = await use().list.start(use().order(toColumn('id'), rowsOf(2)));
		const swapped = `={{ $json.id === '${idOf(0)}' ? '${idOf(1)}' : '${idOf(0)}' }}`;
		const parameters = { ...toColumn('id'), user_id: swapped };
		const second = await use().list.retry(first, { parameters });
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(['accepted', 'accepted before']);
		expect(use().accepted([idOf(0), idOf(1)])).toEqual([1, 1]);
	});

	test.each<[string, INodeParameters]>([
		['user', { userID: '={{ $json.other }}' }],
		['name', { event_name: 'Order Shipped' }],
	])('tracks the event of another %s', async (_, corrected) => {
		refuseOnce(idOf(3));
		const first = await use().list.start(use().order(toEvent({}), rows));
		const second = await use().list.retry(first, { parameters: toEvent(corrected) });
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(each('accepted', 4));
		expect(use().sandbox.accepted()).toHaveLength(7);
	});
});

describe('A retry with another account', () => {
	let other: Sandbox | undefined;
	afterEach(async () => await other?.close());
	const brands = [...testCredentials.brands, { brandId: 'real-brand', apiKey: 'real-key' }];
	const startRefused = async (sandbox: Sandbox, more: Partial<Order>) => {
		sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(2) }, first: 1 });
		return await use().list.start(use().order(push({ concurrency: 1 }), rowsOf(3), more));
	};

	test.each(['address', 'brand'])('sends to everybody there: another %s', async (what) => {
		other = await roomySandbox({ credentials: { ...testCredentials, brands } });
		const isBrand = what === 'brand';
		const sandbox = isBrand ? other : use().sandbox;
		const first = await startRefused(sandbox, { credential: accountOf(sandbox) });
		expect(wordsOf(first)).toContain('2 accepted, 1 not sent');
		const before = other.accepted().length;
		const changed = isBrand ? { brandId: 'real-brand', apiKey: 'real-key' } : {};
		const credential = { ...accountOf(other), ...changed };
		const second = await use().list.retry(first, { credential });
		expect(second.error).toBeUndefined();
		expect(saidBy(second)).toEqual(each('accepted', 3));
		expect(other.accepted()).toHaveLength(before + 3);
	});

	describe('of which n8n knows only an access token', () => {
		const tokens = [...testCredentials.tokens, 'other-token'];
		const parameters = { ...push({ concurrency: 1 }), authentication: 'partnerToken' };
		const withToken = (token: string) => ({
			...accountOf(other ?? use().sandbox),
			accessToken: token,
		});
		const acceptedBy = (identity: string) =>
			other?.accepted().filter((one) => one.identity === identity).length;

		test.each([false, true])(
			'sends to everybody with another credential, and finds what the first one sent, after a kill %s',
			async (isKilled) => {
				other = await roomySandbox({ credentials: { ...testCredentials, tokens } });
				const attempts = new Attempts(other);
				attempts.refuseOnce(idOf(2));
				const order = {
					...attempts.order(parameters, rowsOf(3)),
					credential: withToken(accessToken),
				};
				const before = isKilled ? await attempts.failBefore(order) : undefined;
				const refused = before
					? await attempts.list.retry(before)
					: await attempts.list.start(order);
				expect(wordsOf(refused)).toContain('2 accepted, 1 not sent');
				// After a kill, n8n stored nothing of the attempt that sent.
				const first = before ?? refused;
				const changed = { credential: withToken('other-token'), credentialId: '2' };
				const second = await attempts.list.retry(first, changed);
				expect(second.error).toBeUndefined();
				expect(saidBy(second)).toEqual(each('accepted', 3));
				expect(acceptedBy('token:2')).toBe(3);

				expect(saidBy(await attempts.list.retry(first))).toEqual([
					'accepted before',
					'accepted before',
					'accepted',
				]);
				expect(acceptedBy('token:1')).toBe(3);
			},
		);

		test('sends what is missing where the token was renewed in the same credential', async () => {
			other = await roomySandbox({ credentials: { ...testCredentials, tokens } });
			const first = await startRefused(other, { parameters, credential: withToken(accessToken) });
			const second = await use().list.retry(first, { credential: withToken('other-token') });
			expect(second.error).toBeUndefined();
			expect(saidBy(second)).toEqual(['accepted before', 'accepted before', 'accepted']);
			expect(other.accepted()).toHaveLength(3);
		});
	});
});
