import type { Delivery } from './delivery';

/** Quotes a value on one line, shortened to 60 characters. */
export function quote(value: unknown): string {
	return `'${oneLine(asText(value), 60)}'`;
}

/** Converts any value to text, also an object whose own conversion throws. */
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

/** Describes a value at the end of a sentence such as 'Tag must be text, but it is …'. */
export function given(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'empty';
	return typeof value === 'object' ? 'a list or object' : quote(value);
}

/** `1 request`, `2 requests`. */
export function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `10,000`. */
export function grouped(number: number): string {
	return number.toLocaleString('en-US');
}

/** Formats a duration: `2 min 10 s`. */
export function formatSpan(ms: number): string {
	const seconds = Math.round(ms / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Lists the first entries and counts the others: `'a', 'b' and 3 more`. */
export function listed(entries: readonly string[], max = 5, more = entries.length - max): string {
	return entries.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The recipients of a broadcast: `segment Newsletter (ID 7) on android`. */
export function nameAudience({ audience, platform }: Pick<Delivery, 'audience' | 'platform'>) {
	return [audience, platform && `on ${platform}`].filter(Boolean).join(' ');
}

/** Which mistake of this node happened where, for n8n's log: the message of an error may hold what a row has. */
export function placeOfMistake(error: unknown): string {
	if (!(error instanceof Error)) return 'unknown';
	const lines = (error.stack ?? '').replace(error.message, '').split('\n');
	const frame = lines.find((line) => line.startsWith('    at '));
	const place = frame?.split(/[\\/]/).pop()?.replace(')', '');
	return `${error.name}${place === undefined ? '' : ` in ${place}`}`;
}

/** The message of an error, whatever was thrown. */
export function errorMessage(error: unknown): string {
	return asText(error instanceof Error ? error.message : error);
}
