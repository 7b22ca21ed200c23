import { z } from 'zod/v3';
import type { INodePropertyOptions } from 'n8n-workflow';

import { LargeInteger } from '../shared/exactJson';
import { givenOne, quoted, say, type Sentence } from '../shared/formatting';
import { withoutInvisible, isExact, rounded } from './text';
import { converted, convertedOr } from './convert';
import {
	type Field,
	type FieldConfig,
	fieldForm,
	type FormParameter,
	isEmpty,
	userOnly,
} from './field';

/**
 * A whole number from 1 on, sent as a JSON number (spec §2: int64). Integers beyond 2^53, which
 * JavaScript cannot represent exactly, are refused instead of rounded. 0 is refused because it is the
 * value of an empty number field, and segment 0 must not become everyone.
 */
export function integer(
	displayName: string,
	config: FieldConfig,
	max = Number.MAX_SAFE_INTEGER,
): Field<number> {
	const maxValue = max < Number.MAX_SAFE_INTEGER ? { maxValue: max } : {};
	const typeOptions = { minValue: 1, ...maxValue, numberPrecision: 0 };
	return {
		...fieldForm(displayName, 'number', null, { typeOptions, ...config }),
		rule: `A whole number from 1 to ${max}`,
		schema: wholeNumber(displayName, max),
	};
}

/** The largest int64. */
const maxInt64 = 2n ** 63n - 1n;

/**
 * An identifier of the service (spec §2: int64), like {@link integer}. One beyond 2^53 must be given as
 * text, because a number would already be rounded. It is sent as a JSON number with exactly its digits.
 * The form takes text, which keeps all digits, and is empty at first where a number would show 0.
 */
export function int64(displayName: string, config: FieldConfig): Field<number | LargeInteger> {
	return {
		...fieldForm(displayName, 'string', '', config),
		rule: `A whole number from 1 to ${maxInt64}; above ${Number.MAX_SAFE_INTEGER}, as text`,
		schema: exactInteger(displayName),
	};
}

/** The schema of {@link int64}. */
export function exactInteger(label: string) {
	const small = wholeNumber(label);
	return converted((given, context): number | LargeInteger => {
		const value = typeof given === 'string' ? withoutInvisible(given) : given;
		const digits = typeof value === 'string' ? value.replace(/^0+/, '') : '';
		const isLarge = /^\d{16,}$/.test(digits) && !Number.isSafeInteger(Number(digits));
		if (isLarge && digits.length <= 19 && BigInt(digits) <= maxInt64)
			return new LargeInteger(digits);

		const read = small.safeParse(value);
		if (read.success) return read.data;
		if (isLarge) context.addIssue(tooLarge(label, value, maxInt64));
		else if (typeof value === 'number' && value > Number.MAX_SAFE_INTEGER && value < Infinity)
			context.addIssue(`${label} is ${rounded}`);
		else context.addIssue(notWhole(label, value));
		return z.NEVER;
	});
}

/** The schema of {@link integer}, also for numbers that are not fields of a body. */
export function wholeNumber(label: string, max = Number.MAX_SAFE_INTEGER) {
	return converted((value, context) => {
		const number = typeof value === 'string' && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
		if (typeof number === 'number' && Number.isSafeInteger(number) && number > 0 && number <= max)
			return number;
		const isLarge = typeof number === 'number' && number > max;
		context.addIssue(isLarge ? tooLarge(label, value, max) : notWhole(label, value));
		return z.NEVER;
	});
}

/** A boolean, sent as a JSON boolean. */
export function flag(displayName: string, config: FieldConfig): Field<boolean> {
	return {
		...fieldForm(displayName, 'boolean', false, config),
		rule: 'true or false',
		schema: convertedOr(
			readBoolean,
			(value) => say`${displayName} must be true or false, but it is ${givenOne(value)}`,
		),
	};
}

/** A boolean, also as a word; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (word === true || word === 'true') return true;
	return word === false || word === 'false' ? false : undefined;
}

function tooLarge(label: string, value: unknown, max: number | bigint): Sentence {
	return say`${label} ${quoted(value)} is larger than ${String(max)}. Enter a smaller one`;
}

function notWhole(label: string, value: unknown): string | Sentence {
	if (isEmpty(value) || value === 0)
		return `${label} is not filled in. Enter a whole number, 1 or more`;
	return say`${label} must be a whole number, 1 or more, but it is ${givenOne(value)}`;
}

/** Returns the number of a text with a decimal point, and any other value as it is. */
function fromText(value: unknown): unknown {
	const isNumeric = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
	return isNumeric ? Number(value) : value;
}

/** Any number that can be sent exactly, also as text with a decimal point. Sent as a JSON number. */
export function number(displayName: string, config: FieldConfig): Field<number> {
	return {
		...fieldForm(displayName, 'number', null, config),
		rule: 'A number',
		schema: converted((value, context) => {
			const found = fromText(value);
			if (isExact(found)) return found;
			context.addIssue(
				typeof found === 'number'
					? `${displayName} is a number too large to be sent exactly. Enter a smaller one`
					: say`${displayName} must be a number with a decimal point, such as 49.90, but it is ${givenOne(value)}`,
			);
			return z.NEVER;
		}),
	};
}

/** A duration in minutes, where 0 means none. */
export function minutes(label: string, config: FieldConfig, max: number): Field<number> {
	const typeOptions = { minValue: 0, maxValue: max };
	return {
		...fieldForm(`${label} (Minutes)`, 'number', 0, { typeOptions, ...config }),
		rule: `Minutes from 0 to ${max}`,
		schema: convertedOr(
			(value) => {
				const number = fromText(value);
				return typeof number === 'number' && number >= 0 && number <= max ? number : undefined;
			},
			() => `${label} must be a number of minutes from 0 to ${max}`,
		),
	};
}

/**
 * Says that a value is not one of a parameter's choices, which people know by their labels. Where an
 * expression is possible, the text also gives the values that n8n stores.
 */
export function unknownChoice(
	choice: Pick<FormParameter, 'displayName' | 'options' | 'noDataExpression'>,
	value: unknown,
): Sentence {
	const { displayName, options = [], noDataExpression } = choice;
	const choices = options.filter((option): option is INodePropertyOptions => 'value' in option);
	const labels = joinNames(choices.map(({ name }) => name));
	const found = say`${displayName} cannot be ${givenOne(value)}. Choose ${labels}`;
	if (noDataExpression) return found;
	return say`${found}. In an expression, write ${joinNames(choices.map((one) => String(one.value)))}`;
}

/** `Android, iOS or Web`. */
export function joinNames(names: readonly string[]): string {
	return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

/** The recipient's consent to messages. The node evaluates it and never sends it. */
export const consent: Field = {
	...fieldForm('Consent', 'string', '', {
		...userOnly,
		placeholder: 'e.g. {{ $json.newsletter }}',
		description:
			'Whether the person agreed to get this. True, yes and 1 mean yes. False, no, 0 and empty mean no: the item is skipped.',
	}),
	rule: 'Not sent to the service',
	schema: converted((value) => value),
};

/** Reads a consent. `empty` also means no; undefined means that the value is unclear. */
export function readConsent(value: unknown): 'yes' | 'no' | 'empty' | undefined {
	const word = typeof value === 'string' ? withoutInvisible(value).toLowerCase() : value;
	if (isEmpty(word)) return 'empty';
	if ([true, 1, 'true', 'yes', '1'].some((yes) => word === yes)) return 'yes';
	return [false, 0, 'false', 'no', '0'].some((no) => word === no) ? 'no' : undefined;
}

export function unclearConsent(value: unknown): Sentence {
	return say`Consent is ${givenOne(value)}. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others. Compute yes or no in an Edit Fields node before`;
}
