import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';

import { nodeMark } from '../nodes/CustomerMessaging/n8n/transport';
import { type Authentication, authenticationHeaders } from '../nodes/CustomerMessaging/run/account';
import { notOurs } from '../nodes/CustomerMessaging/shared/ending';

/**
 * Returns a function that adds the account's headers to a request of this node, and refuses any other. n8n hands over
 * the very object that a node passed to its helper. Otherwise, people who may use the credential in another node,
 * such as HTTP Request, could send the key through their own proxy, or messages past all guards. Each mark is good
 * for one request, so that n8n cannot repeat it after a 401.
 *
 * @throws if the request is not marked by this node
 */
export function authenticateWith(authentication: Authentication) {
	return async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & { [nodeMark]?: true },
	): Promise<IHttpRequestOptions> => {
		if (request[nodeMark] !== true) throw Object.assign(new UserError(refusal), { code: notOurs });
		delete request[nodeMark];
		const headers = authenticationHeaders(authentication, credential);
		return { ...request, headers: { ...request.headers, ...headers } };
	};
}

const refusal =
	'This credential works in the Customer Messaging node only. For other paths of the service, use its Custom Request, or HTTP Request with a credential of its own';
