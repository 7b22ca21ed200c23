import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../support/agentTool';
import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';
import {
	asMeant,
	empty,
	lost,
	misread,
	rowWithNothing,
	tags,
	unparsable,
} from '../support/values/placeholders';

const sandbox = useSandbox();

const pushOf = (title: string) => ({ ...order.pushSend, title });

/** Why a push with this row is refused; undefined if it is sent. */
async function refusal(parameters: INodeParameters, row: IDataObject) {
	sandbox().reset();
	const { failed, error, output } = await run(sandbox(), parameters, {
		rows: [row],
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(output.length + failed.length).toBe(1);
	const found = failed[0]?.json.error as string | undefined;
	expect(sandbox().record).toHaveLength(found === undefined ? 1 : 0);
	return found;
}

const titles = () => bodies(sandbox()).map((body) => (body as IDataObject).title);

/** Sends a title with another placeholder. */
async function sent(code: string, row: IDataObject) {
	expect(await refusal(pushOf(`=Hi {{ ${code} }}!`), row)).toBeUndefined();
	return titles();
}

describe('A placeholder that n8n does not read as it is meant', () => {
	it.each(misread)(
		'is refused with the code that is: %s of %j',
		async (code, row, proposed, says) => {
			const found = await refusal(pushOf(`=Hi {{ ${code} }}!`), row);
			expect(found).toContain(`Title: {{ ${code} }} `);
			expect(found).toMatch(
				/n8n does not know|its hyphen|by its name alone|Did you mean|is a function; add \(\)/,
			);
			expect(found).toContain(`{{ ${proposed} }}`);
			expect(await sent(proposed, row)).toEqual([`Hi ${says}!`]);
		},
	);

	it.each(misread)('is refused as a whole field too: %s of %j', async (code, row, proposed) => {
		const found = await refusal(pushOf(`={{ ${code} }}`), row);
		expect(found).toContain(`{{ ${proposed} }}`);
	});

	it.each(misread.filter(([code]) => !/\|\||\?\?|!/.test(code)))(
		'is refused without the value too, and so is what was proposed: %s of %j',
		async (code, row, proposed) => {
			expect(row).not.toEqual({});
			expect(await refusal(pushOf(`=Hi {{ ${code} }}!`), {})).toContain('{{ ');
			expect(await refusal(pushOf(`=Hi {{ ${proposed} }}!`), {})).toContain('{{ ');
		},
	);

	it.each<[string, INodeParameters, string]>([
		['an ID', { ...order.createUser, userID: '={{ $json.customer-id }}' }, 'customer-id'],
		['an email address', { ...order.emailSend, email: '={{ $json.e-mail }}' }, 'e-mail'],
		['a phone number', { ...order.smsSend, mobile: '={{ $json.mobile-phone }}' }, 'mobile-phone'],
		['a link', { ...order.pushSend, url: '={{ $json.shop-link }}' }, 'shop-link'],
		[
			'an optional field',
			{ ...order.pushSend, additionalFields: { image_url: '={{ $json.image-link }}' } },
			'image-link',
		],
	])('is refused in %s', async (_, parameters, column) => {
		expect(await refusal(parameters, { [column]: 'x' })).toContain(
			`Did you mean {{ $json["${column}"] }}?`,
		);
	});

	it.each(misread)(
		'is refused in attributes and the JSON of requests: %s of %j',
		async (code, row, proposed, says) => {
			const assigned = (value: string) => ({
				assignments: [
					{ id: '1', name: 'plan', type: 'string', value: 'gold' },
					{ id: '2', name: 'nick', type: 'string', value: `=Hi {{ ${value} }}` },
				],
			});
			const places: Array<[(written: string) => INodeParameters, RegExp]> = [
				[(value) => ({ ...order.createUser, customAttributes: assigned(value) }), /Custom Attr/],
				[(value) => ({ ...order.trackEvent, attributes: assigned(value) }), /Attributes/],
				[
					(value) => ({
						...{ resource: 'customRequest', operation: 'post', host: 'baseUrl', api: 'user' },
						...{ path: '/api/v1/user/create', body: `={ "nv": ["Hi {{ ${value} }}"] }` },
					}),
					/Body/,
				],
			];
			for (const [parameters, label] of places) {
				const found = await refusal(parameters(code), row);
				expect(found).toMatch(label);
				expect(found).toContain(`{{ ${proposed} }}`);
				sandbox().reset();
				await run(sandbox(), parameters(proposed), { rows: [row] });
				expect(JSON.stringify(bodies(sandbox()))).toContain(`"Hi ${says}"`);
			}
		},
	);

	it.each(['null', 'undefined', "$json.none ?? ''", '$json.none', '$json.first_name'])(
		'is none in an attribute: %s',
		async (code) => {
			const assignments = [{ id: '1', name: 'nick', type: 'string', value: `={{ ${code} }}` }];
			const parameters = { ...order.createUser, customAttributes: { assignments } };
			expect(await refusal(parameters, {})).toBeUndefined();
		},
	);

	it('is refused in a time', async () => {
		const parameters = { ...order.smsSend, sendAt: 'at', scheduledFor: '={{ $json.send-at }}' };
		expect(await refusal(parameters, { 'send-at': '2030-05-06T09:00' })).toContain(
			'Did you mean {{ $json["send-at"] }}?',
		);
	});

	it('is refused where the row has no such column, and where no filter of n8n is known', async () => {
		expect(await refusal(pushOf('=Hi {{ $json.first-name }}'), {})).toContain(
			'Did you mean {{ $json["first-name"] }}?',
		);
		for (const code of ['name | pluralize', 'surname | upcase']) {
			const found = await refusal(pushOf(`=Hi {{ ${code} }}`), { name: 'Ann' });
			expect(found).toMatch(/n8n does not know/);
		}
	});

	it.each(asMeant)('is not %s of %j', async (code, row, gives) => {
		expect(await sent(code, row)).toEqual([`Hi ${gives}!`]);
	});

	it('is left to the model for a tool', async () => {
		const parameters = { ...order.pushSend, title: "=Hi {{ name | upcase }} {{ $fromAI('x') }}" };
		const tool = agentTool({ parameters, credential: keyCredential(sandbox()) });
		await expect(tool.invoke({ x: 'Ann' })).rejects.toThrow('Use $fromAI');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A placeholder that n8n cannot parse', () => {
	it.each(unparsable)(
		'is named with the right code: %s of %j',
		async (code, row, proposed, says) => {
			const found = await refusal(pushOf(`=Now: {{ $json.id }} {{ ${code} }}!`), {
				id: 'C-1',
				...row,
			});
			expect(found).toContain(
				`The expression in 'Title' cannot be evaluated: {{ ${code} }} gives '`,
			);
			expect(found).toContain(`Did you mean {{ ${proposed} }}?`);
			expect(await sent(proposed, row)).toEqual([`Hi ${says}!`]);
		},
	);

	it.each(tags)('is named as a tag of another tool: {{%s}}', async (tag) => {
		const found = await refusal(pushOf(`=Hi {{${tag}}} x`), { items: [] });
		expect(found).toContain(
			"In n8n, a text for some people only is {{ $json.column ? 'text' : '' }}",
		);
		expect(await sent("$json.column ? 'text' : ''", {})).toEqual(['Hi !']);
		expect(await sent("$json.column ? 'text' : ''", { column: true })).toEqual(['Hi text!']);
		expect(await sent("$json.list.join(', ')", { list: ['a', 'b'] })).toEqual(['Hi a, b!']);
	});

	it('is named in an optional field', async () => {
		const additionalFields = { tag: 'a', button_one_title: '=Go {{ $json.First Name }}' };
		expect(
			await refusal({ ...order.pushSend, additionalFields }, { 'First Name': 'Ann' }),
		).toContain('Did you mean {{ $json["First Name"] }}?');
	});

	it('is named with an optional step where a value is missing', async () => {
		for (const title of [
			"={{ $json.date.toDateTime().toFormat('dd') }}",
			"=On {{ $json.date.toDateTime().toFormat('dd') }}",
		]) {
			const found = await refusal(pushOf(title), { id: 'C-1' });
			const [, code = ''] =
				/A value in it is missing. Write \{\{ (.*) \}\}, or leave/.exec(found ?? '') ?? [];
			expect(code).toBe("$json.date?.toDateTime().toFormat('dd')");
			expect(await sent(code, { date: '2030-05-06' })).toEqual(['Hi 06!']);
		}
	});

	it('is named although nothing is known that could be meant', async () => {
		expect(await refusal(pushOf('=Hi {{ $json.name) }}'), { name: 'Ann' })).toBe(
			"The expression in 'Title' cannot be evaluated: {{ $json.name) }} gives 'invalid syntax'. Correct the expression",
		);
	});
});

describe('A placeholder that gives nothing within a text', () => {
	it.each(lost)('is refused if that is none of its cases: %s', async (code, better, says) => {
		const found = await refusal(pushOf(`=Hi {{ ${code} }}!`), rowWithNothing);
		expect(found).toContain(`Title: {{ ${code} }} `);
		if (better === undefined) {
			expect(found).not.toContain('Write {{');
			return;
		}
		expect(found).toContain(`Write {{ ${better} }}`);
		expect(await sent(better, rowWithNothing)).toEqual([`Hi ${says}!`]);
		if (!found?.includes("with '' in place of 'friend' to leave it out")) return;
		const without = better.replace(/'friend'$/, "''");
		const left = await sent(without, rowWithNothing);
		expect(['Hi !', 'Hi friend!']).toContain(left[0]);
	});

	it.each(lost.filter(([, better]) => better !== undefined))(
		'is sent as a whole field as far as n8n can read it: %s',
		async (code) => {
			const found = await refusal(pushOf(`={{ ${code} }}`), rowWithNothing);
			expect(found ?? 'Title is empty').toMatch(/^Title is empty\b/);
		},
	);

	it.each(empty)('is sent if that is one of its cases: %s', async (code) => {
		const [title] = await sent(code, rowWithNothing);
		expect(title).toMatch(/^Hi +!$/);
	});

	it('is refused in an ID, whose empty case alone passes', async () => {
		const userOf = (code: string) => ({ ...order.createUser, userID: `=cust-{{ ${code} }}` });
		for (const code of ['$json.a?.b', "$json.a.b || 'x'", '$json.none && 1', '$json.x * 2'])
			expect(await refusal(userOf(code), rowWithNothing)).toContain(
				'many items would have one recipient',
			);
	});

	it('is refused wherever it is in a text', async () => {
		for (const title of [
			"={{ $json.a.b || 'friend' }}, hello",
			"=Hello {{ $json.a.b || 'friend' }}",
			"={{ $json.id }}{{ $json.a.b || 'friend' }} and {{ $json.id }}",
			"=Hello\n{{ $json.a.b || 'friend' }}\n",
		])
			expect(await refusal(pushOf(title), rowWithNothing)).toContain('not even its fallback');
	});

	it('is sent with Skip Text Check', async () => {
		const parameters = pushOf("=Hi {{ $json.a.b || 'friend' }}");
		const options = { skipTextCheck: true };
		expect(await refusal({ ...parameters, options }, {})).toBeUndefined();
	});
});
