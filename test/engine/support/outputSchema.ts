import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { fromJSONSchema, prettifyError, type z } from 'zod4';

import { outputSchemas } from '../../outputSchemas';

/** What the outputs of the current test have that their schema does not. */
export const observed = { misfits: [] as string[] };

/** Objects without properties in the schema may hold anything, and others nothing else. */
const closed = (_key: string, part: { properties?: object }): unknown =>
	part.properties ? { ...part, additionalProperties: false } : part;

const schemas = new Map(
	[...outputSchemas].map(([name, schema]) => [
		name,
		fromJSONSchema(JSON.parse(JSON.stringify(schema), closed) as z.core.JSONSchema.JSONSchema),
	]),
);

/** How many items of one call are looked at. The others of a large run have the same shape. */
const MAX_ITEMS = 200;

export function compareWithSchema(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const { resource, operation, options } = context.getNode().parameters as Record<string, string>;
	const name = `${resource}/${operation}`;
	const { includeInputFields } = (options ?? {}) as unknown as { includeInputFields?: boolean };
	for (const { json } of items.slice(0, MAX_ITEMS)) {
		const own = includeInputFields ? json.result : json;
		if ((own as typeof json).outcome === 'preview') continue;
		// While an execution waits for an answer, its output is the input.
		if (operation === 'sendAndWait' && !json.error) continue;
		const error = schemas.get(name)?.safeParse(own).error;
		if (error) observed.misfits.push(`${name}: ${prettifyError(error)}`);
	}
}
