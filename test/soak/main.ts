import { parseArgs } from 'node:util';
import { seededRandom } from '../../sandbox/random';
import { startSandbox } from '../../sandbox/index';
import { findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { say, step } from '../../scripts/steps';
import { startBench } from '../live/crashable';
import { runSuite } from '../live/report';
import { judge, play, type Stage } from './play';
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
	const memory = new Memory();
	const sandbox = await startSandbox({ maxRecords: 1_000 });
	const totals = new Totals();
	const timeUp = new AbortController();
	const bench = await step(
		`Starting n8n ${version}`,
		async () => await startBench(findHost(version), tarball, memory.env, Promise.resolve(sandbox)),
	);
	try {
		const own = { account: new ServiceAccount(sandbox), timeUp: timeUp.signal };
		const stage: Stage = Object.assign(bench, own);
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
	} finally {
		await bench.stop();
	}
	if (totals.failed > 0)
		say(`Again: npm run soak -- --minutes ${minutes} --seed ${seed} --version ${version}`);
	console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
	process.exit(totals.failed === 0 ? 0 : 1);
}

runSuite(main);
