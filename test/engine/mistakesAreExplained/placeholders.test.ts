import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { email, event, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

/** Why a push with this title is refused; undefined if it is sent. */
const refused = async (title: string, row: IDataObject) => await node.refusal(push({ title }), row);

/** The title that is sent with a placeholder in it. */
async function sent(code: string, row: IDataObject) {
	expect(await refused(`=Hi {{ ${code} }}!`, row)).toBeUndefined();
	return node.arrived('title')[0];
}

const optional = (additionalFields: INodeParameters) => push({ additionalFields });

/** A placeholder in a title, a row, the code that the refusal proposes, and what a title with it says in this row. */
type Misread = [code: string, row: IDataObject, proposed: string, says: string];

const ann = { id: 'C-1', Name: 'Ann', 'first-name': 'Ann', 'address-2': 'Rear', age: 7 };
const day = { day: '2030-05-06' };
const bo = { user: { name: 'Bo', 'last-name': 'Ng' }, name: 'Ann' };
const goa = { at: { 'city-name': { 'full-name': 'Goa' } } };
const first = { 'First Name': 'Ann' };
const list = { list: ['a', 'b'] };
const privat = { 'E-Mail (privat)': 'a@b.c' };

/** These are refused in attributes and the JSON of requests, too. */
const misreadAnywhere: Misread[] = [
	['name|upcase', ann, '$json.Name.toUpperCase()', 'ANN'],
	['$json.first-name', ann, '$json["first-name"]', 'Ann'],
	['$json.E-Mail (privat)', privat, '$json["E-Mail (privat)"]', 'a@b.c'],
	['$json.total-discount', { total: 10, discount: 3 }, '$json.total - $json.discount', '7'],
	["name || 'friend'", ann, "$json.Name || 'friend'", 'Ann'],
	['user.last-name', bo, '$json.user["last-name"]', 'Ng'],
	['$json.id.toUpperCase', ann, '$json.id.toUpperCase()', 'C-1'],
];
const misread: Misread[] = [
	...misreadAnywhere,
	['$json.Name | upper', ann, '$json.Name.toUpperCase()', 'ANN'],
	['$json.Name | downcase', ann, '$json.Name.toLowerCase()', 'ann'],
	['name | capitalize', ann, '$json.Name.toSentenceCase()', 'Ann'],
	['name | strip | upcase', ann, '$json.Name.trim().toUpperCase()', 'ANN'],
	['name | title | escape', ann, '$json.Name.toTitleCase()', 'Ann'],
	['name | size', ann, '$json.Name.length', '3'],
	['json.Name | trim', ann, '$json.Name.trim()', 'Ann'],
	['$json["first-name"] | upcase', ann, '$json["first-name"].toUpperCase()', 'ANN'],
	['$json.day | date', day, "$json.day.toDateTime().toFormat('yyyy-MM-dd')", '2030-05-06'],
	['user.name | upcase', bo, '$json.user.name.toUpperCase()', 'BO'],
	['price | round', { price: 12.6 }, '$json.price.round()', '13'],
	['list | join', list, "$json.list.join(' ')", 'a b'],
	["name | upcase || 'friend'", ann, "$json.Name.toUpperCase() || 'friend'", 'ANN'],
	['!$json.first-name', ann, '!$json["first-name"]', 'false'],
	['$json.address-2', ann, '$json["address-2"]', 'Rear'],
	['$json.FIRST-NAME', ann, '$json["first-name"]', 'Ann'],
	["$json.first-name || 'friend'", ann, `$json["first-name"] || 'friend'`, 'Ann'],
	["'Dr. ' + $json.first-name", ann, `'Dr. ' + $json["first-name"]`, 'Dr. Ann'],
	['$json.at.city-name.full-name', goa, '$json.at["city-name"]["full-name"]', 'Goa'],
	[`$('Source').item.json.first-name`, ann, `$('Source').item.json["first-name"]`, 'Ann'],
	['$input.item.json.first-name', ann, '$input.item.json["first-name"]', 'Ann'],
	["first_name ?? 'friend'", ann, `$json["first-name"] ?? 'friend'`, 'Ann'],
	["$json.Name.toUpperCase || 'friend'", ann, "$json.Name.toUpperCase() || 'friend'", 'ANN'],
	['$json.Name.trim().toTitleCase', ann, '$json.Name.trim().toTitleCase()', 'Ann'],
	['$json.list.join', list, '$json.list.join()', 'a,b'],
	['$json.day.toDateTime().toISODate', day, '$json.day.toDateTime().toISODate()', '2030-05-06'],
];

describe('A placeholder that n8n does not read as it is meant', () => {
	it.each(misread)('is refused, with what to write: %s', async (code, row, proposed, says) => {
		const within = await refused(`=Hi {{ ${code} }}!`, row);
		expect(within).toContain(`Title: {{ ${code} }} `);
		expect(within).toMatch(
			/n8n does not know|its hyphen|by its name alone|Did you mean|is a function; add \(\)/,
		);
		expect(within).toContain(`{{ ${proposed} }}`);
		expect(await sent(proposed, row)).toBe(`Hi ${says}!`);
		expect(await refused(`={{ ${code} }}`, row)).toContain(`{{ ${proposed} }}`);
	});

	it.each<[string, INodeParameters, string]>([
		['an ID', user({ userID: '={{ $json.customer-id }}' }), 'customer-id'],
		['an email address', email({ email: '={{ $json.e-mail }}' }), 'e-mail'],
		['a phone number', sms({ mobile: '={{ $json.mobile-phone }}' }), 'mobile-phone'],
		['a link', push({ url: '={{ $json.shop-link }}' }), 'shop-link'],
		['an optional field', optional({ image_url: '={{ $json.image-link }}' }), 'image-link'],
		['a time', sms({ sendAt: 'at', scheduledFor: '={{ $json.send-at }}' }), 'send-at'],
	])('is refused in %s', async (_, parameters, column) => {
		const words = `Did you mean {{ $json["${column}"] }}?`;
		expect(await node.refusal(parameters, { [column]: 'x' })).toContain(words);
	});

	const plan = { id: '1', name: 'plan', type: 'string', value: 'gold' };
	const assigned = (value: string) => {
		return { assignments: [plan, { id: '2', name: 'nick', type: 'string', value }] };
	};
	const api = { host: 'baseUrl', api: 'user', path: '/api/v1/user/create' };
	it.each(misreadAnywhere)('is refused in JSON too: %s', async (code, row, proposed, says) => {
		const places: Array<[(text: string) => INodeParameters, RegExp]> = [
			[(text) => user({ customAttributes: assigned(`=${text}`) }), /Custom Attr/],
			[(text) => event({ attributes: assigned(`=${text}`) }), /Attributes/],
			[(text) => ({ ...order.customPost, ...api, body: `={ "nv": ["${text}"] }` }), /Body/],
		];
		for (const [parameters, label] of places) {
			const found = await node.refusal(parameters(`Hi {{ ${code} }}`), row);
			expect(found).toMatch(label);
			expect(found).toContain(`{{ ${proposed} }}`);
			await node.run(parameters(`Hi {{ ${proposed} }}`), { rows: [row] });
			expect(JSON.stringify(node.bodies())).toContain(`"Hi ${says}"`);
		}
	});

	const nothing = ['null', 'undefined', "$json.none ?? ''", '$json.none'];
	it.each(nothing)('is none in an attribute: %s', async (code) => {
		const customAttributes = assigned(`={{ ${code} }}`);
		expect(await node.refusal(user({ customAttributes }))).toBeUndefined();
	});

	it.each<[string, IDataObject, string]>([
		['$json.first-name', {}, 'Did you mean {{ $json["first-name"] }}?'],
		['$json.id.toUpperCase', {}, '{{ $json.id'],
		['name | pluralize', { name: 'Ann' }, 'n8n does not know'],
		['surname | upcase', { name: 'Ann' }, 'n8n does not know'],
	])('is refused without such a column or filter of n8n: %s of %j', async (code, row, why) => {
		expect(await refused(`=Hi {{ ${code} }}`, row)).toContain(why);
	});

	const ten = { total: 10, discount: 3 };
	const products = { list: [{ total: 3, discount: 1 }] };

	it.each<[code: string, row: IDataObject, gives: string]>([
		['$json.total-$json.discount', ten, '7'],
		['$json.total-1', ten, '9'],
		['$json.total-Number($json.discount)', ten, '7'],
		['$json.total-Math.PI+Math.PI', ten, '10'],
		['$json.flags | 4', { flags: 1 }, '5'],
		['$json.name + " | " + $json.city', { name: 'Ann', city: 'Pune' }, 'Ann | Pune'],
		['$json.name || "first-name | upcase"', {}, 'first-name | upcase'],
		['$json["a | upcase"]', { 'a | upcase': 'x' }, 'x'],
		['$json.list.map((one) => one.total-one.discount).join("-")', products, '2'],
		['$json.name.length || 0', { name: 'Ann' }, '3'],
		['$itemIndex || "first"', {}, 'first'],
		['DateTime.fromISO("2030-05-06").toFormat("dd-MM")', {}, '06-05'],
	])('is not %s of %j', async (code, row, gives) => {
		expect(await sent(code, row)).toBe(`Hi ${gives}!`);
	});

	it('is left to the model for a tool', async () => {
		const parameters = push({ title: "=Hi {{ name | upcase }} {{ $fromAI('x') }}" });
		const tool = agentTool({ parameters, credential: node.credential });
		await expect(tool.invoke({ x: 'Ann' })).rejects.toThrow('Use $fromAI');
		expect(node.sandbox.record).toEqual([]);
	});
});

describe('A placeholder that n8n cannot parse', () => {
	const german = "$json.day.toDateTime().toFormat('dd.MM.yyyy')";

	it.each<Misread>([
		['$json.Name || “friend”', ann, '$json.Name || "friend"', 'Ann'],
		['$json.Name || ‘friend’', ann, "$json.Name || 'friend'", 'Ann'],
		['$json.Name || „Freund“', ann, '$json.Name || "Freund"', 'Ann'],
		['$json.none || “it’s you”', ann, '$json.none || "it\'s you"', "it's you"],
		['$json.First Name', first, '$json["First Name"]', 'Ann'],
		["$json.First Name || 'friend'", first, `$json["First Name"] || 'friend'`, 'Ann'],
		['$json.2nd name', { '2nd name': 'Bo' }, '$json["2nd name"]', 'Bo'],
		['First Name', first, '$json["First Name"]', 'Ann'],
		['.Name', ann, '$json.Name', 'Ann'],
		['@name', ann, '$json.Name', 'Ann'],
		['{ name', ann, '$json.Name', 'Ann'],
		['name | default: "friend"', ann, '$json.Name || "friend"', 'Ann'],
		["name | default('friend')", ann, "$json.Name || 'friend'", 'Ann'],
		["name | default: 'friend' | upcase", ann, "($json.Name || 'friend').toUpperCase()", 'ANN'],
		["name | default: 'friend', allow_false: true", ann, "$json.Name || 'friend'", 'Ann'],
		["name | append: '!'", ann, "$json.Name.concat('!')", 'Ann!'],
		["name | replace: 'A', 'E'", ann, "$json.Name.replaceAll('A', 'E')", 'Enn'],
		['name | truncate: 2', ann, '$json.Name.slice(0, 2)', 'An'],
		["$json.day | date: '%d.%m.%Y'", day, german, '06.05.2030'],
		["name or 'friend'", ann, "$json.Name || 'friend'", 'Ann'],
		['$json.["Name"]', ann, '$json["Name"]', 'Ann'],
		['$.Name', ann, '$json.Name', 'Ann'],
		['$json.first–name', ann, '$json["first-name"]', 'Ann'],
	])('is named with the right code: %s of %j', async (code, row, proposed, says) => {
		const found = await refused(`=Now: {{ $json.id }} {{ ${code} }}!`, { id: 'C-1', ...row });
		expect(found).toContain(`The expression in 'Title' cannot be evaluated: {{ ${code} }} gives '`);
		expect(found).toContain(`Did you mean {{ ${proposed} }}?`);
		expect(await sent(proposed, row)).toBe(`Hi ${says}!`);
	});

	const choice = "$json.column ? 'text' : ''";

	it.each([
		...['#each items', '/each', '#if vip', 'else', '> partial', '^vip', '!-- note'],
		...['if .Name', 'end', 'for item in items', 'endfor', 'range .Items'],
	])('is named as a tag of another tool: {{%s}}', async (tag) => {
		const words = `In n8n, a text for some people only is {{ ${choice} }}`;
		expect(await refused(`=Hi {{${tag}}} x`, { items: [] })).toContain(words);
		expect(await sent(choice, {})).toBe('Hi !');
		expect(await sent(choice, { column: true })).toBe('Hi text!');
	});

	it('is named in an optional field', async () => {
		const parameters = optional({ tag: 'a', button_one_title: '=Go {{ $json.First Name }}' });
		const told = await node.refusal(parameters, first);
		expect(told).toContain('Did you mean {{ $json["First Name"] }}?');
	});

	const dayOfMonth = "{{ $json.date.toDateTime().toFormat('dd') }}";
	it.each([`=${dayOfMonth}`, `=On ${dayOfMonth}`])('gets an optional step: %s', async (title) => {
		const better = "$json.date?.toDateTime().toFormat('dd')";
		const words = `A value in it is missing. Write {{ ${better} }}, or leave`;
		expect(await refused(title, { id: 'C-1' })).toContain(words);
		expect(await sent(better, { date: '2030-05-06' })).toBe('Hi 06!');
	});

	it('is named although nothing is known that could be meant', async () => {
		expect(await refused('=Hi {{ $json.name) }}', { name: 'Ann' })).toBe(
			"The expression in 'Title' cannot be evaluated: {{ $json.name) }} gives 'invalid syntax'. Correct the expression",
		);
	});
});

describe('A placeholder that gives nothing within a text', () => {
	const row = { id: 'C-1', vip: false, blank: ' ', empty: '', none: null, list: [] };
	const missing = "$json.name !== '' ? $json.name : 'friend'";

	it.each<[code: string, better: string | undefined]>([
		["$json.a.b || 'friend'", "$json.a?.b || 'friend'"],
		["$json.a['b c'].d ?? 'friend'", "$json.a?.['b c']?.d || 'friend'"],
		["$json.name.toUpperCase() || 'friend'", "$json.name?.toUpperCase() || 'friend'"],
		["$json.empty ?? 'friend'", "$json.empty || 'friend'"],
		["$json.blank || 'friend'", "$json.blank?.trim() || 'friend'"],
		["$json.blank ?? 'friend'", "$json.blank?.trim() || 'friend'"],
		["$json.vip ? 'Dr.' : $json.none", "($json.vip ? 'Dr.' : $json.none) || 'friend'"],
		[missing, `(${missing}) || 'friend'`],
		['$json.name?.first || $json.none', "$json.name?.first || $json.none || 'friend'"],
		["$json.none && 'VIP'", "($json.none && 'VIP') || 'friend'"],
		['$json.list.find((one) => one.vip)', "($json.list.find((one) => one.vip)) || 'friend'"],
		[`$('Source').item.json.a.b || 'friend'`, `$('Source').item.json.a?.b || 'friend'`],
		["['Mr', 'Mrs'][$json.sex]", "['Mr', 'Mrs'][$json.sex] || 'friend'"],
		["$json.missing.ifEmpty('friend')", "$json.missing?.ifEmpty('friend') || 'friend'"],
		['$json.price * 2', undefined],
		['$json.price?.value * 2', undefined],
		["foo() || 'friend'", undefined],
		['(async () => 1)()', undefined],
		['[1].map(async (one) => one)[0]', undefined],
	])('is refused if that is none of its cases: %s', async (code, better) => {
		const found = await refused(`=Hi {{ ${code} }}!`, row);
		expect(found).toContain(`Title: {{ ${code} }} `);
		if (better === undefined) {
			expect(found).not.toContain('Write {{');
			return;
		}
		expect(found).toContain(`Write {{ ${better} }}`);
		expect(await sent(better, row)).toBe('Hi friend!');
		if (found?.includes("with '' in place of 'friend' to leave it out"))
			expect(['Hi !', 'Hi friend!']).toContain(await sent(better.replace(/'friend'$/, "''"), row));
		const alone = await refused(`={{ ${code} }}`, row);
		expect(alone ?? 'Title is empty').toMatch(/^Title is empty\b/);
	});

	it.each([
		...["$json.vip ? 'VIP' : ''", '$json.vip ? "VIP" : ""', '$json.vip ? `VIP` : ``'],
		...["$json.vip ? 'VIP' : null", "$json.vip ? 'VIP' : undefined", "$json.none || ' '"],
		...["!$json.vip ? '' : $json.name", "$json.name ?? ''", "($json.vip && 'VIP') || ''"],
		...["($json.first ?? '') + ($json.last ?? '')", '$json.a?.b?.c', '$json.name?.trim()'],
		...['$json.list.find((one) => one.vip)?.name', "$('Source').item.json.a?.b"],
		...["$if($json.vip, 'VIP', '')", "$json.empty.ifEmpty('')"],
		...["[$json.first, $json.last].filter(Boolean).join(' ')", '$json.list.map((one) => one.name)'],
	])('is sent if that is one of its cases: %s', async (code) => {
		expect(await sent(code, row)).toMatch(/^Hi +!$/);
	});

	const codes = ['$json.a?.b', "$json.a.b || 'x'", '$json.none && 1', '$json.x * 2'];
	it.each(codes)('is refused in an ID: %s', async (code) => {
		const told = await node.refusal(user({ userID: `=cust-{{ ${code} }}` }), row);
		expect(told).toContain('many items would have one recipient');
	});

	it.each([
		"={{ $json.a.b || 'friend' }}, hello",
		"={{ $json.id }}{{ $json.a.b || 'friend' }} and {{ $json.id }}",
		"=Hello\n{{ $json.a.b || 'friend' }}\n",
	])('is refused wherever it is in a text: %j', async (title) => {
		expect(await refused(title, row)).toContain('not even its fallback');
	});
});
