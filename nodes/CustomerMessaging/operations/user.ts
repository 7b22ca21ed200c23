import { z } from 'zod';

import { isEmpty, oncePerOptions, optional, problemsOf } from '../fields/field';
import type { Problem } from '../shared/problem';
import { quote } from '../shared/formatting';
import { isUnsafeName, unsendableIn } from '../fields/json';
import { clashesWith, extraBodyFields } from './extra';
import type { Operation, Resource, Row } from './operation';
import { attributes, userForm, userID } from './userForm';

const path = '/api/v1/user/create';

/** One request can contain many users, under `nv` (spec §4.1). */
const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create user',
	description: 'Create or update users, many in one request',
	section: '4.1',
	path,
	fields: { required: { userID }, optional: { ...attributes, extraBodyFields } },
	form: userForm,
	batchKey: 'nv',
	check(row, context) {
		const {
			idField,
			id,
			list,
			problems: misread,
		} = row.parameters.dataMode === 'autoMapInputData' ? mapped(row) : defined(row);
		const given = Object.fromEntries(list.map(({ name, value }) => [name, value]));
		const read = schemaUnder(context.fieldOptions).safeParse({
			required: { userID: id },
			attributes: given,
			additionalFields: row.parameters.additionalFields,
		});
		const problems = problemsOf(read.error?.issues ?? []).map((problem) =>
			inField(problem, idField),
		);
		problems.push(...misread, ...unusable(list));
		problems.push(...clashesWith(read.data?.additionalFields.extraBodyFields, { nv: [] }));
		if (!read.data || problems.length > 0) return { problems };

		const { required, attributes: checked, additionalFields } = read.data;
		return {
			deliveries: [
				{
					itemIndex: row.index,
					userID: required.userID,
					path,
					body: { userID: required.userID, user_attributes: { ...given, ...checked } },
					envelope: additionalFields.extraBodyFields,
				},
			],
		};
	},
};

export const user: Resource = {
	value: 'user',
	name: 'User',
	target: { host: 'baseUrl', api: 'user' },
	operations: [create],
};

const schemaUnder = oncePerOptions((options) =>
	z.object({
		required: z.object({ userID: userID.schema }),
		attributes: optional(attributes, 'Attributes', options),
		additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
	}),
);

/** One attribute, and the parameter or input field it comes from. */
interface Attribute {
	field: string;
	name: string;
	value: unknown;
}

interface Given {
	/** The parameter or input field that contains the user's ID. */
	idField: string;
	id: unknown;
	list: Attribute[];
	/** Parameters that cannot be read at all. */
	problems: Problem[];
}

/** `defineBelow`: each attribute comes from its own field. */
function defined({ parameters }: Row): Given {
	const own = Object.keys(attributes).map((name) => ({
		field: name,
		name,
		value: parameters[name],
	}));
	const read = customAttributes.safeParse(parameters.customAttributes);
	const custom = Object.values(read.data ?? {})
		.flat()
		.map(({ name, value }) => ({
			field: 'customAttributes',
			name: typeof name === 'string' ? name.trim() : '',
			value,
		}));
	const problems = read.success
		? []
		: [
				{
					field: 'customAttributes',
					message: 'Custom Attributes must be a list of names and values',
				},
			];
	return {
		idField: 'userID',
		id: parameters.userID,
		list: [...own, ...custom].filter(isFilled),
		problems,
	};
}

/** A list of names and values. The name of n8n's group around it does not matter. */
const customAttributes = z.preprocess(
	(value) => (isEmpty(value) ? {} : value),
	z.record(z.array(z.object({ name: z.unknown(), value: z.unknown() }))),
);

/** `autoMapInputData`: every field of the input item except the ID and the ignored ones. */
function mapped({ parameters, json }: Row): Given {
	const { userIdField, ignoreFields } = parameters;
	const problems = [
		...notNames('userIdField', userIdField, 'User ID Field must be the name of an input field'),
		...notNames(
			'ignoreFields',
			ignoreFields,
			'Ignore Fields must be names of input fields, separated by commas',
		),
	];
	const idField = String((userIdField as string) || 'userID');
	const ignored = String((ignoreFields as string) ?? '')
		.split(',')
		.map((name) => name.trim());
	const list = Object.entries(json)
		.filter(([name]) => name !== idField && !ignored.includes(name))
		.map(([name, value]) => ({ field: name, name, value }));
	return { idField, id: json[idField], list: list.filter(isFilled), problems };
}

function notNames(field: string, value: unknown, message: string): Problem[] {
	return isEmpty(value) || typeof value === 'string' ? [] : [{ field, message }];
}

/** Adds the name of the input field that contains the ID, if it is not `userID`. */
function inField({ field, message }: Problem, idField: string): Problem {
	if (field !== 'userID' || idField === field) return { field, message };
	return { field, message: `${message} in the input field ${quote(idField)}` };
}

function isFilled({ value }: Attribute): boolean {
	return !isEmpty(value);
}

/** A longer name is probably text that was put in the wrong place. */
const maxNameLength = 1_000;

function unusable(list: Attribute[]): Problem[] {
	const seen = new Set<string>();
	return list.flatMap(({ field, name, value }) => {
		const repeated = seen.has(name);
		seen.add(name);
		const unsendable = unsendableIn(value);
		const rule =
			(name === '' && 'An attribute has no name. Give it one') ||
			(name.length > maxNameLength &&
				`An attribute has a name of ${name.length} characters. Shorten it to ${maxNameLength}`) ||
			(isUnsafeName(name) && `An attribute must not be called '${name}'. Rename it`) ||
			(repeated && `The attribute ${quote(name)} occurs twice. Enter it only once`) ||
			(unsendable && `The attribute ${quote(name)} contains ${unsendable}`);
		return rule ? [{ field, message: rule }] : [];
	});
}
