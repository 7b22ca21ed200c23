import { testCredentials, testSegments } from '../../sandbox/index';
import type { Credential, N8nClient } from '../n8n/client';
import type { Memory } from './memory';

export interface Addresses {
	baseUrl: string;
	pushUrl: string;
	mailUrl: string;
}

/** The segments and default senders that the examples use, and who gets tests. */
const conveniences = {
	segments: Array.from(testSegments, ([id, name]) => `${id} ${name}`).join('\n'),
	defaultSenders: true,
	emailSenderName: 'Example Shop',
	emailSenderAddress: 'news@shop.example.com',
	emailServiceProviderId: 3,
	smsSenderName: 'EXSHOP',
	smsSenderMobile: '+447700900100',
	smsServiceProviderId: 7,
	testRecipient: true,
	testUserId: 'me-1001',
	testEmail: 'me@shop.example.com',
	testMobile: '+447700900106',
};

/**
 * Both kinds of credential for a sandbox; the examples refer to them by these ids. The one with the API key comes
 * last, because n8n 2.41 chooses the newest credential for a new node.
 */
export function sandboxCredentials(addresses: Addresses): Credential[] {
	const [accessToken] = testCredentials.tokens;
	return [
		{
			id: 'sandbox-partner-token',
			name: 'Sandbox (partner token)',
			type: 'customerMessagingPartnerApi',
			data: { accessToken, ...addresses, ...conveniences },
		},
		apiKeyCredential(addresses),
	];
}

export function apiKeyCredential(addresses: Addresses): Credential {
	const [brand] = testCredentials.brands;
	return {
		id: 'sandbox-api-key',
		name: 'Sandbox (API key)',
		type: 'customerMessagingApi',
		data: { ...brand, ...addresses, ...conveniences },
	};
}

/** Creates missing credentials, and updates those that still have an old address of the sandbox. */
export async function provideCredentials(
	client: N8nClient,
	sandboxUrl: string,
	memory: Memory,
): Promise<void> {
	const existing = new Set((await client.credentials()).map(({ id }) => id));
	for (const credential of sandboxCredentials(everythingAt(sandboxUrl))) {
		const known = memory.credentials[credential.id];
		if (known === undefined || !existing.has(known)) {
			memory.credentials[credential.id] = (await client.createCredential(credential)).id;
		} else if (memory.sandboxUrl !== sandboxUrl) {
			await move(client, known, memory.sandboxUrl, sandboxUrl);
		}
	}
	memory.sandboxUrl = sandboxUrl;
}

function everythingAt(url: string): Addresses {
	return { baseUrl: url, pushUrl: url, mailUrl: url };
}

async function move(client: N8nClient, id: string, from: string, to: string): Promise<void> {
	const credential = await client.credential(id);
	const moved = Object.entries(credential.data).map(([name, value]) => [
		name,
		value === from ? to : value,
	]);
	await client.updateCredential({
		...credential,
		data: Object.fromEntries(moved) as Credential['data'],
	});
}
