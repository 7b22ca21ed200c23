import { CredentialTestContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { useFastClock } from '../support/clock';
import { everythingIn } from '../support/everything';
import { unusedAddress } from '../support/localServer';
import { email, mapped, push, sms, user } from '../support/mistakes';
import { wordsOf } from '../support/node';
import { createUser, customPost, pushSend } from '../support/orders';
import { type Answer, type Answering, leaksIn, secrets, useService } from './support/bench';

// The node waits before it retries a connection that failed.
useFastClock(20);

const text = JSON.stringify;
const inUrl = (headers: object) => encodeURIComponent(text(headers));
const asNames = (headers: object) =>
	Object.fromEntries(Object.values(headers as Record<string, string>).map((value) => [value, 1]));

/** What becomes of it, by the answers of a service, a proxy or an error page that repeat the headers of the request. */
const echoes: Array<[what: string, Answering]> = [
	['accepts and gives the headers back', (headers) => [200, { headers }]],
	['accepts and gives them back as text', (headers) => [200, everythingIn(headers)]],
	['accepts and gives them back as names', (headers) => [200, asNames(headers)]],
	['refuses and names the key', (headers) => [400, { error: `bad key in ${text(headers)}` }]],
	['answers with a page that shows it', (headers) => [404, `<html>${text(headers)}</html>`]],
	['breaks down and shows its memory', (headers) => [500, everythingIn(headers)]],
	['gives it back in its own headers', (headers) => [200, {}, { 'x-request': text(headers) }]],
	['names it in the reason of its status', (headers) => [403, '', {}, text(headers)]],
	['sends it on in an address', (headers) => [302, '', { location: `/?k=${inUrl(headers)}` }]],
];

const service = useService();

/** What a run leaves behind that stops, and one that goes on. */
async function leftBehind(parameters: INodeParameters = pushSend, account: object = {}) {
	const order = {
		parameters: { ...parameters, options: { sendDuplicates: true } },
		credential: { ...account },
		rows: [{}, {}],
	};
	const stopping = await service.run(order);
	const { run, hints, failed } = await service.run({ ...order, onError: 'continueErrorOutput' });
	// What was never sent cannot come back.
	expect(service.server.requests).toBeGreaterThan(0);
	return { failed, all: [stopping.run, stopping.hints, run, hints, service.logged] };
}

/** As names, and in a refusal: the same code hides it in the other answers. */
const two = echoes.slice(2, 4);
const authentication = 'partnerToken';

describe.each([
	{ kind: 'a push', parameters: pushSend, some: echoes },
	{ kind: 'a push by token', parameters: { ...pushSend, authentication }, some: two },
	{ kind: 'a user by token', parameters: { ...createUser, authentication }, some: two },
	{ kind: 'a custom request', parameters: customPost, some: two },
])('No output, error, hint or log of $kind', ({ parameters, some }) => {
	test.each(some)('holds the secret where the service %s', async (_, echo) => {
		service.answer = echo;
		const { all } = await leftBehind(parameters);
		expect(leaksIn(all)).toEqual([]);
	});
});

describe.each([
	{ type: 'customerMessagingApi', some: echoes },
	{ type: 'customerMessagingPartnerApi', some: two.slice(1) },
])('The test of $type', ({ type, some }) => {
	test.each(some)('tells no secret where the service %s', async (_, echo) => {
		service.answer = echo;
		const { testAccount } = new CustomerMessaging().methods.credentialTest;
		const { url } = service.server;
		const result = await testAccount.call(new CredentialTestContext(), {
			...{ id: '1', name: 'test', type },
			data: { baseUrl: url, pushUrl: unusedAddress(), mailUrl: url, brandId: 'brand', ...secrets },
		});
		expect(service.server.requests).toBeGreaterThan(0);
		expect(result.message).toContain(url);
		expect(leaksIn(result, service.logged)).toEqual([]);
	});
});

test('No secret is told where a connection fails', async () => {
	const broken = await leftBehind();
	const refused = await leftBehind(pushSend, { pushUrl: unusedAddress() });
	expect(leaksIn(broken, refused)).toEqual([]);
});

/** With every character that a format escapes, and with both that base64url writes otherwise, wherever it begins. */
const tricky = 'k?>=/7f+3a>?91&<~Zq??>>~~Wk';
const codes = (write: (code: number) => string, which = /\W/g) =>
	tricky.replace(which, (character) => write(character.charCodeAt(0)));
const inHex = (code: number) => code.toString(16).padStart(2, '0');
const inJson = codes((code) => `\\u00${inHex(code)}`);
const named = tricky.replace('&', '&amp;').replace('<', '&lt;').replaceAll('>', '&gt;');
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');
const after = (before: string) => Buffer.from(before + tricky).toString('base64');

const forms: Array<[string, string]> = [
	['escaped for JSON', inJson],
	['escaped for JSON in capitals', codes((code) => `\\u00${inHex(code).toUpperCase()}`)],
	['with escaped slashes', tricky.replaceAll('/', '\\/')],
	['in JSON within JSON', inJson.replaceAll('\\', '\\\\')],
	['encoded for a URL', encodeURIComponent(tricky)],
	['with each character encoded for a URL', codes((code) => `%${inHex(code)}`, /./g)],
	['with decimal entities', codes((code) => `&#${code};`)],
	['with hexadecimal entities', codes((code) => `&#x${inHex(code).toUpperCase()};`)],
	['with named entities', named],
	...['', 'a', 'ab'].flatMap((before): Array<[string, string]> => [
		[`in base64 behind '${before}'`, after(before)],
		[`in base64url behind '${before}'`, urlSafe(after(before))],
	]),
	['in base64url without padding', urlSafe(after('a')).replaceAll('=', '')],
	['in base64 encoded for a URL', encodeURIComponent(after('ab'))],
];

/** The pieces of the key, plain or in a form, that stand in a text. Eight characters are most of it. */
function piecesIn(text: string, form: string): string[] {
	// What escapes a text once more adds backslashes, and hosts are written in small letters.
	const bare = (one: string) => one.replaceAll('\\', '').toLowerCase();
	const whole = bare(text);
	const pieces = [tricky, form].map(bare).flatMap((one) => {
		const size = Math.ceil((8 * one.length) / tricky.length);
		return Array.from({ length: one.length - size + 1 }, (_, at) => one.slice(at, at + size));
	});
	return pieces.filter((piece) => whole.includes(piece));
}

const padding = 'x y '.repeat(20_000);
const cutAt = 64_000;

const places: Array<[string, (form: string) => Answer]> = [
	['a short answer', (form) => [200, `{"echo":"${form}"}`]],
	['an answer that is cut off', (form) => [200, `{"echo":"${form}","more":"${padding}"}`]],
	[
		'an answer, just where it is cut off',
		(form) => [200, `{"more":"${padding.slice(0, cutAt - 21)}${form}","end":"${padding}"}`],
	],
	['an answer that says it failed', (form) => [200, `{"status":"error","error":"key ${form}"}`]],
	['the address of a redirect', (form) => [302, '', { location: `/k/${form}/` }]],
	['the host of a redirect', (form) => [302, '', { location: `https://${form}.example/` }]],
];

describe.each(places)('In %s', (_, answering) => {
	it.each(forms)('the key %s is told nowhere', async (_how, key) => {
		service.answer = () => answering(key);
		const { all } = await leftBehind(pushSend, { apiKey: tricky });
		expect(piecesIn(all.map(everythingIn).join('\n'), key)).toEqual([]);
	});
});

it('A text that only has escapes keeps them', async () => {
	const page = `<html>&lt;b&gt; %3D \\u003d \\/ &#61; ${encodeURIComponent(tricky)} &amp;</html>`;
	service.answer = () => [404, page];
	const { failed } = await leftBehind(pushSend, { apiKey: tricky });
	const { response } = failed[0]?.json.details as { response: unknown };
	expect(response).toBe('<html>&lt;b&gt; %3D \\u003d \\/ &#61; … &amp;</html>');
});

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
