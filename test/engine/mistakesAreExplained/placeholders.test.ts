import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, mapped, push, sms, toCampaign, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const filter = 'leave such items out with a Filter node';
const correct = `Correct it, or ${filter}`;
const titled = (title: string) => push({ title });
const attribute = (value: string, name = 'plan') =>
	user({ customAttributes: { assignments: [{ name, type: 'string', value }] } });

/** What is said of the texts of rows that are sent. */
async function hints(parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	const { error, hints: shown } = await node.run(parameters, { rows });
	expect(error).toBeUndefined();
	return hintsOf({ hints: shown })
		.map((hint) => hint.replace(/&lt;/g, '<').replace(/&amp;/g, '&'))
		.filter((hint) => /contains '|that no item has|for all recipients|encoding/.test(hint));
}

const meant = (near: string) => `Did you mean {{ ${near} }}?`;
const ann = { id: 'C-1', first_name: 'Ann' };

describe('Code inside a text', () => {
	const ofOtherTool = 'is a filter of another tool';
	const compute = 'Compute the text in an Edit Fields node before';
	const instead = (code: string) => `Write {{ ${code} || 'there' }}, or ${filter}`;
	it.each<[code: string, row: IDataObject, what: string, wayOut?: string]>([
		['$json.value', { value: false }, 'is false'],
		['$json.value', { value: { street: 'x', city: 'y' } }, 'is an object with street, city'],
		['$json.value', { value: [{ a: 1 }] }, 'is a list that holds more than texts'],
		['$json.value', { value: 'N/A' }, "is 'N/A', which stands for a missing value"],
		['$json.a * 2', { a: 'x' }, 'is NaN'],
		['nonsense', {}, 'is empty'],
		['$json.firstName', { lastName: 'Ng' }, 'is empty', instead('$json.firstName')],
		['$json.email2', { email1: 'a@b.example' }, 'is empty', instead('$json.email2')],
		['$json.name', { mean: 'x' }, 'is empty', instead('$json.name')],
		// A column that is named in another way.
		['$json.firstname', ann, 'is empty', meant('$json.first_name')],
		['$json["First Name"]', ann, 'is empty', meant('$json.first_name')],
		['$json.emial', { email: 'a@b.de' }, 'is empty', meant('$json.email')],
		['first_name', ann, 'is empty', meant('$json.first_name')],
		['contact.name', { 'Contact Name': 'A' }, 'is empty', meant('$json["Contact Name"]')],
		['$json.user.firstname', { user: ann }, 'is empty', meant('$json.user.first_name')],
		// A filter of another tool.
		['$json.name | upper', { name: 'Ann' }, ofOtherTool, compute],
		['name | capitalize', { name: 'Ann' }, ofOtherTool, compute],
		['$json["a b"]|trim', { 'a b': 'x' }, ofOtherTool, compute],
	])('is refused, in each row: {{ %s }} of %j', async (code, row, what, wayOut = correct) => {
		const told = `{{ ${code} }} in Title ${what}. ${wayOut}`;
		for (const rows of [[row], [row, row]])
			expect(await node.refusals(titled(`=Hi {{ ${code} }}!`), rows)).toEqual(rows.map(() => told));
	});

	it.each<[code: string, row: IDataObject, title: string]>([
		['$json.value', { value: 0 }, 'Hi 0!'],
		['$json.value', { value: ['a', 'b'] }, 'Hi a,b!'],
		// It says itself what stands there.
		["$json.name || ''", {}, 'Hi !'],
		["$json.vip ? 'VIP' : undefined", {}, 'Hi !'],
		['$json.contact?.name', {}, 'Hi !'],
		["'Dr. ' + $json.name", { name: 'Null' }, 'Hi Dr. Null!'],
		['[$json.first, $json.last].join(" ")', { first: 'Ana' }, 'Hi Ana !'],
	])('is sent: {{ %s }} of %j', async (code, row, title) => {
		expect(await node.refusal(titled(`=Hi {{ ${code} }}!`), row)).toBeUndefined();
		expect(node.arrived('title')).toEqual([title]);
	});

	it('is refused where it is empty, row by row, with one way out that makes each step optional', async () => {
		const people = [{ name: 'Ann' }, { name: '' }, {}, { name: null }, { name: ' ' }, { name: [] }];
		const rows = people.map((contact) => ({ contact }));
		const told = `{{ $json.contact.name }} in Title is empty. ${instead('$json.contact?.name')}`;
		const parameters = titled('=Welcome, {{ $json.contact.name }}!');
		expect(await node.refusals(parameters, rows)).toEqual(Array(5).fill(told));
		expect(node.arrived('title')).toEqual(['Welcome, Ann!']);
	});

	const shop = '=https://shop.example.com/';
	const isEmpty = (label: string) => `{{ $json.name }} in ${label} is empty. Correct it`;
	it.each<[parameters: INodeParameters, row: IDataObject, told?: string]>([
		[email({ subject: '=Hi {{ $json.name }}' }), {}, `is empty. ${instead('$json.name')}`],
		[email({ content: '=<p>{{ $json.name }}</p>' }), {}, `is empty. ${instead('$json.name')}`],
		[user({ name: '={{ $json.name }} Smith' }), {}, isEmpty('Name')],
		[sms({ campaign_name: '=To {{ $json.name }}' }), {}, isEmpty('Campaign Name')],
		[push({ user_id: '=C-{{ $json.name }}' }), {}, isEmpty('User ID')],
		[push({ user_id: '={{ $json.userid }}' }), { user_id: 'C-1' }, meant('$json.user_id')],
		[push({ url: `${shop}{{ $json.name }}` }), {}, isEmpty('URL')],
		[push({ sendOnce: true, sendOnceKey: '=No {{ $json.name }}' }), {}, isEmpty('Send Once Key')],
		// In the query of a link, true and false may be meant.
		[push({ url: `${shop}?vip={{ $json.vip }}` }), { vip: true }],
		[push({ url: `${shop}{{ $json.vip }}` }), { vip: true }, 'is true'],
		[titled('=Really?{{ $json.vip }}'), { vip: true }, 'is true'],
	])('is judged in other fields, too: %j of %j', async (...[parameters, row, told]) => {
		expect(await node.refusal(parameters, row)).toEqual(told && expect.stringContaining(told));
	});

	const page = 'https://shop.example.com/?from={{ $json.from }}&to=x';
	it.each<[field: string, parameters: (page: string) => INodeParameters]>([
		['URL', (url) => push({ url: `=${url}` })],
		['Message', (url) => sms({ message: `=See ${url} soon` })],
		['Content', (url) => email({ content: `=<a href="${url}">Shop</a>` })],
	])('is a value of a link in %s, which must not end early or change', async (label, linking) => {
		for (const from of ['a&b', 'a#b', 'a b', 'ann+shop@example.com']) {
			const told = `{{ $json.from }} in ${label} is '${from}', which ends or changes a value in a link. Write {{ encodeURIComponent($json.from) }}`;
			expect(await node.refusal(linking(page), { from })).toBe(told);
		}
		for (const from of ['a%26b', '1+1', 'Zürich'])
			expect(await node.refusal(linking(page), { from })).toBeUndefined();
		const encoded = page.replace('$json.from', 'encodeURIComponent($json.from)');
		expect(await node.refusal(linking(encoded), { from: 'a&b' })).toBeUndefined();
	});
});

const remote = { baseUrl: 'https://a.example', pushUrl: 'https://a.example' };
const onlyHere = /leads to a page that only the machine of n8n can open/;
const onlyInTests = /leads to a test page of n8n.*Production URL/;
test.each<[url: string, account: object, told?: RegExp]>([
	['http://localhost:5678/form-test/1', {}, onlyInTests],
	['http://localhost:5678/webhook-test/1', {}, onlyInTests],
	['http://localhost:3000/', remote, onlyHere],
	['http://127.0.0.1/', remote, onlyHere],
	['http://[::1]/', remote, onlyHere],
	// The service runs here too.
	['http://[::1]/', {}],
	['https://other.example/form-test/1', remote],
	['myapp://localhost/orders', remote],
])('Only a link to this machine, or to a test page, is refused: %s', async (...one) => {
	const [url, account, told] = one;
	const { error } = await node.run(push({ url, options: { previewOnly: true } }), { account });
	expect(error?.message).toEqual(told && expect.stringMatching(told));
});

describe('A column that no item has', () => {
	it('is named once in a hint where an optional field reads it in a list', async () => {
		const rows = ['1', '2'].map((id) => ({ id, E_Mail: 'ann@example.com', mood: '' }));
		const parameters = {
			...attribute('={{ $json.plan }}'),
			...{ userID: '={{ $json.id }}', email: '={{ $json.email }}', name: '={{ $json.mood }}' },
		};
		expect(await hints(parameters, rows)).toEqual([
			'Items 0 (1), 1 (2): {{ $json.email }} in Email reads a column that no item has. Did you mean {{ $json.E_Mail }}?',
			"Items 0 (1), 1 (2): {{ $json.plan }} in the attribute 'plan' reads a column that no item has. It stays empty.",
		]);
		node.sandbox.reset();
		expect(await hints(parameters, rows.slice(1))).toEqual([]);
	});

	it('is refused for a time or a zone in a list, and for one item if another is near', async () => {
		const code = '{{ $json.due || "2030-01-01T09:00" }}';
		const at = push({ sendAt: 'at', scheduledFor: `=${code}` });
		const zone = event({ event_time: '2030-01-01 09:00', scheduleTimezone: '={{ $json.zone }}' });
		const unread = 'reads a column that no item has';
		const told = `${code} in Date and Time ${unread}. ${correct}`;
		expect(await node.refusals(at, [{ a: 1 }, { a: 2 }])).toEqual([told, told]);
		expect(await node.refusal(zone, { Zone: 'Asia/Kolkata' })).toBe(
			`{{ $json.zone }} in Timezone Name or ID ${unread}. ${meant('$json.Zone')}`,
		);
		expect(await node.refusal(zone, { city: 'Pune' })).toBeUndefined();
	});
});

describe('A text as it came out', () => {
	const missing = `which stands for a missing value. ${correct}`;
	it.each<[label: string, parameters: INodeParameters, row: IDataObject, found: string]>([
		['Title', titled('={{ "Hello " + $json.at }}'), {}, 'undefined'],
		['Title', titled('=At {{ DateTime.fromISO("x").toFormat("H") }}'), {}, 'Invalid DateTime'],
		['Title', titled('={{ "To " + $json.a }}'), { a: { b: 1 } }, '[object Object]'],
		['Title', titled('={{ "Hi " + $json.name.trim }}'), { name: 'Ann' }, '[native code'],
		['Title', titled('=Hi {{ $json.text }}'), { text: 'Anna null' }, 'null'],
		['Title', titled("=Hi {{ $json.a + ' ' + $json.b }}"), { a: 'Ana', b: null }, 'null'],
		['URL', push({ url: '={{ "https://a.example/?id=" + $json.id }}' }), {}, 'undefined'],
		["the attribute 'plan'", attribute('=Plan {{ "of " + $json.plan }}'), {}, 'undefined'],
	])('is refused with what stands for a missing value: %s, %j', async (...one) => {
		const [label, parameters, row, found] = one;
		expect(await node.refusal(parameters, row)).toBe(`${label} contains '${found}', ${missing}`);
	});

	it.each<[parameters: INodeParameters, text?: string]>([
		[titled('What does undefined mean?')],
		[titled('=The value undefined {{ $json.text }}'), 'explained'],
		[titled('={{ $json.text }}'), 'null Zinsen'],
		[titled('={{ $json.text }}'), 'Ms. Null'],
		[titled('={{ $json.text }}'), '[Neu] R&D und H&M #SALE! {first_name} $name$ ##x##'],
		[attribute('={{ $json.text }}'), 'was undefined'],
		// Nobody reads it there.
		[email({ content: '<script>{% if x %} %%Y%%</script><p>Hi</p>' })],
		[email({ content: '<a href="*|UNSUB|*">A</a> https://a.example/?u=%%EMAIL%%' })],
		// No HTML.
		[push({ message: 'Q&A; R&D: AT&T and Salt & Pepper, 1 < 2 && 3 > 2; <3 you; a <b, c> d' })],
	])('is sent without a hint where it is meant: %j of %j', async (parameters, text = '') => {
		expect(await hints(parameters, [{ text }])).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
	});

	const raw = '2026-12-01T08:30:00.000Z';
	const ofJavaScript = 'Mon May 06 2030 09:08:09 GMT+0200 (Mitteleuropäische Sommerzeit)';
	it.each<[parameters: INodeParameters, at: string, told?: string]>([
		[push({ message: '=On {{ $json.at }}' }), raw, 'a time without a format'],
		[push({ message: '={{ $json.at }}' }), ofJavaScript, 'a time without a format'],
		[email({ content: '=<p>{{ $json.at }}</p>' }), raw, 'a time without a format'],
		[attribute('=On {{ $json.at }}'), ofJavaScript, 'a date comes into a text without a format'],
		// Nobody reads it there.
		[email({ content: '=<a href="https://a.example/?from={{ $json.at }}">Save</a>' }), raw],
		[push({ url: '=https://a.example/?from={{ $json.at }}' }), raw],
		[sms({ message: '=Save https://a.example/?from={{ $json.at }}' }), raw],
		[sms({ campaign_name: '=Run of {{ $json.at }}' }), raw],
	])('is refused with a raw time that people would see: %j', async (...[parameters, at, told]) => {
		const found = await node.refusal(parameters, { at });
		expect(found).toEqual(told && expect.stringContaining(told));
	});

	const leftovers = ['{{ $json.name }}', '{% if vip %}', '<%= name %>', '*|FNAME|*', '%%NAME%%'];
	it.each(leftovers)('is refused with what only another tool fills in: %s', async (text) => {
		const found = `contains '${text}', which n8n does not fill in. Set the field to Expression, and write a column as {{ $json.column }}`;
		for (const message of [`Hi ${text}`, '=Hi {{ $json.text }}'])
			expect(await node.refusal(sms({ message }), { text })).toBe(`Message ${found}`);
		expect(await node.refusal(email({ content: `<p>Hi ${text}</p>` }))).toBe(`Content ${found}`);
		for (const toMany of [order.emailToAll, toCampaign]) {
			const told = expect.stringContaining(`Subject ${found}`) as string;
			expect(await hints({ ...toMany, subject: `Hi ${text}` })).toEqual([told]);
		}
	});

	it('is refused to a person although a campaign in the row before only gets a hint', async () => {
		const recipientBy = '={{ $json.by }}';
		const parameters = sms({ message: 'Hi *|FNAME|*', recipientBy, campaign_id: '7' });
		const rows = [{ by: 'campaign_id' }, { by: 'mobile' }];
		expect(await node.refusals(parameters, rows)).toEqual([
			expect.stringContaining("Message contains '*|FNAME|*'"),
		]);
	});

	it.each<[parameters: INodeParameters, found: string]>([
		[push({ title: 'It&#8217;s here' }), '&#8217;'],
		[sms({ message: 'Hi <b>you</b>' }), '<b>'],
		[push({ url: 'https://a.example/?a=1&amp;b=2' }), '&amp;'],
	])('has a hint where people would see HTML (case %#)', async (parameters, found) => {
		expect(await hints(parameters)).toEqual([
			expect.stringContaining(`contains '${found}', HTML that people would see as it is.`),
		]);
	});
});

test('A broadcast whose text reads a row is named with its value', async () => {
	const named = { subject: '=Liebe {{ $json.name }}' };
	const told =
		"{{ $json.name }} in Subject is 'Ann' for all recipients: a broadcast says the same to everybody. To write to each person by name, use 'Send to User' with one item for each person";
	const rows = [{ name: 'Ann' }];
	expect(await hints({ ...order.emailToAll, ...named }, rows)).toEqual([
		expect.stringContaining(told),
	]);
	for (const usual of [{ subject: '={{ $json.name }}' }, { campaign_name: '=A {{ $json.name }}' }])
		expect(await hints({ ...order.emailToAll, ...usual }, rows)).toEqual([]);
	expect(await hints(email(named), rows)).toEqual([]);
});

it.each<[title: string, sent: string]>([
	['=Hi {{ $json.name }}!', 'Hi !'],
	['={{ "Hi " + $json.name }}', 'Hi undefined'],
	['Hi {{ name }} <b>', 'Hi {{ name }} <b>'],
])('Skip Text Check sends any text, silently: %j', async (title, sent) => {
	expect(await hints(push({ title, options: { skipTextCheck: true } }))).toEqual([]);
	expect(node.arrived('title')).toEqual([sent]);
});

describe('A text that was read in the wrong encoding', () => {
	const lost = 'J\ufffdrg';
	const mappedUser = (columns: IDataObject) =>
		[mapped('user'), { userID: 'C-1', ...columns }] as const;

	it.each<[string, INodeParameters, IDataObject?]>([
		['a title', titled(lost)],
		['a text with Skip Text Check', push({ title: lost, options: { skipTextCheck: true } })],
		['a link', push({ url: `https://shop.example.com/${lost}` })],
		['an ID', push({ user_id: lost })],
		['an address', email({ email: `${lost}@example.com` })],
		['an attribute', attribute(lost)],
		['the name of an attribute', attribute('x', 'Stra\ufffde')],
		['the name of a column', ...mappedUser({ 'Stra\ufffde': 'x' })],
		['a column, deep inside', ...mappedUser({ list: { a: [{ b: lost }] } })],
		['a custom request', { ...order.customPost, body: { a: { b: lost } } }],
	])('is refused where a character was lost: in %s', async (_, parameters, row = {}) => {
		const told = 'read in the wrong encoding. Save the file as UTF-8 (in Excel: CSV UTF-8)';
		expect(await node.refusal(parameters, row)).toContain(told);
	});

	it.each<[text: string, word?: string]>([
		['JosÃ©'],
		['10Â\u00a0°C', '10Â °C'],
		['Å\u0081Ã³dÅº', 'Å\ufffdÃ³dÅº'],
		['ÐŸÑ€Ð¸Ð²ÐµÑ‚'],
		['Itâ€™s here', 'Itâ€™s'],
		['ä½\u00a0å¥½', 'ä½ å¥½'],
		['20 \u0080', '\ufffd'],
	])('is sent with a hint if it only looks so: %j', async (title, word = title) => {
		expect(await hints(titled(title))).toEqual([
			`Item 0 (C-1): '${word}' looks as if it was read in the wrong encoding. Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8.`,
		]);
		expect(node.arrived('title')).toEqual([title]);
	});

	it('is named once for many users', async () => {
		const rows = ['Köln', 'KÃ¶ln', 'MÃ¼nchen'].map((city, row) => ({ userID: `C-${row}`, city }));
		expect(await hints(mapped('user'), rows)).toEqual([
			expect.stringMatching(/^Items 1 \(C-1\), 2 \(C-2\): 'KÃ¶ln' looks as if /),
		]);
	});

	it('is not any text of another language', async () => {
		const wellRead = [
			...['SÃO PAULO', '“MAÇÃ”', '«MAÇÃ»', 'IRMÃ…', 'ÂME', 'Ãgua', 'Vũ Thị Ân', 'Łódź'],
			...['CAFÉ…', '« café… »', 'Spaß”', 'Åse', 'À la carte', 'ça va ?', 'È vero…', '20 €'],
			...['3×½', 'ÐÞ', 'Ñandú', '“Ñ”', 'It’s “it”', 'Привет', '你好', 'สวัสดี', 'Đặng'],
		];
		const rows = wellRead.map((title) => ({ title }));
		expect(await hints(titled('={{ $json.title }}'), rows)).toEqual([]);
		expect(node.arrived('title')).toEqual(wellRead);
	});
});
