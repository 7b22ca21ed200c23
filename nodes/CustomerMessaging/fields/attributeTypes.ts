import { given } from '../shared/formatting';
import { isEmpty, isRecord } from './field';
import { datesAsText, isDate } from './json';
import { isExact } from './text';

/** A converted value, or why it cannot be converted, for use after the attribute's name. */
type Converted = { value: unknown } | { rule: string };

/**
 * Converts a value to one of the types of n8n's assignment collection. A value of an unknown type, such
 * as one of a newer n8n, is sent as it is. An empty value becomes empty text, or null for other types.
 */
export function attributeOfType(type: unknown, value: unknown): Converted {
	const convert = typeof type === 'string' && Object.hasOwn(types, type) ? types[type] : undefined;
	if (!convert) return { value };
	if (isEmpty(value)) return { value: type === 'string' ? '' : null };
	return convert(isDate(value) ? datesAsText(value) : value);
}

const types: Readonly<Record<string, (value: unknown) => Converted>> = {
	string(value) {
		if (typeof value === 'string') return { value };
		// Numbers that are not exact are refused with all other values.
		if (typeof value === 'number') return { value: isExact(value) ? String(value) : value };
		if (typeof value === 'boolean') return { value: String(value) };
		const other = Array.isArray(value) ? 'Array' : 'Object';
		return { rule: `must be text, but it is a list or object. Choose the type ${other}` };
	},
	number(value) {
		if (typeof value === 'number') return { value };
		const isNumeric = typeof value === 'string' && /^\s*-?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value);
		if (isNumeric) return { value: Number(value) };
		return {
			rule: `must be a number, but it is ${given(value)}. Correct it or choose another type`,
		};
	},
	boolean(value) {
		const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
		if (word === true || word === 'true') return { value: true };
		if (word === false || word === 'false') return { value: false };
		return {
			rule: `must be true or false, but it is ${given(value)}. Correct it or choose another type`,
		};
	},
	array(value) {
		const list = parsed(value);
		if (Array.isArray(list)) return { value: list };
		return {
			rule: `must be a list such as ["a", "b"], but it is ${given(value)}. Correct it or choose another type`,
		};
	},
	object(value) {
		const object = parsed(value);
		if (isRecord(object)) return { value: object };
		return {
			rule: `must be an object such as { "key": "value" }, but it is ${given(value)}. Correct it or choose another type`,
		};
	},
};

/** Lists and objects that are typed into the form are JSON text. */
function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value);
	} catch {
		return undefined;
	}
}
