import { given, quote } from './formatting';

/** A sentence about what somebody entered, without a full stop, apart from the values of the row that it is about. */
export interface Sentence {
	/** The sentence, with {@link slot} in place of each value. It is the same for all rows that need the same correction. */
	rule: string;
	values?: readonly Value[];
}

/** A value of a row within a sentence. */
export interface Value {
	text: string;
	/** It says nothing of a person, so n8n's log may hold it. */
	isImpersonal?: true;
}

/** Stands for a value; people enter no such character. */
const slot = '\uFFFC';

/** Quotes a value of a row within {@link say}. */
export const quoted = (value: unknown): Value => ({ text: quote(value) });

/** Writes a value of a row within {@link say} as it is. */
export const written = (value: unknown): Value => ({ text: String(value) });

/** Writes a number that says nothing of a person within {@link say}. */
export const counted = (text: string | number): Value => ({
	text: String(text),
	isImpersonal: true,
});

/** The same as {@link quoted} for the end of a sentence such as 'Tag must be text, but it is …'. */
export function givenOne(value: unknown): Value | string {
	const text = given(value);
	return text.startsWith("'") ? { text } : text;
}

/**
 * Writes a sentence. Only what {@link quoted}, {@link written}, {@link counted} and {@link givenOne} return, or
 * another sentence, may hold a value of a row.
 */
export function say(
	texts: readonly string[],
	...parts: ReadonlyArray<string | number | Value | Sentence>
): Sentence {
	const values: Value[] = [];
	const write = (part: string | number | Value | Sentence = '') => {
		if (typeof part !== 'object') return String(part);
		values.push(...('text' in part ? [part] : (part.values ?? [])));
		return 'text' in part ? slot : part.rule;
	};
	const rule = texts.map((text, at) => text + write(parts[at])).join('');
	return values.length > 0 ? { rule, values } : { rule };
}

const masked = ({ text }: Value) => (text.startsWith("'") ? "'…'" : '…');

/**
 * The sentence as people read it.
 *
 * @param hidden the places of values that are told elsewhere
 */
export function tell(sentence: Sentence, hidden?: ReadonlySet<number>): string {
	return fill(sentence, (value, at) => (hidden?.has(at) ? masked(value) : value.text));
}

/** The sentence as n8n's log may hold it. */
export function tellLog(sentence: Sentence): string {
	return fill(sentence, (value) => (value.isImpersonal ? value.text : masked(value)));
}

function fill(
	{ rule, values = [] }: Sentence,
	write: (value: Value, at: number) => string,
): string {
	let at = 0;
	return rule.replaceAll(slot, () => {
		const value = values[at];
		return value ? write(value, at++) : slot;
	});
}

export const asSentence = (text: string | Sentence): Sentence =>
	typeof text === 'string' ? { rule: text } : text;
