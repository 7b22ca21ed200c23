import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { repository } from '../scripts/paths';

type Type = 'string' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** The part of JSON Schema that the files use. */
export interface JsonSchema {
	type: Type | Type[];
	enum?: string[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
}

const folder = path.join(repository, 'nodes/CustomerMessaging/__schema__/v1.0.0');

/** The package has the schemas without their descriptions. */
const published = (name: string, value: unknown) =>
	name === 'description' && typeof value === 'string' ? undefined : value;

/** The schemas that the package holds, by resource and operation such as `push/send`. */
export const outputSchemas: ReadonlyMap<string, JsonSchema> = new Map(
	readdirSync(folder).flatMap((resource) =>
		readdirSync(path.join(folder, resource)).map((file): [string, JsonSchema] => [
			`${resource}/${path.parse(file).name}`,
			JSON.parse(readFileSync(path.join(folder, resource, file), 'utf8'), published) as JsonSchema,
		]),
	),
);
