import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

/** A value of a row, and exactly what must be sent for it. Both are typed by hand. */
type ValueRow = readonly [what: string, value: unknown, sent: unknown];

/** A value that is sent as it is. */
const asIs = (what: string, value: string): ValueRow => [what, value, value];

/** Values that are all sent as they are. */
const eachAsIs = (...values: string[]) => values.map((value) => asIs(value, value));

/** Values that are all sent alike. */
const eachAs = (sent: string, ...values: string[]) =>
	values.map((value): ValueRow => [value, value, sent]);

const emails: readonly ValueRow[] = [
	...eachAsIs('ravi@example.com', 'Ravi.Iyer@Example.COM', 'ravi+shop@example.co.in'),
	...eachAsIs("o'neil@example.ie", 'r&d@example.com', 'bounce=ravi@example.com'),
	...eachAsIs('sales/emea@example.com', 'desk#4@example.com', 'hello!@example.com'),
	...eachAsIs('100%wool@example.com', 'why?@example.com', 'star*@example.com'),
	...eachAsIs(
		'~ravi_@example.photography',
		'r@example.com',
		'12345@163.com',
		'a@b.c.d.example.com',
	),
	...eachAs('info@xn--mller-kva.example', 'info@müller.example'),
	...eachAs('info@xn--strae-oqa.example', 'info@straße.example'),
	...eachAs('info@xn--fsqu00a.example', 'info@例子.example'),
	...eachAs('info@xn--r8jz45g.xn--zckzah', 'info@例え.テスト'),
	...eachAs('info@xn--e1afmkfd.xn--p1ai', 'info@пример.рф'),
	...eachAs('info@xn--p1b6ci4b4b3a.xn--h2brj9c', 'info@उदाहरण.भारत'),
	...eachAsIs('info@xn--e1afmkfd.xn--p1ai'),
	...eachAs('müller@xn--exmple-cua.de', 'müller@exämple.de'),
	...eachAs('用户@xn--fsqu00a.example', '用户@例子.example'),
	...eachAs('ravi@example.com', ' ravi@example.com '),
];

const emailLists: readonly ValueRow[] = [
	['one', 'anna@example.com', 'anna@example.com'],
	['several', 'anna@example.com, ben@example.com', 'anna@example.com,ben@example.com'],
	[
		'with an international domain',
		'anna@müller.example , r&d@example.com',
		'anna@xn--mller-kva.example,r&d@example.com',
	],
];

const links: readonly ValueRow[] = [
	...eachAsIs('https://shop.example.com/offers?from=push#top', 'http://shop.example.com'),
	...eachAsIs('https://shop.example.com:8443/offers', 'https://müller.example/über-uns'),
	...eachAsIs(
		'https://例え.テスト/ページ',
		'https://مثال.إختبار/صفحة',
		'https://xn--mller-kva.example/',
	),
	...eachAsIs('https://shop.example.com/caf%C3%A9?q=a%20b', 'https://shop.example.com/🎉'),
	...eachAsIs('https://shop.example.com/👨‍👩‍👧‍👦?skin=👍🏽', 'https://shop.example.com/🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
	...eachAsIs('https://shop.example.com/می‌خواهم'),
	...eachAsIs('https://shop.example.com/orders/@{order_id}@', 'tel:+4915112345678'),
	...eachAsIs('tel:+1-212-555-0100', 'tel:1900', 'tel:+1900', 'tel:+12125550100;ext=42'),
	...eachAsIs('sms:+4915112345678', 'sms:+1900?body=x', 'mailto:a@example.com'),
	...eachAsIs('mailto:help@example.com?subject=Order%201&body=Hello'),
	...eachAsIs('geo:37.786971,-122.399677', 'myapp://orders/1'),
	...eachAsIs('com.example.shop://orders/1?from=push', 'comgooglemaps://?q=Pune'),
	...eachAsIs('whatsapp://send?phone=4915112345678', 'market://details?id=com.example.shop'),
	...eachAs('https://shop.example.com', ' https://shop.example.com\n'),
];

const of = (country: string, sent: string, ...all: string[]) =>
	all.map((written) => [country, written, sent] as const);

/** Numbers as people write them at home: the country set as Default Country, the number, and E.164. */
const national: ReadonlyArray<readonly [country: string, written: string, sent: string]> = [
	...of('AR', '+5491123456789', '011 15-2345-6789'),
	...of('AT', '+436641234567', '0664/123 45 67'),
	...of('BE', '+32470123456', '0470/12.34.56'),
	...of('BR', '+5511987654321', '(11) 98765-4321'),
	...of('CH', '+41446681800', '044/668/18/00'),
	...of('DE', '+491713920001', '0171/3920001', '0171.392.00.01'),
	...of('DK', '+4532123456', '32 12 34 56'),
	...of('ES', '+34612345678', '612 34 56 78'),
	...of('FR', '+33123456789', '01 23 45 67 89'),
	...of('FR', '+33142685300', '01/42/68/53/00'),
	...of('IN', '+918123456789', '081234 56789'),
	...of('IT', '+390612345678', '06 1234 5678'),
	...of('IT', '+393123456789', '312 345 6789'),
	...of('KZ', '+77710009998', '8 (771) 000 9998'),
	...of('MX', '+525512345678', '55 1234 5678'),
	...of('US', '+12125550100', '(212) 555-0100'),
	// As spreadsheets and pandas write whole numbers that they took for decimals.
	...of('IN', '+919876500000', '9876500000.0', '9876500000,0', '9876500000.00'),
	...of('DE', '+491713920001', '1713920001.0', '491713920001.0'),
	// Landlines.
	...of('DE', '+49301234567', '030.123.45.67'),
	...of('DE', '+4930123450', '030/123 45-0'),
	...of('GB', '+442079460958', '020 7946 0958'),
	// A number from abroad, as the country dials, and one without its plus.
	...of('US', '+491713920001', '011 49 171 3920001'),
	...of('GB', '+447400123456', '447400123456'),
	// Digits of other scripts.
	...of('IN', '+919876543210', '919876543210', '९८७६५४३२१०'),
	...of('JP', '+819012345678', '０９０－１２３４－５６７８'),
	// A mark of text, as Excel shows and Google Sheets may export it.
	...of('DE', '+491713920001', "'0171 3920001"),
];

/** Numbers with their country code, which need no Default Country. */
const international: readonly ValueRow[] = [
	...eachAs('+4512345678', '+45 12 34 56 78'),
	...eachAs('+491701234567', '0049 170 1234567', '+49 (0)170 1234567'),
	...eachAs('+12125550100', '+1/212/555-0100', '+1 (212) 555-0100', '+1 [212] 555-0100'),
	...eachAs('+33612345678', '+33.6.12.34.56.78', '+33\u00a06\u00a012\u00a034\u202f56\u00a078'),
	...eachAs('+491701234567', '+49\u2011170\u20111234567', '+49—170—1234567', '+49−170−1234567'),
	...eachAs('+491701234567', '\u202a+49 170 1234567\u202c', '+49170\u200b1234567'),
	...eachAs('+491701234567', '\ufeff+491701234567', '+49\t170\t1234567'),
	...eachAs('+919876500000', '+919876500000.0', '+919876500000.00'),
	...eachAs('+919876543210', 'p:+919876543210', 'P: +919876543210', '+९१ ९८७६५ ४३२१०'),
	...eachAs('+491713920001', 'tel:+49-171-3920001', "'+491713920001", '\u2019+49 171 3920001'),
	...eachAs('+491713920001', '＋４９（１７１）３９２０００１', '+٤٩١٧١٣٩٢٠٠٠١'),
	...eachAs('+390612345678', '+39 (0)6 1234 5678'),
	...eachAs('+819012345678', '+81－90－1234－5678'),
];

const several = 'seems to hold more than one phone number';
const none = 'is not a phone number with country code';
const rounded = 'is rounded, so digits are missing';
const not = (country: string) => `is not a phone number of ${country}`;
const unusable = (why: string, country: string, ...all: string[]) =>
	all.map((written) => [country, written, why] as const);

/** What is refused: the country set as Default Country, the value, and the message. */
const refused: ReadonlyArray<readonly [country: string, written: unknown, why: string]> = [
	...unusable(several, 'DE', '0171-392 00 01/2', '0171-392 00 01/123', '0171 3920001 (2)'),
	...unusable(several, 'DE', '030 12345 030 12346', '0171 1234567;0172 7654321', '030 12345.00'),
	...unusable(several, 'DE', '0171 3920001 x123'),
	...unusable(several, '', '+491711234567+491727654321', 'tel:+12125550100;ext=42'),
	...unusable(several, 'US', '(212) 555-0100 ext. 5'),
	...unusable(several, 'IN', '9876500000.5', '9876500000,25'),
	...unusable(rounded, 'IN', '9.8765E+09', '9,19877E+11'),
	...unusable(`${not('United Kingdom')}. Write it as +4915112345678`, 'GB', '250-555-0100'),
	...unusable(
		`${not('United Kingdom')}. Did you mean +12125550100? Write it with its plus`,
		'GB',
		'12125550100',
	),
	...unusable('could be +49447400123456 or +447400123456', 'DE', '447400123456'),
	...unusable(not('India'), 'IN', '123-123-1234', '9999999999'),
	...unusable(not('Austria'), 'AT', '0123 123 123'),
	...unusable(none, 'GB', '0000000000'),
	...unusable(
		'has no country code. Write it as +4915112345678, or choose a Default Country',
		'',
		'0171 3920001',
	),
	...unusable('has no country code. Did you mean +447400123456?', '', '447400123456'),
	...unusable(none, '', '+49 151', '+491511234567890123'),
	...unusable(none, 'DE', 'unknown'),
	...unusable(
		"has no country code, and Default Country is 'Deutschland'",
		'Deutschland',
		'0171 3920001',
	),
];

/** What Sender Mobile accepts besides a number. */
const senders: readonly ValueRow[] = [
	...eachAs('+491701234567', '+49 170 1234567'),
	...eachAsIs('100', '12345678', '01234', 'ACME', 'Acme Market', 'H&M', '7-Eleven'),
	['a short code as a number', 72345, '72345'],
	...eachAs('72345', '72345.0', '٧٢٣٤٥'),
];

/** Messages in many scripts, and other texts that look strange but are valid. */
const texts: readonly ValueRow[] = [
	...eachAsIs('Votre commande arrive à Orléans – déjà payée', 'Đơn hàng của bạn đang trên đường'),
	...eachAsIs('Η παραγγελία σας έρχεται αύριο', 'Ваш заказ уже в пути', 'طلبك في الطريق إليك'),
	...eachAsIs('ההזמנה שלך בדרך', 'आपका ऑर्डर रास्ते में है', 'আপনার অর্ডার আসছে'),
	...eachAsIs('உங்கள் ஆர்டர் வருகிறது', 'તમારો ઓર્ડર રસ્તામાં છે', 'คำสั่งซื้อของคุณกำลังมา'),
	...eachAsIs(
		'您的订单正在路上',
		'ご注文の品は明日届きます',
		'주문하신 상품이 오고 있습니다',
		'თქვენი შეკვეთა გზაშია',
	),
	...eachAsIs('Ձեր պատվերը ճանապարհին է', 'ትዕዛዝዎ በመንገድ ላይ ነው', '👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 1️⃣ 🇮🇳 🏴󠁧󠁢󠁥󠁮󠁧󠁿'),
	...eachAsIs('Hello @{name}@, your order @{order_id}@ is here'),
	...eachAsIs("Nan's bakery: nan bread, undefinedness and NaNs"),
	...eachAsIs('See https://shop.example.com/undefined?q=NaN', 'Use {CODE} or } and {'),
	...eachAsIs('1 < 2 && 3 > 2; 100 % off = 0 €', 'one\ntwo\r\nthree\tfour'),
];

const contents: readonly ValueRow[] = [
	...eachAsIs('<!doctype html><h1 lang="de">Grüße</h1><p>&nbsp;"20 % off"</p>'),
	...eachAsIs('<style>@media print{.undefined{color:red}}</style><p>Hello</p>'),
	...eachAsIs('<!-- {{ header }} --><p>Hello @{name}@</p>'),
];

const names: readonly ValueRow[] = [
	...eachAsIs("Sinéad O'Connor", 'Anne-Marie Müller-Lüdenscheidt', 'Ludwig van Beethoven jr.'),
	...eachAsIs('U', 'Null', 'Nan Goldin', 'Sammy Davis, Jr.', 'Björk Guðmundsdóttir'),
	...eachAsIs('Wisława Szymborska', 'İbrahim Çelikkol', '李小龍', 'محمد بن عبد الله'),
	...eachAsIs('Keʻalohilani', 'Ravi Iyer 3rd'),
];

const node = useNode();
const from = '={{ $json.value }}';

const smsTo = { ...order.smsSend, mobile: from };
const byCampaign = { recipientBy: 'campaign_id', campaign_id: from };
const options = { sendDuplicates: true, concurrency: 1 };
const maxBroadcasts = 9;

/** What comes along when people copy an ID. Which characters phone numbers may hold is in their own table. */
const ids: ValueRow[] = [
	['a zero-width space', 'C-1\u200b', 'C-1'],
	['a byte order mark and spaces', '\ufeff C-1 ', 'C-1'],
	['marks of direction', '\u202aC-1\u202c', 'C-1'],
	['a soft hyphen and a variation selector', 'C\u00ad-\ufe0f1', 'C-1'],
	['spaces around it', ' C-1\n', 'C-1'],
	asIs('letters of other scripts', 'é-李-محمد'),
];
const campaigns: ValueRow[] = [
	['a number', 5501, 5501],
	asIs('text', 'camp-1'),
	asIs('digits as text', '5501'),
	['a zero-width space', '5501\u200b', '5501'],
];
const wholeNumbers: ValueRow[] = [
	['1', 1, 1],
	['2^53 - 1', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	['digits as text', '42', 42],
	['2^53 - 1 as text', '9007199254740991', 9007199254740991],
	['digits with spaces around', ' 42 ', 42],
	['zeros in front', '007', 7],
];
const yesOrNo: ValueRow[] = [
	['true', true, true],
	['false', false, false],
	['true as text', 'true', true],
	['false as text', 'false', false],
	['capitals and spaces', ' TRUE ', true],
];
/** Texts that are as long as they may be, counted as people count letters. */
const longest = (most: number): ValueRow[] => [
	asIs('letters', 'x'.repeat(most)),
	asIs('emoji', '😀'.repeat(most)),
	asIs('families', '👨‍👩‍👧‍👦'.repeat(most)),
	asIs('flags', '🇮🇳'.repeat(most)),
	asIs('skin tones', '👍🏽'.repeat(most)),
	asIs('accented letters', 'e\u0301\u0323'.repeat(most)),
	asIs('Hangul in parts', '\u1112\u1161\u11ab'.repeat(most)),
	asIs('lines', 'x\r\n'.repeat(most / 2)),
];
const international4 = international.slice(0, 4);
const domains = emails.slice(18, 22);
const onAndroid = { ...order.pushSend, platforms: ['android'] };
const onIos = { ...order.pushSend, platforms: ['ios'] };
const inEmail = (key: string) => ({ ...order.emailSend, additionalFields: { [key]: from } });

/** What is entered, the node, the key in the body or in the attributes of a user, and the values. */
const groups: Array<[string, INodeParameters, string, readonly ValueRow[]]> = [
	['a mobile number', smsTo, 'mobile', international],
	['the mobile number of a user', order.createUser, 'mobile', international4],
	['the sender of an SMS', order.smsSend, 'sender_mobile', senders],
	['an email address', order.emailSend, 'email', emails],
	['the email address of a user', order.createUser, 'email', domains],
	['the sender of an email', order.emailSend, 'sender_email', domains],
	['a reply address', inEmail('reply_to'), 'reply_to', domains],
	['addresses in copy', inEmail('email_cc'), 'email_cc', emailLists],
	['a link', order.pushSend, 'url', links],
	['a message', onAndroid, 'message', texts],
	['a title on Android', onAndroid, 'title', longest(70)],
	['a title on iOS', onIos, 'title', longest(70)],
	['a long message on Android', onAndroid, 'message', longest(130)],
	['a long message on iOS', onIos, 'message', longest(130)],
	['the content of an email', order.emailSend, 'content', [...contents, ...texts.slice(0, 4)]],
	['a subject', order.emailSend, 'subject', [['a number', 42, '42']]],
	['the ID of a user', order.pushSend, 'user_id', ids],
	[
		'the ID of a subscriber',
		{ ...order.pushSend, recipientBy: 'subscription_id' },
		'subscription_id',
		ids.slice(0, 1),
	],
	[
		'the ID of a campaign by email',
		{ ...order.emailSend, ...byCampaign },
		'campaign_id',
		campaigns,
	],
	['the ID of a campaign by SMS', { ...order.smsSend, ...byCampaign }, 'campaign_id', campaigns],
	[
		'the ID of a segment',
		{ ...order.pushToSegment, segment_id: { __rl: true, mode: 'id', value: from } },
		'segment_id',
		[['a zero-width space', '\u200b42', 42]],
	],
	['a whole number', order.smsSend, 'serviceproviderID', wholeNumbers],
	['yes or no', inEmail('track_open'), 'track_open', yesOrNo],
	['the name of a user', order.createUser, 'name', names],
];

it.each(groups)('%s is sent exactly as its table says', async (_, parameters, key, table) => {
	const entered = (parameters.additionalFields ?? parameters.segment_id) ? {} : { [key]: from };
	const rows = table.map(([, value]) => ({ value: value as string }));
	const { error } = await node.run({ ...parameters, ...entered, maxBroadcasts, options }, { rows });
	expect(error).toBeUndefined();
	expect(node.sandbox.record.flatMap(({ problems }) => problems)).toEqual([]);
	expect(node.sandbox.accepted()).toHaveLength(parameters.resource === 'user' ? 1 : table.length);
	const sent = node.bodies().flatMap((body) => {
		const { nv } = body as { nv?: Array<{ user_attributes: object }> };
		return (nv?.map((user) => user.user_attributes) ?? [body]) as Array<Record<string, unknown>>;
	});
	expect(sent.map((one, index) => [table[index]?.[0], one[key]])).toEqual(
		table.map(([what, , value]) => [what, value]),
	);
});

test('A mobile number in the notation of its country is sent as the table says', async () => {
	const rows = national.map(([country, value]) => ({ country, value }));
	const parameters = { ...smsTo, options: { ...options, defaultCountry: '={{ $json.country }}' } };
	await node.run(parameters, { rows });
	const sent = node.bodies().map((body) => (body as { mobile: string }).mobile);
	expect(sent.map((mobile, index) => [...(national[index]?.slice(0, 2) ?? []), mobile])).toEqual(
		national,
	);
});

it.each(refused)(
	'A mobile number with the Default Country %j is not sent: %s',
	async (defaultCountry, value, why) => {
		const parameters = { ...smsTo, options: { defaultCountry } };
		const { error } = await node.run(parameters, { rows: [{ value: value as string }] });
		expect(error?.description).toContain(`Mobile '${String(value)}' ${why}`);
		expect(node.sandbox.record).toEqual([]);
	},
);

it.each([
	['empty', ''],
	['null', null],
	['absent', undefined],
])('A field that is %s is not sent', async (_, value) => {
	const optional = Object.keys({ ...order.appearance, ...order.devices });
	const additionalFields = Object.fromEntries(optional.map((key) => [key, from]));
	await node.run({ ...order.pushSend, additionalFields }, { rows: [{ value }] });
	expect(node.onlyArrival().body).toStrictEqual({ user_id: 'C-1', ...order.notification });
});
