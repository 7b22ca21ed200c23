import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';
import { inside, noDates, spaced } from '../support/values/refusals';

const sandbox = useSandbox();

/** Why a row is refused; undefined if it is sent. */
async function refusal(parameters: INodeParameters, row: IDataObject) {
	sandbox().reset();
	const { failed, error } = await run(sandbox(), parameters, {
		rows: [row],
		onError: 'continueErrorOutput',
	});
	expect(error).toBeUndefined();
	expect(sandbox().record).toHaveLength(failed.length === 0 ? 1 : 0);
	return failed[0]?.json.error as string | undefined;
}

const sent = () => bodies(sandbox())[0] as IDataObject;

describe('A list or an object in place of a value', () => {
	it.each(inside)(
		'is refused with the path to its first value: %s of %j',
		async (code, row, path, value) => {
			const places: Array<[(written: string) => INodeParameters, string]> = [
				[(email) => ({ ...order.emailSend, email }), 'email'],
				[(title) => ({ ...order.pushSend, title }), 'title'],
				[(user_id) => ({ ...order.pushSend, user_id }), 'user_id'],
				[(scheduledFor) => ({ ...order.smsSend, sendAt: 'at', scheduledFor }), ''],
				[(reply_to) => ({ ...order.emailSend, additionalFields: { reply_to } }), 'reply_to'],
			];
			for (const [parameters, key] of places) {
				const found = await refusal(parameters(`={{ ${code} }}`), row);
				expect(found).toMatch(/must be|is not/);
				if (key === '') continue;
				expect(found).toContain(`. Take one of its values, such as {{ ${path} }}`);
				expect(await refusal(parameters(`={{ ${path} }}`), row)).toBeUndefined();
				expect(sent()[key]).toBe(value);
			}
		},
	);

	it.each(inside.filter(([, , path]) => !/tags\[0\]$/.test(path)))(
		'is refused within a text: %s of %j',
		async (code, row, path, value) => {
			const found = await refusal({ ...order.pushSend, title: `=To {{ ${code} }}!` }, row);
			expect(found).toMatch(/\}\} is an? (?:list|object)\. /);
			expect(found).toContain(`Take one of its values, such as {{ ${path} }}`);
			const title = `=To {{ ${path} }}!`;
			expect(await refusal({ ...order.pushSend, title }, row)).toBeUndefined();
			expect(sent().title).toBe(`To ${value}!`);
		},
	);

	it.each<[row: IDataObject, column: string, path: string, value: string]>([
		[
			{ id: 'C-1', email: [{ value: 'a@b.example' }] },
			'email',
			'$json.email?.[0]?.value',
			'a@b.example',
		],
		[{ id: 'C-1', email: { value: 'a@b.example' } }, 'email', '$json.email?.value', 'a@b.example'],
		[{ id: 'C-1', name: { first: 'Ann' } }, 'name', '$json.name?.first', 'Ann'],
		[{ id: ['C-1'] }, 'id', '$json.id?.[0]', 'C-1'],
	])('is refused in a mapped column: %j', async (row, column, path, value) => {
		const mapped = { ...order.createUser, dataMode: 'autoMapInputData', userIdField: 'id' };
		const found = await refusal(mapped, row);
		expect(found).toContain(`must be text, but it is`);
		expect(found).toContain(
			`In an Edit Fields node before this one, turn on Include Other Input Fields and add the field ${column} with {{ ${path} }}`,
		);
		expect(await refusal({ ...order.pushSend, title: `={{ ${path} }}` }, row)).toBeUndefined();
		expect(sent().title).toBe(value);
	});

	it('is refused without a path where it holds nothing', async () => {
		for (const tags of [[], [null], {}, { a: '' }]) {
			const found = await refusal({ ...order.pushSend, title: '={{ $json.tags }}' }, { tags });
			expect(found).toMatch(/^Title must be text, but it is (?:a list|of type object)$/);
		}
	});

	it.each<[value: unknown]>([
		[{ toString: 1 }],
		[[{ toString: 1 }]],
		[{ toString: null, valueOf: 1 }],
	])('is refused wherever it is, although it cannot be written as text: %j', async (value) => {
		const places: Array<(written: string) => INodeParameters> = [
			(title) => ({ ...order.pushSend, title }),
			(user_id) => ({ ...order.pushSend, user_id }),
			(sendOnceKey) => ({ ...order.pushSend, sendOnce: true, sendOnceKey }),
			(event_name) => ({ ...order.trackEvent, event_name }),
			(userIdField) => ({ ...order.createUser, dataMode: 'autoMapInputData', userIdField }),
		];
		for (const parameters of places)
			for (const code of ['$json.value', "$json.value || 'x'", '[$json.value]']) {
				const found = await refusal(parameters(`={{ ${code} }}`), { value } as IDataObject);
				expect(found).toMatch(/must be/);
			}
	});

	it('is written into a text as n8n does where its values are texts', async () => {
		const title = '=About {{ $json.tags }}';
		expect(await refusal({ ...order.pushSend, title }, { tags: ['a', 'b'] })).toBeUndefined();
		expect(sent().title).toBe('About a,b');
	});
});

describe('A link with a space', () => {
	it.each(spaced)('is refused with what to write: %j', async (written, meant) => {
		for (const [parameters, key, label] of [
			[
				{ ...order.pushSend, additionalFields: { image_url: '={{ $json.link }}' } },
				'image_url',
				'Image URL',
			],
			[{ ...order.pushSend, url: '={{ $json.link }}' }, 'url', 'URL'],
		] as const) {
			const found = await refusal(parameters, { link: written });
			const replaced = /[^\S ]/.test(written) ? '/\\s/g' : "' '";
			expect(found).toBe(
				`${label} '${written.trim().replace(/\s+/g, ' ')}' holds a space. Write ${meant}. In an expression, add .trim().replaceAll(${replaced}, '%20')`,
			);
			const better = JSON.parse(
				JSON.stringify(parameters).replace(
					'$json.link',
					`$json.link.trim().replaceAll(${replaced.replace('\\', '\\\\')}, '%20')`,
				),
			) as INodeParameters;
			expect(await refusal(better, { link: written })).toBeUndefined();
			expect({ ...sent() }[key]).toBe(meant);
		}
	});

	it('is no link for another reason too', async () => {
		const found = await refusal({ ...order.pushSend, url: 'see our shop' }, {});
		expect(found).toContain('is not a link');
		expect(await refusal({ ...order.pushSend, url: 'javascript:alert( 1 )' }, {})).toContain(
			'is not a link',
		);
	});
});

describe('A date that programs write for none', () => {
	it.each(noDates)('is refused as such: %s', async (value) => {
		const parameters = { ...order.smsSend, sendAt: 'at', scheduledFor: '={{ $json.value }}' };
		const found = await refusal(parameters, { value });
		expect(found).toContain(
			`${value.slice(0, 10)} stands for a missing date. Take another column, or leave such items out with a Filter node`,
		);
	});

	it('is not one that the calendar lacks', async () => {
		const parameters = { ...order.smsSend, sendAt: 'at', scheduledFor: '2026-02-30T09:00' };
		expect(await refusal(parameters, {})).toContain('2026-02-30 is not in the calendar');
	});
});
