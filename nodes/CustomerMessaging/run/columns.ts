import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isEmpty, isRecord } from '../fields/field';
import { isPlainPath, keysOf } from './expressions';

/** A name that people write in place of a path: `first_name`, `json.name`, `$name`. */
const bareName = /^\$?(?:json\.)?([\p{L}_][\p{L}\d_.-]*)$/u;

/** The columns of a run's items. It finds the column that a wrong path probably means. */
export class InputColumns {
	private merged?: IDataObject;
	private readonly missing = new Map<string, boolean>();
	private readonly found = new Map<string, string | undefined>();

	constructor(private readonly items: ReadonlyArray<Pick<INodeExecutionData, 'json'>>) {}

	get isSeveral(): boolean {
		return this.items.length > 1;
	}

	get names(): string[] {
		return Object.keys(this.row);
	}

	/** Returns true if a plain path leads into the item, and no item has a value there. */
	lacks(path: string): boolean {
		const known = this.missing.get(path);
		if (known !== undefined) return known;
		const keys = itemPath.test(path) ? keysOf(path) : undefined;
		const isMissing = keys !== undefined && !this.items.some(({ json }) => has(json, keys));
		this.missing.set(path, isMissing);
		return isMissing;
	}

	/** The code of the column that a path or a bare name probably means; undefined if none is near. */
	nearest(code: string): string | undefined {
		if (!this.found.has(code)) this.found.set(code, this.find(code));
		return this.found.get(code);
	}

	private find(code: string): string | undefined {
		const [, name] = bareName.exec(code) ?? [];
		const ofName = name === undefined ? [] : [name];
		const keys = isPlainPath(code) ? this.lacks(code) && keysOf(code) : ofName;
		let parent: unknown = this.row;
		let path = '$json';
		for (const key of keys || []) {
			const names = isRecord(parent) ? Object.keys(parent) : [];
			const near = nearestName(key, names);
			if (near === undefined) return undefined;
			parent = (parent as Record<string, unknown>)[near];
			path += /^[\p{L}_$][\p{L}\d_$]*$/u.test(near) ? `.${near}` : `[${JSON.stringify(near)}]`;
		}
		return path === '$json' ? undefined : path;
	}

	/** The first value of each column. */
	private get row(): IDataObject {
		if (this.merged) return this.merged;
		this.merged = {};
		for (const { json } of this.items)
			for (const column of Object.keys(json))
				if (isEmpty(this.merged[column])) this.merged[column] = json[column];
		return this.merged;
	}
}

const itemPath = /^\$(?:json|input\.item\.json)(?![\w$])/;

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
	if (key === undefined) return true;
	if (isEmpty(value)) return false;
	// Texts and lists have properties of their own.
	if (!isRecord(value)) return true;
	return Object.hasOwn(value, key) && has(value[key], rest);
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\d]/gu, '');
const digits = (name: string) => name.replace(/\D/g, '');

/** The name itself, or one with the same letters, or one that two typing errors explain. */
function nearestName(name: string, names: readonly string[]): string | undefined {
	if (names.includes(name)) return name;
	const written = letters(name);
	if (written === '') return undefined;
	let [nearest, least]: [string | undefined, number] = [undefined, 3];
	for (const one of names) {
		const other = letters(one);
		// Two edits change most of a short name, and `email2` is not `email1`.
		const most = Math.min(2, Math.floor(Math.max(written.length, other.length) / 4));
		if (Math.abs(written.length - other.length) > most || digits(written) !== digits(other))
			continue;
		const edits = editDistance(written, other);
		if (edits <= most && edits < least) [nearest, least] = [one, edits];
	}
	return nearest;
}

/** Number of letters to insert, remove, replace or swap with the next to turn one text into the other. */
function editDistance(one: string, other: string): number {
	let before: number[] = [];
	let row = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let index = 0; index < one.length; index++) {
		const next = [index + 1];
		for (let at = 0; at < other.length; at++) {
			const replaced = (row[at] ?? 0) + Number(other[at] !== one[index]);
			const isSwapped = one[index] === other[at - 1] && one[index - 1] === other[at];
			const swapped = isSwapped ? (before[at - 1] ?? 0) + 1 : Infinity;
			next.push(Math.min(replaced, swapped, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
		}
		before = row;
		row = next;
	}
	return row[other.length] ?? 0;
}
