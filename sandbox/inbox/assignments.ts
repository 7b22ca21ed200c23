import type { JsonObject } from '../terms';
import { asText, asTyped } from './expression';

/** Attributes as n8n's list of names, types and values; empty if there are none. */
export function assignmentsOf(attributes: JsonObject) {
	const assignments = Object.entries(attributes).map(([name, value], index) => ({
		id: String(index + 1),
		name: asText(name),
		value: asTyped(value),
		type: typeOf(value),
	}));
	return assignments.length > 0 ? { assignments } : {};
}

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return typeof value === 'bigint' ? 'number' : typeof value;
}
