import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import { channels } from '../../nodes/CustomerMessaging/operations/channels';
import { limits } from '../../nodes/CustomerMessaging/operations/limits';
import {
	declaredFields,
	hostNames,
	type Operation,
	type Resource,
} from '../../nodes/CustomerMessaging/operations/operation';
import { credentialForm } from '../../nodes/CustomerMessaging/run/accountForm';
import { makeGuardForm } from '../../nodes/CustomerMessaging/run/guards';
import { optionFields } from '../../nodes/CustomerMessaging/run/options';
import { offersSendOnce, sendOnceForm } from '../../nodes/CustomerMessaging/run/sendOnce';
import { bodies, headers, introduction, kinds } from './referenceTexts';
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
		'## Settings',
		'',
		'Parameters of the node that are no fields of a body.',
		'',
		...listsByPlace(settings()),
		'## Options',
		'',
		'Under **Options**. No AI model may fill one in. Defaults hold for options that are not added, but **Preview Only** is then off, and **Max per Minute** no limit.',
		'',
		...listsByPlace(Object.entries(optionFields).map(([key, field]) => describeOption(key, field))),
		...headers,
		'## Credentials',
		'',
		'The fields of a switch stand behind it, defaults in brackets. Formats are Luxon tokens; `X` means epoch seconds. [What they are for](guides/credentials.md).',
		'',
		...ofCredentials(),
		'',
	].join('\n');
}

function requestsOf(resource: Resource): string[] {
	const { name, value, target, operations } = resource;
	const limit = limits.find(({ api }) => api === target?.api);
	const place = target
		? ` Requests go to the **${hostNames[target.host]}** and count against the limit \`${target.api}\`, ${limit?.perMinute} a minute by default (§8).`
		: ' **Host** and **API** choose the address and the limit.';
	return [
		`## ${name}`,
		'',
		`\`resource: ${value}\`.${place}`,
		'',
		...operations.map(
			(operation) =>
				`- ${operation.name} ${code(operation.value)}: ${describeRequest(resource, operation)}`,
		),
		'',
		...(bodies[value] ?? []).flatMap((line) => [line, '']),
		...(isOfMessages(resource) ? [] : fieldsOf([resource])),
	];
}

function describeRequest(
	{ target }: Resource,
	{ path, section, isPathOfAccount }: Operation,
): string {
	const host = target ? placeholders[target.host] : '';
	const request = path ? code(host + path) : 'a path of your own';
	const other = isPathOfAccount ? ', or the path under **Custom Paths** of the credential' : '';
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
	const lines = [...uses.values()].map(({ name, about, required, optional, modelMayFill }) => {
		const where = among.length > 1 ? places(required, optional) : required.size > 0 && 'required';
		const texts = asSentences(...(where ? [where] : []), about);
		return `- ${name}${modelMayFill ? ' *AI*' : ''}${texts && `: ${texts}`}`;
	});
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

interface Setting {
	parameter: INodeProperties;
	choices: Set<string>;
	defaults: Set<string>;
	/** The keys of the operations that have it, by the name of their resource. */
	places: Places;
	/** Those in which the model of an AI agent may set it. */
	ai: Places;
}

type Places = Map<string, Set<string>>;

interface Placed {
	/** Where it is: resources, and operations where not all of one have it. */
	place: string;
	text: string;
}

/** One list for each place. */
function listsByPlace(all: readonly Placed[]): string[] {
	const found = [...new Set(all.map(({ place }) => place))];
	return found.flatMap((place) => [
		`Of ${place}:`,
		'',
		...all.filter((one) => one.place === place).map(({ text }) => `- ${text}`),
		'',
	]);
}

function settings(): Placed[] {
	const found = new Map<string, Setting>();
	for (const { name: resource, operations } of resources) {
		for (const operation of operations) {
			for (const parameter of describeSettings(operation)) {
				const id = `${parameter.name}|${parameter.displayName}`;
				const setting: Setting = found.get(id) ?? {
					parameter,
					choices: new Set(),
					defaults: new Set(),
					places: new Map(),
					ai: new Map(),
				};
				found.set(id, setting);
				for (const choice of listChoices(parameter)) setting.choices.add(choice);
				setting.defaults.add(formatDefault(parameter));
				addPlace(setting.places, resource, operation.value);
				if (parameter.modelMayFill) addPlace(setting.ai, resource, operation.value);
			}
		}
	}
	const byUse = [...found.values()].sort(
		(one, other) => countPlaces(other.places) - countPlaces(one.places),
	);
	return byUse.map(({ parameter, choices, defaults, places: where, ai }) => {
		const isAll = countPlaces(ai) === countPlaces(where);
		const forModel = countPlaces(ai) === 0 ? '' : ` *AI*${isAll ? '' : ` (${listPlaces(ai)})`}`;
		const { displayName, name, description = '' } = parameter;
		const about = asSentences(
			saysMore(displayName, description) ? description : '',
			[...choices].join(', '),
			asDefault([...defaults]),
		);
		return {
			place: listPlaces(where),
			text: `${displayName} ${code(name)}${forModel}${about && `: ${about}`}`,
		};
	});
}

function describeOption(key: string, field: Field): Placed {
	const { show = {} } = field.form.displayOptions ?? {};
	const named = show['/resource'] ?? [];
	const names = resources.filter(({ value }) => named.includes(value)).map(({ name }) => name);
	const asks = show['/operation'] ? ['**Send and Wait for Response**'] : [];
	const parts =
		field.form.type === 'fixedCollection' ? listChoices(field.form as INodeProperties) : [];
	const byDefault = asDefault([formatDefault(field.form)]);
	const about = asSentences(aboutField(field), parts.join(', '), byDefault);
	return {
		place: [listMessages(names), ...asks].filter(Boolean).join(': ') || 'every operation',
		text: `${nameField(key, field)}: ${about}`,
	};
}

function addPlace(where: Places, resource: string, operation: string): void {
	where.set(resource, (where.get(resource) ?? new Set()).add(operation));
}

function countPlaces(where: Places): number {
	return [...where.values()].reduce((sum, { size }) => sum + size, 0);
}

function describeSettings(operation: Operation) {
	const inBody = declaredFields(operation);
	const once = offersSendOnce(operation) ? sendOnceForm : [];
	return [...operation.form, ...makeGuardForm(operation), ...once].filter(
		({ name, type }) => !(name in inBody) && type !== 'collection' && type !== 'notice',
	);
}

/** Names resources, with the operations that have a setting where not all do. */
function listPlaces(where: Places): string {
	const byOperations = new Map<string, string[]>();
	for (const [resource, names] of where) {
		const { operations = [] } = resources.find(({ name }) => name === resource) ?? {};
		const others = operations.filter(({ value }) => !names.has(value)).map(({ value }) => value);
		const which =
			others.length === 1 && names.size > 2
				? `all but ${others.map(code).join('')}`
				: [...names].map(code).join(', ');
		const text = others.length === 0 ? 'all' : which;
		byOperations.set(text, [...(byOperations.get(text) ?? []), resource]);
	}
	return [...byOperations]
		.map(([which, names]) => (which === 'all' ? list(names) : `${list(names)}: ${which}`))
		.join('; ')
		.replaceAll(list(ofMessages), 'messages');
}

/** The choices of a parameter, those of its parts included, with the value where the name does not show it. */
function listChoices({ type, options = [] }: INodeProperties): string[] {
	if (type === 'boolean') return [];
	return options.flatMap((option) => {
		if ('value' in option) {
			const value = String(option.value);
			const isShown = value === option.name.toLowerCase();
			return [isShown ? `*${option.name}*` : `*${option.name}* ${code(value)}`];
		}
		if (!('values' in option)) return [];
		return option.values.map((part) => {
			const choices = listChoices(part);
			const chosen = choices.length > 0 ? ` (${choices.join(', ')})` : '';
			return `${part.displayName} ${code(`${option.name}.${part.name}`)}${chosen}`;
		});
	});
}

function asDefault(defaults: string[]): string {
	const found = defaults.filter((value) => value !== '' && value !== code('false'));
	return found.length > 0 ? `Default: ${found.join(' or ')}` : '';
}

function formatDefault(form: Pick<INodeProperties, 'default'>): string {
	const values: unknown[] = Array.isArray(form.default) ? form.default : [form.default];
	const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
	return values
		.filter((value) => isPlain(value) && value !== '')
		.map((value) => code(String(value)))
		.join(', ');
}

/** The fields of the credentials, those of a switch on its line, with their defaults. */
function ofCredentials(): string[] {
	const forms = [credentialForm('apiKey'), credentialForm('partnerToken')];
	const fields = [...new Map(forms.flat().map((property) => [property.name, property])).values()];
	const shown = fields.filter(({ type }) => type !== 'notice');
	const switchOf = ({ displayOptions }: INodeProperties) =>
		Object.keys(displayOptions?.show ?? {})[0];
	const describe = (property: INodeProperties): string => {
		const given = [listChoices(property).join(', '), asDefault([formatDefault(property)])];
		const about = given.filter(Boolean).join('. ').replace('Default: ', '');
		return `${property.displayName} ${code(property.name)}${about && ` (${about})`}`;
	};
	return shown
		.filter((property) => switchOf(property) === undefined)
		.map((property) => {
			const parts = shown.filter((other) => switchOf(other) === property.name).map(describe);
			return `- ${describe(property)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
		});
}

function nameField(key: string, { form }: Field): string {
	return `${form.displayName} ${code(key)}`;
}

/** The introduction says these. */
const usual = ['Text', 'true or false', 'A whole number from 1 to 9007199254740991'];
/** What a rule says that the description or the label says again. */
const repeated = [/email address/i, /https/i, /separated by commas/, /JSON object/];

function aboutField({ form, rule }: Field): string {
	const kind = kinds.find(([, text]) => rule.startsWith(text));
	const takes = kind ? `*${kind[0]}*${rule.slice(kind[1].length)}` : rule;
	const { displayName, description = '', hint } = form;
	const isKnown = repeated.some((words) => words.test(rule) && words.test(description));
	return asSentences(
		!kind && (usual.includes(rule) || isKnown) ? '' : takes,
		saysMore(displayName, description) ? description : '',
		String(hint ?? ''),
	);
}

const unsaying =
	/^(whether|how|to|the|of|a|an|in|on|for|with|when|is|that|which|who|it|and|user|users|recipient|email|notification|campaign|sender|identifier|name|address|number|mobile|assigned|text|type|kind|message|sends|track|sms|push|whole|your|used|them|segment|receives|address)$/;

/** Whether a description says more than the label. */
function saysMore(label: string, description: string): boolean {
	const stems = (text: string) => (text.toLowerCase().match(/[a-z]+/g) ?? []).map(stem);
	const known = stems(label);
	const words = (
		plain(description)
			.toLowerCase()
			.match(/[a-z]+/g) ?? []
	).filter((word) => !unsaying.test(word));
	return words.some((word) => !known.includes(stem(word)));
}

const stem = (word: string) => word.slice(0, 4);

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
