import { given, quote } from './formatting';

/** A sentence about what somebody entered, and the same without the values of a row, which n8n's log must not hold. */
export interface Sentence {
	message: string;
	/** The sentence with `…` in place of each value; absent if it has none. */
	rule?: string;
}

/** A value of a row within a sentence. */
class Value {
	constructor(readonly text: string) {}
}

/** Quotes a value of a row within {@link say}. */
export const quoted = (value: unknown) => new Value(quote(value));

/** Writes a value of a row within {@link say} as it is. */
export const written = (value: unknown) => new Value(String(value));

/** The same for the end of a sentence such as 'Tag must be text, but it is …'. */
export function givenOne(value: unknown): Value | string {
	const text = given(value);
	return text.startsWith("'") ? new Value(text) : text;
}

/** Writes a sentence. Only what {@link quoted}, {@link givenOne} and {@link written} return, or another sentence, may hold a value of a row. */
export function say(
	texts: readonly string[],
	...parts: ReadonlyArray<string | number | Value | Sentence>
): Sentence {
	const write = (partOf: (part: Value | Sentence) => string) =>
		texts
			.map((text, at) => {
				const part = parts[at] ?? '';
				return text + (typeof part === 'object' ? partOf(part) : part);
			})
			.join('');
	const message = write((part) => ('text' in part ? part.text : part.message));
	const rule = write((part) => {
		if (!('text' in part)) return part.rule ?? part.message;
		return part.text.startsWith("'") ? "'…'" : '…';
	});
	return rule === message ? { message } : { message, rule };
}

/** Changes a sentence with and without its values alike. */
export function rewrite({ message, rule }: Sentence, change: (text: string) => string): Sentence {
	return { message: change(message), ...(rule !== undefined && { rule: change(rule) }) };
}

export const asSentence = (text: string | Sentence): Sentence =>
	typeof text === 'string' ? { message: text } : text;
