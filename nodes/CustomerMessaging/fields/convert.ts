import { z } from 'zod/v3';

import { say, type Sentence, tell } from '../shared/formatting';

type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

/** Receives the reasons for which a conversion refuses a value. */
interface Issues {
	addIssue(sentence: string | Sentence): void;
}

/**
 * Applies a function to the output of another schema. Each call of Zod's own `transform`, `superRefine` or
 * `preprocess` creates a new type of object in V8, which is kept until a full garbage collection: hundreds of
 * megabytes with 100,000 rows.
 */
class Converted<From, To> extends z.ZodType<To, z.ZodTypeDef, unknown> {
	constructor(
		private readonly from: Schema<From>,
		private readonly convert: (value: From, context: Issues) => To,
	) {
		super({});
	}

	override _parse(input: z.ParseInput): z.ParseReturnType<To> {
		const from = this.from._parseSync(input);
		if (from.status !== 'valid') return z.INVALID;
		let isValid = true;
		const value = this.convert(from.value, {
			addIssue: (sentence) => {
				isValid = false;
				const said = say`${sentence}`;
				const issue = { code: 'custom', message: tell(said), params: { sentence: said } } as const;
				z.addIssueToContext(this._getOrReturnCtx(input), issue);
			},
		});
		return isValid ? z.OK(value) : z.DIRTY(value);
	}
}

/** Returns the text of an issue. Zod's own issues contain no values of a row. */
export function sentenceOf(issue: z.ZodIssue): Sentence {
	const { sentence } = (issue.code === 'custom' && issue.params) || {};
	return (sentence as Sentence | undefined) ?? { rule: issue.message };
}

/** Returns a schema that converts any value, or adds an issue. */
export function converted<To>(convert: (value: unknown, context: Issues) => To): Schema<To> {
	return new Converted(z.unknown(), convert);
}

/** Returns a schema that converts a value, or refuses it if `convert` returns undefined. */
export function convertedOr<To>(
	convert: (value: unknown) => To | undefined,
	refusal: (value: unknown) => string | Sentence,
): Schema<To> {
	return converted((value, context) => {
		const found = convert(value);
		if (found !== undefined) return found;
		context.addIssue(refusal(value));
		return z.NEVER;
	});
}

/** Returns a schema that converts the output of another one, or adds an issue. */
export function convertedFrom<From, To>(
	schema: Schema<From>,
	convert: (value: From, context: Issues) => To,
): Schema<To> {
	return new Converted(schema, convert);
}
