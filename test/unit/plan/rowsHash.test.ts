import { createHash } from 'node:crypto';

import { hashDelivery, RowsHash } from '../../../nodes/CustomerMessaging/plan/rowsHash';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';

const delivery: Delivery = { itemIndex: 3, path: '/send', buildBody: () => ({ message: 'Hello' }) };

function hashOf(...deliveries: Delivery[]): string {
	const hash = new RowsHash();
	for (const one of deliveries) hash.add(one, hashDelivery(one));
	return hash.digest();
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

const withText = (message: string) => hashOf({ ...delivery, buildBody: () => ({ message }) });

test('The same rows have the same hash, in 44 characters of Base64.', () => {
	expect(hashOf(delivery)).toBe(hashOf({ ...delivery }));
	const digest = sha256('["/send",{"message":"Hello"},null,null]');
	expect(hashOf(delivery)).toBe(sha256(`3 ${digest}`));
});

test.each<[string, Delivery[]]>([
	['another item', [{ ...delivery, itemIndex: 4 }]],
	['another path', [{ ...delivery, path: '/other' }]],
	['another text', [{ ...delivery, buildBody: () => ({ message: 'Hallo' }) }]],
	['an envelope', [{ ...delivery, envelope: { note: 'x' } }]],
	['another time', [{ ...delivery, schedule: { kind: 'delay', seconds: 60 } }]],
	['a second row', [delivery, { ...delivery, itemIndex: 4 }]],
	['no row', []],
])('Another hash results from %s.', (_what, deliveries) => {
	expect(hashOf(...deliveries)).not.toBe(hashOf(delivery));
});

test('The order of the rows counts.', () => {
	const other = { ...delivery, itemIndex: 4 };
	expect(hashOf(delivery, other)).not.toBe(hashOf(other, delivery));
});

test('A text of up to 200 characters counts as a whole.', () => {
	expect(withText(`${'x'.repeat(199)}a`)).not.toBe(withText(`${'x'.repeat(199)}b`));
	expect(withText('x'.repeat(200))).toBe(
		sha256(`3 ${sha256(`["/send",{"message":"${'x'.repeat(200)}"},null,null]`)}`),
	);
});

test('Of a longer text, the beginning and the length count.', () => {
	const long = 'x'.repeat(200);
	expect(withText(`${long}abc`)).toBe(withText(`${long}xyz`));
	expect(withText(`${long}abc`)).not.toBe(withText(`${long}ab`));
	expect(withText(`y${long}`)).not.toBe(withText(`x${long}`));
	expect(withText(`${'x'.repeat(199)}aab`)).not.toBe(withText(`${'x'.repeat(199)}bab`));
});
