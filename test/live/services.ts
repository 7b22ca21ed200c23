import { startSandbox } from '../../sandbox/index';
import { apiKeyCredential } from '../../scripts/start/sandboxCredentials';
import type { Bench } from './bench';

const LIMIT = 100_000;

/** Creates a credential of the sandbox in which some fields differ. */
export async function credentialAt(
	{ client, sandbox }: Bench,
	data: object,
): Promise<{ id: string; name: string }> {
	const { id: _named, ...credential } = apiKeyCredential(sandbox.urls);
	const { id, name } = await client.createCredential({
		...credential,
		name: `Sandbox, but ${Object.keys(data).join(', ')}`,
		data: { ...credential.data, ...data },
	});
	return { id, name };
}

/** The bench with such a credential in place of the sandbox's. */
export async function benchAt<B extends Bench>(bench: B, data: object): Promise<B> {
	const { id } = await credentialAt(bench, data);
	const named = apiKeyCredential(bench.sandbox.urls).id;
	return { ...bench, credentialIds: { ...bench.credentialIds, [named]: id } };
}

/** A service of its own, since all runs of n8n share what they know of one. Its limit is out of reach. */
export async function withService<B extends Bench>(
	bench: B,
	work: (own: B) => Promise<void>,
): Promise<void> {
	const sandbox = await startSandbox({ limits: { push: LIMIT } });
	try {
		await work(await benchAt({ ...bench, sandbox }, { customLimits: true, pushLimit: LIMIT }));
	} finally {
		await sandbox.close();
	}
}
