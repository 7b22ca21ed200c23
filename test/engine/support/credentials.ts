import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';

const types: Record<string, ICredentialType> = {
	customerMessagingApi: new CustomerMessagingApi(),
	customerMessagingPartnerApi: new CustomerMessagingPartnerApi(),
};

/** What a run uses of n8n's helper: it gives one credential, and authenticates requests as its type does. */
export class TestCredentials {
	constructor(private readonly data: ICredentialDataDecryptedObject) {}

	getParentTypes = () => [];
	preAuthentication = async () => undefined;
	getDecrypted = async () => ({ ...this.data });
	getCredentialsProperties = (type: string) => types[type]?.properties ?? [];

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
}
