import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { guardForm } from '../../../nodes/CustomerMessaging/run/guards';
import { leftToModel } from '../../../nodes/CustomerMessaging/run/leftToModel';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { runParameters } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { optionsForm } from '../../../nodes/CustomerMessaging/run/options';
import { catalogue } from '../operations/support/catalogue';

const fromModel = "={{ $fromAI('anything', '', 'json') }}";

/** The parameters as n8n stores them. The model fills in one word. */
function stored(parameters: Record<string, unknown>) {
	return {
		raw: (name: string) => parameters[name] ?? null,
		read: () => 'word',
		isTool: true,
		isReview: false,
	};
}

/** The names of the parameters that are refused if the workflow contains these. */
function refused(
	parameters: Record<string, unknown>,
	form = formOf('push', 'broadcastSegment'),
): string[] {
	return leftToModel(form, stored(parameters)).map(({ field }) => field);
}

function formOf(resource: string, operation: string): FormParameter[] {
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (!found) throw new Error(`No such operation: ${resource} ${operation}`);
	return [...runParameters, ...found.form, ...guardForm, optionsForm];
}

const none = { fields: [], additional: [] };
const operations = resources.flatMap(({ value, operations: ofResource }) =>
	ofResource.map((operation) => [value, operation.value] as const),
);

describe.each(operations)('The parameters of %s: %s', (resource, operation) => {
	const form = formOf(resource, operation);
	const names = form.flatMap(({ name, type, options }): Array<{ name: string; option?: string }> =>
		type === 'collection'
			? (options as FormParameter[]).map((option) => ({ name, option: option.name }))
			: [{ name }],
	);

	it.each(names)(
		'are left to a model where that is harmless: $name $option',
		({ name, option }) => {
			const parameters = { [name]: option ? { [option]: fromModel } : fromModel };
			const { fields, additional } = catalogue[`${resource} ${operation}`] ?? none;
			const isFillable = (option ? additional : fields).includes(`${option ?? name} ai`);
			expect(refused(parameters, form)).toEqual(isFillable ? [] : [option ?? name]);
		},
	);
});

/** Each of them reads, or could read, what the model wrote. */
const unsafe = [
	'={{ $json.x }}',
	'=Hello {{ $json.x }}',
	"={{ $('Sheet').item.json.x }}",
	'={{ $("Sheet").first($json.x) }}',
	'={{ $input.item.json.x }}',
	'={{ $node["Sheet"].json.x }}',
	'={{ $items()[0].json.x }}',
	'={{ $data.x }}',
	'={{ $binary.x }}',
	'={{ $parameter.x }}',
	'={{ $evaluateExpression("x") }}',
	'={{ `${$json.x}` }}',
	'={{ "\'" + $json.x + "\'" }}',
	'={{ this["$" + "json"] }}',
	"={{ $now['con' + 'structor'] }}",
	'={{ "\\x24" }}',
	'={{ $json.x',
	'=\\{{ $json.x }}',
];
const safe = [
	'fixed',
	'=fixed $json',
	"={{ $('Edit Fields').first().json.x }}",
	'={{ $("Edit Fields").last().json["a b"] }}',
	"={{ $('Edit Fields').all().length }}",
	"={{ '$json'.length + Math.max(1, 2) }}",
	'={{ $now.toISODate() + $vars.x }}',
];

test.each(operations)(
	'No parameter of %s: %s may read what the model wrote',
	(resource, operation) => {
		const form = formOf(resource, operation);
		const places = form.flatMap(
			({ name, type, options }): Array<[name: string, option?: string]> =>
				type === 'collection'
					? (options as FormParameter[]).map((option) => [name, option.name])
					: [[name]],
		);
		for (const [name, option] of places) {
			const refusedWith = (value: unknown) =>
				refused({ [name]: option ? { [option]: value } : value }, form);
			for (const value of unsafe)
				for (const nested of [value, ['a', value], { values: { a: { b: value } } }])
					expect([value, refusedWith(nested)]).toEqual([value, [option ?? name]]);
			for (const value of safe)
				for (const nested of [value, ['a', value], { values: { a: { b: value } } }])
					expect([value, refusedWith(nested)]).toEqual([value, []]);
		}
	},
);

test('What narrows the audience, names one of unknown size or could reach others is never left to a model', () => {
	const declared = operations.flatMap(([resource, operation]) => {
		const form = formOf(resource, operation);
		const inCollections = form.flatMap(({ type, options }) =>
			type === 'collection' ? (options as FormParameter[]) : [],
		);
		return [...form, ...inCollections];
	});
	const reaching = declared.filter(({ reaches }) => !['recipient', 'nobody'].includes(reaches));
	expect(reaching.filter(({ modelMayFill }) => modelMayFill)).toEqual([]);
	const fields = new Set(reaching.map(({ name }) => name));
	// Typed by hand from spec §2.
	const fromReference = ['segment_id', 'tag', 'email_cc', 'android_id', 'ios_ifv', 'campaign_id'];
	expect([...fields]).toEqual(expect.arrayContaining(fromReference));
});

test('The refusal says why a field is not left to a model', () => {
	const parameters: Record<string, unknown> = {
		sender_name: fromModel,
		additionalFields: { email_cc: fromModel },
	};
	const problems = leftToModel(formOf('email', 'send'), stored(parameters));
	expect(problems.map(({ message }) => message)).toEqual([
		"'Sender Name' is left to the model, but only a person may set it. Set it to a fixed value",
		"'CC Email' is left to the model, but it decides whom a message reaches. Set it to a fixed value",
	]);
});

describe('A parameter that is left to a model', () => {
	it.each([
		['a whole collection', { additionalFields: fromModel }, ['additionalFields']],
		['all options', { options: fromModel }, ['options']],
		[
			'an option that does not exist',
			{ additionalFields: { unheardOf: fromModel } },
			['unheardOf'],
		],
		['a list that holds it', { platforms: ['web', fromModel] }, ['platforms']],
		['another spelling', { segment_id: "={{ $fromai('x') }}" }, ['segment_id']],
		['an escaped letter', { segment_id: '={{ $from\\u0041I("x") }}' }, ['segment_id']],
		[
			'the locator of a segment',
			{ segment_id: { __rl: true, mode: 'id', value: fromModel } },
			['segment_id'],
		],
		[
			'the name of a segment',
			{ segment_id: { __rl: true, mode: 'list', value: '42', cachedResultName: fromModel } },
			['segment_id'],
		],
	])('is found in %s', (_, parameters, fields) => {
		expect(refused(parameters)).toEqual(fields);
	});

	it('is not recognized where n8n reads no expression', () => {
		expect(
			refused({ segment_id: 42, additionalFields: { tag: 'about $fromAI' }, options: {} }),
		).toEqual([]);
	});
});
