import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../fields/field';
import { listed, oneLine } from '../shared/formatting';

/** Columns named where none is near. */
const MAX_COLUMNS = 3;
const MAX_NAME = 60;

/** Proposes the column that a name such as `first_name` or `json.name` probably stands for. */
export function proposeColumn(code: string, json: IDataObject): string {
	const nearest = nearestColumn(code, json);
	if (nearest !== undefined) return `Did you mean {{ ${nearest} }}?`;
	const columns = Object.keys(json);
	if (columns.length === 0)
		return "Write a column as {{ $json.column }}, or turn on 'Skip Text Check'";
	const written = ranked(code, columns).map(({ column }) => `{{ ${shortCode(column)} }}`);
	return `Write a column of the item: ${listed(written, MAX_COLUMNS)}`;
}

/** The code of the column that a name probably stands for; undefined if none is near. */
export function nearestColumn(code: string, json: IDataObject): string | undefined {
	const inside = pathOf(code.split('.'), json);
	if (inside !== undefined) return inside;
	const [nearest] = ranked(code, Object.keys(json));
	return nearest && nearest.distance <= 0.5 ? shortCode(nearest.column) : undefined;
}

/** The code of what an object in a column holds, such as `user.name`; undefined if there is none. */
function pathOf(names: readonly string[], json: IDataObject): string | undefined {
	let value: unknown = json;
	let code = '$json';
	for (const name of names) {
		const keys: string[] = isRecord(value) ? Object.keys(value) : [];
		const key =
			keys.find((one) => one === name) ?? keys.find((one) => letters(one) === letters(name));
		if (key === undefined || letters(name) === '') return undefined;
		value = isRecord(value) ? value[key] : undefined;
		code += stepTo(key);
	}
	return code.length <= MAX_NAME * names.length && !isRecord(value) ? code : undefined;
}

function ranked(code: string, columns: readonly string[]) {
	const path = code.replace(/^\$|^json\./, '');
	const names = [path, path.slice(path.lastIndexOf('.') + 1)].map(letters);
	return columns
		.map((column) => ({ column, distance: Math.min(...names.map((one) => far(one, column))) }))
		.sort((one, other) => one.distance - other.distance);
}

/** A name without regard to case and to what joins its words. */
export const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/**
 * How far a column is from a name that is written like one; undefined if it is another column, as `lastName` is
 * for `firstName`.
 */
export function nearness(name: string, column: string): number | undefined {
	const written = letters(name);
	const other = letters(column);
	if (written === '' || other === '') return undefined;
	const distance = far(written, column);
	const isInside = written.includes(other) || other.includes(written);
	return distance <= (isInside ? 0.4 : 0.3) ? distance : undefined;
}

/** How far a name is from a column: 0 for the same letters, at most 1. */
function far(name: string, column: string): number {
	const other = letters(column.slice(0, MAX_NAME));
	const longest = Math.max(name.length, other.length, 1);
	const distance = editDistance(name.slice(0, MAX_NAME), other) / longest;
	// `Vorname` for `name`: one that contains the other is nearer than one that only looks like it.
	const [shorter = '', longer = ''] = [name, other].sort((a, b) => a.length - b.length);
	const isInside = shorter.length > 1 && longer.includes(shorter);
	return isInside ? distance / 2 : distance;
}

/** How many letters to insert, remove or replace to make one text the other. */
function editDistance(one: string, other: string): number {
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...one].entries()) {
		const next = [index + 1];
		for (let at = 0; at < other.length; at++) {
			const replaced = (row[at] ?? 0) + (other[at] === letter ? 0 : 1);
			next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
		}
		row = next;
	}
	return row[other.length] ?? 0;
}

/** The code of a column for people, who also see what an endless name begins with. */
const shortCode = (column: string) => columnCode(oneLine(column, MAX_NAME));

/** The code that reads a column, or what it holds: `$json.name`, `$json["First Name"]`, `$json.traits?.name`. */
export function columnCode(column: string, ...steps: ReadonlyArray<string | number>): string {
	const optional = steps.map((step) => stepTo(step).replace(/^\.?/, '?.'));
	return `$json${stepTo(column)}${optional.join('')}`;
}

/** The code that reads a key of an object, or an entry of a list. */
export function stepTo(key: string | number): string {
	return isIdentifier(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

export function isIdentifier(key: string | number): boolean {
	return /^[\p{L}_$][\p{L}\d_$]*$/u.test(String(key));
}
