import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** What arrives under a key where an expression gives this value. */
async function arriving(
	key: string,
	parameters: INodeParameters,
	value: unknown,
): Promise<unknown> {
	const rows = [{ value: value as string }];
	const { error } = await run(sandbox(), parameters, { rows });
	expect(error).toBeUndefined();
	const { body, outcome, problems } = onlyArrival(sandbox());
	expect({ outcome, problems }).toEqual({ outcome: 'accepted', problems: [] });
	return (body as Record<string, unknown>)[key];
}

const from = '={{ $json.value }}';
const family = '👨‍👩‍👧‍👦';
const accented = 'e\u0301\u0323';

describe.each(['android', 'ios'])('On %s', (platform) => {
	describe.each([
		['title', 70],
		['message', 130],
	])('a %s of %d characters', (field, most) => {
		it.each([
			['letters', 'x'.repeat(most)],
			['emoji', '😀'.repeat(most)],
			['families', family.repeat(most)],
			['flags', '🇮🇳'.repeat(most)],
			['skin tones', '👍🏽'.repeat(most)],
			['accented letters', accented.repeat(most)],
			['Hangul in parts', '\u1112\u1161\u11ab'.repeat(most)],
			['lines', 'x\r\n'.repeat(most / 2)],
		])('may be %s and arrives as it is', async (_, words) => {
			const parameters = { ...order.pushSend, platforms: [platform], [field]: from };
			expect(await arriving(field, parameters, words)).toBe(words);
		});
	});
});

describe('Text', () => {
	it('may be given as a number', async () => {
		expect(await arriving('subject', { ...order.emailSend, subject: from }, 42)).toBe('42');
	});

	it('is trimmed where it is an identifier', async () => {
		expect(await arriving('user_id', { ...order.pushSend, user_id: from }, ' C-1\n')).toBe('C-1');
	});
});

describe('A campaign ID', () => {
	const parameters = { ...order.smsSend, recipientBy: 'campaign_id', campaign_id: from };

	it.each([
		['a number', 5501, 5501],
		['text', 'camp-1', 'camp-1'],
		['digits as text', '5501', '5501'],
	])('keeps its type: %s', async (_, value, sent) => {
		expect(await arriving('campaign_id', parameters, value)).toBe(sent);
	});
});

describe('A whole number', () => {
	it.each([
		['1', 1, 1],
		['2^53 - 1', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		['digits as text', '42', 42],
		['2^53 - 1 as text', '9007199254740991', 9007199254740991],
		['digits with spaces around', ' 42 ', 42],
		['zeros in front', '007', 7],
	])('arrives as a number: %s', async (_, value, sent) => {
		expect(
			await arriving('serviceproviderID', { ...order.smsSend, serviceproviderID: from }, value),
		).toBe(sent);
	});
});

describe('Yes or no', () => {
	it.each([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
		[' TRUE ', true],
	])('arrives as a boolean: %p', async (value, sent) => {
		const parameters = { ...order.emailSend, additionalFields: { track_open: from } };
		expect(await arriving('track_open', parameters, value)).toBe(sent);
	});
});

describe('A field left empty', () => {
	const optional = { ...order.appearance, ...order.devices };

	it.each([
		['empty', ''],
		['null', null],
		['absent', undefined],
	])('is not sent: %s', async (_, value) => {
		const additionalFields = Object.fromEntries(Object.keys(optional).map((key) => [key, from]));
		await run(sandbox(), { ...order.pushSend, additionalFields }, { rows: [{ value }] });
		expect(onlyArrival(sandbox()).body).toStrictEqual({ user_id: 'C-1', ...order.notification });
	});
});
