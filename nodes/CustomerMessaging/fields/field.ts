import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { Problem } from '../shared/problem';

/** What a form field looks like in the editor; its name is the key it stands under. */
export type Form = Omit<INodeProperties, 'name'>;

/** A parameter of the node's form. */
export interface FormParameter extends INodeProperties, ModelAccess {}

/** What every field and every parameter must declare, because the node is also a tool of AI agents. */
export interface ModelAccess {
	/**
	 * Whether an agent's model may fill it in. Never where it decides how many people a message
	 * reaches. In a collection, each of its own parameters says so for itself.
	 */
	modelMayFill: boolean;
}

/** What a field declares beside its label. */
export type Look = Partial<Form> & ModelAccess;

/**
 * One field of the API, declared once: how it is asked for in the editor and how a raw parameter
 * value becomes the value in the request's body. The schema's messages are whole sentences that
 * name the field.
 */
export interface Field<Value = unknown> extends ModelAccess {
	form: Form;
	/** What it takes, for the documentation. */
	rule: string;
	schema: z.ZodType<Value, z.ZodTypeDef, unknown>;
}

/** Fields by the API's own key (spec §2). */
export type Fields = Readonly<Record<string, Field>>;

type Schemas<F extends Fields> = { [Key in keyof F]: F[Key]['schema'] };

/** The editor's parameters for these fields, in the order they are declared. */
export function toForm(fields: Fields): FormParameter[] {
	return Object.entries(fields).map(([name, { form, modelMayFill }]) => ({ ...form, name, modelMayFill }));
}

/** Parameters of a collection: n8n wants them sorted by label. */
export function toCollection(fields: Fields): FormParameter[] {
	return toForm(fields).sort((a, b) => byName(a.displayName, b.displayName));
}

/** In alphabetical order; localeCompare would load all that ICU knows of languages. */
export function byName(one: string, other: string): number {
	return one.toLowerCase() < other.toLowerCase() ? -1 : 1;
}

/** A schema in which every one of the fields must be filled in. */
export function required<F extends Fields>(fields: F) {
	return z.object(schemas(fields));
}

/** A schema in which a field that is absent or left empty is left out of the result. */
export function optional<F extends Fields>(fields: F, label: string) {
	const message = `${label} must hold its fields by name`;
	return z.preprocess(withoutEmpty, z.object(schemas(fields), { message }).partial());
}

/** What a schema found wrong, by parameter name. */
export function problemsOf(issues: readonly z.ZodIssue[]): Problem[] {
	return issues.map(({ path, message }) => ({
		field: String(path.filter((step) => typeof step === 'string').pop() ?? ''),
		message,
	}));
}

/** Whether a person would say that nothing was filled in. */
export function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}

function schemas<F extends Fields>(fields: F): Schemas<F> {
	const entries = Object.entries(fields).map(([key, field]) => [key, field.schema]);
	return Object.fromEntries(entries) as Schemas<F>;
}

/** Whether it is an object of keys and values, of whatever realm. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return Object.prototype.toString.call(value) === '[object Object]';
}

function withoutEmpty(value: unknown): unknown {
	if (isEmpty(value)) return {};
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([, entry]) => !isEmpty(entry)));
}
