import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isEmpty, isRecord } from '../fields/field';
import { nearness, stepTo } from '../run/nearestColumn';
import { pathsIn, splitPath } from '../run/plainPaths';
import { listed, oneLine } from '../shared/formatting';

type Items = ReadonlyArray<Pick<INodeExecutionData, 'json'>>;

/** What the items of a run hold, for advice about code that reads a column that none of them has. */
export class InputColumns {
	private merged?: IDataObject;
	private written?: string;
	private readonly missing = new Map<string, boolean>();
	private readonly near = new Map<string, string | undefined>();

	constructor(private readonly items: Items) {}

	get isSeveral(): boolean {
		return this.items.length > 1;
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

	get names(): string[] {
		return Object.keys(this.row);
	}

	/** `Columns: id, name`. */
	get list(): string {
		this.written ??= `Columns: ${listed(this.names.map((name) => oneLine(name, 60))) || 'none'}`;
		return this.written;
	}

	/** The paths in a piece of code that no item has. */
	missingIn(code: string): string[] {
		return pathsIn(code).filter((path) => {
			const known = this.missing.get(path);
			if (known !== undefined) return known;
			const keys = keysInRow(path);
			const isMissing = keys !== undefined && !this.items.some(({ json }) => has(json, keys));
			this.missing.set(path, isMissing);
			return isMissing;
		});
	}

	/** Whether any item holds a value where a piece of code reads, or the code reads elsewhere. */
	hasValue(code: string): boolean {
		return pathsIn(code).some((path) => {
			const keys = keysInRow(path);
			return keys === undefined || this.items.some(({ json }) => !isEmpty(valueAt(json, keys)));
		});
	}

	/** Whether beside a column that no item has, there are others that no code reads. */
	hasOthers(codes: readonly string[], missing: readonly string[]): boolean {
		const pathsOf = (code: string) => pathsIn(code).flatMap((path) => [keysInRow(path) ?? []]);
		const read = new Set(
			codes
				.flatMap(pathsOf)
				.flatMap((keys) => keys.map((_, at) => keys.slice(0, at + 1).join('\n'))),
		);
		return missing.flatMap(pathsOf).some((keys) => {
			const at = keys.findIndex((_, index) => !has(this.row, keys.slice(0, index + 1)));
			const parent = valueAt(this.row, keys.slice(0, at));
			return (
				isRecord(parent) &&
				Object.keys(parent).some((key) => !read.has([...keys.slice(0, at), key].join('\n')))
			);
		});
	}

	/** The code with the nearest columns in place of those that no item has; undefined if none is near. */
	nearest(code: string): string | undefined {
		if (!this.near.has(code)) this.near.set(code, this.findNearest(code));
		return this.near.get(code);
	}

	private findNearest(code: string): string | undefined {
		let better = code;
		for (const path of this.missingIn(code)) {
			const near = nearestPath(keysInRow(path) ?? [], this.row);
			if (near !== undefined) better = better.replace(path, () => near);
		}
		return better === code ? undefined : better;
	}

	/**
	 * What to do about code that reads a column that no item has. Anything else, such as a fallback, would be sent
	 * to everyone. A single item may lack a column that others have.
	 */
	advise(code: string): string | undefined {
		const nearest = this.nearest(code);
		if (nearest !== undefined) return `Did you mean {{ ${nearest} }}?`;
		const isUnknown = this.isSeveral && this.names.length > 0 && this.missingIn(code).length > 0;
		return isUnknown ? `No item has this column. ${this.list}` : undefined;
	}
}

/** The keys of a path into the item; undefined if it leads elsewhere. */
function keysInRow(path: string): string[] | undefined {
	return /^\$(?:json|input\.item\.json)(?![\w$])/.test(path) ? splitPath(path)?.keys : undefined;
}

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
	if (key === undefined) return true;
	if (isEmpty(value)) return false;
	// Texts and lists have properties of their own.
	if (!isRecord(value)) return true;
	return Object.hasOwn(value, key) && has(value[key], rest);
}

function valueAt(row: unknown, keys: readonly string[]): unknown {
	return keys.reduce<unknown>((value, key) => {
		const isThere = isRecord(value) || Array.isArray(value);
		return isThere ? (value as Record<string, unknown>)[key] : undefined;
	}, row);
}

/** The code of the column that a path probably means, also inside an object such as the body of a webhook. */
function nearestPath(keys: readonly string[], row: IDataObject): string | undefined {
	let parent: unknown = row;
	let code = '$json';
	for (const [index, key] of keys.entries()) {
		if (!isRecord(parent)) return undefined;
		if (Object.hasOwn(parent, key)) {
			parent = parent[key];
			code += stepTo(key);
			continue;
		}
		const rest = keys.slice(index + 1);
		const [nearest] = columnsOf(parent, code, index === 0)
			.map((one) => ({ ...one, distance: nearness(key, one.name) }))
			.filter(({ distance, value }) => distance !== undefined && has(value, rest))
			.filter(({ value }) => rest.length > 0 || !isRecord(value))
			.sort((one, other) => Number(one.distance) - Number(other.distance));
		return nearest && nearest.code + rest.map(stepTo).join('');
	}
	return undefined;
}

interface Column {
	name: string;
	value: unknown;
	code: string;
}

function columnsOf(parent: Record<string, unknown>, code: string, withInner: boolean): Column[] {
	const own = Object.entries(parent).map(([name, value]) => ({
		name,
		value,
		code: code + stepTo(name),
	}));
	if (!withInner) return own;
	const inner = own.flatMap((one) =>
		isRecord(one.value) ? columnsOf(one.value, one.code, false) : [],
	);
	return [...own, ...inner];
}
