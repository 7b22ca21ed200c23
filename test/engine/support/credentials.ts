import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type ICredentialType,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';

const types: Record<string, ICredentialType> = {
	customerMessagingApi: new CustomerMessagingApi(),
	customerMessagingPartnerApi: new CustomerMessagingPartnerApi(),
};

/**
 * Provides one credential and applies the generic authentication that its type declares. Instead of evaluating n8n's
 * expressions, it replaces `{{$credentials.name}}`.
 */
export class TestCredentials extends ICredentialsHelper {
	constructor(private readonly data: ICredentialDataDecryptedObject) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authenticate = types[typeName]?.authenticate;
		if (typeof authenticate !== 'object') throw new Error(`No generic authentication: ${typeName}`);
		const headers = { ...options.headers };
		for (const [name, value] of Object.entries(authenticate.properties.headers ?? {})) {
			headers[name] = (value as string)
				.replace(/^=/, '')
				.replace(/\{\{\$credentials\.(\w+)\}\}/g, (_, key: string) => credentials[key] as string);
		}
		return { ...options, headers };
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new Error('not part of a run');
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.data };
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string) {
		return types[type]?.properties ?? [];
	}
}
