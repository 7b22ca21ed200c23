import { attributeHints as hintsOf } from '../../../nodes/CustomerMessaging/report/attributeHints';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import { VirtualClock } from '../../../simulation/virtualClock';
import { deliveryOf } from './support/results';

const user = { attributesKey: 'user_attributes' };
const event = { attributesKey: 'attributes' };
const users = (...rows: object[]): Delivery[] =>
	rows.map((attributes, itemIndex) => ({
		itemIndex,
		path: '/p',
		buildBody: () => ({ userID: 'u', user_attributes: attributes }),
	}));

const attributeHints = async (operation: Parameters<typeof hintsOf>[0], deliveries: Delivery[]) =>
	await hintsOf(operation, deliveries, new VirtualClock(0));

describe('A hint about attributes', () => {
	it('names those with a name of 50 characters or more', async () => {
		const [short, long] = ['x'.repeat(49), 'x'.repeat(50)];
		expect(await attributeHints(user, users({ [short]: 1 }))).toEqual([]);
		expect(await attributeHints(user, users({ [long]: 1 }, { [long]: 2 }))).toEqual([
			`Public descriptions of the API say that the name of an attribute has fewer than 50 characters. These have 50 or more: '${long}'`,
		]);
	});

	it('names those with a text of 1,000 characters or more, and the first item that has it', async () => {
		const about = 'x'.repeat(1_000);
		expect(await attributeHints(user, users({ about: about.slice(1) }))).toEqual([]);
		expect(
			await attributeHints(user, users({ about: 'x' }, { about }, { about, bio: about })),
		).toEqual([
			"Public descriptions of the API say that the text of an attribute has fewer than 1,000 characters. These have 1,000 or more: 'about' (item 1), 'bio' (item 2)",
		]);
	});

	it('names those that are text in one row and a number in another', async () => {
		const rows = users({ zip: '10115', age: 30 }, { zip: '80331' }, { zip: 20095, age: 31 });
		expect(await attributeHints(user, rows)).toEqual([
			"An attribute should have the same type in all rows, or the service may not store it. These differ: 'zip' (text in item 0; a number in item 2). Choose one type for each, or correct the input",
		]);
	});

	it('names the user of the item', async () => {
		const rows = users({ zip: '10115' }, { zip: 80331 }).map((row, index) => ({
			...row,
			userID: `C-100${index}`,
		}));
		expect(await attributeHints(user, rows)).toEqual([
			expect.stringContaining("'zip' (text in item 0, C-1000; a number in item 1, C-1001)"),
		]);
	});

	it('does not mind a value that is missing or of another type', async () => {
		expect(await attributeHints(user, users({ a: 'x' }, { a: null }, { a: ['x'] }, {}))).toEqual(
			[],
		);
	});

	it('lists five and counts the others', async () => {
		const about = 'x'.repeat(1_000);
		const [hint] = await attributeHints(
			user,
			users(Object.fromEntries([...'abcdefg'].map((name) => [name, about]))),
		);
		expect(hint).toMatch(/'e' \(item 0\) and 2 more$/);
	});

	it('is given for events, and for their names too', async () => {
		const name = 'E'.repeat(50);
		const events = [{ total: '5' }, { total: 5 }].map((attributes, itemIndex) => ({
			itemIndex,
			path: '/p',
			buildBody: () => ({ userID: 'u', event_name: name, attributes }),
		}));
		expect(await attributeHints(event, events)).toEqual([
			`Public descriptions of the API say that the name of an event has fewer than 50 characters. These have 50 or more: '${name}'`,
			expect.stringContaining("'total' (text in item 0; a number in item 1)"),
		]);
	});

	it('names an event or an attribute once', async () => {
		const [short, long] = ['E'.repeat(49), 'E'.repeat(50)];
		const events = [short, long, long].map((event_name, item) =>
			deliveryOf(item, { buildBody: () => ({ event_name, attributes: ['a'] }) }),
		);
		expect(await attributeHints(event, events)).toEqual([
			`Public descriptions of the API say that the name of an event has fewer than 50 characters. These have 50 or more: '${long}'`,
		]);
		expect(await attributeHints(event, events.slice(0, 1))).toEqual([]);
		const [hint] = await attributeHints(
			user,
			users({ [long]: 1, [`${long}s`]: 1 }, { a: '1', b: '1' }, { a: 1, b: 1 }, { a: 2, b: '2' }),
		);
		expect(hint).toMatch(new RegExp(`: '${long}', '${long}s'$`));
	});

	it('is not given for messages', async () => {
		expect(await attributeHints({}, users({ zip: '1' }, { zip: 1 }))).toEqual([]);
	});
});
