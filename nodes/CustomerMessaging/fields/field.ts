import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Problem } from '../shared/ending';
import { converted, sentenceOf } from './convert';
import { isNobody } from './lost';

/** A form field in the editor. Its name is its key in {@link Fields}. */
export type Form = Omit<INodeProperties, 'name'>;

/** A parameter of the node's form. */
export interface FormParameter extends INodeProperties, Declaration {
	/** True if it is required once the choice that shows it is made in the form, not by an expression. */
	requiredIfChosen?: boolean;
}

/** The influence of a field on the people that a message reaches. */
type Reach =
	/** It names the one person who gets the message. A test replaces it. */
	| 'recipient'
	/** It names an unknown number of recipients, so the guards of broadcasts apply. */
	| 'audience'
	/** It narrows the audience. It must not be empty, because the message could then reach more people. */
	| 'fewer'
	/** It could add other people or devices. */
	| 'others'
	/** It has no influence on who is reached. Only such fields are kept in a test. */
	| 'nobody';

/** Required of every field and parameter. In a collection, each option has its own declaration. */
export interface Declaration {
	reaches: Reach;
	/** True if the model of an AI agent may fill it in. */
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
	isLink?: true;
	/** True if its value is one email address or several. */
	holdsAddresses?: true;
	/** True if its value is a phone number. */
	holdsNumber?: true;
	/** True if it identifies a person. An empty placeholder in it would merge many people into one. */
	isId?: true;
	/** True if people read its text. */
	isText?: true;
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>;
	/** The schema under a run's options, if they change the accepted values. */
	schemaWith?: (options: FieldOptions) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** The options that change the values that fields accept. */
export interface FieldOptions {
	/** The country of phone numbers without a country code, as entered; empty for none. */
	defaultCountry?: string;
	/** True if each row has a country of its own, which then applies only to the row's recipient. */
	isCountryOfRow?: boolean;
	skipTextCheck?: boolean;
	/** Host and port of n8n's own pages. Without it, the targets of links are not checked. */
	n8nHost?: string;
	/** True if the service runs on this machine, so its recipients may be here too. */
	isServiceLocal?: boolean;
	/** True to replace typographic characters in an SMS with plain ones. */
	replaceTypographicCharacters?: boolean;
}

/** Fields by the API's own key (spec §2). */
export type Fields = Readonly<Record<string, Field>>;

/** Fields with a schema, of the node or of a credential. */
type Readable = Readonly<Record<string, Pick<Field, 'schema' | 'schemaWith'>>>;

/** Converts fields to parameters of the editor, in the order of their declaration. Each also gets `more`. */
export function toForm(fields: Fields, more: Partial<FormParameter> = {}): FormParameter[] {
	return Object.entries(fields).map(([name, { form, reaches, modelMayFill }]) => ({
		...form,
		name,
		reaches,
		modelMayFill,
		...more,
	}));
}

/** Collects the labels of parameters by name, including those in collections. Notices have no label. */
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
 * Returns a schema that omits absent and empty fields from its result, and fields whose value is a word for nothing,
 * such as `NULL`.
 *
 * @param isOmitted checks for an empty value, by default also for spaces, which lists often have in empty cells
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
	for (const key of narrowing)
		Object.assign(shape, { [key]: refuseEmpty(fields[key], shape[key]) });
	const isLeftOut = (value: unknown, key: string) =>
		isOmitted(value) || (!options?.skipTextCheck && isNothing(value, fields[key]));
	const filledIn = (value: Record<string, unknown>) =>
		Object.entries(value).flatMap(([key, entry]) => {
			// Null, because the schema would skip undefined.
			if (narrowing.includes(key)) return [[key, entry ?? null]];
			return isLeftOut(entry, key) ? [] : [[key, entry]];
		});
	const prepared = converted((value): unknown => {
		if (isOmitted(value)) return {};
		return isRecord(value) ? Object.fromEntries(filledIn(value)) : value;
	});
	return prepared.pipe(z.object(shape, { message }).partial());
}

/** Returns a schema that refuses an empty field that narrows the audience, and says why. */
function refuseEmpty(field?: Field, schema: Field['schema'] = z.unknown()): Field['schema'] {
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

/** Returns the keys of fields that name an unknown number of recipients. */
export function audienceKeys(fields: Fields = {}): string[] {
	return Object.keys(fields).filter((key) => fields[key]?.reaches === 'audience');
}

/** Checks whether a field is not filled in. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

/** Checks for a word for nothing, such as `NULL`, in a field that does not decide who is reached. */
export function isNothing(value: unknown, field?: Field): boolean {
	const mayBeEmpty = field?.reaches === 'nobody' && !field.holdsAddresses;
	return mayBeEmpty && typeof value === 'string' && isNobody(value);
}

/** Checks for a value that is empty or has only invisible characters, also within n8n's resource locator. */
export function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return !/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(value);
	const inside = unwrapLocator(value);
	return isEmpty(inside) || (typeof inside === 'string' && isBlank(inside));
}

/** Returns the value in n8n's resource locator, and any other value unchanged. */
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

/** Checks for an object of keys and values, including one from another JavaScript realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}

/** The object itself, and an empty one for any other value. */
export const asRecord = (value: unknown) => (isRecord(value) ? value : {});

/** For the content of a message or a record. It never changes who is reached. */
export const harmless = { reaches: 'nobody', modelMayFill: true } as const;

/** For settings that reach nobody, but that a model must not change. */
export const userOnly = { reaches: 'nobody', modelMayFill: false } as const;

/** For the one person who gets the message. */
export const onePerson = { reaches: 'recipient', modelMayFill: true } as const;

/** For fields that could reach other people or devices. */
export const otherPeople = { reaches: 'others', modelMayFill: false } as const;

/**
 * The declaration of a field, apart from its label. A model may name a single recipient; only the user may fill in
 * other fields that decide who is reached.
 */
export type FieldConfig = Partial<Form> &
	(
		| { reaches: 'recipient' | 'nobody'; modelMayFill: boolean }
		| { reaches: 'audience' | 'fewer' | 'others'; modelMayFill: false }
	);

/** Builds the form and the declaration of a field. */
export function fieldForm(
	displayName: string,
	type: Form['type'],
	initial: Form['default'],
	{ reaches, modelMayFill, ...config }: FieldConfig,
): Pick<Field, 'form' | keyof Declaration> {
	return { form: { displayName, type, default: initial, ...config }, reaches, modelMayFill };
}
