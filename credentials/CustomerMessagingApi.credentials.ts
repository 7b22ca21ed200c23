import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { credentialForm } from '../nodes/CustomerMessaging/run/accountForm';
import { authenticateWith } from './authenticate';

/** Brand ID and API key (spec §5.1). Tested by the node. */
export class CustomerMessagingApi implements ICredentialType {
	name = 'customerMessagingApi';

	displayName = 'Customer Messaging API';

	documentationUrl =
		'https://example.com/n8n-nodes-customer-messaging/blob/main/docs/guides/credentials.md';

	icon = {
		light: 'file:../nodes/CustomerMessaging/customerMessaging.svg',
		dark: 'file:../nodes/CustomerMessaging/customerMessaging.dark.svg',
	} as const;

	properties: INodeProperties[] = credentialForm('apiKey');

	/** Keeps other nodes from reading it, from n8n 2.41 on. Older versions ignore this. */
	restrictToSupportedNodes = true as const;

	authenticate = authenticateWith('apiKey');
}
