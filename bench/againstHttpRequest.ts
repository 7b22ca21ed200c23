import { timedFlow } from './flows';
import {
	type Bench,
	type Chapter,
	type Figure,
	type Part,
	rotated,
	countRounds,
	type Target,
} from './part';
import { runTimed, type Timed } from './run';
import type { FarSandbox } from './sandboxProcess';
import type { Place } from './stage';
import { number, ratios, spread, told, type Spread } from './statistics';
import {
	batching,
	fallbackExpressions,
	floor,
	httpPush,
	otherExpressions,
	ourPush,
	type Subject,
} from './subjects';
import { tally } from './tally';

const NO_LIMIT = 10_000_000;

const LATENCY_MS: [number, number] = [100, 100];

const OURS = 'this node';
const HTTP_REQUEST = 'HTTP Request';
const BATCHES = 'HTTP Request, batches of 50';
const READING_FLOOR = 'floor, reading both fields';
const BARE_FLOOR = 'floor, reading nothing';

interface Scene {
	name: string;
	latencyMs?: [number, number];
	/** What takes part, each in an n8n of its own. */
	subjects: Record<string, Subject>;
}

const SCENES: Scene[] = [
	{
		name: 'instant answers',
		subjects: {
			[OURS]: ourPush(),
			[HTTP_REQUEST]: httpPush(),
			[BATCHES]: httpPush(batching(50, 1)),
			[READING_FLOOR]: floor(true),
			[BARE_FLOOR]: floor(false),
		},
	},
	{
		name: 'answers after 100 ms',
		latencyMs: LATENCY_MS,
		subjects: {
			[OURS]: ourPush(),
			[HTTP_REQUEST]: httpPush(),
			[BATCHES]: httpPush(batching(50, 1)),
		},
	},
	{
		name: 'instant answers, columns with a fallback',
		subjects: {
			[OURS]: ourPush({}, {}, fallbackExpressions),
			[HTTP_REQUEST]: httpPush({}, {}, fallbackExpressions),
		},
	},
	{
		name: 'instant answers, other expressions',
		subjects: {
			[OURS]: ourPush({}, {}, otherExpressions),
			[HTTP_REQUEST]: httpPush({}, {}, otherExpressions),
		},
	},
];

const CONTENDERS = [...new Set(SCENES.flatMap(({ subjects }) => Object.keys(subjects)))];

/** By contender, one for each round. */
type Runs = Record<string, Timed[]>;

interface VersionData {
	version: string;
	/** By the name of the scene. */
	scenes: Record<string, Runs>;
}

interface Data {
	pushes: number;
	versions: VersionData[];
}

async function measure(bench: Bench): Promise<Data> {
	const { isQuick, newest, onStages, sandboxes, standard } = bench;
	const pushes = isQuick ? 200 : 1_000;
	const versions: VersionData[] = [];
	for (const version of new Set([standard, newest])) {
		const scenes = await onStages(version, CONTENDERS, async (places) => {
			const all: VersionData['scenes'] = {};
			for (const scene of SCENES) {
				const name = `no-limit-${version}-${SCENES.indexOf(scene)}`;
				const { latencyMs } = scene;
				const sandbox = await sandboxes.open(name, { limits: { push: NO_LIMIT }, latencyMs });
				const ready = await Promise.all(
					places.flatMap((place) => {
						const subject = scene.subjects[place.contender];
						return subject ? [prepare(place, subject, sandbox, name)] : [];
					}),
				);
				const runs: Runs = {};
				for (let round = 0; round < countRounds(bench); round++) {
					for (const { contender, stage, flow } of rotated(ready, round)) {
						await sandbox.reset();
						(runs[contender] ??= []).push(
							await runTimed(stage, flow, { count: pushes, prefix: `user-${round}` }),
						);
						await assertAllArrived(sandbox, contender, pushes);
					}
				}
				await sandbox.close();
				all[scene.name] = runs;
			}
			return all;
		});
		versions.push({ version, scenes });
	}
	return { pushes, versions };
}

/** An n8n for each contender, because a process keeps the memory that one contender made it allocate. */
async function prepare(
	{ contender, stage }: Place<string>,
	subject: Subject,
	sandbox: FarSandbox,
	name: string,
) {
	const credentials = await stage.credentials(sandbox.url, { pushLimit: NO_LIMIT });
	const flow = await timedFlow(stage, name, subject(credentials, sandbox.url));
	await runTimed(stage, flow, { count: 300, prefix: 'warm-up' });
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
		figures: versions.map((version, index) => ({
			...writeFigure(pushes, version),
			// Of the newest one.
			...(index === versions.length - 1 && { isInReadme: true as const }),
		})),
		how:
			`${number(pushes)} pushes with two fields from expressions, to a sandbox without a limit. ` +
			'HTTP Request has the same headers from a credential of its own, and sends all requests at once. ' +
			'This node has at most 100 requests in flight here. ' +
			'The floor is a bare loop over n8n’s `httpRequest`, 10 at once: nothing is checked, paced or kept. ' +
			'Expressions are columns such as `{{ $json.userID }}`, also with a fallback (`?? "nobody"`), or others, which n8n evaluates for both nodes. ' +
			'Wall time is from the rows to the output, storing the execution included.',
		tables: versions.map(writeTable),
		targets: versions.flatMap(listTargets),
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

function writeTable({ version, scenes }: VersionData) {
	return {
		head: [`n8n ${version}`, '', 'wall time (s)', 'this node’s is … of it'],
		rows: SCENES.flatMap(({ name, subjects }) => {
			const runs = scenes[name] ?? {};
			const shown = Object.keys(subjects).filter(
				(contender) => contender !== BARE_FLOOR && contender !== BATCHES,
			);
			return shown.map((contender, index) => [
				index === 0 ? name : '',
				contender,
				told(wall(runs[contender]), 1),
				told(ratioTo(runs, contender, 'ms')),
			]);
		}),
	};
}

function writeFigure(pushes: number, { version, scenes }: VersionData): Figure {
	const runs = scenes[SCENES[0]?.name ?? ''] ?? {};
	const seconds = (contender: string) => `${number(wall(runs[contender]).median, 1)} s`;
	return {
		what: `${number(pushes)} pushes without a limit, n8n ${version}`,
		ours: seconds(OURS),
		others: `HTTP Request, all at once: ${seconds(HTTP_REQUEST)}`,
	};
}

function ratioTo(runs: Runs, contender: string, name: keyof Timed): Spread {
	return ratios(field(runs[OURS], name), field(runs[contender], name));
}

/** Wanted ratios to HTTP Request on the standard n8n and on newer ones. */
const MOST = {
	'instant answers': { standard: 0.33, newer: 0.22 },
	'answers after 100 ms': { standard: 1, newer: 1 },
	'instant answers, columns with a fallback': { standard: 0.35, newer: 0.3 },
	'instant answers, other expressions': { standard: 0.5, newer: 0.6 },
};

function listTargets({ version, scenes }: VersionData, index: number): Target[] {
	return Object.entries(MOST).map(([name, { standard, newer }]) => {
		const most = index === 0 ? standard : newer;
		const ratio = ratioTo(scenes[name] ?? {}, HTTP_REQUEST, 'ms');
		return {
			what: `${version}, ${name}: wall time / ${HTTP_REQUEST}`,
			asked: `≤ ${most.toFixed(2)}`,
			measured: told(ratio),
			// As it is shown.
			isReached: Number(ratio.median.toFixed(2)) <= most,
		};
	});
}

export const againstHttpRequest: Part<Data> = {
	number: 1,
	title: 'Against HTTP Request, without a limit',
	measure,
	chapter,
};
