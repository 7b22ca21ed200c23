import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, push, sms, toCampaign, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const filter = 'leave such items out with a Filter node';
const correct = `Correct it, or ${filter}`;
const titled = (title: string) => push({ title });
const attribute = (value: string) =>
	user({ customAttributes: { assignments: [{ name: 'plan', type: 'string', value }] } });

/** Why a title is refused in a run of one; undefined if it is sent. */
const refusal = async (title: string, row: IDataObject = {}) =>
	await node.refusal(titled(title), row);

/** What is said of a row that is sent. */
async function hints(parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	const { error, hints: shown } = await node.run(parameters, { rows });
	expect(error).toBeUndefined();
	const told = hintsOf({ hints: shown }).map((hint) =>
		hint.replace(/&lt;/g, '<').replace(/&amp;/g, '&'),
	);
	return told.filter((hint) => /contains '|that no item has|for all recipients/.test(hint));
}

const meant = (near: string) => `Did you mean {{ ${near} }}?`;
const ann = { id: 'C-1', first_name: 'Ann' };

describe('Code inside a text', () => {
	const ofOtherTool = 'is a filter of another tool';
	const compute = 'Compute the text in an Edit Fields node before';
	it.each<[code: string, row: IDataObject, what: string, wayOut?: string]>([
		['$json.value', { value: false }, 'is false'],
		['$json.value', { value: { street: 'x', city: 'y' } }, 'is an object with street, city'],
		['$json.value', { value: [{ a: 1 }] }, 'is a list that holds more than texts'],
		['$json.value', { value: 'N/A' }, "is 'N/A', which stands for a missing value"],
		['$json.a * 2', { a: 'x' }, 'is NaN'],
		['nonsense', {}, 'is empty'],
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
		expect(await refusal(`=Hi {{ ${code} }}!`, row)).toBeUndefined();
		expect(node.arrived('title')).toEqual([title]);
	});

	it.each([
		['$json.firstName', { lastName: 'Ng' }],
		['$json.email2', { email1: 'a@b.example' }],
		['$json.name', { mean: 'x' }],
	])('is not taken for another column: {{ %s }} in %j', async (code, row) => {
		expect(await refusal(`=Hi {{ ${code} }}!`, row)).not.toContain('Did you mean');
	});

	it('is refused where it is empty, row by row, with one way out that makes each step optional', async () => {
		const people = [{ name: 'Ann' }, { name: '' }, {}, { name: null }, { name: ' ' }, { name: [] }];
		const rows = people.map((contact) => ({ contact }));
		const better = "{{ $json.contact?.name || 'there' }}";
		const told = `{{ $json.contact.name }} in Title is empty. Write ${better}, or ${filter}`;
		const parameters = titled('=Welcome, {{ $json.contact.name }}!');
		expect(await node.refusals(parameters, rows)).toEqual(Array(5).fill(told));
		expect(node.arrived('title')).toEqual(['Welcome, Ann!']);
		expect(await refusal(`=Hi ${better}!`, {})).toBeUndefined();
		expect(node.arrived('title')).toEqual(['Hi there!']);
	});

	const instead = "Write {{ $json.name || 'there' }}, or";
	it.each<[field: string, parameters: INodeParameters, wayOut?: string]>([
		['Subject', email({ subject: '=Hi {{ $json.name }}' }), instead],
		['Content', email({ content: '=<p>{{$json.name}}</p>' }), instead],
		['Name', user({ name: '={{ $json.name }} Smith' })],
		['Campaign Name', sms({ campaign_name: '=To {{ $json.name }}' })],
		['User ID', push({ user_id: '=C-{{ $json.name }}' })],
		['URL', push({ url: '=https://shop.example.com/{{ $json.name }}' })],
		['Send Once Key', push({ sendOnce: true, sendOnceKey: '=Order {{ $json.name }}' })],
	])('is refused in %s: %j', async (label, parameters, wayOut = 'Correct it') => {
		const told = await node.refusal(parameters);
		expect(told).toContain(`{{ $json.name }} in ${label} is empty. ${wayOut}`);
	});

	it('may be true or false in the query of a link', async () => {
		const url = '=https://shop.example.com/?vip={{ $json.vip }}';
		expect(await node.refusal(push({ url }), { vip: true })).toBeUndefined();
		const path = '=https://shop.example.com/{{ $json.vip }}';
		expect(await node.refusal(push({ url: path }), { vip: true })).toContain('is true');
		expect(await refusal('=Really?{{ $json.vip }}', { vip: true })).toContain('is true');
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

test('A link that only this machine can open, or only a test, is refused', async () => {
	const toTest = /leads to a test page of n8n.*Production URL/;
	const account = { baseUrl: 'https://a.example', pushUrl: 'https://a.example' };
	const said = async (url: string, rest = {}) => {
		const { error, failed } = await node.run(push({ url, options: { previewOnly: true } }), {
			...rest,
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		return failed[0]?.json.error;
	};
	for (const page of ['form-test/1', 'webhook-test/1'])
		expect(await said(`http://localhost:5678/${page}`)).toMatch(toTest);
	for (const host of ['localhost:3000', '127.0.0.1', '[::1]']) {
		expect(await said(`http://${host}/`, { account })).toMatch(/only the machine of n8n can open/);
		// The service runs here too.
		expect(await said(`http://${host}/`)).toBeUndefined();
	}
	for (const page of ['https://other.example/form-test/1', 'myapp://localhost/orders'])
		expect(await said(page, { account })).toBeUndefined();
});

describe('A column that no item has', () => {
	it('is refused where a whole field must be filled in', async () => {
		const parameters = push({ user_id: '={{ $json.userid }}' });
		const told = `{{ $json.userid }} in User ID is empty. ${meant('$json.user_id')}`;
		expect(await node.refusal(parameters, { user_id: 'C-1' })).toBe(told);
	});

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
		[
			'Title',
			titled('=At {{ DateTime.fromISO($json.at).toFormat("HH") }}'),
			{},
			'Invalid DateTime',
		],
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
		[
			email({
				content: '<a href="*|UNSUB|*">A</a> <a href="https://a.example/?u=%%EMAIL%%">B</a>',
			}),
		],
		[email({ content: '<p>Hi @{name}@ {first_name} [unsubscribe] ${x} 100%</p>' })],
		// No HTML.
		...['Q&A; R&D', 'AT&T and Salt & Pepper', '1 < 2 && 3 > 2; <3 you; a <b, c> d'].map(
			(message): [INodeParameters] => [push({ message })],
		),
	])('is sent without a hint where it is meant: %j of %j', async (parameters, text = '') => {
		expect(await hints(parameters, [{ text }])).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
	});

	const raw = '2026-12-01T08:30:00.000Z';
	const ofJavaScript = 'Mon May 06 2030 09:08:09 GMT+0200 (Mitteleuropäische Sommerzeit)';
	it.each<[string, INodeParameters, at: string]>([
		['a text', push({ message: '=On {{ $json.at }}' }), raw],
		['a whole text', push({ message: '={{ $json.at }}' }), ofJavaScript],
		['HTML', email({ content: '=<p>{{ $json.at }}</p>' }), raw],
		['an attribute', attribute('=On {{ $json.at }}'), ofJavaScript],
	])('is refused with a time that nobody has formatted: %s', async (_, parameters, at) => {
		const told = /a time without a format|how a date comes into a text without a format/;
		expect(await node.refusal(parameters, { at })).toMatch(told);
	});

	it.each<INodeParameters>([
		email({ content: '=<a href="https://a.example/?from={{ $json.at }}">Save</a>' }),
		push({ url: '=https://a.example/?from={{ $json.at }}' }),
		sms({ message: '=Save https://a.example/?from={{ $json.at }}' }),
		sms({ campaign_name: '=Run of {{ $json.at }}' }),
	])('may hold a raw time where nobody reads it (case %#)', async (parameters) => {
		expect(await node.refusal(parameters, { at: raw })).toBeUndefined();
	});

	const leftovers = ['{{ $json.name }}', '{% if vip %}', '<%= name %>', '*|FNAME|*', '%%NAME%%'];
	it.each(leftovers)('is refused with what only another tool fills in: %s', async (text) => {
		for (const parameters of [
			sms({ message: `Hi ${text}` }),
			sms({ message: '=Hi {{ $json.text }}' }),
			email({ content: `<p>Hi ${text}</p>` }),
		])
			expect(await node.refusal(parameters, { text })).toMatch(
				/^(?:Message|Content) contains '(?:\{\{|\{%|<%|\*\||%%).*(?:\}\}|%\}|%>|\|\*|%%)', which n8n does not fill in\. Set the field to Expression, and write a column as \{\{ \$json\.column \}\}$/,
			);
		for (const parameters of [order.emailToAll, toCampaign]) {
			node.sandbox.reset();
			const subject = `Hi ${text}`;
			const told = expect.stringContaining("Subject contains '") as string;
			expect(await hints({ ...parameters, subject })).toEqual([told]);
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
	const subject = '=Liebe {{ $json.name }}';
	const told =
		"{{ $json.name }} in Subject is 'Ann' for all recipients: a broadcast says the same to everybody. To write to each person by name, use 'Send to User' with one item for each person";
	const rows = [{ name: 'Ann' }];
	expect(await hints({ ...order.emailToAll, subject }, rows)).toEqual([
		expect.stringContaining(told),
	]);
	for (const usual of [{ subject: '={{ $json.name }}' }, { campaign_name: '=A {{ $json.name }}' }])
		expect(await hints({ ...order.emailToAll, ...usual }, rows)).toEqual([]);
	expect(await hints(email({ subject }), rows)).toEqual([]);
});

it.each<[title: string, sent: string]>([
	['=Hi {{ $json.name }}!', 'Hi !'],
	['={{ "Hi " + $json.name }}', 'Hi undefined'],
	['Hi {{ name }} <b>', 'Hi {{ name }} <b>'],
])('Skip Text Check sends any text, silently: %j', async (title, sent) => {
	expect(await hints(push({ title, options: { skipTextCheck: true } }))).toEqual([]);
	expect(node.arrived('title')).toEqual([sent]);
});
