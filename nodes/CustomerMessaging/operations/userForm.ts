import type { INodeProperties } from 'n8n-workflow';

import { toForm } from '../fields/field';
import { email, key, mobile, text } from '../fields/text';
import { extraBodyFields } from './extra';
import { additionalFields } from './messageForm';

export const userID = key('User ID', {
	placeholder: 'e.g. user-1001',
	description: 'Your own identifier of the user',
});

/** The attributes that spec §2.1 shows; others are the account's own. */
export const attributes = {
	name: text('Name', { placeholder: 'e.g. Nathan Smith', description: 'Name of the user' }),
	email: email('Email', { description: 'Email address of the user' }),
	mobile: mobile('Mobile', { description: 'Mobile number of the user, with country code' }),
};

const dataMode: INodeProperties = {
	displayName: 'Data Mode',
	name: 'dataMode',
	type: 'options',
	noDataExpression: true,
	default: 'defineBelow',
	description: 'Where the data of the users comes from',
	options: [
		{
			name: 'Auto-Map Input Data',
			value: 'autoMapInputData',
			description: 'Every field of the input item becomes an attribute of the user',
		},
		{
			name: 'Define Below',
			value: 'defineBelow',
			description: 'Set each attribute below',
		},
	],
};

const defineBelow: INodeProperties[] = [
	{ ...userID.form, name: 'userID', required: true },
	...toForm(attributes),
	{
		displayName: 'Custom Attributes',
		name: 'customAttributes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Attribute',
		default: {},
		description: "Further attributes of the user, under your account's own names",
		options: [
			{
				displayName: 'Attribute',
				name: 'attributes',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. plan',
						description: 'Name of the attribute',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						placeholder: 'e.g. premium',
						description: 'Value of the attribute; a value from an expression keeps its type',
					},
				],
			},
		],
	},
];

const autoMapInputData: INodeProperties[] = [
	{
		displayName: 'User ID Field',
		name: 'userIdField',
		type: 'string',
		required: true,
		default: 'userID',
		placeholder: 'e.g. customerId',
		description: "Name of the input field that holds the user's ID",
	},
	{
		displayName: 'Ignore Fields',
		name: 'ignoreFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. row_number, updatedAt',
		description: 'Names of input fields that do not become attributes, separated by commas',
	},
];

/** The form of `create`. */
export const userForm: INodeProperties[] = [
	dataMode,
	...shownFor('defineBelow', defineBelow),
	...shownFor('autoMapInputData', autoMapInputData),
	additionalFields({ extraBodyFields }),
];

function shownFor(mode: string, properties: INodeProperties[]): INodeProperties[] {
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { dataMode: [mode] } },
	}));
}
