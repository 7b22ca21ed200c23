import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../sandbox/random';
import { startSandbox, type Fault, type Sandbox } from '../../sandbox/index';
import { findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { Problem } from '../../scripts/problem';
import { say, step } from '../../scripts/steps';
import { startBench } from '../live/crashable';
import { MAX_SCENARIO_MS, runSuite, type Report } from '../live/report';
import { judge, pick, play, randomStory, ServiceAccount, type Random } from './story';

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
	const sandbox = await startSandbox({ maxRecords: 1_000 });
	const bench = await step(
		`Starting n8n ${version}`,
		async () => await startBench(findHost(version), tarball, { sandbox }),
	);
	const account = new ServiceAccount();
	sandbox.subscribe((arrival) => account.take(arrival));
	const timeUp = AbortSignal.timeout(minutes * 60_000);
	// A large story may take as long as the suite.
	const maxMs = minutes * 60_000 + MAX_SCENARIO_MS;
	let lastNumber = 0;
	const lane = async (maxRows: number, index: number) => {
		const random = seededRandom(seed + index);
		while (!timeUp.aborted) {
			const story = randomStory(++lastNumber, maxRows, random);
			const played = async () => judge(story, await play(story, bench, timeUp, random), account);
			await report.check(version, story.title, played, maxMs);
		}
	};
	const weather = changeWeather(sandbox, seededRandom(seed - 1), timeUp);
	await Promise.all([weather, ...LANES.map(lane)]);
	await bench.stop();
}

const CALM_MS = [3_000, 15_000] as const;
const STORM_MS = [2_000, 8_000] as const;

/** Alternates between minutes in which all goes well and seconds in which requests fail in some way. */
async function changeWeather(sandbox: Sandbox, random: Random, signal: AbortSignal) {
	const pause = async ([least, most]: readonly [number, number]) =>
		await sleep(least + random() * (most - least), undefined, { signal }).catch(() => undefined);
	while (!signal.aborted) {
		sandbox.configure({ latencyMs: [10, pick(random, [50, 200, 800])] });
		await pause(CALM_MS);
		if (random() < 0.2) {
			// Another program with the same key.
			sandbox.spend(pick(random, ['push', 'email', 'sms', 'event']), Math.ceil(random() * 200));
		} else {
			sandbox.faults.add(randomFault(random));
		}
		await pause(STORM_MS);
		sandbox.faults.clear();
	}
}

function randomFault(random: Random): Fault {
	const probability = 0.02 + random() * 0.3;
	const howOften = { probability, seed: Math.floor(random() * 1_000_000) };
	const status = pick(random, [500, 502, 503, 504]);
	return pick<Fault>(random, [
		{ kind: 'resetBeforeAccept', ...howOften },
		{ kind: 'resetAfterAccept', ...howOften },
		{ kind: 'status', status, ...howOften },
		{ kind: 'status', status: 400, ...howOften },
		{ kind: 'statusAfterAccept', status, ...howOften },
		{ kind: 'hang', accepted: random() < 0.5, ...howOften },
		// Not accepted and with status 200, it would look like the service, whose reference shows no responses.
		{ kind: 'html', accepted: true, ...howOften },
		{ kind: 'delay', delayMs: Math.round(random() * 8_000), ...howOften },
	]);
}

runSuite(main);
