import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../sandbox/random';
import { idealMs } from '../simulation/idealTime';
import { PLAIN } from '../simulation/world';
import { clock, say } from '../scripts/steps';
import { timedFlow } from './flows';
import type { Bench, Chapter, Figure, Part } from './part';
import { runWithin } from './run';
import type { SandboxProcess } from './sandboxProcess';
import type { Place } from './stage';
import { mean, number, spread, told } from './statistics';
import { batching, httpPush, ourPush, type Subject } from './subjects';
import { tally, type Tally } from './tally';

const LIMIT = 500;
const CONCURRENCY = 10;
const LATENCY_MS = { from: 50, to: 150 };
const MINUTE_MS = 60_000;
/** Longer runs are stopped. */
const PATIENCE_MS = 8.5 * MINUTE_MS;

/** Enough requests for the limiter to see the end of a window and to learn when the next one begins. */
const LEARNING_PUSHES = 550;
/** The best setting by hand, if the limit is known and nobody else uses the key. */
const BEST = 'HTTP Request, 500 per 60 s';
/** So slow that no minute can get too many. */
const SAFE = 'HTTP Request, 50 per 6 s';
const OURS = { first: 'this node, first run since n8n began', later: 'this node, a later run' };
/** The kind of window, as the sandbox and the ideal client name it. */
const KINDS = { clockMinute: 'clock', sliding: 'sliding' } as const;
type Kind = keyof typeof KINDS;

const goesOn = { onError: 'continueRegularOutput' };

const BOTH: Kind[] = ['clockMinute', 'sliding'];

interface Contender {
	name: string;
	subject: Subject;
	kinds: Kind[];
	isLater?: boolean;
}

/** The contenders by name, each with the windows that it is measured against. */
const CONTENDERS: Contender[] = [
	{ name: OURS.first, subject: ourPush(), kinds: BOTH },
	{ name: OURS.later, subject: ourPush(), kinds: BOTH, isLater: true },
	{ name: SAFE, subject: httpPush(batching(50, 6_000), goesOn), kinds: BOTH },
	{
		name: BEST,
		subject: httpPush(batching(500, 60_000), goesOn),
		kinds: BOTH,
	},
];

/** When in the minute the runs of random sizes begin. */
const SIZES_PHASE_S = 20;
/**
 * Begun one after the other, because reading the rows keeps n8n busy too. The clock of each service is
 * late by as much, so that all begin at the same second of its minute.
 */
const STAGGER_MS = 2_000;

interface Outcome extends Tally {
	contender: string;
	kind: Kind;
	/** How many seconds after the full minute the first contender of the round started. */
	phaseS: number;
	/** From the call of the webhook until the response for the last user must have arrived. */
	tookMs: number;
	idealMs: number;
}

interface Sized {
	pushes: number;
	kind: Kind;
	tookMs: number;
	idealMs: number;
	refused: number;
	lost: number;
}

interface Data {
	pushes: number;
	outcomes: Outcome[];
	/** First runs of random sizes. */
	sizes: Sized[];
}

async function measure({ isQuick, onStages, sandboxes, seed, standard }: Bench): Promise<Data> {
	const pushes = isQuick ? 600 : 2_000;
	const phases = isQuick ? [50] : [10, 30, 50];
	const random = seededRandom(seed);
	const sizes = Array.from({ length: isQuick ? 1 : 5 }, () => Math.round(200 + 4_800 * random()));
	// What bounds them is waiting, so that the rounds may overlap.
	return await onStages(standard, CONTENDERS, async (places) => {
		const ours = places.find(({ contender }) => contender.name === OURS.first);
		const rounds = Promise.all(
			phases.map(async (phaseS) => await sideBySide(places, sandboxes, phaseS, pushes)),
		);
		const bySize = Promise.all(
			ours ? sizes.map(async (size, index) => await ofSize(ours, sandboxes, size, index)) : [],
		);
		return { pushes, outcomes: (await rounds).flat(), sizes: await bySize };
	});
}

/** Runs all at the same time, each with its own n8n and its own sandbox. */
async function sideBySide(
	contenders: Array<Place<Contender>>,
	sandboxes: SandboxProcess,
	phaseS: number,
	pushes: number,
): Promise<Outcome[]> {
	const places = contenders.flatMap(({ contender: { kinds, ...contender }, stage }) =>
		kinds.map((kind) => ({ ...contender, stage, kind })),
	);
	const ready = await Promise.all(
		places.map(async ({ name: contender, subject, stage, kind, isLater }, index) => {
			const name = `limit-${phaseS}-${index}`;
			const latencyMs: [number, number] = [LATENCY_MS.from, LATENCY_MS.to];
			const sandbox = await sandboxes.open(name, {
				window: { kind },
				clockSkewMs: -index * STAGGER_MS,
				latencyMs,
				seed: phaseS + index,
			});
			const flow = await timedFlow(
				stage,
				name,
				subject(await stage.credentials(sandbox.url), sandbox.url),
			);
			if (isLater)
				await runWithin(stage, flow, { count: LEARNING_PUSHES, prefix: 'earlier' }, PATIENCE_MS);
			return { contender, kind, stage, sandbox, flow };
		}),
	);
	// Wait until the windows of the earlier run are over.
	await sleep(MINUTE_MS);
	await sleep(untilPhaseMs(phaseS));
	return await Promise.all(
		ready.map(async ({ contender, kind, stage, sandbox, flow }, index) => {
			await sleep(index * STAGGER_MS);
			const beganAt = Date.now();
			await runWithin(stage, flow, { count: pushes, prefix: 'user' }, PATIENCE_MS);
			const seen = (await sandbox.seen()).filter(
				({ users }) => !users.some((user) => user.startsWith('earlier')),
			);
			const counted = tally(seen, pushes);
			await sandbox.close();
			const tookMs = counted.lastMs + LATENCY_MS.to - beganAt;
			say(
				`  ${contender}, ${kind}: ${clock(tookMs)}, ${counted.refused} answers of 429, ${counted.lost} lost, ${counted.doubled} doubled`,
			);
			return {
				contender,
				kind,
				phaseS,
				tookMs,
				idealMs: idealFrom(beganAt, kind, pushes, -index * STAGGER_MS),
				...counted,
			};
		}),
	);
}

/** A first run of some size. */
async function ofSize(
	{ contender, stage }: Place<Contender>,
	sandboxes: SandboxProcess,
	pushes: number,
	index: number,
): Promise<Sized> {
	const kind = BOTH[index % BOTH.length] ?? 'clockMinute';
	const name = `size-${index}`;
	const latencyMs: [number, number] = [LATENCY_MS.from, LATENCY_MS.to];
	const sandbox = await sandboxes.open(name, { window: { kind }, latencyMs, seed: index });
	const credentials = await stage.credentials(sandbox.url);
	const flow = await timedFlow(stage, name, contender.subject(credentials, sandbox.url));
	await sleep(untilPhaseMs(SIZES_PHASE_S) + index * STAGGER_MS);
	const beganAt = Date.now();
	await runWithin(stage, flow, { count: pushes, prefix: 'user' }, 12 * MINUTE_MS);
	const { lastMs, refused, lost } = tally(await sandbox.seen(), pushes);
	await sandbox.close();
	const tookMs = lastMs + LATENCY_MS.to - beganAt;
	return { pushes, kind, tookMs, idealMs: idealFrom(beganAt, kind, pushes, 0), refused, lost };
}

function untilPhaseMs(phaseS: number): number {
	return (phaseS * 1_000 - (Date.now() % MINUTE_MS) + MINUTE_MS) % MINUTE_MS;
}

/** Of a client that knows the window, with the same latencies and concurrency. */
function idealFrom(beganAt: number, kind: Kind, requests: number, skewMs: number): number {
	const world = {
		...PLAIN,
		kind: KINDS[kind],
		limit: LIMIT,
		latencyMs: LATENCY_MS,
		skewMs,
		seed: 1,
	};
	return idealMs(world, [{ startMs: 0, requests, concurrency: CONCURRENCY, process: 0 }], beganAt);
}

const windowNames: Record<Kind, string> = {
	clockMinute: 'minutes of the clock',
	sliding: 'sliding minute',
};

function chapter({ pushes, outcomes, sizes }: Data): Chapter {
	const lines = CONTENDERS.flatMap(({ name, kinds }) =>
		kinds.map((kind) => summarize(name, kind, outcomes)),
	);
	const ours = outcomes.filter(({ contender }) => Object.values(OURS).includes(contender));
	const readSeconds = (contender: string, kind: Kind) =>
		summarize(contender, kind, outcomes).seconds;
	const share = mean(sizes.map((run) => run.idealMs / run.tookMs));
	const sum = (field: 'lost' | 'doubled') => ours.reduce((total, run) => total + run[field], 0);
	const seconds = (contender: string, kind: Kind) =>
		`${number(readSeconds(contender, kind).median)} s`;
	return {
		figures: [
			...BOTH.map((kind): Figure => ({
				...(kind === 'clockMinute' && { isInReadme: true }),
				what: `${number(pushes)} pushes at ${LIMIT} a minute, ${windowNames[kind]}`,
				ours: seconds(OURS.first, kind),
				others: [BEST, SAFE].map((name) => `${name}: ${seconds(name, kind)}`).join('; '),
			})),
			{
				what: 'of these, lost and sent twice',
				ours: [sum('lost'), sum('doubled')].map((count) => number(count)).join(' and '),
				others: '',
			},
		],
		how:
			`${number(pushes)} pushes at ${LIMIT} per minute, answers after ${LATENCY_MS.from}–${LATENCY_MS.to} ms, begun ${groupPhases(outcomes)} s after a full minute of the service. ` +
			`The ideal is a client with ${CONCURRENCY} requests in flight that knows the service's window. ` +
			`The later run comes after one of ${LEARNING_PUSHES} pushes on the same account. ` +
			'HTTP Request continues on an error. ' +
			`Five first runs of random sizes, begun ${SIZES_PHASE_S} s after a full minute and later, reached ${number(share, 3)} of the ideal on average.`,
		tables: [
			{
				head: ['', 'window', 'time (s)', 'ideal / time', '429', 'lost', 'doubled'],
				rows: lines.map(({ contender, kind, seconds, share, refused, lost, doubled }) => [
					contender,
					windowNames[kind],
					told(seconds, 0),
					told(share),
					told(refused, 0),
					told(lost, 0),
					told(doubled, 0),
				]),
			},
		],
		targets: [
			...BOTH.flatMap((kind) =>
				[OURS.later, OURS.first].map((contender) => {
					const [time, best] = [readSeconds(contender, kind), readSeconds(BEST, kind)];
					return {
						what: `${contender}, ${windowNames[kind]}: time / ${BEST}`,
						asked: '≤ 1.00',
						measured: number(time.median / best.median, 3),
						isReached: time.median <= best.median,
					};
				}),
			),
			{
				what: 'ideal / time, mean of the five random sizes',
				asked: '≥ 0.97',
				measured: number(share, 3),
				isReached: share >= 0.97,
			},
			{ what: 'lost', asked: '0', measured: number(sum('lost')), isReached: sum('lost') === 0 },
			{
				what: 'doubled',
				asked: '0',
				measured: number(sum('doubled')),
				isReached: sum('doubled') === 0,
			},
		],
	};
}

function summarize(contender: string, kind: Kind, outcomes: Outcome[]) {
	const runs = outcomes.filter(
		(outcome) => outcome.contender === contender && outcome.kind === kind,
	);
	const all = (field: 'refused' | 'lost' | 'doubled') => spread(runs.map((run) => run[field]));
	return {
		contender,
		kind,
		share: spread(runs.map((run) => run.idealMs / run.tookMs)),
		seconds: spread(runs.map(({ tookMs }) => tookMs / 1_000)),
		refused: all('refused'),
		lost: all('lost'),
		doubled: all('doubled'),
	};
}

const groupPhases = (outcomes: Outcome[]) =>
	[...new Set(outcomes.map(({ phaseS }) => phaseS))].join(' and ');

export const atTheLimit: Part<Data> = { number: 2, title: 'At the limit', measure, chapter };
