import type { JsonObject } from '../terms';
import { asText, asTyped } from './expression';

/** Attributes as n8n's list of names, types and values; empty if there are none. */
export function toAssignments(attributes: JsonObject) {
	const assignments = Object.entries(attributes).map(([name, value], index) => ({
		id: String(index + 1),
		name: asText(name),
		value: asTyped(value),
		type: chooseType(value),
	}));
	return assignments.length > 0 ? { assignments } : {};
}

function chooseType(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return typeof value === 'bigint' ? 'number' : typeof value;
}
