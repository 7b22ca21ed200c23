import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Account, N8nClient } from '../n8n/client';
import { readState, writeState } from './state';

/** The owner of an n8n whose folder is deleted afterwards, as in tests. */
export const temporaryOwner: Account = { email: 'owner@example.com', password: 'LocalSandbox1' };

/** The owner of the n8n in a folder. Its password is made at the first start and kept there. */
export function ownerIn(userFolder: string): Account {
	const file = path.join(userFolder, 'owner.json');
	if (!existsSync(file)) writeState(file, { email: temporaryOwner.email, password: newPassword() });
	return readState<Account>(
		file,
		`It held the password of n8n's owner. Delete the folder ${userFolder} to begin again without your workflows, or repair the file.`,
	);
}

/** Has what n8n requires: a capital letter and a digit. */
function newPassword(): string {
	return `Local-${randomBytes(12).toString('hex')}-0`;
}

/** False if n8n has an owner with another address or password. */
export async function signInAsOwner(client: N8nClient, owner = temporaryOwner): Promise<boolean> {
	return (await client.setUpOwner(owner)) || (await client.signIn(owner));
}
