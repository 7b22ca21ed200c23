import type { INodeProperties } from 'n8n-workflow';

/** The person to whom a run started by hand can send test messages. */
export const testRecipientFields: INodeProperties[] = [
	{
		displayName: 'Test Recipient',
		name: 'testRecipient',
		type: 'boolean',
		default: false,
		description:
			"Whether to enter a recipient for test messages, such as yourself. The node sends them there if its 'Test Runs' is set to Test Recipient.",
	},
	field('Test User ID', 'testUserId', 'e.g. user-1001', 'User who receives test pushes'),
	field('Test Email', 'testEmail', 'e.g. you@example.com', 'Address that receives test emails'),
	field(
		'Test Mobile',
		'testMobile',
		'e.g. +4915112345678',
		'Mobile number that receives test SMS, with country code',
	),
];

function field(
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder,
		description,
		displayOptions: { show: { testRecipient: [true] } },
	};
}
