import { isRecord, collectLabels } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/problem';

/** Maximum characters of JSON in one request. More is probably a file that was put in a field. */
const MAX_BODY_LENGTH = 10_000_000;

/** A character of a text takes at most this many in JSON, as `\u0001` does. */
const MAX_ESCAPE_LENGTH = 6;

export function tooLarge([first]: readonly Delivery[], { path, form }: Operation): Problem[] {
	if (!first) return [];
	const body = first.buildBody();
	if (maxJsonLength([body, first.envelope]) <= MAX_BODY_LENGTH) return [];
	const whole = first.envelope ? { ...body, ...first.envelope } : body;
	if (JSON.stringify(whole).length <= MAX_BODY_LENGTH) return [];
	// In a custom request, the whole body is one field.
	const field = (path && findLargestField(whole)) ?? 'body';
	return [
		{
			field,
			message: `'${collectLabels(form)[field] ?? field}' is too long: one request carries at most ${MAX_BODY_LENGTH} characters. Shorten it`,
		},
	];
}

/**
 * An upper bound of the length of a value as JSON. Writing the JSON takes several times longer.
 *
 * @returns Infinity if the value decides itself how it is written
 */
export function maxJsonLength(value: unknown): number {
	if (typeof value === 'string') return value.length * MAX_ESCAPE_LENGTH + '""'.length;
	if (typeof value !== 'object' || value === null) return maxNumberLength;
	if ('toJSON' in value) return Infinity;
	return Object.entries(value).reduce(
		(sum, [name, entry]) => sum + maxJsonLength(name) + maxJsonLength(entry) + ':,'.length,
		'{}'.length,
	);
}

/** The longest number has 25 characters; true, false and null have fewer. */
const maxNumberLength = 25;

/** The name of the largest field, descending into nested objects such as user attributes. */
function findLargestField(body: object): string | undefined {
	const sizes = Object.entries(body).map(([name, value]: [string, unknown]) => ({
		name,
		value,
		size: JSON.stringify(value)?.length ?? 0,
	}));
	const [largest] = sizes.sort((one, other) => other.size - one.size);
	return largest && isRecord(largest.value) ? findLargestField(largest.value) : largest?.name;
}
