import { z } from 'zod/v3';

import {
	attributesForm,
	type Attribute,
	toObject,
	unsendableAttributes,
	unsendableValue,
} from '../fields/attributes';
import {
	type FieldOptions,
	toForm,
	isEmpty,
	oncePerOptions,
	optional,
	collectProblems,
	harmless,
	onePerson,
} from '../fields/field';
import { email } from '../fields/emailAddress';
import { mobile, numberWithCountry } from '../fields/mobile';
import { key, text } from '../fields/text';
import { dataModeForm, readData } from './dataMode';
import {
	additionalFields,
	clashesWith,
	extraBodyFields,
	holding,
	type Operation,
	type Resource,
} from './operation';

export const userID = key('User ID', {
	...onePerson,
	placeholder: 'e.g. C-1001',
	description: 'The ID your shop or CRM uses for this person',
});

/** The attributes in spec §2.1. An account can have others. */
export const userAttributes = {
	name: text('Name', {
		...harmless,
		placeholder: 'e.g. Nathan Smith',
		description: 'Name of the user',
	}),
	email: email('Email', { ...harmless, description: 'Email address of the user' }),
	mobile: mobile('Mobile', { ...harmless, description: numberWithCountry }),
};

const customAttributes = attributesForm('Custom Attributes', 'customAttributes');

const path = '/api/v1/user/create';

/** One request can contain many users, under `nv` (spec §4.1). */
const create: Operation = {
	value: 'create',
	name: 'Create or Update',
	action: 'Create or update user',
	description: 'Create users or update existing ones, many in one request',
	section: '4.1',
	path,
	fields: { required: { userID }, optional: { ...userAttributes, extraBodyFields } },
	form: [
		...dataModeForm('user', userAttributes, [
			...toForm({ userID }, { required: true }),
			...toForm(userAttributes),
			customAttributes,
		]),
		additionalFields({ extraBodyFields }),
	],
	batchKey: 'nv',
	isIdempotent: true,
	lastRowWins: true,
	hasAttributes: true,
	reachesNobody: true,
	check(row, context) {
		const { leaveOutInvalid, fieldOptions } = context;
		const leftOut = leaveOutInvalid ? [] : undefined;
		const taken = { own: userAttributes, list: customAttributes, leftOut };
		const { id, attributes: given, problems, locate } = readData(row, taken, context);
		const attributes = withoutInvalid(given.map(emptyAsText), fieldOptions, leftOut);
		const read = schemaUnder(fieldOptions).safeParse({
			...row.parameters,
			userID: id,
			attributes: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
		});
		const fieldProblems = collectProblems(read.error?.issues ?? []);
		const unsendable = unsendableAttributes(attributes, fieldOptions);
		problems.push(
			// An attribute that its field has refused is not reported again.
			...unsendable.filter(({ field }) => !fieldProblems.some((one) => one.field === field)),
			...fieldProblems.map(locate),
			...clashesWith(read.data?.additionalFields.extraBodyFields, { nv: [] }),
		);
		if (!read.data || problems.length > 0) return { problems };

		const { userID, attributes: checked, additionalFields } = read.data;
		const body = { userID, user_attributes: { ...toObject(attributes), ...checked } };
		return {
			deliveries: [
				{
					itemIndex: row.index,
					userID,
					path,
					buildBody: holding(body),
					envelope: additionalFields.extraBodyFields,
				},
			],
			leftOut,
		};
	},
};

export const user: Resource = {
	value: 'user',
	name: 'User',
	target: { host: 'baseUrl', api: 'user' },
	perMinute: 100,
	operations: [create],
	defaultOperation: 'create',
};

const schemaUnder = oncePerOptions((options) =>
	z.object({
		userID: userID.schema,
		attributes: optional(userAttributes, 'Attributes', options),
		additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
	}),
);

/** Removes invalid attributes and adds their names to `leftOut`. Without it, all remain. */
function withoutInvalid(attributes: Attribute[], options: FieldOptions, leftOut?: string[]) {
	if (!leftOut) return attributes;
	const schema = schemaUnder(options).shape.attributes;
	return attributes.filter(({ name, value }) => {
		const isValid =
			schema.safeParse({ [name]: value }).success && unsendableValue(value, options) === undefined;
		if (!isValid) leftOut.push(name);
		return isValid;
	});
}

/** Spec §2.1's attributes are strings, so an empty one is sent as empty text instead of null. */
function emptyAsText(attribute: Attribute): Attribute {
	const isText = Object.hasOwn(userAttributes, attribute.name) && isEmpty(attribute.value);
	return isText ? { ...attribute, value: '' } : attribute;
}
