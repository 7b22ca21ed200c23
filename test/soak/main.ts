import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../sandbox/random';
import { startSandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import { findHost } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { buildTarball, installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer } from '../../scripts/n8n/server';
import { Problem } from '../../scripts/problem';
import { say, step } from '../../scripts/steps';
import { signInAsOwner } from '../../scripts/start/account';
import { sandboxCredentials } from '../../scripts/start/sandboxCredentials';
import { runSuite } from '../live/suite';
import { judge } from './judge';
import { play, type Stage } from './play';
import { describe, firstStories, randomStory, type Story } from './story';
import { Memory, ServiceAccount, Totals } from './totals';
import { changeWeather } from './weather';

/** The largest numbers of rows of the workflows that run at the same time. Large ones take minutes, small ones do not wait. */
const LANES = [5_000, 5_000, 300, 300, 300];
const REPORT_EVERY_MS = 30_000;

const usage =
	'npm run soak -- [--minutes 60] [--seed 1234] [--version 2.8.4]: random workflows in a real n8n, for so long.';

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			minutes: { type: 'string', default: '60' },
			seed: { type: 'string', default: String(Date.now() % 1_000_000) },
			version: { type: 'string', default: '2.8.4' },
		},
	});
	const { version } = values;
	const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
	if (!(minutes > 0) || !Number.isInteger(seed)) throw new Problem(usage);
	say(`Seed ${seed}. The same seed gives the same workflows, but not the same times.`);
	const tarball = await step('Building and packing the node', buildTarball);
	const host = findHost(version);
	await installHost(host);

	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-soak-'));
	const memory = new Memory(userFolder);
	const sandbox = await startSandbox({ maxRecords: 1_000 });
	const totals = new Totals();
	const timeUp = new AbortController();
	try {
		await installTarball(tarball, userFolder);
		const server = await step(
			`Starting n8n ${version}`,
			async () => await startServer(host, { userFolder, port: await freePort(), env: memory.env }),
		);
		const stage: Stage = {
			version,
			client: new N8nClient(server.url),
			sandbox,
			credentialIds: {},
			account: new ServiceAccount(sandbox),
			timeUp: timeUp.signal,
		};
		await signInAsOwner(stage.client);
		for (const { id, ...credential } of sandboxCredentials(sandbox.urls))
			stage.credentialIds[id] = (await stage.client.createCredential(credential)).id;

		const one = async (story: Story, random: () => number) =>
			await totals.check(describe(story), async () =>
				totals.add(judge(story, await play(story, stage, random), stage.account)),
			);
		const opening = firstStories();
		for (const story of opening) await one(story, seededRandom(seed));
		const before = { items: totals.items, heldMb: await memory.heldMb() };

		setTimeout(() => timeUp.abort(), minutes * 60_000);
		const reporting = setInterval(() => totals.report(stage.account), REPORT_EVERY_MS);
		let lastNumber = opening.length;
		const lane = async (maxRows: number, index: number) => {
			const random = seededRandom(seed + index);
			while (!timeUp.signal.aborted) await one(randomStory(++lastNumber, maxRows, random), random);
		};
		await Promise.all([
			changeWeather(sandbox, seededRandom(seed - 1), timeUp.signal),
			...LANES.map(lane),
		]);
		clearInterval(reporting);
		const grownMb = (await memory.heldMb()) - before.heldMb;
		await totals.check('Memory', () => totals.checkGrowth(totals.items - before.items, grownMb));
		totals.report(stage.account);
		await server.stop();
	} finally {
		await sandbox.close();
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
	console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
	process.exit(totals.failed === 0 ? 0 : 1);
}

runSuite(main);
