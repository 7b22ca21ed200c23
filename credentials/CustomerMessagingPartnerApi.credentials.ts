import type { ICredentialType, INodeProperties } from 'n8n-workflow';

import { credentialForm } from '../nodes/CustomerMessaging/run/accountForm';
import { authenticateWith } from './authenticate';

/** Access token of a partner app (spec §5.2). Tested by the node. */
export class CustomerMessagingPartnerApi implements ICredentialType {
	name = 'customerMessagingPartnerApi';

	displayName = 'Customer Messaging Partner API';

	documentationUrl =
		'https://example.com/n8n-nodes-customer-messaging/blob/main/docs/guides/credentials.md';

	icon = {
		light: 'file:../nodes/CustomerMessaging/customerMessaging.svg',
		dark: 'file:../nodes/CustomerMessaging/customerMessaging.dark.svg',
	} as const;

	properties: INodeProperties[] = credentialForm('partnerToken');

	/** Keeps other nodes from reading it, from n8n 2.41 on. Older versions ignore this. */
	restrictToSupportedNodes = true as const;

	authenticate = authenticateWith('partnerToken');
}
