import { type FormParameter, toForm } from '../fields/field';
import { email } from '../fields/email';
import { mobile } from '../fields/mobile';
import { key, text } from '../fields/text';
import { extraBodyFields } from './extra';
import { additionalFields } from './additionalFields';

export const userID = key('User ID', {
	modelMayFill: true,
	placeholder: 'e.g. user-1001',
	description: 'Your own identifier of the user',
});

/** The attributes in spec §2.1. An account can have others. */
export const attributes = {
	name: text('Name', {
		modelMayFill: true,
		placeholder: 'e.g. Nathan Smith',
		description: 'Name of the user',
	}),
	email: email('Email', { modelMayFill: true, description: 'Email address of the user' }),
	mobile: mobile('Mobile', {
		modelMayFill: true,
		description: 'Mobile number of the user',
	}),
};

const dataMode: FormParameter = {
	displayName: 'Data Mode',
	name: 'dataMode',
	modelMayFill: false,
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

const defineBelow: FormParameter[] = [
	...toForm({ userID }).map((property) => ({ ...property, required: true })),
	...toForm(attributes),
	{
		displayName: 'Custom Attributes',
		name: 'customAttributes',
		modelMayFill: true,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Attribute',
		default: {},
		description: 'Other attributes of the user, by the names that your account uses',
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

const autoMapInputData: FormParameter[] = [
	{
		displayName: 'User ID Field',
		name: 'userIdField',
		modelMayFill: false,
		type: 'string',
		required: true,
		default: 'userID',
		placeholder: 'e.g. customerId',
		description: "Name of the input field that contains the user's ID",
	},
	{
		displayName: 'Ignore Fields',
		name: 'ignoreFields',
		modelMayFill: false,
		type: 'string',
		default: '',
		placeholder: 'e.g. row_number, updatedAt',
		description: 'Names of input fields that do not become attributes, separated by commas',
	},
];

/** The form of the operation `create`. */
export const userForm: FormParameter[] = [
	dataMode,
	...shownFor('defineBelow', defineBelow),
	...shownFor('autoMapInputData', autoMapInputData),
	additionalFields({ extraBodyFields }),
];

function shownFor(mode: string, properties: FormParameter[]): FormParameter[] {
	return properties.map((property) => ({
		...property,
		displayOptions: { show: { dataMode: [mode] } },
	}));
}
