import { sameMessageHints } from '../../../nodes/CustomerMessaging/report/sameMessageHints';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { VirtualClock } from '../../../simulation/virtualClock';
import { deliveryOf } from './support/results';

const toAnn = (item: number, title = 'News', given: Partial<Delivery> = {}) =>
	deliveryOf(item, { to: { user_id: 'ann' }, buildBody: () => ({ title }), ...given });
const hintsOf = async (...groups: Delivery[][]) =>
	await sameMessageHints(groups, new VirtualClock(0));
const end = "turn on 'Send Once', or place a Remove Duplicates node before this one";

describe('A hint about the same message to the same recipient', () => {
	it('names the recipient and the items', async () => {
		expect(await hintsOf([toAnn(0), toAnn(2)])).toEqual([
			`1 message is the same as an earlier one of this run to the same recipient: 'ann' (items 0, 2). To send it only once, ${end}`,
		]);
	});

	it('counts what is sent again, and names each group once', async () => {
		const ben = { to: { email: 'ben@example.com', mobile: '+49' } };
		expect(
			await hintsOf([toAnn(0), toAnn(1), toAnn(2)], [toAnn(3, 'Hi', ben), toAnn(4, 'Hi', ben)]),
		).toEqual([
			`3 messages are the same as an earlier one of this run to the same recipient: 'ann' (items 0–2), 'ben@example.com', '+49' (items 3–4). To send each of them only once, ${end}`,
		]);
		const ios = { path: '/api/v1/ios/send' };
		const [hint] = await hintsOf(
			[toAnn(0), toAnn(1)],
			[toAnn(0, 'News', ios), toAnn(1, 'News', ios)],
		);
		expect(hint).toContain(
			"2 messages are the same as an earlier one of this run to the same recipient: 'ann' (items 0–1). To",
		);
	});

	it('is not given if text, path, time or what surrounds the batch differs', async () => {
		expect(
			await hintsOf([
				toAnn(0),
				toAnn(1, 'Sale'),
				toAnn(2, 'News', { path: '/other' }),
				toAnn(3, 'News', { schedule: { kind: 'now' } }),
				toAnn(4, 'News', { envelope: { a: 1 } }),
			]),
		).toEqual([]);
	});
});
