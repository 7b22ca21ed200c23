/** A sentence about what somebody entered, without a full stop. */
export interface Sentence {
	/** The sentence, with {@link slot} in place of each value. It is the same for all rows that need the same correction. */
	rule: string;
	values?: readonly Value[];
}

/** A value of a row within a sentence. */
interface Value {
	text: string;
	/** It says nothing of a person, so n8n's log may hold it. */
	isImpersonal?: true;
}

/** Stands for a value; people enter no such character. */
const slot = '\uFFFC';

/** Values within {@link say}: of a row, in quotes or as they are, and numbers that say nothing of a person. */
export const quoted = (value: unknown): Value => ({ text: quote(value) });
export const written = (value: unknown): Value => ({ text: String(value) });
export const counted = (text: string | number): Value => ({ ...written(text), isImpersonal: true });

/** Describes a value at the end of a sentence such as 'Tag must be text, but it is …'. */
export function givenOne(value: unknown): Value | string {
	if (value === undefined || value === null || value === '') return 'empty';
	return typeof value === 'object' ? 'a list or object' : quoted(value);
}

type Part = string | number | Value | Sentence;

/** Writes a sentence. Only a {@link Value} or another sentence may hold a value of a row. */
export function say(texts: readonly string[], ...parts: readonly Part[]): Sentence {
	const values: Value[] = [];
	const write = (part: Part = '') => {
		if (typeof part !== 'object') return String(part);
		values.push(...('text' in part ? [part] : (part.values ?? [])));
		return 'text' in part ? slot : part.rule;
	};
	const rule = texts.map((text, at) => text + write(parts[at])).join('');
	return values.length > 0 ? { rule, values } : { rule };
}

/** The sentence as people read it. */
export function tell({ rule, values = [] }: Sentence): string {
	let at = 0;
	return rule.replaceAll(slot, () => values[at++]?.text ?? slot);
}

/** The sentence as n8n's log may hold it. */
export function tellLog({ rule, values = [] }: Sentence): string {
	const hide = ({ text }: Value) => ({ text: text.startsWith("'") ? "'…'" : '…' });
	return tell({ rule, values: values.map((value) => (value.isImpersonal ? value : hide(value))) });
}

/** Quotes a value on one line, shortened to 60 characters. */
export const quote = (value: unknown) => `'${oneLine(asText(value), 60)}'`;

/** Also of an object whose own conversion throws. */
function asText(value: unknown): string {
	try {
		return String(value);
	} catch {
		return 'an object';
	}
}

/** Writes a text on one line, shortened to a number of characters. */
export function oneLine(text: string, maxLength: number): string {
	// Characters that cannot be shown or stored, such as half an emoji, become a replacement character.
	const line = text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
	return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/** `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
	return `${grouped(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export const grouped = (number: number) => number.toLocaleString('en-US');

/** Formats a duration: `2 min 10 s`. */
export function formatSpan(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Lists the first entries and counts the others: `'a', 'b' and 3 more`. */
export function listed(entries: readonly string[], max = 5, more = entries.length - max): string {
	return entries.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The platform, at the end of a sentence about a message. */
export const onPlatform = (platform: string | undefined) => (platform ? ` on ${platform}` : '');

/** Which mistake of this node happened where, for n8n's log: the message of an error may hold what a row has. */
export function placeOfMistake(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	const lines = (error.stack ?? '').replace(error.message, '').split('\n');
	const frame = lines.find((line) => line.startsWith('    at '));
	const place = frame?.split(/[\\/]/).pop()?.replace(')', '');
	return `${error.name}${place === undefined ? '' : ` in ${place}`}`;
}

/** The message of an error, whatever was thrown. */
export const errorMessage = (error: unknown) =>
	asText(error instanceof Error ? error.message : error);
