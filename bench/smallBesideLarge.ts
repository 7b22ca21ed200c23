import { setTimeout as sleep } from 'node:timers/promises';
import { call, singleFlow, timedFlow } from './flows';
import type { Bench, Chapter, Part } from './part';
import { runWithin, stopNewest } from './run';
import type { SandboxProcess, Seen } from './sandboxProcess';
import type { Stage } from './stage';
import { number, percentile } from './statistics';
import { batching, httpPush, ourPush, type Subject } from './subjects';

const LARGE = 5_000;
const LATENCY_MS: [number, number] = [50, 150];
/** A small run must arrive within this time to count as sent. */
const PATIENCE_MS = 70_000;

const goesOn = { onError: 'continueRegularOutput' };

/** The subject for the large run and the one for the small runs. */
const CONTENDERS: Array<[string, Subject, Subject]> = [
	['this node', ourPush(), ourPush()],
	['HTTP Request, 50 per 6 s', httpPush(batching(50, 6_000), goesOn), httpPush({}, goesOn)],
];

interface Outcome {
	contender: string;
	/** From the call of the webhook until the request was accepted, for each accepted small run. */
	acceptedAfterMs: number[];
	/** Small runs that got a 429 and were never accepted. */
	lost: number;
	/** How many requests of the large run had arrived by then. */
	largeArrived: number;
}

interface Data {
	smalls: number;
	everyS: number;
	seed: number;
	outcomes: Outcome[];
}

async function measure(bench: Bench): Promise<Data> {
	const smalls = bench.isQuick ? 4 : 20;
	const everyS = bench.isQuick ? 3 : 8;
	const delaysMs = Array.from(
		{ length: smalls },
		(_, index) => (index + bench.random()) * everyS * 1_000,
	);
	const outcomes = await bench.onStage(
		bench.standard,
		async (stage) =>
			await Promise.all(
				CONTENDERS.map(
					async (contender, index) =>
						await beside(stage, bench.sandboxes, contender, index, delaysMs),
				),
			),
	);
	return { smalls, everyS, seed: bench.seed, outcomes };
}

async function beside(
	stage: Stage,
	sandboxes: SandboxProcess,
	[contender, large, small]: (typeof CONTENDERS)[number],
	index: number,
	delaysMs: number[],
): Promise<Outcome> {
	const sandbox = await sandboxes.open(`beside-${index}`, {
		latencyMs: LATENCY_MS,
		seed: index + 1,
	});
	const credentials = await stage.credentials(sandbox.url);
	const largeFlow = await timedFlow(stage, `large-${index}`, large(credentials, sandbox.url));
	const smallFlow = await singleFlow(stage, `small-${index}`, small(credentials, sandbox.url));

	const largeRun = runWithin(stage, largeFlow, { count: LARGE, prefix: 'large' }, 15 * 60_000);
	while ((await sandbox.count()) === 0) await sleep(100);
	const calledAt = await Promise.all(
		delaysMs.map(async (delayMs, number) => {
			await sleep(delayMs);
			const atMs = Date.now();
			await call(smallFlow, { userID: nameSmall(number) });
			return atMs;
		}),
	);
	const seen = await settled(async () => await sandbox.seen(), delaysMs.length);
	await stopNewest(stage, largeFlow);
	await largeRun;
	await sandbox.close();

	const acceptedAt = new Map(
		seen.filter(({ accepted }) => accepted).map(({ users, atMs }) => [users[0], atMs]),
	);
	const acceptedAfterMs = calledAt.flatMap((atMs, number) => {
		const accepted = acceptedAt.get(nameSmall(number));
		return accepted === undefined ? [] : [accepted - atMs];
	});
	const largeArrived = seen.filter(({ users }) => users[0]?.startsWith('large')).length;
	return {
		contender,
		acceptedAfterMs,
		lost: calledAt.length - acceptedAfterMs.length,
		largeArrived,
	};
}

const nameSmall = (small: number) => `small-${small}`;

/** The result, after every small run got its response. */
async function settled(look: () => Promise<Seen[]>, smalls: number): Promise<Seen[]> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const seen = await look();
		const answered = new Set(
			seen.map(({ users }) => users[0] ?? '').filter((user) => user.startsWith('small')),
		);
		if (answered.size === smalls || Date.now() > deadline) return seen;
		await sleep(500);
	}
}

function chapter({ smalls, everyS, seed, outcomes }: Data): Chapter {
	const of = (values: number[], share: number) =>
		values.length > 0 ? percentile(values, share) : NaN;
	const ours = outcomes[0];
	const p95 = of(ours?.acceptedAfterMs ?? [], 0.95);
	const p95Of = (outcome: Outcome | undefined) =>
		`${number(of(outcome?.acceptedAfterMs ?? [], 0.95))} ms`;
	const later = of(ours?.acceptedAfterMs ?? [], 0.5) - of(outcomes[1]?.acceptedAfterMs ?? [], 0.5);
	return {
		figures: [
			{
				what: `one push, while ${number(LARGE)} others are being sent: 95 % arrive within`,
				ours: p95Of(outcomes[0]),
				others: `${outcomes[1]?.contender}: ${p95Of(outcomes[1])}`,
			},
		],
		how:
			`${smalls} executions with one push each, one every ${everyS} s on average (seed ${seed}), while an execution with ${number(LARGE)} pushes at 500 per minute is under way on the same credential. ` +
			'Time is from the call of the webhook to acceptance by the service, answers after 50–150 ms. ' +
			'HTTP Request runs beside it in the same way.',
		tables: [
			{
				head: [
					'',
					'p50 (ms)',
					'p95 (ms)',
					'slowest (ms)',
					'never accepted',
					'of the large one had arrived',
				],
				rows: outcomes.map(({ contender, acceptedAfterMs, lost, largeArrived }) => [
					contender,
					...[0.5, 0.95, 1].map((share) => number(of(acceptedAfterMs, share))),
					number(lost),
					number(largeArrived),
				]),
			},
		],
		targets: [
			{
				what: 'p95 of the small ones',
				asked: '< 2,000 ms, none lost',
				measured: `${number(p95)} ms, ${ours?.lost} lost`,
				isReached: p95 < 2_000 && ours?.lost === 0,
			},
			{
				what: 'one push by webhook, p50 after HTTP Request’s',
				asked: '≤ 15 ms',
				measured: `${number(later)} ms`,
				isReached: later <= 15,
			},
		],
	};
}

export const smallBesideLarge: Part<Data> = {
	number: 4,
	title: 'Small beside large',
	measure,
	chapter,
};
