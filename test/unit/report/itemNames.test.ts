import {
	itemName,
	itemNames,
	nameItem,
	recipientOfDelivery,
} from '../../../nodes/CustomerMessaging/report/itemNames';
import { deliveryOf } from './support/results';

const customer = (item: number) => `C-${item}`;
const nobody = () => undefined;

describe('The name of an item', () => {
	it('is its number and its recipient, if there is one', () => {
		expect(itemName(3, 'C-1004')).toBe('item 3, C-1004');
		expect(itemName(3, undefined)).toBe('item 3');
		expect(nameItem(deliveryOf(3, { userID: 'C-1004' }))).toBe('item 3, C-1004');
	});
});

describe('The names of several items', () => {
	it('are their numbers with the recipients, up to five', () => {
		expect(itemNames([0, 2, 3, 4, 9], customer)).toBe(
			'0 (C-0), 2 (C-2), 3 (C-3), 4 (C-4), 9 (C-9)',
		);
		expect(itemNames([0, 1, 2, 3, 4, 5], customer)).toBe('0–5 (the first is C-0)');
	});

	it('leave out recipients that are not known', () => {
		expect(itemNames([0, 1], (item) => (item === 1 ? 'C-1' : undefined))).toBe('0, 1 (C-1)');
		expect(itemNames([0, 1, 2], nobody)).toBe('0–2');
		expect(itemNames([0, 1, 2, 3, 4, 5], nobody)).toBe('0–5');
	});
});

describe('The recipient of a delivery', () => {
	it.each([
		['the audience', { audience: 'segment 42', userID: 'C-1' }, 'segment 42'],
		['the user', { userID: 'C-1', to: { email: 'ann@example.com' } }, 'C-1'],
		['the address', { to: { email: 'ann@example.com' } }, 'ann@example.com'],
		['a number', { to: { campaign_id: 7 } }, '7'],
		['40 characters of it', { userID: 'x'.repeat(41) }, `${'x'.repeat(40)}…`],
		['nobody', {}, undefined],
		['nobody if it is not a name', { to: { user_id: ['C-1'] } }, undefined],
		['nobody if it is a test', { userID: 'C-1', test: { changes: [] } }, undefined],
	])('is %s', (_what, given, expected) => {
		expect(recipientOfDelivery(deliveryOf(0, given))).toBe(expected);
	});
});
