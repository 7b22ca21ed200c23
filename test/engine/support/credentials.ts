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

/** Provides one credential, and authenticates requests as its type does. */
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
		const type = types[typeName];
		if (typeof type?.authenticate !== 'function')
			throw new Error(`No function authenticates with ${typeName}`);
		return await type.authenticate(credentials, options);
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
