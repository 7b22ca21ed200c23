import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

/** A value of a row, and exactly what must be sent for it. Both are typed by hand. */
type ValueRow = readonly [value: unknown, sent: unknown];

const eachAsIs = (...values: string[]) => values.map((value): ValueRow => [value, value]);
const eachAs = (sent: string, ...values: string[]) =>
	values.map((value): ValueRow => [value, sent]);

const domains: readonly ValueRow[] = [
	...eachAs('info@xn--strae-oqa.example', 'info@straße.example'),
	...eachAs('müller@xn--exmple-cua.de', 'müller@exämple.de'),
];
const emails: readonly ValueRow[] = [
	...eachAsIs("o'neil&sons=x/emea#4!%?*+x@Example.COM", '12345@163.com', 'a@XN--E1AFMKFD.xn--p1ai'),
	...eachAsIs('Jürgen.Müller+shop@example.com', `${'a'.repeat(64)}@example.com`),
	...eachAsIs(`${'ü'.repeat(32)}@example.com`),
	// Letters of other scripts may precede the @, and stay as they are; a letter and its mark become one letter.
	...eachAs('ทำ@xn--o3cw4h.example', 'ทำ@ไทย.example'),
	...eachAs('müller@example.com', 'mu\u0308ller@example.com'),
	// What comes along when an address is copied.
	...eachAs('jürgen@example.com', ' \ufeffjür\u200bgen@exam\u00adple.com'),
	...eachAs('jürgen@example.com', '\u200eMailTo: jürgen@example.com'),
	...domains,
];

const emailLists: readonly ValueRow[] = [
	...eachAsIs('anna@example.com'),
	...eachAs('anna@xn--mller-kva.example,r&d@example.com', 'anna@müller.example , r&d@example.com'),
];

const links: readonly ValueRow[] = [
	...eachAsIs('https://shop.example.com/offers?from=push#top', 'http://shop.example.com'),
	...eachAsIs('https://[2001:db8::1]/', 'https://example.com/@name', 'HTTPS://EXAMPLE.com:8443/A'),
	...eachAsIs('https://münchen.example/straße', 'https://example.com/نمی\u200cخواهم'),
	...eachAsIs('https://shop.example.com/caf%C3%A9?q=a%20b', 'https://مثال.إختبار/صفحة/👍🏽'),
	...eachAsIs('https://shop.example.com/orders/{order_id}', 'tel:+1-212-555-0100;ext=42'),
	...eachAs('https://shop.example.com', ' https://shop.example.com\n'),
];

/** Numbers with their country code, which need no Default Country. */
const international: readonly ValueRow[] = [
	...eachAs('+491701234567', '0049 170 1234567', '+49 (0)170\t1234567', '+49—170−1234567'),
	...eachAs('+12125550100', '+1/212/555-0100', '+1 (212) 555-0100', '+1 [212] 555-0100'),
	...eachAs('+491701234567', '\u202a+49\u2011170 1234567\u202c', '\ufeff+49170\u200b1234567'),
	...eachAs('+919876500000', '+919876500000.0', '+919876500000.00'),
	...eachAs('+919876543210', 'p:+919876543210', 'P: +919876543210', '+९१ ९८७६५ ४३२१०'),
	...eachAs('+491713920001', 'tel:+49-171-3920001', "'+491713920001", '\u2019+49 171 3920001'),
	...eachAs('+491713920001', '＋４９（１７１）３９２０００１', '+٤٩١٧١٣٩٢٠٠٠١'),
	...eachAs('+390612345678', '+39 (0)6 1234 5678'),
	...eachAsIs('+491511234567890'),
];

/** What Sender Mobile accepts besides a number. */
const senders: readonly ValueRow[] = [
	...eachAs('+491701234567', '+49 170 1234567'),
	...eachAsIs('100', '12345678', '01234', 'ACME', 'Acme Market', 'H&M', '7-Eleven'),
	[72345, '72345'],
	...eachAs('72345', '72345.0', '٧٢٣٤٥'),
];

/** Messages in other scripts, and texts that look strange but are valid. */
const texts: readonly ValueRow[] = [
	...eachAsIs('Đơn hàng đã đến – déjà payée', 'طلبك في الطريق إليك', 'आपका ऑर्डर रास्ते में है'),
	...eachAsIs('Hello @{name}@, your order @{order_id}@ is here'),
	...eachAsIs("Nan's bakery: nan bread, undefinedness and NaNs"),
	...eachAsIs('1 < 2 && 3 > 2; 100 % off = 0 €', 'one\ntwo\r\nthree\tfour'),
];

const contents: readonly ValueRow[] = [
	...eachAsIs('<!doctype html><h1 lang="de">Grüße</h1><p>&nbsp;"20 % off"</p>'),
	...eachAsIs('<style>@media print{.undefined{color:red}}</style><p>Hello</p>'),
	...eachAsIs('<!-- {{ header }} --><p>Hello @{name}@</p>'),
];

const names: readonly ValueRow[] = [
	...eachAsIs("Sinéad O'Connor", 'Anne-Marie Müller-Lüdenscheidt', 'Ludwig van Beethoven jr.'),
	...eachAsIs('U', 'Null', 'Nan Goldin', 'Sammy Davis, Jr.', 'Keʻalohilani', '李小龍'),
];

const node = useNode();
const from = '={{ $json.value }}';

const byCampaign = { recipientBy: 'campaign_id', campaign_id: from };
const options = { sendDuplicates: true, concurrency: 1 };
const maxBroadcasts = 9;

/** What comes along when people copy an ID. Which characters phone numbers may hold is in their own table. */
const ids = [
	...eachAs('C-1', 'C-1\u200b', '\ufeff C-1 ', '\u202aC-1\u202c', 'C\u00ad-\ufe0f1', ' C-1\n'),
	...eachAsIs('é-李-محمد'),
];
const campaigns = [[5501, 5501] as const, ...eachAsIs('camp-1'), ...eachAs('5501', '5501\u200b')];
const wholeNumbers: ValueRow[] = [
	[1, 1],
	['9007199254740991', 9007199254740991],
	[' 0042 ', 42],
];
const yesOrNo: ValueRow[] = [
	[true, true],
	[false, false],
	['false', false],
	[' TRUE ', true],
];
/** Texts that are as long as they may be, counted as people count letters. */
const longest = ['😀', '👨‍👩‍👧‍👦', '🇮🇳', '👍🏽', 'e\u0301\u0323', '\u1112\u1161\u11ab'].flatMap((letter) =>
	eachAsIs(letter.repeat(70)),
);
const bySubscription = { ...order.pushSend, recipientBy: 'subscription_id' };
const locator = { __rl: true, mode: 'id', value: from };
const onAndroid = { ...order.pushSend, platforms: ['android'] };
const inPush = (key: string) => ({ ...order.pushSend, additionalFields: { [key]: from } });
const inEmail = (key: string) => ({ ...order.emailSend, additionalFields: { [key]: from } });

/** What is entered, the node, the key in the body or in the attributes of a user, and the values. */
const groups: Array<[string, INodeParameters, string, readonly ValueRow[]]> = [
	['a mobile number', order.smsSend, 'mobile', international],
	['the mobile number of a user', order.createUser, 'mobile', international.slice(0, 4)],
	['the sender of an SMS', order.smsSend, 'sender_mobile', senders],
	['an email address', order.emailSend, 'email', emails],
	['the email address of a user', order.createUser, 'email', domains],
	['the sender of an email', order.emailSend, 'sender_email', domains],
	['a reply address', inEmail('reply_to'), 'reply_to', domains],
	['addresses in copy', inEmail('email_cc'), 'email_cc', emailLists],
	['a link', order.pushSend, 'url', links],
	['an image', inPush('image_url'), 'image_url', links.slice(0, 1)],
	['a message', onAndroid, 'message', texts],
	['a title', onAndroid, 'title', longest],
	['the content of an email', order.emailSend, 'content', [...contents, ...texts.slice(0, 4)]],
	['a subject', order.emailSend, 'subject', [[42, '42']]],
	['the ID of a user', order.pushSend, 'user_id', ids],
	['the ID of a subscriber', bySubscription, 'subscription_id', ids.slice(0, 1)],
	['a campaign by email', { ...order.emailSend, ...byCampaign }, 'campaign_id', campaigns],
	['a segment', { ...order.pushToSegment, segment_id: locator }, 'segment_id', [['\u200b42', 42]]],
	['a whole number', order.smsSend, 'serviceproviderID', wholeNumbers],
	['yes or no', inEmail('track_open'), 'track_open', yesOrNo],
	['the name of a user', order.createUser, 'name', names],
];

it.each(groups)('%s is sent exactly as its table says', async (_, parameters, key, table) => {
	const entered = (parameters.additionalFields ?? parameters.segment_id) ? {} : { [key]: from };
	const rows = table.map(([value]) => ({ value: value as string }));
	const { error } = await node.run({ ...parameters, ...entered, maxBroadcasts, options }, { rows });
	expect(error).toBeUndefined();
	expect(node.sandbox.record.flatMap(({ problems }) => problems)).toEqual([]);
	const isUser = parameters.resource === 'user';
	expect(node.sandbox.accepted()).toHaveLength(isUser ? 1 : table.length);
	const sent = isUser ? node.elements().map((one) => one.user_attributes) : node.bodies();
	expect(sent.map((one, index) => [table[index]?.[0], (one as IDataObject)[key]])).toEqual(table);
});

/** The largest int64, and the first integer that JavaScript rounds. */
const largest = '9223372036854775807';
const first = '9007199254740993';

/** Sends one message to a server that answers as told. */
async function exchange(parameters: INodeParameters, answer = '{}', account: object = {}) {
	const { server, output } = await node.against((response) => response.end(answer), {
		parameters,
		account,
		rows: [{ value: largest }],
	});
	expect(output).toHaveLength(1);
	return { bytes: server.received.map(({ body }) => body), json: output[0]?.json };
}

describe('An ID beyond 2^53, given as text, arrives as a JSON number with all its digits', () => {
	it.each<[string, INodeParameters]>([
		['notification_id', { ...order.pushSend, additionalFields: { notification_id: from } }],
		['segment_id', { ...order.emailToAll, additionalFields: { segment_id: from } }],
		['serviceproviderID', { ...order.smsSend, serviceproviderID: from }],
	])('as %s', async (field, parameters) => {
		const written = expect.stringMatching(`[{,]"${field}":${largest}[,}]`) as string;
		expect((await exchange(parameters)).bytes).toEqual([written]);
	});

	it('in the extra fields of a body, and in the body of a custom request', async () => {
		const extraBodyFields = `{ "order": { "ids": [${first}, -${largest}] }, "text": "${first}" }`;
		const { bytes } = await exchange({ ...order.pushSend, additionalFields: { extraBodyFields } });
		const written = `"order":{"ids":[${first},-${largest}]},"text":"${first}"`;
		expect(bytes).toEqual([expect.stringContaining(written)]);
		const body = '={ "id": {{ $json.value }}, "text": "{{ $json.value }}", "name": "a \\"b\\" 1" }';
		const sent = `{"id":${largest},"text":"${largest}","name":"a \\"b\\" 1"}`;
		expect((await exchange({ ...order.customPost, body })).bytes).toEqual([sent]);
	});
});

describe('An output holds integers beyond 2^53 as text', () => {
	it('in the response of the service, where a key is masked', async () => {
		const answer = `{ "id": ${largest}, "small": 7, "ids": [${first}], "text": "${first}" }`;
		const { json } = await exchange(order.pushSend, answer);
		expect(json?.response).toEqual({ id: largest, small: 7, ids: [first], text: first });
		const apiKey = '12345678901234567890';
		const masked = await exchange(order.pushSend, `{"key": ${apiKey}}`, { apiKey });
		expect(masked.json?.response).toEqual({ key: '…' });
	});

	it('in a preview', async () => {
		const additionalFields = { notification_id: largest };
		const options = { previewOnly: true };
		const { json, bytes } = await exchange({ ...order.pushSend, additionalFields, options });
		const shown = { user_id: 'C-1', ...order.notification, notification_id: largest };
		expect([json?.body, bytes]).toStrictEqual([shown, []]);
	});
});

const of = (country: string, outcome: string, ...all: string[]) =>
	all.map((written) => [country, written, outcome] as const);

/** Numbers as people write them at home: the Default Country, the number, and E.164. */
const national: Array<readonly [country: unknown, written: string, sent: string]> = [
	...of('DE', '+491713920001', '0171/3920001', '0171.392.00.01', "'0171 3920001"),
	...of('IT', '+390612345678', '06 1234 5678'),
	// As spreadsheets and pandas write whole numbers that they took for decimals.
	...of('IN', '+919876500000', '9876500000.0', '9876500000,0', '9876500000.00'),
	...of('DE', '+491713920001', '1713920001.0', '491713920001.0'),
	// A number from abroad, as the country dials, and one without its plus.
	...of('US', '+491713920001', '011 49 171 3920001'),
	...of('GB', '+447400123456', '447400123456'),
	// A country in other letters, and numbers that need none.
	...of('in', '+919876543211', '98765 43211'),
	// 00 means the plus, also where something else is dialled.
	...of('US', '+491701234567', '0049 170 1234567'),
	// National numbers that only begin like a country code, and a landline with its zero.
	...of('DE', '+4915122345678', '15122345678'),
	...of('LU', '+352223344', '22 33 44'),
	...of('DE', '+494917139200', '04917139200'),
	// Not valid as far as the library knows, but possible.
	...of('AU', '+951567494404', '00951567494404'),
	['', '+1 212 555 0101', '+12125550101'],
	[49, '0049 171 3920003', '+491713920003'],
];

const none = 'is not a phone number with country code';
const not = (country: string) => `is not a phone number of ${country}`;
const noCountry = 'has no country code';
const write = 'Write it as +4915112345678';
const landline = (country: string) =>
	`may be a landline of ${country}, or a number whose plus is missing. Write it with its plus`;

/** What is refused: the country set as Default Country, the value, and the message. */
const refused = [
	...of('DE', none, '0171-392 00 01/2', '0171 3920001 (2)', '0171 1234567;0172 7654321'),
	// The country's own code, behind which a landline could begin so, too, and another country's.
	...of('DE', landline('Germany'), '4917139200', '447400123456'),
	...of('IT', landline('Italy'), '390612345678'),
	// A last digit alone is no group, and others that no library calls possible.
	...of('LU', 'is not a phone number', '76.16.98.0'),
	...of('DE', '', '12345', 'Call +4915112345678'),
	// The zero in brackets is part of the number in some countries only.
	...of('', none, '+45 (0)12 34 56 78', '+45 (00) 12 34 56 78', '+352 (0)621 123 456'),
	...of('', none, '+4915112345678901', '+49 170 1234567²'),
	...of('', none, '+491711234567+491727654321', 'tel:+12125550100;ext=42'),
	...of('IN', none, '9876500000.5', '9876500000,25', '9.8765E+09', '9,19877E+11'),
	...of('GB', `${not('United Kingdom')}. ${write}`, '250-555-0100', '12125550100'),
	...of('', `${noCountry}. ${write}, or choose a Default Country`, '0171 3920001', '447400123456'),
	...of('DEU', `${noCountry}, and Default Country is 'DEU'. Write it as`, '07400 12345'),
];

const byRow = { options: { defaultCountry: '={{ $json.country }}' } };
const sms = { ...order.smsSend, mobile: '={{ $json.phone }}', ...byRow };
const user = { ...order.createUser, userID: '={{ $json.id }}', mobile: sms.mobile, ...byRow };
const mapped = { ...user, dataMode: 'autoMapInputData', userIdField: 'id', mobile: '' };
const inGermany = { country: 'DE', phone: '0171 3920001' };

const sentTo = () =>
	node.bodies().flatMap((body) => {
		const { nv, mobile } = body as { nv?: IDataObject[]; mobile?: string };
		return nv?.map((one) => (one.user_attributes as IDataObject).mobile) ?? [mobile];
	});

describe('A Default Country that each row gives', () => {
	const byN8n = { ...sms, options: { defaultCountry: '={{ [$json.country].join("") }}' } };
	it.each<[string, INodeParameters, column: string]>([
		['SMS', sms, 'phone'],
		['users', user, 'phone'],
		['users whose columns are mapped', mapped, 'mobile'],
		['SMS, by an expression that only n8n can evaluate', byN8n, 'phone'],
	])('reads the numbers of %s', async (_, parameters, column) => {
		const more = { ...(parameters.options as object), sendDuplicates: true, concurrency: 1 };
		const rows = national.map(([country, written], id) => {
			return { id: `C-${id}`, country, [column]: written } as IDataObject;
		});
		await node.run({ ...parameters, options: more }, { rows });
		const sent = sentTo().map((mobile, index) => [national[index]?.[1], mobile]);
		expect(sent).toEqual(national.map(([, written, mobile]) => [written, mobile]));
	});

	it.each(refused)('%j refuses a number: %s %s', async (country, phone, why) => {
		const told = expect.stringContaining(`Mobile '${phone}' ${why}`) as string;
		expect(await node.refusals(sms, [inGermany, { country, phone }])).toEqual([told]);
		expect(sentTo()).toEqual(['+491713920001']);
	});

	it('reads the number of an email, but not of the sender of an SMS', async () => {
		const email = { ...order.emailSend, recipientBy: 'mobile', mobile: sms.mobile, ...byRow };
		expect(await node.refusal(email, inGermany)).toBeUndefined();
		const mobile = '+491713920001';
		expect(node.bodies()).toMatchObject([{ mobile }]);
		const fromNational = { ...sms, sender_mobile: '0171 3920009' };
		const told = await node.refusal(fromNational, inGermany);
		expect(told).toContain("Sender Mobile '0171 3920009' has no country code. Write");
		const inOptions = { ...fromNational, options: { defaultCountry: 'DE' } };
		expect(await node.refusal(inOptions, inGermany)).toBeUndefined();
		expect(node.bodies()).toMatchObject([{ mobile, sender_mobile: '+491713920009' }]);
	});

	it('does not read the numbers of the credential', async () => {
		const rows = [inGermany, { country: 'in', phone: '98765 43210' }];
		const limited = { limitRecipients: true, onlyRecipients: '0171 3920001\n+91 98765 43210' };
		await node.run(sms, { rows, account: limited });
		expect(sentTo()).toEqual(['+919876543210']);
		const sender = { smsSenderName: 'ACME', smsSenderMobile: '0171 3920009' };
		const account = { defaultSenders: true, ...sender, smsServiceProviderId: '8' };
		const parameters = { ...sms, senderFrom: 'credential' };
		const { error } = await node.run(parameters, { rows: [inGermany], account });
		expect(error?.message).toBe(
			"Nothing was sent: In the credential, SMS Sender Mobile '…' has no country code. Write it as +4915112345678",
		);
	});
});
