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
		...headers,
	].join('\n');
}

function requestsOf(resource: Resource): string[] {
	const { name, value, target, operations } = resource;
	const limit = limits.find(({ api }) => api === target?.api);
	const place = target
		? ` Requests go to the **${hostNames[target.host]}** and count against the limit \`${target.api}\`, ${limit?.perMinute} a minute by default (§8).`
		: ' **Host** and **Rate Limit** choose the address and the limit.';
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
	const other = isPathOfAccount ? ', or the path under **Custom API Paths** of the credential' : '';
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
