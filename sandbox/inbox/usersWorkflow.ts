import { toJson } from '../json';
import { isObject, type JsonObject } from '../terms';
import { asText, asTyped } from './expression';
import { customerMessaging, workflowOf, type Copy, type Parameters } from './workflow';

interface User {
	userID: string;
	attributes: JsonObject;
}

/** Users per request by default. */
const usualBatch = 100;

/**
 * One user becomes a node with a field for each value. Several users become a Code node with one item
 * for each, and a node that maps the items. Undefined if the node would not send a user like one of them.
 */
export function usersWorkflow(
	body: JsonObject,
	list: unknown[],
	account: Parameters,
): Copy | undefined {
	const users = list.map(toUser);
	const known = users.filter((user) => user !== undefined);
	const [first] = known;
	if (first === undefined || known.length < users.length) return undefined;

	const { nv: _, ...extra } = body;
	const common: Parameters = {
		...account,
		resource: 'user',
		operation: 'create',
		additionalFields: Object.keys(extra).length > 0 ? { extraBodyFields: toJson(extra, 2) } : {},
	};
	if (known.length === 1) {
		return {
			workflow: workflowOf([customerMessaging({ ...common, ...defineBelow(first) })]),
			notes: [],
		};
	}
	const { code, userIdField } = itemsOf(known);
	const mapped = {
		...common,
		dataMode: 'autoMapInputData',
		userIdField,
		options: known.length > usualBatch ? { batchSize: known.length } : {},
	};
	return {
		workflow: workflowOf([code, customerMessaging(mapped)]),
		notes: [`The ${known.length} users are in a Code node before it, one item each.`],
	};
}

function toUser(element: unknown): User | undefined {
	if (!isObject(element)) return undefined;
	const { userID, user_attributes: attributes = {}, ...rest } = element;
	const isKnown =
		typeof userID === 'string' && isObject(attributes) && Object.keys(rest).length === 0;
	return isKnown ? { userID, attributes } : undefined;
}

function defineBelow({ userID, attributes }: User): Parameters {
	const parameters: Parameters = { dataMode: 'defineBelow', userID: asText(userID) };
	const custom: Array<{ name: string; value: string }> = [];
	for (const [name, value] of Object.entries(attributes)) {
		if (['name', 'email', 'mobile'].includes(name)) parameters[name] = asTyped(value);
		else custom.push({ name: asText(name), value: asTyped(value) });
	}
	return { ...parameters, customAttributes: custom.length > 0 ? { attributes: custom } : {} };
}

function itemsOf(users: User[]) {
	// An attribute may itself be called like the field that holds the ID.
	let userIdField = 'userID';
	while (users.some(({ attributes }) => Object.hasOwn(attributes, userIdField)))
		userIdField = `_${userIdField}`;

	const items = users.map(({ userID, attributes }) => ({
		json: { [userIdField]: userID, ...attributes },
	}));
	const code = {
		id: 'users',
		name: 'Users',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${asCode(items)};` },
	};
	return { code, userIdField };
}

/** JSON as JavaScript, in which a plain key `__proto__` would set the prototype. */
function asCode(value: unknown): string {
	return toJson(value, 2).replace(/(?<!\\)"__proto__":/g, '["__proto__"]:');
}
