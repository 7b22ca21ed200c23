import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type JsonSchema, outputSchemas } from '../../outputSchemas';

/** What the outputs of the current test have that their schema does not. */
export const observed = { misfits: [] as string[] };

/** How many items of one call are looked at. The others of a large run have the same shape. */
const MAX_ITEMS = 200;

export function compareWithSchema(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const { resource, operation, options } = context.getNode().parameters as Record<string, string>;
	const schema = outputSchemas.get(`${resource}/${operation}`);
	if (!schema) return;
	const { includeInputFields } = (options ?? {}) as unknown as { includeInputFields?: boolean };
	for (const { json } of items.slice(0, MAX_ITEMS)) {
		const own = includeInputFields ? json.result : json;
		if ((own as typeof json).outcome === 'preview') continue;
		// While an execution waits for an answer, its output is the input.
		if (operation === 'sendAndWait' && !json.error) continue;
		compare(own, schema, `${resource} ${operation}`);
	}
}

/** Objects without properties in the schema may hold anything. */
function compare(value: unknown, schema: JsonSchema, path: string): void {
	const type = typeOf(value);
	const types = [schema.type].flat();
	if (!types.includes(type as (typeof types)[number])) {
		observed.misfits.push(`${path} is of the type ${type}, not ${types.join(' or ')}`);
		return;
	}
	if (schema.enum && !schema.enum.includes(String(value)))
		observed.misfits.push(`${path} is '${String(value)}', not one of ${schema.enum.join(', ')}`);
	if (Array.isArray(value) && schema.items)
		for (const entry of value) compare(entry, schema.items, `${path}[]`);
	if (type !== 'object' || !schema.properties) return;
	for (const [name, entry] of Object.entries(value as object)) {
		const property = schema.properties[name];
		if (property) compare(entry, property, `${path}.${name}`);
		else observed.misfits.push(`${path}.${name} is not in the schema`);
	}
}

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (Number.isInteger(value)) return 'integer';
	return typeof value;
}
