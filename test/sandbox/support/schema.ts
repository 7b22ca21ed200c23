/** The part of JSON Schema that the sandbox's description uses. */
export interface Schema {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	oneOf?: Schema[];
	properties?: Record<string, Schema>;
	required?: string[];
	additionalProperties?: boolean;
	items?: Schema;
	minItems?: number;
	maxItems?: number;
	description?: string;
}

type Schemas = Readonly<Record<string, Schema>>;

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Where a value differs from a schema, one sentence each. */
export function differences(
	value: unknown,
	schema: Schema,
	schemas: Schemas,
	at = 'body',
): string[] {
	if (schema.$ref !== undefined) {
		const name = schema.$ref.replace('#/components/schemas/', '');
		const target = schemas[name];
		return target ? differences(value, target, schemas, at) : [`There is no schema ${name}`];
	}
	if (schema.oneOf) {
		const fits = schema.oneOf.filter((one) => differences(value, one, schemas).length === 0);
		return fits.length === 1 ? [] : [`${at} fits ${fits.length} of the alternatives`];
	}
	const type = typeOf(value);
	const types = [schema.type ?? []].flat();
	const isType = types.includes(type) || (type === 'integer' && types.includes('number'));
	if (types.length > 0 && !isType) return [`${at} is ${type}, not ${types.join(' or ')}`];
	if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
	if (Array.isArray(value)) {
		const { items = {}, minItems = 0, maxItems = Infinity } = schema;
		const isLong = value.length >= minItems && value.length <= maxItems;
		return [
			...(isLong ? [] : [`${at} has ${value.length} items`]),
			...value.flatMap((item, index) => differences(item, items, schemas, `${at}[${index}]`)),
		];
	}
	if (typeof value !== 'object' || value === null) return [];
	const { properties = {}, required = [], additionalProperties = true } = schema;
	const missing = required.filter((name) => !Object.hasOwn(value, name));
	return [
		...missing.map((name) => `${at}.${name} is missing`),
		...Object.entries(value).flatMap(([name, inner]) => {
			const known = properties[name];
			if (known) return differences(inner, known, schemas, `${at}.${name}`);
			return additionalProperties ? [] : [`${at}.${name} is not described`];
		}),
	];
}
