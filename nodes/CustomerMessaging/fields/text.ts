import { z } from 'zod/v3';

import { quote } from '../shared/formatting';
import { isVisible, unsendableText, withoutInvisible } from './characters';
import { converted, convertedFrom, refined } from './convert';
import type { Field } from './field';
import { type FieldConfig, fieldForm } from './fieldForm';
import { leftoverIn } from './textCheck';

/** Text as the user types it. Numbers from expressions become text; other types are refused. */
export function text(displayName: string, config: FieldConfig): Field<string> {
	return checkedText(displayName, config, 'Text', sendableText(displayName));
}

/** Text on one line, such as a subject. A line break could start another header, even at its beginning. */
export function line(displayName: string, config: FieldConfig): Field<string> {
	return checkedText(displayName, config, trimmedRule, trimmedText(displayName));
}

const trimmedRule = 'Text on one line; leading and trailing spaces are removed';

/** Text for people to read, which must not show that an expression had no value. */
function checkedText(
	displayName: string,
	config: FieldConfig,
	rule: string,
	schema: z.ZodType<string, z.ZodTypeDef, unknown>,
): Field<string> {
	const check = refined(z.string(), (value, context) => {
		const leftover = leftoverIn(value);
		if (leftover) context.addIssue(`${displayName} ${leftover}`);
	});
	const checked = schema.pipe(check);
	return {
		...fieldForm(displayName, 'string', '', config),
		rule,
		gapExample: 'friend',
		schema: checked,
		schemaWith: ({ skipTextCheck }) => (skipTextCheck ? schema : checked),
	};
}

/** An identifier whose type the reference does not specify (spec §4.3, §4.4): text or a number, sent as is. */
export function identifier(displayName: string, config: FieldConfig): Field<string | number> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text, or a whole number (1 or more)',
		schema: textOrId(displayName),
	};
}

/**
 * Text on one line, such as a user's ID. Invisible characters are removed, because they come along when
 * people copy an ID, and would make it another one.
 */
export function key(displayName: string, config: FieldConfig): Field<string> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: 'Text on one line; spaces at both ends and invisible characters are removed',
		schema: idText(displayName),
	};
}

/** Returns a schema for text that is not empty. Its input may be any value of an expression. */
export function filledText(label: string) {
	return sendableText(label);
}

/** Like {@link filledText}, but on one line and without leading and trailing spaces. */
export function trimmedText(label: string) {
	return convertedFrom(sendableText(label, { oneLine: true }), (value) => value.trim());
}

function idText(label: string) {
	return convertedFrom(trimmedText(label), withoutInvisible);
}

function sendableText(label: string, kind?: { oneLine: boolean }) {
	return converted((value, context) => {
		const found = asText(value);
		const isFilled = typeof found === 'string' && isVisible(found);
		const unsendable = isFilled ? unsendableText(found.trim(), kind) : undefined;
		if (isFilled && !unsendable) return found;
		context.addIssue(unsendable ? `${label} ${unsendable}` : notText(label, value));
		return z.NEVER;
	});
}

/** Returns a schema for text, or a whole number from 1 on. */
export function textOrId(label: string) {
	const textSchema = idText(label);
	return converted((value, context) => {
		if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
		const read = textSchema.safeParse(value);
		for (const { message } of read.error?.issues ?? []) context.addIssue(message);
		if (typeof value !== 'number') return read.data ?? z.NEVER;
		if (read.success)
			context.addIssue(
				`${label} must be text or a whole number (1 or more), but it is ${quote(value)}`,
			);
		return z.NEVER;
	});
}

function asText(value: unknown): unknown {
	return isExact(value) ? String(value) : value;
}

/** Whether a value is a number that JavaScript represents exactly. Integers beyond 2^53 may have been rounded. */
export function isExact(value: unknown): value is number {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function notText(label: string, value: unknown): string {
	if (typeof value === 'number' && !Number.isFinite(value)) {
		return `${label} is a calculation without a result, for instance because a value is missing. Correct the expression`;
	}
	if (typeof value === 'number') {
		return `${label} is a number too large to be sent exactly. Pass it as text`;
	}
	if (value === undefined || value === null || typeof value === 'string') {
		return `${label} is empty. Fill it in`;
	}
	return `${label} must be text, but it is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}`;
}
