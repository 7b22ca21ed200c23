import { Followers, repeatedIds } from '../../../nodes/CustomerMessaging/delivery/repeatedIds';
import type { Clock } from '../../../nodes/CustomerMessaging/shared/clock';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';

function row(itemIndex: number, userID?: string): Delivery {
	return { itemIndex, userID, path: '/', buildBody: () => ({}) };
}

const overwrites = { overwrites: true };
const clock: Clock = { now: () => 0, sleep: async () => {} };

describe('Rows with the same user ID', () => {
	const [first, other, last] = [row(0, 'a'), row(1, 'b'), row(2, 'a')];

	it('are found in their order', async () => {
		const repeated = await repeatedIds([first, other, last], overwrites, clock);
		expect([...repeated]).toEqual([['a', [first, last]]]);
	});

	it('do not matter where the last one does not overwrite the others', async () => {
		expect((await repeatedIds([first, last], {}, clock)).size).toBe(0);
	});

	it('are not those without an ID', async () => {
		expect((await repeatedIds([row(0), row(1)], overwrites, clock)).size).toBe(0);
	});
});

describe('A row follows an earlier one', () => {
	const followers = () => new Followers(new Map([['a', 2]]));

	it('if that has the same repeated ID and is sent', () => {
		const sent = followers();
		expect(sent.includes(row(0, 'a'))).toBe(false);
		sent.add(row(0, 'a'));
		expect(sent.includes(row(1, 'a'))).toBe(true);
		expect(sent.includes(row(1, 'b'))).toBe(false);
	});

	it('not if the ID occurs once, or if there is none', () => {
		const sent = followers();
		sent.add(row(0, 'b'));
		sent.add(row(1));
		expect(sent.includes(row(2, 'b'))).toBe(false);
		expect(sent.includes(row(3))).toBe(false);
	});
});
