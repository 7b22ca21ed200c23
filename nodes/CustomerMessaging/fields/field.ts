import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Problem } from '../shared/ending';
import { converted, prepared, sentenceOf } from './convert';
import { isNobody } from './lost';

/** How a form field looks in the editor. Its name is its key in {@link Fields}. */
export type Form = Omit<INodeProperties, 'name'>;

/** A parameter of the node's form. */
export interface FormParameter extends INodeProperties, Declaration {
	/** Whether it is required if the choice that shows it is made in the form, and not by an expression. */
	requiredIfChosen?: boolean;
}

/** Whom a field can make a message reach. */
type Reach =
	/** It names the one person who gets the message. A test replaces it. */
	| 'recipient'
	/** It names recipients whose number is unknown, so that the guards of broadcasts apply. */
	| 'audience'
	/** It narrows the audience. Left empty, it is refused, because without it more people could be reached. */
	| 'fewer'
	/** It could add other people or devices. */
	| 'others'
	/** It has no influence on who is reached. Only such fields are kept in a test. */
	| 'nobody';

/** What every field and parameter must declare. In a collection, each option declares it for itself. */
export interface Declaration {
	reaches: Reach;
	/** Whether the model of an AI agent may fill it in. */
	modelMayFill: boolean;
}

/**
 * One field of the API: its form field in the editor, and the schema that converts a raw parameter
 * value to the value in the request body. The schema's messages are whole sentences that name the
 * field.
 */
export interface Field<Value = unknown> extends Declaration {
	form: Form;
	/** The values it accepts, for the documentation. */
	rule: string;
	/** Whether its value is a link. */
	isLink?: true;
	/** Whether its value is one email address or several. */
	holdsAddresses?: true;
	/** Whether its value is a phone number. */
	holdsNumber?: true;
	/** Whether its valid values depend on the account, and the service's reference does not give them. */
	dependsOnAccount?: true;
	/** Whether it says which person, so that an empty placeholder in it would make many people one. */
	isId?: true;
	/** Whether it is a text that people read. */
	isText?: true;
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>;
	/** The schema under a run's options, where they change what the field accepts. */
	schemaWith?: (options: FieldOptions) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** The options that change what fields accept. */
export interface FieldOptions {
	/** The country whose national notation of phone numbers is understood, as its row gives it; empty for none. */
	defaultCountry?: string;
	/** Whether each row gives that country, so that it is the country of its recipient alone. */
	isCountryOfRow?: boolean;
	/** Whether texts may contain what the text check refuses. */
	skipTextCheck?: boolean;
	/** The host of n8n's own pages, with its port. Links are checked only with it. */
	n8nHost?: string;
	/** Whether the service is on this machine, so that its recipients may be too. */
	isServiceLocal?: boolean;
	/** Whether typographic characters in the text of an SMS are replaced by plain ones. */
	replaceTypographicCharacters?: boolean;
}

/** Fields by the API's own key (spec §2). */
export type Fields = Readonly<Record<string, Field>>;

/** What can be read by its schema: fields of the node, and those of a credential. */
type Readable = Readonly<Record<string, Pick<Field, 'schema' | 'schemaWith'>>>;

/** Converts fields to parameters of the editor, in the order of their declaration. All of them get `more`. */
export function toForm(fields: Fields, more: Partial<FormParameter> = {}): FormParameter[] {
	return Object.entries(fields).map(([name, { form, reaches, modelMayFill }]) => ({
		...form,
		name,
		reaches,
		modelMayFill,
		...more,
	}));
}

/** The labels of parameters by name, including those in collections. Notices have a text in place of one. */
export function collectLabels(form: readonly INodeProperties[]): Readonly<Record<string, string>> {
	const fields = form.flatMap((field) => [
		...(field.type === 'collection' ? (field.options as INodeProperties[]) : []),
		...(field.type === 'notice' ? [] : [field]),
	]);
	return Object.fromEntries(fields.map(({ name, displayName }) => [name, displayName]));
}

/** Compares alphabetically. localeCompare() would load all of ICU's language data. */
export function byName(one: string, other: string): number {
	return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

/** Returns a schema in which all fields must be filled in. */
export function required<F extends Readable>(fields: F, options?: FieldOptions) {
	return z.object(schemas(fields, options));
}

/**
 * Returns a schema that omits absent and empty fields from its result, and those whose value means that there
 * is none.
 *
 * @param isOmitted what counts as empty: also a space, because lists hold it where nothing is entered
 */
export function optional<F extends Fields>(
	fields: F,
	label: string,
	options?: FieldOptions,
	isOmitted = isBlank,
) {
	const message = `${label} must be an object that contains its fields by name`;
	const shape = schemas(fields, options);
	const narrowing = Object.keys(fields).filter((key) => fields[key]?.reaches === 'fewer');
	for (const key of narrowing) Object.assign(shape, { [key]: filled(fields[key], shape[key]) });
	const isLeftOut = (value: unknown, key: string) =>
		isOmitted(value) || (!options?.skipTextCheck && isNothing(value, fields[key]));
	const filledIn = (value: Record<string, unknown>) =>
		Object.entries(value).flatMap(([key, entry]) => {
			// Undefined would count as absent.
			if (narrowing.includes(key)) return [[key, entry ?? null]];
			return isLeftOut(entry, key) ? [] : [[key, entry]];
		});
	return prepared((value) => {
		if (isOmitted(value)) return {};
		return isRecord(value) ? Object.fromEntries(filledIn(value)) : value;
	}, z.object(shape, { message }).partial());
}

/** A schema that says why a field that narrows the audience must not be empty. */
function filled(field?: Field, schema: Field['schema'] = z.unknown()): Field['schema'] {
	const label = field?.form.displayName;
	const notEmpty = converted((value, context) => {
		if (isBlank(value))
			context.addIssue(
				`${label} is empty, and without it the message could reach more people. Fill it in, or remove '${label}'`,
			);
		return value;
	});
	return notEmpty.pipe(schema);
}

/** Builds something from a run's options once, because building a schema takes longer than using it. */
export function oncePerOptions<Built>(build: (options: FieldOptions) => Built) {
	const built = new WeakMap<FieldOptions, Built>();
	return (options: FieldOptions): Built => {
		const known = built.get(options) ?? build(options);
		built.set(options, known);
		return known;
	};
}

/** Converts the issues of a schema to problems by parameter name. */
export function collectProblems(issues: readonly z.ZodIssue[]): Problem[] {
	return issues.map((issue) => ({
		field: String(issue.path.filter((step) => typeof step === 'string').pop() ?? ''),
		...sentenceOf(issue),
	}));
}

/** The fields that name recipients whose number is unknown. */
export function audienceKeys(fields: Fields = {}): string[] {
	return Object.keys(fields).filter((key) => fields[key]?.reaches === 'audience');
}

/** Whether a field counts as not filled in. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Whether a word for nothing, such as `NULL`, leaves an optional field empty. Where it may say who is reached, it does not. */
export function isNothing(value: unknown, field?: Field): boolean {
	const mayBeEmpty = field?.reaches === 'nobody' && !field.holdsAddresses;
	return mayBeEmpty && typeof value === 'string' && isNobody(value);
}

/** Whether nothing can be seen of a value: no value, or text of spaces and invisible characters, also in n8n's resource locator. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return !/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(value);
	const inside = unwrapLocator(value);
	return isEmpty(inside) || (typeof inside === 'string' && isBlank(inside));
}

/** The value in n8n's resource locator; any other value as it is. */
export function unwrapLocator(value: unknown): unknown {
	return isRecord(value) && 'mode' in value && 'value' in value ? value.value : value;
}

function schemas<F extends Readable>(fields: F, options?: FieldOptions) {
	const entries = Object.entries(fields).map(([key, { schema, schemaWith }]) => [
		key,
		(options && schemaWith?.(options)) ?? schema,
	]);
	return Object.fromEntries(entries) as { [Key in keyof F]: F[Key]['schema'] };
}

/** Whether a value is an object of keys and values, even one from another JavaScript realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}

/** For the content of a message or a record: it changes what is said, and never to whom. */
export const harmless = { reaches: 'nobody', modelMayFill: true } as const;

/** For settings that reach nobody, but that a model must not change. */
export const userOnly = { reaches: 'nobody', modelMayFill: false } as const;

/** For the one person who gets the message. */
export const onePerson = { reaches: 'recipient', modelMayFill: true } as const;

/** For what could reach other people or devices. */
export const otherPeople = { reaches: 'others', modelMayFill: false } as const;

/**
 * What a field declares in addition to its label. Only the user may fill in what decides whom a message
 * reaches, except for a single recipient.
 */
export type FieldConfig = Partial<Form> &
	(
		| { reaches: 'recipient' | 'nobody'; modelMayFill: boolean }
		| { reaches: 'audience' | 'fewer' | 'others'; modelMayFill: false }
	);

/** The form and the declaration of a field. */
export function fieldForm(
	displayName: string,
	type: Form['type'],
	initial: Form['default'],
	{ reaches, modelMayFill, ...config }: FieldConfig,
): Pick<Field, 'form' | keyof Declaration> {
	return { form: { displayName, type, default: initial, ...config }, reaches, modelMayFill };
}
