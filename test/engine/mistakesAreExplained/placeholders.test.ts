import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, push, sms, toCampaign, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const filter = 'leave such items out with a Filter node';
const titled = (title: string) => push({ title });

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
	return told.filter((hint) => /contains '|that no item has/.test(hint));
}

describe('A plain placeholder inside a text', () => {
	it('is refused where it is empty, row by row, with one way out', async () => {
		const rows = [{ name: 'Ann' }, { name: '' }, {}, { name: null }, { name: ' ' }, { name: [] }];
		const told = `{{ $json.name }} in Title is empty. Write {{ $json.name || 'there' }}, or ${filter}`;
		expect(await node.refusals(titled('=Welcome, {{ $json.name }}!'), rows)).toEqual(
			Array(5).fill(told),
		);
		expect(node.arrived('title')).toEqual(['Welcome, Ann!']);
	});

	it.each<[value: unknown, what: string]>([
		[false, 'is false'],
		[true, 'is true'],
		[{ street: 'Main', city: 'Pune' }, 'is an object with street, city'],
		[[{ a: 1 }], 'is a list that holds more than texts'],
		['N/A', "is 'N/A', which stands for a missing value"],
	])('is refused where it gives %j', async (value, what) => {
		expect(await refusal('=Hi {{ $json.value }}!', { value } as IDataObject)).toBe(
			`{{ $json.value }} in Title ${what}. Correct it, or ${filter}`,
		);
	});

	it.each<[value: unknown, title: string]>([
		['Ann', 'Hi Ann!'],
		[0, 'Hi 0!'],
		[['a', 'b'], 'Hi a,b!'],
		['Ms. Null', 'Hi Ms. Null!'],
	])('is sent where it gives %j', async (value, title) => {
		expect(await refusal('=Hi {{ $json.value }}!', { value } as IDataObject)).toBeUndefined();
		expect(node.arrived('title')).toEqual([title]);
	});

	it.each<[field: string, parameters: INodeParameters]>([
		['Message', push({ message: '=Hi {{ $json.name }}' })],
		['Subject', email({ subject: '=Hi {{ $json.name }}' })],
		['Content', email({ content: '=<p>{{$json.name}}</p>' })],
		['Message', sms({ message: '=Hi {{ $json.name }}' })],
		['Campaign Name', sms({ campaign_name: '=To {{ $json.name }}' })],
		['Sender Name', email({ sender_name: '=For {{ $json.name }}' })],
		['Name', user({ name: '={{ $json.name }} Smith' })],
		['URL', push({ url: '=https://shop.example.com/{{ $json.name }}' })],
		['Image URL', push({ additionalFields: { image_url: '=https://a.example/{{ $json.name }}' } })],
		['Button One Title', push({ additionalFields: { button_one_title: '=For {{ $json.name }}' } })],
		['Email', email({ email: '={{ $json.name }}@example.com' })],
		['Send Once Key', push({ sendOnce: true, sendOnceKey: '=Order {{ $json.name }}' })],
		['Send Once Key', push({ sendOnce: true, sendOnceKey: '={{ $json.name }}' })],
	])('is refused in %s: %j', async (label, parameters) => {
		const told = await node.refusal(parameters);
		expect(told).toContain(`{{ $json.name }} in ${label} is empty. `);
	});

	it('proposes no text for a link, an ID or a name, where any other would be wrong', async () => {
		for (const parameters of [
			push({ url: '=https://shop.example.com/{{ $json.page }}' }),
			push({ user_id: '=C-{{ $json.page }}' }),
			sms({ campaign_name: '=To {{ $json.page }}' }),
		])
			expect(await node.refusal(parameters)).toContain(`is empty. Correct it, or ${filter}`);
	});

	it('makes each step optional in what it proposes', async () => {
		const told = await refusal('=Hi {{ $json.contact.name }}!', { contact: {} });
		const better = "{{ $json.contact?.name || 'there' }}";
		expect(told).toContain(`Write ${better}, or`);
		expect(await refusal(`=Hi ${better}!`, {})).toBeUndefined();
		expect(node.arrived('title')).toEqual(['Hi there!']);
	});

	it('may be true or false in the query of a link', async () => {
		const url = '=https://shop.example.com/?vip={{ $json.vip }}';
		expect(await node.refusal(push({ url }), { vip: true })).toBeUndefined();
		const path = '=https://shop.example.com/{{ $json.vip }}';
		expect(await node.refusal(push({ url: path }), { vip: true })).toContain('is true');
	});
});

describe('A column that is named in another way', () => {
	const ann = { id: 'C-1', first_name: 'Ann' };

	it.each<[code: string, near: string, row?: IDataObject]>([
		['$json.firstname', '$json.first_name'],
		['$json["First Name"]', '$json.first_name'],
		['$json.frist_name', '$json.first_name'],
		['$json.emial', '$json.email', { email: 'ann@example.com' }],
		['$input.item.json.firstname', '$json.first_name'],
		['first_name', '$json.first_name'],
		['json.first_name', '$json.first_name'],
		['$first_name', '$json.first_name'],
		['contact.name', '$json["Contact Name"]', { 'Contact Name': 'Ann' }],
		['$json.user.firstname', '$json.user.first_name', { user: { first_name: 'Ann' } }],
	])('is proposed: for {{ %s }}, %s', async (code, near, row = ann) => {
		for (const rows of [[row], [row, row]]) {
			const told = `{{ ${code} }} in Title is empty. Did you mean {{ ${near} }}?`;
			expect(await node.refusals(titled(`=Hi {{ ${code} }}!`), rows)).toEqual(rows.map(() => told));
		}
	});

	it.each([
		['$json.firstName', { lastName: 'Ng' }],
		['$json.email2', { email1: 'a@b.example' }],
		['$json.id', { c: 'x' }],
		['$json.name', { mean: 'x' }],
	])('is not any other: {{ %s }} in %j', async (code, row) => {
		expect(await refusal(`=Hi {{ ${code} }}!`, row)).not.toContain('Did you mean');
	});

	it('is proposed for a whole field that must be filled in', async () => {
		const parameters = push({ user_id: '={{ $json.userid }}' });
		expect(await node.refusal(parameters, { user_id: 'C-1' })).toBe(
			'{{ $json.userid }} in User ID is empty. Did you mean {{ $json.user_id }}?',
		);
	});

	it('is named once in a hint where an optional field reads it in a list', async () => {
		const rows = ['1', '2'].map((id) => ({ id, E_Mail: 'ann@example.com', mood: '' }));
		const assignments = [{ id: '1', name: 'plan', type: 'string', value: '={{ $json.plan }}' }];
		const parameters = user({
			...{ userID: '={{ $json.id }}', email: '={{ $json.email }}', name: '={{ $json.mood }}' },
			customAttributes: { assignments },
		});
		expect(await hints(parameters, rows)).toEqual([
			'Items 0 (1), 1 (2): {{ $json.email }} in Email reads a column that no item has. Did you mean {{ $json.E_Mail }}?',
			"Items 0 (1), 1 (2): {{ $json.plan }} in the attribute 'plan' reads a column that no item has. It stays empty.",
		]);
		node.sandbox.reset();
		expect(await hints(parameters, rows.slice(1))).toEqual([]);
	});

	it('is refused for a time or a zone in a list, and for one item if another is near', async () => {
		const at = push({ sendAt: 'at', scheduledFor: '={{ $json.due || "2030-01-01T09:00" }}' });
		const zone = event({ event_time: '2030-01-01 09:00', scheduleTimezone: '={{ $json.zone }}' });
		const unread = 'reads a column that no item has';
		expect(await node.refusals(at, [{ a: 1 }, { a: 2 }])).toEqual(
			Array(2).fill(
				`{{ $json.due || "2030-01-01T09:00" }} in Date and Time ${unread}. Correct it, or ${filter}`,
			),
		);
		expect(await node.refusal(zone, { Zone: 'Asia/Kolkata' })).toBe(
			`{{ $json.zone }} in Timezone Name or ID ${unread}. Did you mean {{ $json.Zone }}?`,
		);
		expect(await node.refusal(zone, { city: 'Pune' })).toBeUndefined();
	});
});

describe('Other code inside a text', () => {
	it.each<[code: string, row: IDataObject, what: string]>([
		['$json.name.trim()', {}, 'is empty'],
		['[1].find((one) => one > 1)', {}, 'is empty'],
		['$json.a * 2', { a: 'x' }, 'is NaN'],
		['nonsense', {}, 'is empty'],
	])('is refused where it gives nothing: {{ %s }}', async (code, row, what) => {
		expect(await refusal(`=Hi {{ ${code} }}!`, row)).toBe(
			`{{ ${code} }} in Title ${what}. Correct it, or ${filter}`,
		);
	});

	it.each<[code: string, row: IDataObject, title: string]>([
		["$json.name || ''", {}, 'Hi !'],
		["$json.name ?? ''", {}, 'Hi !'],
		["$json.vip ? 'VIP' : undefined", {}, 'Hi !'],
		['$json.contact?.name', {}, 'Hi !'],
		['$json.contact && $json.contact.name', {}, 'Hi !'],
		["($json.tags || []).map((tag) => tag.name).join(', ')", {}, 'Hi !'],
		["$json.name.replace(/Mr|Mrs/g, '')", { name: 'Mr Ng' }, 'Hi  Ng!'],
		["'Dr. ' + $json.name", { name: 'Null' }, 'Hi Dr. Null!'],
		['[$json.first, $json.last].join(" ")', { first: 'Ana' }, 'Hi Ana !'],
	])('is sent where it says itself what stands there: {{ %s }}', async (code, row, title) => {
		expect(await refusal(`=Hi {{ ${code} }}!`, row)).toBeUndefined();
		expect(node.arrived('title')).toEqual([title]);
	});

	it.each(['$json.name | upper', 'name | capitalize', '$json["a b"]|trim'])(
		'is refused as a filter of another tool: {{ %s }}',
		async (code) => {
			expect(await refusal(`=Hi {{ ${code} }}!`, { name: 'Ann', day: '1', 'a b': 'x' })).toBe(
				`{{ ${code} }} in Title is a filter of another tool. Compute the text in an Edit Fields node before`,
			);
		},
	);
});

const missing = `which stands for a missing value. Correct it, or ${filter}`;

describe('A text as it came out', () => {
	it.each<[title: string, row: IDataObject, found: string]>([
		['={{ "Hello " + $json.at }}', {}, 'undefined'],
		['=At {{ DateTime.fromISO($json.at).toFormat("HH:mm") }}', {}, 'Invalid DateTime'],
		['=On {{ new Date($json.name) }}', { name: 'x' }, 'Invalid Date'],
		['={{ "To " + $json.contact }}', { contact: { a: 1 } }, '[object Object]'],
		['={{ "Hi " + $json.name.trim }}', { name: 'Ann' }, '[native code'],
		['={{ $json.text }}', { text: 'Your total: NaN' }, 'NaN'],
		['={{ "Hi " + $json.name }}', { name: null }, 'null'],
		['={{ $json.text }}', { text: 'Anna null' }, 'null'],
		['=Hi {{ $json.text }}', { text: 'Anna null' }, 'null'],
		["=Hi {{ $json.first + ' ' + $json.last }}", { first: 'Ana', last: null }, 'null'],
	])('is refused with what stands for a missing value: %j of %j', async (title, row, found) => {
		expect(await refusal(title, row)).toBe(`Title contains '${found}', ${missing}`);
	});

	it.each<[label: string, parameters: INodeParameters, row: IDataObject]>([
		['Send Once Key', push({ sendOnce: true, sendOnceKey: '={{ "order-" + $json.id }}' }), {}],
		['URL', push({ url: '={{ "https://a.example/?id=" + $json.id }}' }), {}],
	])('is refused in %s, too: %j', async (label, parameters, row) => {
		expect(await node.refusal(parameters, row)).toBe(`${label} contains 'undefined', ${missing}`);
	});

	it('is refused in an attribute that is composed, and not in a column', async () => {
		const assigned = (value: string) =>
			user({ customAttributes: { assignments: [{ name: 'plan', type: 'string', value }] } });
		expect(await node.refusal(assigned('=Plan {{ "of " + $json.plan }}'))).toBe(
			`the attribute 'plan' contains 'undefined', ${missing}`,
		);
		expect(await node.refusal(assigned('={{ $json.plan }}'), { plan: 'was undefined' })).toBe(
			undefined,
		);
	});

	it.each<[title: string, row?: IDataObject]>([
		['What does undefined mean?'],
		['=The value undefined {{ $json.x }}', { x: 'explained' }],
		['={{ $json.text }}', { text: 'wir starten bei null' }],
		['={{ $json.text }}', { text: 'null Zinsen' }],
		['={{ $json.text }}', { text: 'Ms. Null' }],
		['={{ $json.text }}', { text: '[Neu] R&D und H&M #SALE! {first_name} $name$ ##x##' }],
		['={{ $json.text }}', { text: '100 %, 50%' }],
	])('is sent where it is meant: %j of %j', async (title, row = {}) => {
		expect(await hints(titled(title), [row])).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
	});

	const raw = '2026-12-01T08:30:00.000Z';
	const ofJavaScript = 'Mon May 06 2030 09:08:09 GMT+0200 (Mitteleuropäische Sommerzeit)';
	const assignments = [{ name: 'when', type: 'string', value: '=On {{ $json.at }}' }];
	it.each<[string, INodeParameters]>([
		['a text', push({ message: '=On {{ $json.at }}' })],
		['a whole text', push({ message: '={{ $json.at }}' })],
		['HTML', email({ content: '=<p>{{ $json.at }}</p>' })],
		['HTML, as a Date', email({ content: '=<p>{{ new Date($json.at) }}</p>' })],
		['a name', user({ name: '=N {{ $json.at }}' })],
		['an attribute', user({ customAttributes: { assignments } })],
	])('is refused with a time that nobody has formatted: %s', async (kind, parameters) => {
		const told = /a time without a format|how a date comes into a text without a format/;
		const isText = /text|HTML/.test(kind);
		for (const at of isText ? [raw, ofJavaScript] : [ofJavaScript])
			expect(await node.refusal(parameters, { at })).toMatch(told);
	});

	it.each<INodeParameters>([
		email({ content: '=<a href="https://a.example/?from={{ $json.at }}">Save</a>' }),
		email({ content: '=<time datetime="{{ $json.at }}">today</time>' }),
		push({ url: '=https://a.example/?from={{ $json.at }}' }),
		sms({ message: '=Save https://a.example/?from={{ $json.at }}' }),
		sms({ campaign_name: '=Run of {{ $json.at }}' }),
		push({ sendOnce: true, sendOnceKey: '=Run of {{ $json.at }}' }),
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
	});

	it('is refused to a person although a campaign in the row before only gets a hint', async () => {
		const recipientBy = '={{ $json.by }}';
		const parameters = sms({ message: 'Hi *|FNAME|*', recipientBy, campaign_id: '7' });
		const rows = [{ by: 'campaign_id' }, { by: 'mobile' }];
		expect(await node.refusals(parameters, rows)).toEqual([
			expect.stringContaining("Message contains '*|FNAME|*'"),
		]);
	});

	it.each(leftovers)('has a hint in a broadcast: %s', async (text) => {
		for (const parameters of [
			{ ...order.emailToAll, subject: `Hi ${text}` },
			{ ...toCampaign, subject: `Hi ${text}` },
		])
			expect(await hints(parameters)).toEqual([expect.stringContaining("Subject contains '")]);
	});

	it.each([
		'<style>.a{{color:red}}</style><p>Hi</p>',
		'<!--[if mso]>*|FNAME|*<![endif]--><p>Hi</p>',
		'<script>{% if x %} %%Y%%</script><p>Hi</p>',
		'<a href="*|UNSUB|*">Leave</a> <a href="https://example.com/?u=%%EMAIL%%">Go</a>',
		'<p>Hi @{name}@ {first_name} [unsubscribe] ${x} 100%</p>',
	])('is sent where nobody reads it: %s', async (content) => {
		expect(await hints(email({ content }))).toEqual([]);
		expect(node.bodies()).toHaveLength(1);
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

	it.each(['Q&A; R&D', 'AT&T and Salt & Pepper', '1 < 2 && 3 > 2; <3 you; a <b, c> d'])(
		'is no HTML: %j',
		async (message) => {
			expect(await hints(push({ message }))).toEqual([]);
		},
	);
});

describe('Skip Text Check', () => {
	const options = { skipTextCheck: true };

	it.each<[title: string, sent: string]>([
		['=Hi {{ $json.name }}!', 'Hi !'],
		['=Hi {{ $json.flag }}!', 'Hi false!'],
		['={{ "Hi " + $json.name }}', 'Hi undefined'],
		['Hi {{ name }}', 'Hi {{ name }}'],
		['Hi *|FNAME|* <b>', 'Hi *|FNAME|* <b>'],
	])('sends any text, silently: %j', async (title, sent) => {
		expect(await hints(push({ title, options }), [{ flag: false }])).toEqual([]);
		expect(node.arrived('title')).toEqual([sent]);
	});
});

describe('A broadcast whose text comes from a row', () => {
	const subject = '=Liebe {{ $json.name }}';
	const told = async (parameters: INodeParameters, mode?: 'manual') =>
		hintsOf(await node.run(parameters, { rows: [{ name: 'Ann' }], mode })).filter((hint) =>
			hint.includes('everybody'),
		);

	it('is named with its value, in a preview and after it was sent', async () => {
		const words =
			"A broadcast says the same to everybody: {{ $json.name }} in Subject is 'Ann' for all of its recipients. To write to each person by name, use 'Send to User' with one item for each person.";
		const parameters = { ...order.emailToAll, subject };
		expect(await told({ ...parameters, testRuns: 'preview' }, 'manual')).toEqual([words]);
		expect(await told(parameters)).toEqual([words]);
	});

	it.each<INodeParameters>([
		{ ...order.emailToAll, campaign_name: '=Sale {{ $json.name }}' },
		{ ...order.emailToAll, subject: '={{ $json.name }}' },
		email({ subject }),
	])('is not named where that is usual: %j', async (parameters) => {
		expect(await told(parameters)).toEqual([]);
	});
});
