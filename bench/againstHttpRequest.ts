import { timedFlow } from './flows';
import type { Bench, Chapter, Part, Target } from './part';
import type { BarSeries } from './plots';
import { runTimed, type Timed } from './run';
import type { FarSandbox } from './sandboxProcess';
import type { Place } from './stage';
import { number, ratios, spread, told, type Spread } from './statistics';
import { floor, httpPush, ourPush, type Subject } from './subjects';
import { tally } from './tally';

const NO_LIMIT = 10_000_000;

const OURS = 'this node';
const HTTP_REQUEST = 'HTTP Request';
const READING_FLOOR = 'floor, reading both fields';
const BARE_FLOOR = 'floor, reading nothing';

const CONTENDERS: Array<[string, Subject]> = [
	[OURS, ourPush()],
	[HTTP_REQUEST, httpPush()],
	[READING_FLOOR, floor(true)],
	[BARE_FLOOR, floor(false)],
];

interface VersionData {
	version: string;
	/** One value per round, by contender. */
	runs: Record<string, Timed[]>;
}

interface Data {
	pushes: number;
	versions: VersionData[];
}

async function measure({ isQuick, newest, onStages, sandboxes, standard }: Bench): Promise<Data> {
	const pushes = isQuick ? 500 : 5_000;
	const versions: VersionData[] = [];
	for (const version of new Set([standard, newest])) {
		const sandbox = await sandboxes.open(`no-limit-${version}`, { limits: { push: NO_LIMIT } });
		const runs = await onStages(version, CONTENDERS, async (stages) => {
			const places = await Promise.all(stages.map(async (place) => await ready(place, sandbox)));
			const all: VersionData['runs'] = {};
			for (let round = 0; round < (isQuick ? 2 : 3); round++) {
				for (const { contender, stage, flow } of places) {
					await sandbox.reset();
					(all[contender] ??= []).push(
						await runTimed(stage, flow, { count: pushes, prefix: `user-${round}` }),
					);
					await assertAllArrived(sandbox, contender, pushes);
				}
			}
			return all;
		});
		await sandbox.close();
		versions.push({ version, runs });
	}
	return { pushes, versions };
}

/** An n8n for each contender, because a process keeps the memory that one contender made it allocate. */
async function ready(
	{ contender: [contender, subject], stage }: Place<[string, Subject]>,
	sandbox: FarSandbox,
) {
	const credential = await stage.credential(sandbox.url, { pushLimit: NO_LIMIT });
	const flow = await timedFlow(stage, 'contender', subject(credential, sandbox.url));
	await runTimed(stage, flow, { count: 500, prefix: 'warm-up' });
	return { contender, stage, flow };
}

async function assertAllArrived(
	sandbox: FarSandbox,
	contender: string,
	pushes: number,
): Promise<void> {
	const { requests, lost } = tally(await sandbox.seen(), pushes);
	const isComplete = requests === pushes && (lost === 0 || contender === BARE_FLOOR);
	if (!isComplete)
		throw new Error(
			`${contender}: ${requests} requests of ${pushes} arrived, ${lost} users without one`,
		);
}

function chapter({ pushes, versions }: Data): Chapter {
	return {
		how:
			`${number(pushes)} pushes with two fields from expressions, to a sandbox that answers at once, no limit in the way. ` +
			'HTTP Request has the same credential (Predefined Credential Type), its body as fields, its options as they come: no batching, all requests at once. ' +
			'The floor is a bare loop over `httpRequestWithAuthentication`, 10 at once, like this node: nothing is checked, paced or kept. ' +
			'One floor reads both fields of each row, which these requests need; the other sends the first row over and over. ' +
			'Wall time is from the rows to the output, by the clock of n8n’s process; processor time and memory are those of the process, storing the execution included. Each contender has an n8n of its own, and they take turns. ' +
			'Ratios are taken round by round.',
		tables: versions.map(tableOf),
		charts: [
			{
				kind: 'bars',
				name: 'against-http-request',
				title: `${number(pushes)} pushes, no limit in the way`,
				unit: 's',
				groups: CONTENDERS.map(([contender]) => contender),
				series: versions.map(seriesOf),
			},
		],
		targets: versions.flatMap(targetsOf),
	};
}

const field = (runs: Timed[] | undefined, name: keyof Timed) =>
	(runs ?? []).map((run) => run[name] ?? NaN);

const scaled = ({ median, min, max }: Spread, by: number): Spread => ({
	median: median / by,
	min: min / by,
	max: max / by,
});

const wall = (runs: Timed[] | undefined) => scaled(spread(field(runs, 'ms')), 1_000);

function tableOf({ version, runs }: VersionData) {
	return {
		head: [
			`n8n ${version}`,
			'wall time (s)',
			'this node’s is … of it',
			'processor time (s)',
			'this node’s is … of it',
			'peak memory (MB)',
		],
		rows: CONTENDERS.map(([contender]) => [
			contender,
			told(wall(runs[contender]), 1),
			told(ratioTo(runs, contender, 'ms')),
			told(scaled(spread(field(runs[contender], 'cpuMs')), 1_000), 1),
			told(ratioTo(runs, contender, 'cpuMs')),
			told(spread(field(runs[contender], 'peakMb')), 0),
		]),
	};
}

function ratioTo(runs: VersionData['runs'], contender: string, name: keyof Timed): Spread {
	return ratios(field(runs[OURS], name), field(runs[contender], name));
}

function seriesOf({ version, runs }: VersionData): BarSeries {
	return { name: `n8n ${version}`, values: CONTENDERS.map(([contender]) => wall(runs[contender])) };
}

function targetsOf({ version, runs }: VersionData): Target[] {
	const target = (contender: string, most: number): Target => {
		const ratio = ratioTo(runs, contender, 'ms');
		return {
			what: `n8n ${version}: wall time over that of ${contender}`,
			asked: `≤ ${most.toFixed(2)}`,
			measured: told(ratio),
			isReached: ratio.median <= most,
		};
	};
	return [target(HTTP_REQUEST, 0.65), target(READING_FLOOR, 1.1), target(BARE_FLOOR, 1.1)];
}

export const againstHttpRequest: Part<Data> = {
	number: 1,
	title: 'Against HTTP Request, and against the floor',
	measure,
	chapter,
};
