import { toJson } from '../json';
import type { JsonObject } from '../terms';
import type { WorkflowNode } from './workflow';

/** A Code node that gives these items to the next node. */
export function codeNode(
	id: string,
	name: string,
	items: readonly JsonObject[],
): Omit<WorkflowNode, 'position'> {
	return {
		id,
		name,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${asCode(items.map((json) => ({ json })))};` },
	};
}

/** A name for a column, with underscores before it if an attribute has that name already. */
export function freeColumn(name: string, attributes: readonly JsonObject[]): string {
	let free = name;
	while (attributes.some((given) => Object.hasOwn(given, free))) free = `_${free}`;
	return free;
}

/** JSON as JavaScript, in which a plain key `__proto__` would set the prototype. */
function asCode(value: unknown): string {
	return toJson(value, 2).replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}
