import { dataHints } from '../../../nodes/CustomerMessaging/report/dataHints';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { VirtualClock } from '../../../simulation/virtualClock';
import { deliveryOf, runOf } from './support/results';

const nowMs = Date.UTC(2026, 10, 1);
const createUser = runOf('user', 'create');
const hintsOf = async (run: Run, deliveries: readonly Delivery[]) =>
	await dataHints(run, deliveries, { clock: new VirtualClock(nowMs), now: () => nowMs });
const users = (...ids: string[]) => ids.map((userID, item) => deliveryOf(item, { userID }));

describe('A hint about users that occur more than once', () => {
	it('names their items, and says which values remain', async () => {
		const remain =
			'Their rows are sent in the order of the input, so the values of the last row remain';
		expect(await hintsOf(createUser, users('a', 'b', 'a'))).toEqual([
			`1 user ID occurs more than once: 'a' (items 0, 2). ${remain}`,
		]);
		expect(await hintsOf(createUser, users('a', 'b', 'a', 'b', 'b'))).toEqual([
			`2 user IDs occur more than once: 'a' (items 0, 2), 'b' (items 1, 3–4). ${remain}`,
		]);
	});
});

describe('A hint about large batches', () => {
	const size = (batchSize: number): Run => ({
		...createUser,
		settings: { ...createUser.settings, batchSize },
	});
	const rows = (count: number) => Array.from({ length: count }, (_, item) => deliveryOf(item));

	it('names the size, and what happens if the service refuses it', async () => {
		expect(await hintsOf(size(200), rows(101))).toEqual([
			"'Batch Size' is 200. Public descriptions of the API name 100 users as the maximum for one request. If the service refuses a batch, the node sends it again in halves",
		]);
	});

	it('is not given if no batch will be that large', async () => {
		expect(await hintsOf(size(200), rows(100))).toEqual([]);
		expect(await hintsOf(size(100), rows(101))).toEqual([]);
		expect(await hintsOf(runOf('push', 'send'), rows(101))).toEqual([]);
	});
});

describe('A hint about letters beyond ASCII before the @', () => {
	const withBody = (body: object) => deliveryOf(3, { buildBody: () => ({ ...body }) });
	const hint =
		"Some mail systems do not accept letters beyond ASCII before the @: 'jörg@example.com' (item 3). Check in the account whether these emails arrive";

	it.each([
		['the recipient of an email', 'email', 'send', { email: 'jörg@example.com' }],
		[
			'an attribute of a user',
			'user',
			'create',
			{ user_attributes: { email: 'jörg@example.com' } },
		],
	])('names %s', async (_what, resource, operation, body) => {
		expect(await hintsOf(runOf(resource, operation), [withBody(body)])).toContain(hint);
	});

	it('names an address once, with its first item', async () => {
		const first = deliveryOf(1, { buildBody: () => ({ email: 'jörg@example.com' }) });
		const hints = await hintsOf(runOf('email', 'send'), [first, withBody(first.buildBody())]);
		expect(hints).toEqual([hint.replace('item 3', 'item 1')]);
	});

	it('is not given for other text, or if there is no body', async () => {
		const email = runOf('email', 'send');
		expect(await hintsOf(email, [withBody({ email: 7, subject: 'jörg@example.com' })])).toEqual([]);
		expect(await hintsOf(email, [deliveryOf(0, { buildBody: () => ['jörg@a.example'] })])).toEqual(
			[],
		);
	});
});
