import type { IAuthenticateGeneric, ICredentialType, INodeProperties } from 'n8n-workflow';

import { serviceFields } from './serviceFields';

/** Brand ID and API key (spec §5.1). Tested by the node. */
export class CustomerMessagingApi implements ICredentialType {
	name = 'customerMessagingApi';

	displayName = 'Customer Messaging API';

	documentationUrl =
		'https://github.com/n8n-nodes-customer-messaging/n8n-nodes-customer-messaging#credentials';

	icon = {
		light: 'file:../nodes/CustomerMessaging/customerMessaging.svg',
		dark: 'file:../nodes/CustomerMessaging/customerMessaging.dark.svg',
	} as const;

	properties: INodeProperties[] = [
		{
			displayName: 'Brand ID',
			name: 'brandId',
			type: 'string',
			required: true,
			default: '',
			description:
				"Identifies your account. The service's reference does not say where it is shown; look beside the API key, or ask its support.",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'Found in the account under Settings > Store Integration',
		},
		...serviceFields,
	];

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: {
			headers: {
				'x-api-key': '={{$credentials.apiKey}}',
				'x-brand-id': '={{$credentials.brandId}}',
			},
		},
	};
}
