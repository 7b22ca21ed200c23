import { toJson } from '../json';
import { isObject, type JsonObject } from '../terms';
import { toAssignments } from './assignments';
import { codeNode, freeColumn } from './codeNode';
import { asText, asTyped } from './expression';
import {
	customerMessaging,
	usualBatch,
	makeWorkflow,
	type Copy,
	type Parameters,
} from './workflow';

interface User {
	userID: string;
	attributes: JsonObject;
}

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
	const clears = known.some(({ attributes }) => Object.values(attributes).some(isEmpty));
	const common = {
		...account,
		options: clears ? { sendEmptyValues: true } : {},
		resource: 'user',
		operation: 'create',
		additionalFields: Object.keys(extra).length > 0 ? { extraBodyFields: toJson(extra, 2) } : {},
	};
	if (known.length === 1) {
		return {
			workflow: makeWorkflow([customerMessaging({ ...common, ...defineBelow(first) })]),
			notes: [],
		};
	}
	const { code, userIdField } = toItems(known);
	const mapped = {
		...common,
		dataMode: 'autoMapInputData',
		userIdField,
		// Each attribute is sent by its own name, whatever it is.
		...Object.fromEntries(ownFields.map((name) => [`${name}Field`, ''])),
		options: {
			...common.options,
			...(known.length > usualBatch ? { batchSize: known.length } : {}),
		},
	};
	return {
		workflow: makeWorkflow([code, customerMessaging(mapped)]),
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

/** Attributes with a field of their own, which never sends an empty value. */
const ownFields = ['name', 'email', 'mobile'];

/** Whether the node sends an attribute only if it is told to send empty values. */
function isEmpty(value: unknown): boolean {
	return value === null || value === '';
}

function defineBelow({ userID, attributes }: User): Parameters {
	const parameters: Parameters = { dataMode: 'defineBelow', userID: asText(userID) };
	const custom: JsonObject = Object.create(null) as JsonObject;
	for (const [name, value] of Object.entries(attributes)) {
		if (ownFields.includes(name) && !isEmpty(value)) parameters[name] = asTyped(value);
		else custom[name] = value;
	}
	return { ...parameters, customAttributes: toAssignments(custom) };
}

function toItems(users: User[]) {
	const userIdField = freeColumn(
		'userID',
		users.map(({ attributes }) => attributes),
	);
	const items = users.map(({ userID, attributes }) => ({ [userIdField]: userID, ...attributes }));
	return { code: codeNode('users', 'Users', items), userIdField };
}
