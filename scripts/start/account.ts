import type { Account, N8nClient } from '../n8n/client';

/** n8n asks for an owner; this one exists on this machine alone. */
export const localOwner: Account = { email: 'owner@example.com', password: 'LocalSandbox1' };

/** False where n8n has an owner with another address or password. */
export async function signInAsOwner(client: N8nClient): Promise<boolean> {
	return (await client.setUpOwner(localOwner)) || (await client.signIn(localOwner));
}
