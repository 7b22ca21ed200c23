import { declaredFields } from '../../operations/operation';
import type { Delivery, TextGap } from '../../shared/delivery';
import { html } from '../../shared/html';
import { type Message, readText } from './fields';

/**
 * The first of the characters that stand for empty placeholders until the page is written. Unicode reserves
 * these 32 for programs, so texts do not contain them.
 */
const FIRST_MARK = 0xfdd0;
const MAX_MARKS = 32;

/** A field of the body as text, with a mark for each empty placeholder whose place is known. */
export function readMarked(message: Message, key: string): string {
	return markParts(message, key, [readText(message, key)]).join('');
}

/** Puts the marks of a field into its text, which is split into parts. */
export function markParts(message: Message, key: string, parts: readonly string[]): string[] {
	const whole = parts.join('');
	const leadingSpaces = whole.length - whole.trimStart().length;
	const marks = findMarks(message, key, leadingSpaces);
	let end = 0;
	return parts.map((part, index) => {
		const start = end;
		end += part.length;
		const isLast = index === parts.length - 1;
		const inPart = marks.filter(({ at }) => at >= start && (at < end || isLast));
		return inPart.reduceRight(
			(text, { at, mark }) => text.slice(0, at - start) + mark + text.slice(at - start),
			part,
		);
	});
}

function findMarks({ delivery: { gaps = [] } }: Message, key: string, leadingSpaces: number) {
	return gaps
		.slice(0, MAX_MARKS)
		.flatMap(({ field, at }, index) =>
			field === key && at !== undefined
				? [{ at: leadingSpaces + at, mark: String.fromCharCode(FIRST_MARK + index) }]
				: [],
		)
		.sort((one, other) => one.at - other.at);
}

/** Writes the marks of a page as what they stand for. */
export function writeMarks(page: string, { gaps = [] }: Delivery): string {
	return page.replace(/[\ufdd0-\ufdef]/g, (mark) => {
		const gap = gaps[mark.charCodeAt(0) - FIRST_MARK];
		return gap ? html`<span class="gap">${nameGap(gap)}</span>`.text : mark;
	});
}

/** The empty placeholders of a message: `Title: {{ $json.name }}`. */
export function listGaps({ delivery, operation }: Message): string {
	const fields = declaredFields(operation);
	return (delivery.gaps ?? [])
		.map((gap) => `${fields[gap.field]?.form.displayName ?? gap.field}: ${nameGap(gap)}`)
		.join(', ');
}

function nameGap({ code }: TextGap): string {
	return `{{ ${code} }}`;
}
