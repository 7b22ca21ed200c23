import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';

import {
	type Authentication,
	authenticationHeaders,
	namedOrigins,
} from '../nodes/CustomerMessaging/run/account';
import { unnamedHost } from '../nodes/CustomerMessaging/shared/result';
import { parseUrl } from '../nodes/CustomerMessaging/fields/link';

/**
 * Returns a function that adds the headers that identify the account to a request, also to one of n8n's HTTP
 * Request node. That node follows redirects and would send the headers along, so redirects are switched off.
 * Declared as data, n8n would evaluate expressions again for each request, and send the key anywhere.
 *
 * @throws if the request goes to a host that the credential does not name
 */
export function authenticateWith(authentication: Authentication) {
	return async (
		credential: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const named = namedOrigins(credential);
		const origins = listOrigins(request);
		if (origins.length === 0 || origins.some((origin) => !named.includes(origin))) {
			const message = `The credential sends its key only to its own addresses: ${named.join(', ')}. Change the address of the request, or choose another credential`;
			throw Object.assign(new UserError(message), { code: unnamedHost });
		}
		return {
			...request,
			headers: { ...request.headers, ...authenticationHeaders(authentication, credential) },
			...withoutRedirects,
		};
	};
}

/** For n8n's helper `httpRequest`, and for its older `request`, which HTTP Request uses. */
const withoutRedirects = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Where a request may go: n8n's helpers differ in which of its addresses they prefer. */
function listOrigins({ url, uri, baseURL }: IHttpRequestOptions & { uri?: unknown }): string[] {
	const base = baseURL === undefined ? [] : [baseURL];
	const addresses = [url, uri].filter((address) => address !== undefined && address !== '');
	return [...base, ...addresses].map((address) => parseOrigin(String(address), baseURL));
}

/** The origin of an address, or an empty text, which no credential names. */
function parseOrigin(address: string, baseURL: string | undefined): string {
	return parseUrl(address)?.origin ?? parseUrl(address, baseURL)?.origin ?? '';
}
