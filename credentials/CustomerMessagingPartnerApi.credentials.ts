import type { IAuthenticateGeneric, ICredentialType, INodeProperties } from 'n8n-workflow';

import { serviceFields } from './serviceFields';

/** Access token of a partner app (spec §5.2). Tested by the node. */
export class CustomerMessagingPartnerApi implements ICredentialType {
	name = 'customerMessagingPartnerApi';

	displayName = 'Customer Messaging Partner API';

	documentationUrl =
		'https://github.com/n8n-nodes-customer-messaging/n8n-nodes-customer-messaging#credentials';

	icon = {
		light: 'file:../nodes/CustomerMessaging/customerMessaging.svg',
		dark: 'file:../nodes/CustomerMessaging/customerMessaging.dark.svg',
	} as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'The token that was returned when the client granted access to the partner app',
		},
		...serviceFields,
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				Authorization: '=Bearer {{$credentials.accessToken}}',
			},
		},
	};
}
