import { parseArgs } from 'node:util';
import { seededRandom } from '../../sandbox/random';
import { startSandbox } from '../../sandbox/index';
import { findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { say, step } from '../../scripts/steps';
import { startBench } from '../live/crashable';
import { MAX_SCENARIO_MS, runSuite, type Report } from '../live/report';
import { judge, play, type Stage } from './play';
import { ServiceAccount } from './serviceAccount';
import { describe, randomStory } from './story';
import { changeWeather } from './weather';

/** The largest numbers of rows of the workflows that run at the same time. Large ones take minutes, small ones do not wait. */
const LANES = [5_000, 5_000, 300, 300, 300];

const usage =
	'npm run soak -- [--minutes 60] [--seed 1234] [--version 2.8.4]: random workflows in a real n8n, for so long.';

async function main(report: Report): Promise<void> {
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
	const starting = startSandbox({ maxRecords: 1_000 });
	const timeUp = new AbortController();
	const bench = await step(
		`Starting n8n ${version}`,
		async () => await startBench(findHost(version), tarball, {}, starting),
	);
	try {
		const { sandbox } = bench;
		const own = { account: new ServiceAccount(sandbox), timeUp: timeUp.signal };
		const stage: Stage = Object.assign(bench, own);
		// A large story may take as long as the suite.
		const maxMs = minutes * 60_000 + MAX_SCENARIO_MS;
		setTimeout(() => timeUp.abort(), minutes * 60_000);
		let lastNumber = 0;
		const lane = async (maxRows: number, index: number) => {
			const random = seededRandom(seed + index);
			while (!timeUp.signal.aborted) {
				const story = randomStory(++lastNumber, maxRows, random);
				const played = async () => judge(story, await play(story, stage, random), stage.account);
				await report.check(version, describe(story), played, maxMs);
			}
		};
		await Promise.all([
			changeWeather(sandbox, seededRandom(seed - 1), timeUp.signal),
			...LANES.map(lane),
		]);
	} finally {
		await bench.stop();
	}
}

runSuite(main);
