import type { INodeParameters } from 'n8n-workflow';

import { useFastClock } from '../support/clock';
import { everythingIn } from '../support/everything';
import { unusedAddress } from '../support/localServer';
import { wordsOf } from '../support/node';
import { email, mapped, push, sms, user } from '../support/mistakes';
import { customPost } from '../support/orders';
import { type Answer, useService } from './support/bench';

// The node waits before it retries a connection that failed.
useFastClock(20);

/**
 * What a sentence quotes of them has quotation marks, apostrophes and signs of other scripts in it. Each has parts that
 * would tell who they are.
 */
const people = [
	{
		name: "Siobhán 'the' O'Connor-D'Arcy is here",
		phone: "Anna's 0171-9876501",
		email: "'o'connor'@private.example{{",
		parts: ['Siobh', 'Connor', 'Arcy', "Anna's", '9876501', 'private.example'],
	},
	{
		name: 'محمد عبد الله',
		phone: '٠١٧١٩٨٧٦٥٠١٢٣٤٥٦',
		email: 'محمد@@خاص.example',
		parts: ['محمد', 'عبد', '٩٨٧٦', '9876', 'خاص'],
	},
	{
		name: '王小明’s “家” 🚀',
		phone: '📞 电话：一三八 +49 as +13800138000 0',
		email: '🚀王小明 @ private.example',
		parts: ['王', '小明', '13800138000', '一三八', 'private.example'],
	},
];
type Person = (typeof people)[number];

const service = useService();

/** The parts of a person in n8n's error and in all that was logged. */
function partsIn(error: { message: string } | undefined, { parts }: Person): string[] {
	expect(error).toBeDefined();
	// The lines of the log: what n8n attaches to its own, the whole error, it writes only when it is debugged.
	const lines = service.logged.map((entry) => (entry as unknown[])[0]);
	const text = everythingIn([error?.message, lines]);
	return parts.filter((part) => text.includes(part));
}

const row = ({ name, phone, email: address }: Person) => ({
	...{ name, phone, email: address, whole: `${name}, ${phone}, ${address}` },
	...{ word: `${phone}, ${address} {{ ${name} }}`, json: `{ "${name}` },
	note: `{{ ${address} }}`,
});
const born = { id: '1', name: 'born', value: '={{ $json.whole }}', type: 'number' };
const more = (additionalFields: INodeParameters) => ({ additionalFields });
const at = (scheduledFor: string, scheduleTimezone = '') =>
	push({ sendAt: 'at', scheduledFor, scheduleTimezone });
const country = { defaultCountry: '={{ $json.name }}' };

/** Fields of which each is refused for what the row holds. */
const refusals: Array<[what: string, parameters: INodeParameters]> = [
	['a phone number', sms({ mobile: '={{ $json.phone }}' })],
	['an address', email({ email: '={{ $json.email }}' })],
	['several addresses', email(more({ email_cc: 'a@b.example, {{ $json.email }}' }))],
	['an ID', push({ user_id: '={{ $json.note }}' })],
	['a title', push({ title: '={{ $json.word }}' })],
	['a link', push({ url: '={{ $json.whole }}' })],
	['an attribute', user({ customAttributes: { assignments: [born] } })],
	['columns', mapped('user', { mobileField: 'phone', emailField: 'email', userIdField: 'name' })],
	['a body', { ...customPost, body: '={{ $json.json }}' }],
	['a path', { ...customPost, path: '={{ $json.whole }}' }],
	['a consent', push(more({ consent: '={{ $json.whole }}' }))],
	['a key', push({ sendOnce: true, sendOnceKey: '={{ [$json.whole] }}' })],
	['a choice', push({ recipientBy: '={{ $json.whole }}' })],
	['platforms', push({ platforms: '={{ [$json.whole] }}' })],
	['a time', at('={{ $json.whole }}')],
	['a timezone', at('2099-01-01T10:00', '={{ $json.name }}')],
	['a segment', { ...push(), operation: 'broadcastSegment', segment_id: '={{ $json.whole }}' }],
	['an expression that throws', push({ title: '={{ JSON.parse($json.json) }}' })],
	['a country', sms({ mobile: '={{ $json.phone }}', options: country })],
];

describe.each(people)('Of $name', (person) => {
	it.each(refusals)('%s is refused without a word of it', async (_what, parameters) => {
		const found = row(person);
		const one = await service.run({ parameters, rows: [found] });
		expect(partsIn(one.error, person)).toEqual([]);
		const several = await service.run({ parameters, rows: [found, { ...found, more: 1 }] });
		expect(partsIn(several.error, person)).toEqual([]);
		expect(several.error?.message).toMatch(/^Nothing was sent: /);
		expect(service.server.requests).toBe(0);
	});

	const { name, phone, email: address } = person;
	const said = `No such recipient: ${name}, '${phone}', "${address}"`;
	const inPath = `/users/${encodeURIComponent(address)}/${phone.replace(/[^\x21-\x7e]/g, '')}`;
	const byCode = { customAnswers: true, answerField: 'code', acceptedValues: 'yes' };
	it.each<[what: string, answer?: Answer, account?: Record<string, string | boolean>]>([
		['refuses them', [400, { error: said }]],
		['refuses the credentials', [401, { message: said }]],
		['finds nobody', [404, { message: said }]],
		['breaks down', [500, { message: said }]],
		['sends it on', [301, '', { location: `${inPath}?to=${encodeURIComponent(name)}` }]],
		['says that it failed', [200, { status: 'error', error: said }]],
		['shows a page', [200, `<html>${said}</html>`]],
		['says no', [200, { code: 'no', error: said }], byCode],
		['says nothing', [200, { error: said }], byCode],
		['hangs up', undefined],
		['is not there', undefined, { pushUrl: unusedAddress(), mailUrl: unusedAddress() }],
	])('nothing is told where the service %s', async (_what, answer, credential = {}) => {
		service.answer = answer && (() => answer);
		const id = `${name} ${phone}`.replace(/[{}]/g, '');
		const rows = [{ id }, { id: `${id} 2` }];
		const parameters = push({ user_id: '={{ $json.id }}', options: { maxWait: 0 } });
		for (const some of [rows.slice(1), rows]) {
			const { error } = await service.run({ parameters, rows: some, credential });
			expect(partsIn(error, person)).toEqual([]);
			// Whoever looks at the run learns it.
			expect(person.parts.filter((part) => wordsOf({ error }).includes(part))).not.toEqual([]);
		}
	});
});
