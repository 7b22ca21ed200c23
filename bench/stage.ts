import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testCredentials } from '../sandbox/index';
import { N8nClient } from '../scripts/n8n/client';
import { findHost } from '../scripts/n8n/hosts';
import { installHost } from '../scripts/n8n/installHost';
import { installTarball } from '../scripts/n8n/package';
import { freePort } from '../scripts/n8n/ports';
import { startServer, type Server } from '../scripts/n8n/server';
import { step } from '../scripts/steps';
import { signInAsOwner } from '../scripts/start/account';
import { type Credentials, HEADERS, OWN } from './subjects';

/** One real n8n with this package and the nodes of the measurements in it. */
export interface Stage {
	version: string;
	url: string;
	pid: number;
	userFolder: string;
	client: N8nClient;
	/** Creates credentials for a sandbox. `limits` are the limits that were raised for the account. */
	credentials(sandboxUrl: string, limits?: Record<string, number>): Promise<Credentials>;
	stop: () => Promise<void>;
}

/** The tarballs that are installed in n8n. */
export interface Tarballs {
	ours: string;
	bench: string;
}

const running = new Set<() => Promise<void>>();

/** Stops what is still running after a run that ended early. */
export async function stopAllStages(): Promise<void> {
	await Promise.all([...running].map(async (stop) => await stop()));
}

/** Runs the work with its own n8n, which stops afterwards. */
export async function withStage<T>(
	version: string,
	tarballs: Tarballs,
	work: (stage: Stage) => Promise<T>,
	env?: NodeJS.ProcessEnv,
): Promise<T> {
	const stage = await startStage(version, tarballs, env);
	try {
		return await work(stage);
	} finally {
		await stage.stop();
	}
}

/** A contender and its own n8n. */
export interface Place<C> {
	contender: C;
	stage: Stage;
}

/** The same for each contender, at the same time. */
export async function withStages<C, T>(
	version: string,
	[first, ...others]: readonly C[],
	tarballs: Tarballs,
	work: (places: Array<Place<C>>) => Promise<T>,
): Promise<T> {
	if (first === undefined) return await work([]);
	return await withStage(
		version,
		tarballs,
		async (stage) =>
			await withStages(
				version,
				others,
				tarballs,
				async (rest) => await work([{ contender: first, stage }, ...rest]),
			),
	);
}

async function startStage(
	version: string,
	tarballs: Tarballs,
	env: NodeJS.ProcessEnv = {},
): Promise<Stage> {
	const host = findHost(version);
	await installHost(host);
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-bench-'));
	let server: Server | undefined;
	const stop = async () => {
		running.delete(stop);
		await server?.stop();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	};
	running.add(stop);
	return await step(`Starting n8n ${version}`, async () => {
		await installTarball(tarballs.bench, userFolder);
		await installTarball(tarballs.ours, userFolder);
		server = await startServer(host, { userFolder, port: await freePort(), env });
		const client = new N8nClient(server.url);
		await signInAsOwner(client);
		let created = 0;
		return {
			version,
			url: server.url,
			pid: server.pid,
			userFolder,
			client,
			credentials: async (url: string, limits?: Record<string, number>) => {
				const account = testCredentials.brands[0];
				const addresses = { baseUrl: url, pushUrl: url, mailUrl: url };
				const own = { ...account, ...addresses, ...(limits && { customLimits: true, ...limits }) };
				const headers = { 'x-api-key': account?.apiKey, 'x-brand-id': account?.brandId };
				const name = `Bench ${++created}`;
				const add = async (type: string, data: object) =>
					(await client.createCredential({ name, type, data: { ...data } })).id;
				return {
					own: await add(OWN, own),
					headers: await add(HEADERS, { json: JSON.stringify({ headers }) }),
				};
			},
			stop,
		};
	});
}
