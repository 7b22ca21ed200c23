import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import { arrived, email, event, push, refusal, sms, user } from '../support/mistakes';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';
import * as values from '../support/values/placeholders';

const sandbox = useSandbox();

/** Why a push with this title is refused; undefined if it is sent. */
const refused = async (title: string, row: IDataObject) =>
	await refusal(sandbox, push({ title }), row);

/** The title that is sent with a placeholder in it. */
async function sent(code: string, row: IDataObject) {
	expect(await refused(`=Hi {{ ${code} }}!`, row)).toBeUndefined();
	return arrived(sandbox, 'title')[0];
}

const optional = (additionalFields: INodeParameters) => push({ additionalFields });

describe('A placeholder that n8n does not read as it is meant', () => {
	it.each(values.misread)(
		'is refused with the code that is, in a text, alone and without a value: %s of %j',
		async (code, row, proposed, says) => {
			const within = await refused(`=Hi {{ ${code} }}!`, row);
			expect(within).toContain(`Title: {{ ${code} }} `);
			expect(within).toMatch(
				/n8n does not know|its hyphen|by its name alone|Did you mean|is a function; add \(\)/,
			);
			expect(within).toContain(`{{ ${proposed} }}`);
			expect(await sent(proposed, row)).toBe(`Hi ${says}!`);
			expect(await refused(`={{ ${code} }}`, row)).toContain(`{{ ${proposed} }}`);
			if (/\|\||\?\?|!/.test(code)) return;
			for (const one of [code, proposed])
				expect(await refused(`=Hi {{ ${one} }}!`, {})).toContain('{{ ');
		},
	);

	it.each<[string, INodeParameters, string]>([
		['an ID', user({ userID: '={{ $json.customer-id }}' }), 'customer-id'],
		['an email address', email({ email: '={{ $json.e-mail }}' }), 'e-mail'],
		['a phone number', sms({ mobile: '={{ $json.mobile-phone }}' }), 'mobile-phone'],
		['a link', push({ url: '={{ $json.shop-link }}' }), 'shop-link'],
		['an optional field', optional({ image_url: '={{ $json.image-link }}' }), 'image-link'],
		['a time', sms({ sendAt: 'at', scheduledFor: '={{ $json.send-at }}' }), 'send-at'],
	])('is refused in %s', async (_, parameters, column) => {
		expect(await refusal(sandbox, parameters, { [column]: 'x' })).toContain(
			`Did you mean {{ $json["${column}"] }}?`,
		);
	});

	const assigned = (value: string) => ({
		assignments: [
			{ id: '1', name: 'plan', type: 'string', value: 'gold' },
			{ id: '2', name: 'nick', type: 'string', value },
		],
	});
	const api = { host: 'baseUrl', api: 'user', path: '/api/v1/user/create' };
	const chosen = [
		...['name | upcase', '$json.first-name', '$json.total-discount', '$json.id.toUpperCase'],
		...["name || 'friend'", 'user.last-name', '$json.E-Mail (privat)'],
	];
	it.each(values.misread.filter(([code]) => chosen.includes(code)))(
		'is refused in attributes and the JSON of requests: %s of %j',
		async (code, row, proposed, says) => {
			const places: Array<[(text: string) => INodeParameters, RegExp]> = [
				[(text) => user({ customAttributes: assigned(`=${text}`) }), /Custom Attr/],
				[(text) => event({ attributes: assigned(`=${text}`) }), /Attributes/],
				[(text) => ({ ...order.customPost, ...api, body: `={ "nv": ["${text}"] }` }), /Body/],
			];
			for (const [parameters, label] of places) {
				const found = await refusal(sandbox, parameters(`Hi {{ ${code} }}`), row);
				expect(found).toMatch(label);
				expect(found).toContain(`{{ ${proposed} }}`);
				sandbox().reset();
				await run(sandbox(), parameters(`Hi {{ ${proposed} }}`), { rows: [row] });
				expect(JSON.stringify(bodies(sandbox()))).toContain(`"Hi ${says}"`);
			}
		},
	);

	it.each(['null', 'undefined', "$json.none ?? ''", '$json.none', '$json.first_name'])(
		'is none in an attribute: %s',
		async (code) => {
			const customAttributes = assigned(`={{ ${code} }}`);
			expect(await refusal(sandbox, user({ customAttributes }))).toBeUndefined();
		},
	);

	it.each<[string, IDataObject, string]>([
		['$json.first-name', {}, 'Did you mean {{ $json["first-name"] }}?'],
		['name | pluralize', { name: 'Ann' }, 'n8n does not know'],
		['surname | upcase', { name: 'Ann' }, 'n8n does not know'],
	])(
		'is refused without such a column or such a filter of n8n: %s of %j',
		async (code, row, why) => {
			expect(await refused(`=Hi {{ ${code} }}`, row)).toContain(why);
		},
	);

	it.each(values.asMeant)('is not %s of %j', async (code, row, gives) => {
		expect(await sent(code, row)).toBe(`Hi ${gives}!`);
	});

	it('is left to the model for a tool', async () => {
		const parameters = push({ title: "=Hi {{ name | upcase }} {{ $fromAI('x') }}" });
		const tool = agentTool({ parameters, credential: keyCredential(sandbox()) });
		await expect(tool.invoke({ x: 'Ann' })).rejects.toThrow('Use $fromAI');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A placeholder that n8n cannot parse', () => {
	it.each(values.unparsable)(
		'is named with the right code: %s of %j',
		async (code, row, proposed, says) => {
			const found = await refused(`=Now: {{ $json.id }} {{ ${code} }}!`, { id: 'C-1', ...row });
			const what = `The expression in 'Title' cannot be evaluated: {{ ${code} }} gives '`;
			expect(found).toContain(what);
			expect(found).toContain(`Did you mean {{ ${proposed} }}?`);
			expect(await sent(proposed, row)).toBe(`Hi ${says}!`);
		},
	);

	const choice = "$json.column ? 'text' : ''";

	it.each(values.tags)('is named as a tag of another tool: {{%s}}', async (tag) => {
		expect(await refused(`=Hi {{${tag}}} x`, { items: [] })).toContain(
			`In n8n, a text for some people only is {{ ${choice} }}`,
		);
	});

	it('is named as a tag with code that works', async () => {
		expect(await sent(choice, {})).toBe('Hi !');
		expect(await sent(choice, { column: true })).toBe('Hi text!');
	});

	it('is named in an optional field', async () => {
		const parameters = optional({ tag: 'a', button_one_title: '=Go {{ $json.First Name }}' });
		expect(await refusal(sandbox, parameters, { 'First Name': 'Ann' })).toContain(
			'Did you mean {{ $json["First Name"] }}?',
		);
	});

	const day = "{{ $json.date.toDateTime().toFormat('dd') }}";
	it.each([`=${day}`, `=On ${day}`])(
		'is named with an optional step where a value is missing: %s',
		async (title) => {
			const better = "$json.date?.toDateTime().toFormat('dd')";
			expect(await refused(title, { id: 'C-1' })).toContain(
				`A value in it is missing. Write {{ ${better} }}, or leave`,
			);
			expect(await sent(better, { date: '2030-05-06' })).toBe('Hi 06!');
		},
	);

	it('is named although nothing is known that could be meant', async () => {
		expect(await refused('=Hi {{ $json.name) }}', { name: 'Ann' })).toBe(
			"The expression in 'Title' cannot be evaluated: {{ $json.name) }} gives 'invalid syntax'. Correct the expression",
		);
	});
});

describe('A placeholder that gives nothing within a text', () => {
	const row = values.rowWithNothing;

	it.each(values.lost)('is refused if that is none of its cases: %s', async (code, better) => {
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

	it.each(values.empty)('is sent if that is one of its cases: %s', async (code) => {
		expect(await sent(code, row)).toMatch(/^Hi +!$/);
	});

	it.each(['$json.a?.b', "$json.a.b || 'x'", '$json.none && 1', '$json.x * 2'])(
		'is refused in an ID, whose empty case alone passes: %s',
		async (code) => {
			expect(await refusal(sandbox, user({ userID: `=cust-{{ ${code} }}` }), row)).toContain(
				'many items would have one recipient',
			);
		},
	);

	it.each([
		"={{ $json.a.b || 'friend' }}, hello",
		"=Hello {{ $json.a.b || 'friend' }}",
		"={{ $json.id }}{{ $json.a.b || 'friend' }} and {{ $json.id }}",
		"=Hello\n{{ $json.a.b || 'friend' }}\n",
	])('is refused wherever it is in a text: %j', async (title) => {
		expect(await refused(title, row)).toContain('not even its fallback');
	});

	it('is sent with Skip Text Check', async () => {
		const title = "=Hi {{ $json.a.b || 'friend' }}";
		const options = { skipTextCheck: true };
		expect(await refusal(sandbox, push({ title, options }))).toBeUndefined();
	});
});
