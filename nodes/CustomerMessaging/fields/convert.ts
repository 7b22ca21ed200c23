import { z } from 'zod/v3';

import { asSentence, type Sentence, tell } from '../shared/sentence';

type Schema<Value> = z.ZodType<Value, z.ZodTypeDef, unknown>;

/** What a conversion reports about a value that it refuses. */
interface Issues {
	addIssue(sentence: string | Sentence): void;
}

/**
 * Applies a function to what another schema accepts. Zod's own `transform`, `superRefine` and
 * `preprocess` give V8 a new type of object with each call. It keeps these until it collects all
 * garbage: with 100,000 rows, hundreds of megabytes.
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
				const said = asSentence(sentence);
				const issue = { code: 'custom', message: tell(said), params: { sentence: said } } as const;
				z.addIssueToContext(this._getOrReturnCtx(input), issue);
			},
		});
		return isValid ? z.OK(value) : z.DIRTY(value);
	}
}

/** What an issue says. Zod's own have no value of a row in them. */
export function sentenceOf(issue: z.ZodIssue): Sentence {
	const { sentence } = (issue.code === 'custom' && issue.params) || {};
	return (sentence as Sentence | undefined) ?? { rule: issue.message };
}

/** Returns a schema that converts any value, or adds an issue. */
export function converted<To>(convert: (value: unknown, context: Issues) => To): Schema<To> {
	return new Converted(z.unknown(), convert);
}

/** Returns a schema that converts what it can, and refuses what `convert` returns undefined for. */
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

/** Returns a schema that converts what another one accepts, or adds an issue. */
export function convertedFrom<From, To>(
	schema: Schema<From>,
	convert: (value: From, context: Issues) => To,
): Schema<To> {
	return new Converted(schema, convert);
}

/** Returns a schema that reads what `prepare` makes of a value. */
export function prepared<To>(prepare: (value: unknown) => unknown, schema: Schema<To>): Schema<To> {
	return converted(prepare).pipe(schema);
}
