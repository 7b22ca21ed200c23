import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { Problem } from '../shared/problem';
import { prepared } from './convert';
import type { CountryCode } from './phone';

/** How a form field looks in the editor. Its name is its key in {@link Fields}. */
export type Form = Omit<INodeProperties, 'name'>;

/** A parameter of the node's form. */
export interface FormParameter extends INodeProperties, ModelAccess {
	/** Whether it is required if the choice that shows it is made in the form, and not by an expression. */
	requiredIfChosen?: boolean;
}

/** What every field and parameter must declare, because AI agents can use the node as a tool. */
export interface ModelAccess {
	/**
	 * Whether an agent's model may fill it in. Must be false for anything that decides whom or how many
	 * people a message reaches. In a collection, each option declares this for itself.
	 */
	modelMayFill: boolean;
}

/** What a field declares in addition to its label. */
export type Look = Partial<Form> & ModelAccess;

/**
 * One field of the API: its form field in the editor, and the schema that converts a raw parameter
 * value to the value in the request body. The schema's messages are whole sentences that name the
 * field.
 */
export interface Field<Value = unknown> extends ModelAccess {
	form: Form;
	/** The values it accepts, for the documentation. */
	rule: string;
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>;
	/** The schema under a run's options, where they change what the field accepts. */
	schemaWith?: (options: FieldOptions) => z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** The options of a run that change what its fields accept. */
export interface FieldOptions {
	/** The country whose national notation of phone numbers is understood. */
	defaultCountry?: CountryCode;
	/** Whether texts may contain what the text check refuses. */
	skipTextCheck?: boolean;
}

/** Fields by the API's own key (spec §2). */
export type Fields = Readonly<Record<string, Field>>;

type Schemas<F extends Fields> = { [Key in keyof F]: F[Key]['schema'] };

/** Converts fields to parameters of the editor, in the order of their declaration. */
export function toForm(fields: Fields): FormParameter[] {
	return Object.entries(fields).map(([name, { form, modelMayFill }]) => ({
		...form,
		name,
		modelMayFill,
	}));
}

/** Converts fields to the options of a collection, which n8n wants sorted by label. */
export function toCollection(fields: Fields): FormParameter[] {
	return toForm(fields).sort((a, b) => byName(a.displayName, b.displayName));
}

/** The labels of parameters by name, including those in collections. Notices have a text in place of one. */
export function labelsOf(form: readonly FormParameter[]): Readonly<Record<string, string>> {
	const fields = form.flatMap((field) => [
		...(field.type === 'collection' ? (field.options as FormParameter[]) : []),
		...(field.type === 'notice' ? [] : [field]),
	]);
	return Object.fromEntries(fields.map(({ name, displayName }) => [name, displayName]));
}

/** Compares alphabetically. localeCompare() would load all of ICU's language data. */
export function byName(one: string, other: string): number {
	return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

/** Returns a schema in which all fields must be filled in. */
export function required<F extends Fields>(fields: F, options: FieldOptions = {}) {
	return z.object(schemas(fields, options));
}

/** Returns a schema that omits absent and empty fields from its result. */
export function optional<F extends Fields>(fields: F, label: string, options: FieldOptions = {}) {
	const message = `${label} must be an object that contains its fields by name`;
	return prepared(withoutEmpty, z.object(schemas(fields, options), { message }).partial());
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
export function problemsOf(issues: readonly z.ZodIssue[]): Problem[] {
	return issues.map(({ path, message }) => ({
		field: String(path.filter((step) => typeof step === 'string').pop() ?? ''),
		message,
	}));
}

/** Whether a field counts as not filled in. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function schemas<F extends Fields>(fields: F, options: FieldOptions): Schemas<F> {
	const entries = Object.entries(fields).map(([key, { schema, schemaWith }]) => [
		key,
		schemaWith?.(options) ?? schema,
	]);
	return Object.fromEntries(entries) as Schemas<F>;
}

/** Whether a value is an object of keys and values, even one from another JavaScript realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}

function withoutEmpty(value: unknown): unknown {
	if (isEmpty(value)) return {};
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => !isEmpty(entry)));
}
