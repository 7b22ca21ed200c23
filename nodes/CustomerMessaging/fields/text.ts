import { z } from 'zod';

import { quote } from '../shared/formatting';
import { isVisible, unsendableText } from './characters';
import type { Field, Form, Look } from './field';

/** Text as the user types it. Numbers from expressions become text; other types are refused. */
export function text(displayName: string, look: Look): Field<string> {
	return { ...stringForm(displayName, look), rule: 'Text', schema: filledText(displayName) };
}

/** Text on one line, such as a subject. A line break could start another header. */
export function line(displayName: string, look: Look): Field<string> {
	return {
		...stringForm(displayName, look),
		rule: 'Text on one line',
		schema: oneLine(displayName),
	};
}

/** An identifier whose type the reference does not specify (spec §4.3, §4.4): text or a number, sent as is. */
export function identifier(displayName: string, look: Look): Field<string | number> {
	return {
		...stringForm(displayName, look),
		rule: 'Text, or a whole number (1 or more)',
		schema: textOrId(displayName),
	};
}

/** Text on one line, such as a user's ID. Leading and trailing spaces are removed. */
export function key(displayName: string, look: Look): Field<string> {
	return {
		...stringForm(displayName, look),
		rule: 'Text on one line; leading and trailing spaces are removed',
		schema: trimmedText(displayName),
	};
}

/** One email address. */
export function email(displayName: string, look: Look): Field<string> {
	return {
		...stringForm(displayName, { placeholder: 'e.g. nathan@example.com', ...look }),
		rule: 'An email address',
		schema: trimmedText(displayName).pipe(emailAddress(displayName)),
	};
}

/** Maximum number of invalid addresses to name in a message. */
const maxNamed = 5;
/** A longer list is probably one of customers, who would all see each other's addresses. */
const maxAddresses = 100;

/** Several email addresses, separated by commas. */
export function emailList(displayName: string, look: Look): Field<string> {
	const one = emailAddress(displayName);
	return {
		...stringForm(displayName, look),
		rule: 'Email addresses, separated by commas',
		schema: trimmedText(displayName).transform((list, context) => {
			const addresses = list.split(',').map((address) => address.trim());
			const issues = addresses.flatMap((address) => one.safeParse(address).error?.issues ?? []);
			for (const issue of issues.slice(0, maxNamed)) context.addIssue(issue);
			if (addresses.length > maxAddresses)
				context.addIssue({ code: 'custom', message: tooMany(displayName, addresses) });
			return addresses.join(',');
		}),
	};
}

/**
 * A mobile number with country code (spec §2.1), at most 15 digits. Spaces, dots, dashes and brackets
 * are removed. A number without a leading + is refused if it is too short to include a country code.
 */
export function mobile(displayName: string, look: Look): Field<string> {
	return {
		...stringForm(displayName, { placeholder: 'e.g. +4915112345678', ...look }),
		rule: 'A mobile number with country code, 7 to 15 digits, or at least 11 without the +',
		schema: textOrId(displayName).transform((given, context) => {
			const written = String(given);
			const number = written.includes('(0)') ? written : written.replace(/[\s().-]/g, '');
			if (/^(\+[1-9]\d{6,14}|[1-9]\d{10,14})$/.test(number)) return number;
			context.addIssue({
				code: 'custom',
				message: `${displayName} ${quote(written)} is not a mobile number with country code. Write it as +4915112345678`,
			});
			return z.NEVER;
		}),
	};
}

/** Returns a schema for text that is not empty. Its input may be any value of an expression. */
export function filledText(label: string) {
	return sendableText(label);
}

/** Like {@link filledText}, but on one line and without leading and trailing spaces. */
export function trimmedText(label: string) {
	return oneLine(label).transform((value) => value.trim());
}

function oneLine(label: string) {
	return sendableText(label, { oneLine: true });
}

function sendableText(label: string, kind?: { oneLine: boolean }) {
	return z.unknown().transform((value, context) => {
		const found = asText(value);
		const isFilled = typeof found === 'string' && isVisible(found);
		const unsendable = isFilled ? unsendableText(found.trim(), kind) : undefined;
		if (isFilled && !unsendable) return found;
		context.addIssue({
			code: 'custom',
			message: unsendable ? `${label} ${unsendable}` : notText(label, value),
		});
		return z.NEVER;
	});
}

/** Text, or a whole number from 1 on. */
function textOrId(label: string) {
	const textSchema = trimmedText(label);
	return z.unknown().transform((value, context) => {
		if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
		const read = textSchema.safeParse(value);
		for (const issue of read.error?.issues ?? []) context.addIssue(issue);
		if (typeof value !== 'number') return read.data ?? z.NEVER;
		if (read.success)
			context.addIssue({
				code: 'custom',
				message: `${label} must be text or a whole number (1 or more), but it is ${quote(value)}`,
			});
		return z.NEVER;
	});
}

function emailAddress(label: string) {
	return z.string().superRefine((address, context) => {
		if (address.length <= 254 && z.string().email().safeParse(address).success) return;
		context.addIssue({
			code: 'custom',
			message: `${label} ${quote(address)} is not an email address. Write it as name@example.com`,
		});
	});
}

function tooMany(label: string, addresses: string[]): string {
	return `${label} contains ${addresses.length} addresses, and each recipient sees all of them. Enter at most ${maxAddresses}`;
}

function asText(value: unknown): unknown {
	return typeof value === 'number' && isExact(value) ? String(value) : value;
}

/** Whether JavaScript represents a number exactly. Integers beyond 2^53 may have been rounded. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function notText(label: string, value: unknown): string {
	if (typeof value === 'number') {
		return `${label} is a number too large to be sent exactly. Pass it as text`;
	}
	if (value === undefined || value === null || typeof value === 'string') {
		return `${label} is empty. Fill it in`;
	}
	return `${label} must be text, but it is ${Array.isArray(value) ? 'a list' : `of type ${typeof value}`}`;
}

function stringForm(
	displayName: string,
	{ modelMayFill, ...look }: Look,
): { form: Form; modelMayFill: boolean } {
	return { form: { displayName, type: 'string', default: '', ...look }, modelMayFill };
}
