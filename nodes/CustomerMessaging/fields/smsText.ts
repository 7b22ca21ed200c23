import { convertedFrom } from './convert';
import type { Field, FieldConfig } from './field';
import { text } from './text';

/** Characters that text editors insert automatically, and their replacements in GSM-7, the alphabet of SMS. */
const typewritten: ReadonlyArray<[typographic: string, plain: string]> = [
	['‐‑‒–—―−', '-'],
	['‘’‚‛′', "'"],
	['“”„‟″«»', '"'],
	['…', '...'],
	['\u00a0\u2002\u2003\u2009\u202f', ' '],
];

const plainOf = new Map(
	typewritten.flatMap(([characters, plain]) => [...characters].map((one) => [one, plain])),
);

export function replaceTypographic(message: string): string {
	return [...message].map((one) => plainOf.get(one) ?? one).join('');
}

/** The text of an SMS, to which the option Replace Typographic Characters applies. */
export function smsText(displayName: string, config: FieldConfig): Field<string> {
	const field = text(displayName, config);
	return {
		...field,
		schemaWith: (options) => {
			const schema = field.schemaWith?.(options) ?? field.schema;
			return options.replaceTypographicCharacters
				? convertedFrom(schema, replaceTypographic)
				: schema;
		},
	};
}
