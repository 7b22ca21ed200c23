import { attributesForm } from '../fields/attributes';
import { type FormParameter, toForm } from '../fields/field';
import { email } from '../fields/email';
import { mobile } from '../fields/mobile';
import { key, text } from '../fields/text';
import { additionalFields } from './additionalFields';
import { dataModeForm } from './dataMode';
import { extraBodyFields } from './extra';

export const userID = key('User ID', {
	reaches: 'recipient',
	modelMayFill: true,
	placeholder: 'e.g. user-1001',
	description: 'Your own identifier of the user',
});

/** The attributes in spec §2.1. An account can have others. */
export const attributes = {
	name: text('Name', {
		reaches: 'nobody',
		modelMayFill: true,
		placeholder: 'e.g. Nathan Smith',
		description: 'Name of the user',
	}),
	email: email('Email', {
		reaches: 'nobody',
		modelMayFill: true,
		description: 'Email address of the user',
	}),
	mobile: mobile('Mobile', {
		reaches: 'nobody',
		modelMayFill: true,
		description: 'Mobile number of the user',
	}),
};

export const customAttributes = attributesForm('Custom Attributes', 'customAttributes', {
	reaches: 'nobody',
	modelMayFill: true,
	description:
		'Other attributes of the user, by the names that your account uses. Drag columns here, or enter names and values; each value is sent as the type that you choose.',
});

/** The form of the operation `create`. */
export const userForm: FormParameter[] = [
	...dataModeForm({ data: 'users', owner: 'the user' }, [
		...toForm({ userID }).map((property) => ({ ...property, required: true })),
		...toForm(attributes),
		customAttributes,
	]),
	additionalFields({ extraBodyFields }),
];
