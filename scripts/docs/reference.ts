import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import {
	declaredFields,
	hostNames,
	type Operation,
	type Resource,
} from '../../nodes/CustomerMessaging/operations/operation';
import { credentialForm } from '../../nodes/CustomerMessaging/run/account';
import { makeGuardForm } from '../../nodes/CustomerMessaging/run/guards';
import { optionFields } from '../../nodes/CustomerMessaging/run/options';
import { offersSendOnce, sendOnceForm } from '../../nodes/CustomerMessaging/run/sendOnce';
import { defaultLimits } from '../../nodes/CustomerMessaging/shared/apis';
import { bodies, headers, introduction, kinds } from './referenceTexts';
import { code, list, plain, table } from './tables';

/** How the service's reference (§1) writes the three hosts. */
const placeholders = {
	baseUrl: '{base_url}',
	pushUrl: '{push_url}',
	mailUrl: '{mail_url}',
} as const;

/** The reference of all operations in Markdown, made from the entries that the node itself uses. */
export function reference(): string {
	return [
		...introduction,
		...resources.flatMap(ofResource),
		'## Settings',
		'',
		'Parameters of the node that are no fields of a body: which data it uses, when it sends, and its guards.',
		'',
		...table(['setting', 'values', 'about', 'in'], settings()),
		'',
		'## Options',
		'',
		'Under **Options**, of every operation unless "about" says otherwise. No AI model may fill one in.',
		'',
		...table(
			['option', 'takes and does'],
			Object.entries(optionFields).map(([key, field]) => [
				nameField(key, field),
				asSentences(aboutField(field), asDefault([formatDefault(field.form)])),
			]),
		),
		'',
		...headers,
		'## Credentials',
		'',
		...table(['field', 'about'], credentialRows()),
		'',
	].join('\n');
}

function ofResource(resource: Resource): string[] {
	const { name, value, target, operations } = resource;
	const place = target
		? ` Requests go to the **${hostNames[target.host]}** and count against the limit \`${target.api}\`, ${defaultLimits[target.api]} a minute by default (§8).`
		: ' **Host** and **API** choose the address and the limit.';
	return [
		`## ${name}`,
		'',
		`\`resource: ${value}\`.${place}`,
		'',
		...table(
			['operation', 'request'],
			operations.map((operation) => [
				`${operation.name} ${code(operation.value)}`,
				describeRequest(resource, operation),
			]),
		),
		'',
		...(bodies[value] ?? []).flatMap((line) => [line, '']),
		...ofFields(resource),
	];
}

function ofFields(resource: Resource): string[] {
	const rows = fieldRows(resource);
	return rows.length > 0 ? [...table(['field', 'takes', 'required', 'optional'], rows), ''] : [];
}

function describeRequest(
	{ target }: Resource,
	{ path, section, isPathOfAccount }: Operation,
): string {
	const host = target ? placeholders[target.host] : '';
	const request = path ? `\`POST\` \`${host}${path}\`` : '`POST` to a path of your own';
	const other = isPathOfAccount ? ', or the path under **Custom Paths** of the credential' : '';
	return `${request} (§${section})${other}`;
}

interface FieldUse {
	cells: string[];
	/** The keys of operations. */
	required: string[];
	optional: string[];
	/** Where the model of an AI agent may fill it in. */
	ai: string[];
}

/** Every operation takes it, so the introduction describes it. */
const everywhere = 'extraBodyFields';

/** The fields of all bodies of a resource. A field that differs between operations has several rows. */
function fieldRows({ operations }: Resource): string[][] {
	const uses = new Map<string, FieldUse>();
	for (const operation of operations) {
		const { required, recipients = {}, sender = {} } = operation.fields;
		for (const [key, field] of Object.entries(declaredFields(operation))) {
			if (key === everywhere) continue;
			const cells = [nameField(key, field), aboutField(field)];
			const use = uses.get(cells.join('|')) ?? { cells, required: [], optional: [], ai: [] };
			uses.set(cells.join('|'), use);
			const isRequired = key in required || key in recipients || key in sender;
			(isRequired ? use.required : use.optional).push(operation.value);
			if (field.modelMayFill) use.ai.push(operation.value);
		}
	}
	const all = operations.map(({ value }) => value);
	return [...uses.values()].map(({ cells: [name = '', takes = ''], required, optional, ai }) => [
		name +
			markAi(ai.length === required.length + optional.length ? 'all' : listOperations(ai, all)),
		takes,
		listOperations(required, all),
		listOperations(optional, all),
	]);
}

/** @param where the operations in which a model may fill it in, as the reference names them */
function markAi(where: string): string {
	if (where === '') return '';
	return where === 'all' ? ' *AI*' : ` *AI*: ${where}`;
}

function asDefault(defaults: string[]): string {
	const found = defaults.filter((value) => value !== '' && value !== code('false'));
	return found.length > 0 ? `Default: ${found.join(' or ')}` : '';
}

/** Names operations, or says which ones are missing. */
function listOperations(keys: readonly string[], all: readonly string[]): string {
	if (keys.length === all.length) return 'all';
	const others = all.filter((key) => !keys.includes(key));
	return others.length === 1 && keys.length > 2
		? `all but ${others.map(code).join('')}`
		: keys.map(code).join(', ');
}

interface Setting {
	parameter: INodeProperties;
	values: Set<string>;
	defaults: Set<string>;
	/** The keys of the operations that have it, by the name of their resource. */
	places: Places;
	/** Those in which the model of an AI agent may set it. */
	ai: Places;
}

/** The introduction calls them messages. */
const ofMessages = ['Email', 'Push', 'SMS'];

type Places = Map<string, Set<string>>;

function settings(): string[][] {
	const found = new Map<string, Setting>();
	for (const { name: resource, operations } of resources) {
		for (const operation of operations) {
			for (const parameter of describeSettings(operation)) {
				const id = `${parameter.name}|${parameter.displayName}`;
				const setting: Setting = found.get(id) ?? {
					parameter,
					values: new Set(),
					defaults: new Set(),
					places: new Map(),
					ai: new Map(),
				};
				found.set(id, setting);
				for (const value of listValues(parameter)) setting.values.add(value);
				setting.defaults.add(formatDefault(parameter));
				addPlace(setting.places, resource, operation.value);
				if (parameter.modelMayFill) addPlace(setting.ai, resource, operation.value);
			}
		}
	}
	const byUse = [...found.values()].sort(
		(one, other) => countPlaces(other.places) - countPlaces(one.places),
	);
	return byUse.map(({ parameter, values, defaults, places, ai }) => [
		`${parameter.displayName} ${code(parameter.name)}${markAi(
			countPlaces(ai) === countPlaces(places) ? 'all' : listPlaces(ai),
		)}`,
		[...values].join(', '),
		asSentences(parameter.description ?? '', asDefault([...defaults])),
		listPlaces(places),
	]);
}

function addPlace(places: Places, resource: string, operation: string): void {
	places.set(resource, (places.get(resource) ?? new Set()).add(operation));
}

function countPlaces(places: Places): number {
	return [...places.values()].reduce((sum, { size }) => sum + size, 0);
}

function describeSettings(operation: Operation) {
	const inBody = declaredFields(operation);
	const once = offersSendOnce(operation) ? sendOnceForm : [];
	return [...operation.form, ...makeGuardForm(operation), ...once].filter(
		({ name, type }) => !(name in inBody) && type !== 'collection' && type !== 'notice',
	);
}

/** Names resources, with the operations that have a setting where not all do. */
function listPlaces(places: Places): string {
	const byOperations = new Map<string, string[]>();
	for (const [resource, names] of places) {
		const { operations = [] } = resources.find(({ name }) => name === resource) ?? {};
		const all = operations.map(({ value }) => value);
		const which = listOperations([...names], all);
		byOperations.set(which, [...(byOperations.get(which) ?? []), resource]);
	}
	return [...byOperations]
		.map(([which, names]) => (which === 'all' ? list(names) : `${list(names)}: ${which}`))
		.join('; ')
		.replaceAll(list(ofMessages), 'messages');
}

/** The values that a parameter can have, those of its parts included. */
function listValues({ type, options = [] }: INodeProperties): string[] {
	if (type === 'boolean') return [];
	return options.flatMap((option) => {
		if ('value' in option) return [code(String(option.value))];
		if (!('values' in option)) return [];
		return option.values.map((part) => {
			const values = listValues(part);
			const chosen = values.length > 0 ? ` (${values.join(', ')})` : '';
			return `${code(`${option.name}.${part.name}`)}${chosen}`;
		});
	});
}

function formatDefault(form: Pick<INodeProperties, 'default'>): string {
	const values: unknown[] = Array.isArray(form.default) ? form.default : [form.default];
	const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
	return values
		.filter((value) => isPlain(value) && value !== '')
		.map((value) => code(String(value)))
		.join(', ');
}

function credentialRows(): string[][] {
	const forms = [credentialForm('apiKey'), credentialForm('partnerToken')];
	const fields = new Map(forms.flat().map((property) => [property.name, property]));
	return [...fields.values()]
		.filter(({ type }) => type !== 'notice')
		.map((property) => [
			`${property.displayName} ${code(property.name)}`,
			asSentences(property.description ?? '', asDefault([formatDefault(property)])),
		]);
}

function nameField(key: string, { form }: Field): string {
	return `${form.displayName} ${code(key)}`;
}

/** The introduction says these. */
const usual = ['Text', 'true or false'];

function aboutField({ form, rule }: Field): string {
	const kind = kinds.find(([, text]) => rule.startsWith(text));
	const takes = kind ? `*${kind[0]}*${rule.slice(kind[1].length)}` : rule;
	return asSentences(
		usual.includes(rule) ? '' : takes,
		form.description ?? '',
		String(form.hint ?? ''),
	);
}

function asSentences(...parts: string[]): string {
	return parts
		.map((part) => withoutKnown(plain(part)).replace(/\.$/, ''))
		.filter(Boolean)
		.join('. ');
}

/** Leaves out what the introduction says once of all IDs. */
function withoutKnown(text: string): string {
	return text.replace(/ ?The service's reference does not say where [^.]+\.?/, '');
}
