import type { Field, FormParameter } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import { channels } from '../../nodes/CustomerMessaging/operations/channels';
import { limits } from '../../nodes/CustomerMessaging/operations/limits';
import {
	declaredFields,
	hostNames,
	type Operation,
	type Resource,
} from '../../nodes/CustomerMessaging/operations/operation';
import { makeGuardForm } from '../../nodes/CustomerMessaging/run/guards';
import { optionsForm } from '../../nodes/CustomerMessaging/run/options';
import { offersSendOnce, sendOnceForm } from '../../nodes/CustomerMessaging/run/sendOnce';
import { groupBy } from '../../nodes/CustomerMessaging/shared/slices';
import { bodies, introduction, kinds, optionsIntroduction, otherSettings } from './referenceTexts';
import { code, list, plain } from './markdown';

/** How the service's reference (§1) writes the three hosts. */
const placeholders = {
	baseUrl: '{base_url}',
	pushUrl: '{push_url}',
	mailUrl: '{mail_url}',
} as const;

/** The introduction calls them messages. */
const isOfMessages = (resource: Resource) => channels.some(({ value }) => value === resource.value);
const ofMessages = resources.filter(isOfMessages).map(({ name }) => name);

/** The reference of all operations in Markdown, made from the entries that the node itself uses. */
export function reference(): string {
	return [
		...introduction(list(channels.map(({ name }) => name))),
		...resources.flatMap(requestsOf),
		'## Fields of messages',
		'',
		...fieldsOf(resources.filter(isOfMessages)),
		...otherSettings,
		...settings(),
		...optionsIntroduction,
		...options(),
	].join('\n');
}

function requestsOf(resource: Resource): string[] {
	const { name, value, target } = resource;
	const limit = limits.find(({ api }) => api === target?.api);
	const place = target
		? ` **${hostNames[target.host]}**; limit \`${target.api}\`, ${limit?.perMinute} a minute.`
		: ' **Host** and **Rate Limit** choose the address and the limit.';
	return [
		`## ${name}`,
		'',
		`\`resource: ${value}\`.${place}`,
		'',
		...requestLines(resource),
		'',
		...(bodies[value] ?? []).flatMap((line) => [line, '']),
		...(isOfMessages(resource) ? [] : fieldsOf([resource])),
	];
}

/** Operations that share a path share a line. */
function requestLines(resource: Resource): string[] {
	const byRequest = groupBy([...resource.operations], (operation) =>
		describeRequest(resource, operation),
	);
	return [...byRequest].map(([request, alike]) => {
		const names = alike.map(({ name, value }) => `${name} ${code(value)}`);
		return `- ${list(names)}: ${request}`;
	});
}

function describeRequest(
	{ target }: Resource,
	{ path, section, isPathOfAccount }: Operation,
): string {
	const host = target ? placeholders[target.host] : '';
	const request = path ? code(host + path) : 'a path of your own';
	const other = isPathOfAccount ? ', unless **Custom API Paths** has another' : '';
	return `${request} (§${section})${other}`;
}

/** A field of a body, and the keys of the operations that have it, by resource. */
interface FieldUse {
	name: string;
	about: string;
	required: Map<Resource, string[]>;
	optional: Map<Resource, string[]>;
	modelMayFill: boolean;
}

/** Every operation takes it, so the introduction describes it. */
const everywhere = 'extraBodyFields';

/** The fields of the bodies of resources. One that differs between operations is listed several times. */
function fieldsOf(among: readonly Resource[]): string[] {
	const uses = new Map<string, FieldUse>();
	for (const resource of among)
		for (const operation of resource.operations) {
			const { required, recipients = {}, sender = {} } = operation.fields;
			for (const [key, field] of Object.entries(declaredFields(operation))) {
				if (key === everywhere) continue;
				const [name, about] = [nameField(key, field), aboutField(field)];
				const use: FieldUse = uses.get(name + about) ?? {
					name,
					about,
					required: new Map(),
					optional: new Map(),
					modelMayFill: false,
				};
				uses.set(name + about, use);
				const isRequired = key in required || key in recipients || key in sender;
				const where = isRequired ? use.required : use.optional;
				where.set(resource, [...(where.get(resource) ?? []), operation.value]);
				use.modelMayFill ||= field.modelMayFill;
			}
		}
	if (uses.size === 0) return [];
	// Fields of which the same is to be said share a line.
	const told = groupBy([...uses.values()], ({ about, required, optional, modelMayFill }) => {
		const where = among.length > 1 ? places(required, optional) : required.size > 0 && 'required';
		const texts = asSentences(...(where ? [where] : []), about);
		return `${modelMayFill ? ' *AI*' : ''}${texts && `: ${texts}`}`;
	});
	const lines = [...told].map(
		([texts, fields]) => `- ${fields.map(({ name }) => name).join(', ')}${texts}`,
	);
	return [...lines, ''];
}

/** Names the resources that have a field, with the operations where not all that do not ask have it. */
function places(required: FieldUse['required'], optional: FieldUse['optional']): string {
	const byWhere = new Map<string, string[]>();
	for (const resource of new Set([...required.keys(), ...optional.keys()])) {
		const where = whereIn(resource, required.get(resource) ?? [], optional.get(resource) ?? []);
		byWhere.set(where, [...(byWhere.get(where) ?? []), resource.name]);
	}
	return [...byWhere]
		.map(([where, names]) => listMessages(names) + (where && ` (${where})`))
		.join('; ');
}

/** Empty if it is optional in all operations that do not ask. Of questions, all fields are required. */
function whereIn({ operations }: Resource, required: string[], optional: string[]): string {
	const all = operations.filter(({ waits }) => !waits).map(({ value }) => value);
	const name = (keys: string[]) => keys.map(code).join(', ');
	if (required.length === operations.length) return 'required everywhere';
	if (all.every((key) => required.includes(key))) return 'required';
	if (all.every((key) => optional.includes(key))) return '';
	return [
		required.length > 0 ? `required in ${name(required)}` : '',
		optional.length > 0 ? `optional in ${name(optional)}` : '',
	]
		.filter(Boolean)
		.join(', ');
}

function listMessages(names: readonly string[]): string {
	return list(names).replaceAll(list(ofMessages), 'messages');
}

function nameField(key: string, { form }: { form: Pick<Field['form'], 'displayName'> }): string {
	return `${form.displayName} ${code(key)}`;
}

/** The introduction says these. */
const usual = ['Text', 'A whole number from 1 to 9007199254740991'];
/** What a rule says that the description or the label says again. */
const repeated = [/email address/i, /https/i, /separated by commas/, /JSON object/];

/** The introduction says what it means. */
const ofChrome = 'Shown to Chrome subscribers only';

function aboutField({ form, rule }: Field): string {
	const kind = kinds.find(([, text]) => rule.startsWith(text));
	const takes = kind ? `*${kind[0]}*${rule.slice(kind[1].length)}` : rule;
	const { description = '', hint } = form;
	const isKnown = repeated.some((words) => words.test(rule) && words.test(description));
	const isUsual = usual.includes(rule) || isKnown;
	return asSentences(
		!kind && isUsual ? '' : takes,
		limiting.test(description) ? description : '',
		hint === ofChrome ? '*Chrome*' : String(hint ?? ''),
	);
}

/** What a description says of values and recipients. The rest is in the form. */
const limiting = /\d|\bonly\b|no link|separated|HTTPS|\bmean\b/;

interface SettingUse {
	parameter: FormParameter;
	resource: Resource;
	operation: Operation;
}

/** The settings of the form that the body does not have under their names. */
function settings(): string[] {
	const uses = resources.flatMap((resource) =>
		resource.operations.flatMap((operation): SettingUse[] => {
			const fields = declaredFields(operation);
			const once = offersSendOnce(operation) ? sendOnceForm(operation.isBroadcast) : [];
			const { byHand, most } = makeGuardForm(operation);
			const form = [...operation.form, ...byHand, ...most, ...once].filter(
				({ name, type }) => !(name in fields) && name !== 'additionalFields' && type !== 'notice',
			);
			return form
				.filter(({ name }, index) => form.findIndex((one) => one.name === name) === index)
				.map((parameter) => ({ parameter, resource, operation }));
		}),
	);
	const told = groupBy(
		[...groupBy(uses, ({ parameter }) => parameter.name).values()],
		aboutSetting,
	);
	const lines = [...told].map(([about, settingsAlike]) => {
		const names = settingsAlike.flatMap(([use]) =>
			use ? [nameField(use.parameter.name, { form: use.parameter })] : [],
		);
		return `- ${names.join(', ')}${about}`;
	});
	return [...lines, ''];
}

function aboutSetting(all: SettingUse[]): string {
	const [{ parameter } = {}] = all;
	if (!parameter) return '';
	const { type } = parameter;
	const ofModel = all.filter((use) => use.parameter.modelMayFill);
	const values = all.flatMap(({ parameter: { options = [] } }) =>
		options.flatMap((choice) => ('value' in choice ? [code(String(choice.value))] : [])),
	);
	const isCollection = type.endsWith('ollection');
	const byDefault = groupBy(all, (use) => [use.parameter.default ?? ''].flat().map(String).join());
	const defaults = [...byDefault].map(([initial, uses]) =>
		initial === '' || isCollection || ['boolean', 'json'].includes(type)
			? ''
			: `default ${code(initial)}${whereOf(uses, all)}`,
	);
	const takes = isCollection ? [] : [[...new Set(values)].join(', '), ...defaults];
	const told = takes.filter(Boolean).join('; ');
	const ai = ofModel.length > 0 ? ` *AI*${whereOf(ofModel, all)}` : '';
	return `${ai}${told && `: ${told}`}`;
}

/** The resources or operations that some of the uses of a setting are of; empty if these are all. */
function whereOf(some: readonly SettingUse[], all: readonly SettingUse[]): string {
	if (some.length === all.length) return '';
	const others = all.filter((use) => !some.includes(use));
	const names = new Set(some.map(({ resource }) => resource.name));
	if (others.every(({ resource }) => !names.has(resource.name))) return ` in ${list([...names])}`;
	const operations = some.map(({ resource, operation: { value, isBroadcast } }) => {
		const isOfAll = all
			.filter((use) => use.operation.value === value)
			.every((use) => some.includes(use));
		return isBroadcast ? 'broadcasts' : `${isOfAll ? '' : `${resource.name} `}${code(value)}`;
	});
	return ` in ${list([...new Set(operations)])}`;
}

/** All options, in the order of the form. */
function options(): string[] {
	const all = groupBy(optionsForm.options as FormParameter[], ({ name }) => name);
	const told = groupBy([...all.values()], (places) => {
		const where = placesOfOption(places);
		return `${where && ` (${where})`}${rangeOf(places)}`;
	});
	const lines = [...told].map(([about, alike]) => {
		const names = alike.flatMap(([one]) => (one ? [nameField(one.name, { form: one })] : []));
		return `- ${names.join(', ')}${about}`;
	});
	return [...lines, ''];
}

function placesOfOption(places: readonly FormParameter[]): string {
	const valuesOf = (key: '/resource' | '/operation') =>
		new Set(
			places.flatMap(({ displayOptions }) => (displayOptions?.show?.[key] ?? []).map(String)),
		);
	const ofResources = resources.filter(({ value }) => valuesOf('/resource').has(value));
	const operations = [...valuesOf('/operation')];
	const only = operations.length === 1 ? operations.map((one) => ` ${code(one)}`).join('') : '';
	if (ofResources.length === 0) return '';
	const isAll = ofResources.length === resources.length;
	return isAll ? 'not in questions' : listMessages(ofResources.map(({ name }) => name)) + only;
}

/** What an option takes, and what holds where it is not set. */
function rangeOf([option]: readonly FormParameter[]): string {
	const { name = '', type, default: initial, typeOptions = {} } = option ?? {};
	if (type === 'boolean') return ': off';
	if (type !== 'number') return '';
	const { minValue, maxValue = mostInBatch[name] } = typeOptions;
	const range = maxValue === undefined ? `${minValue} or more` : `${minValue} to ${maxValue}`;
	return `: ${range}, by default ${Number(initial)}`;
}

const mostInBatch: Readonly<Record<string, string | undefined>> = {
	batchSize: resources
		.flatMap((resource) =>
			resource.operations.flatMap(({ maxBatchSize }) =>
				maxBatchSize === undefined ? [] : `${maxBatchSize} (${resource.name})`,
			),
		)
		.join(', '),
};

function asSentences(...parts: string[]): string {
	return parts
		.map((part) => withoutKnown(plain(part)).replace(/\.$/, ''))
		.filter(Boolean)
		.join('. ');
}

/** Leaves out what the introduction says once of all IDs. */
function withoutKnown(text: string): string {
	return text.replace(/ ?Ask support for the ID\.?$/, '');
}
