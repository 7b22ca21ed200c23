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
