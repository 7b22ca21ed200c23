/**
 * Compares ways to respect the limit, against simulated services whose minute begins
 * with the clock or with the first request, is sliding, or is refilled every second.
 * Run by `npm run bench:pacing`.
 */
import type { Reply } from '../nodes/CustomerMessaging/engine';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/slices';
import { seededRandom } from '../sandbox/random';
import { idealMs } from '../simulation/idealTime';
import { type Kind, KINDS } from '../simulation/serverLimit';
import { Service } from '../simulation/service';
import type { Plan } from '../simulation/pacedRun';
import { simulatePace } from '../simulation/simulatePace';
import { VirtualClock } from '../simulation/virtualClock';
import { PLAIN, type World } from '../simulation/world';

const REQUESTS = 5_000;
const LIMIT = 500;
const CONCURRENCY = 10;
/** HTTP Request does not limit how many of its requests are in flight. */
const MORE_AT_ONCE = 20;
const SEEDS = [1, 2, 3, 4];

interface Measured {
	tookMs: number;
	/** Responses with 429. */
	refused: number;
	attempts: number;
	/** How often a request was processed again after the first time. */
	duplicates: number;
	lost: number;
	othersRefused: number;
	/** How long each run took. */
	runsMs: number[];
}

type Way = (world: World, plans: Plan[], startMs: number) => Promise<Measured>;

function measured(
	service: Service,
	tookMs: number,
	plans: Plan[],
	runsMs: number[] = [],
): Measured {
	const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
	return {
		tookMs,
		refused: service.refusedAtMs.length,
		attempts: sum(service.left),
		duplicates: sum(service.processed) - service.processed.size,
		lost: plans.reduce((all, { requests }) => all + requests, 0) - service.processed.size,
		othersRefused: service.othersRefused,
		runsMs,
	};
}

/** The node's own loop and pace. */
const inPace: Way = async (world, plans, startMs) => {
	const { service, tookMs, runs } = await simulatePace(world, plans, startMs);
	return measured(
		service,
		tookMs,
		plans,
		runs.map((run) => run.endMs - run.startMs),
	);
};

/** What each request costs n8n's HTTP Request. Measured in a real n8n, where a batch of 50 takes 150 ms longer. */
const HTTP_REQUEST_MS = 3;

/**
 * n8n's HTTP Request: it sends a batch at once and the next one an interval later, whatever the responses are.
 * With Retry On Fail, one failed item makes n8n run all of them again, three times by default.
 */
function httpRequest(size: number, intervalMs: number, tries = 1): Way {
	return async (world, plans, startMs) => {
		const clock = new VirtualClock(startMs);
		const service = new Service(world, clock);
		const runs = plans.map(async (plan, run) => {
			for (let attempt = 1; attempt <= tries; attempt++) {
				const replies: Array<Promise<Reply>> = [];
				for (let index = 0; index < plan.requests; index++) {
					if (index > 0 && index % size === 0) await clock.sleep(intervalMs);
					replies.push(service.send(`${run}.${index}`));
					await clock.sleep(HTTP_REQUEST_MS);
				}
				const all = await Promise.all(replies);
				if (all.every((reply) => reply.kind === 'answer' && reply.statusCode === 200)) return;
				if (attempt < tries) await clock.sleep(1_000);
			}
		});
		await clock.run(Promise.all(runs), startMs + 24 * 60 * MINUTE_MS);
		return measured(service, clock.now() - startMs, plans);
	};
}

const HAND_TUNED: [string, Way] = [
	'HTTP Request, 500 per 60 s, Continue',
	httpRequest(500, MINUTE_MS),
];
const OURS: [string, Way] = ['**this node**', inPace];

const WAYS: Array<[string, Way]> = [
	['HTTP Request, 50 per 6 s, Retry On Fail', httpRequest(50, 6_000, 3)],
	['HTTP Request, 50 per 6 s, Continue', httpRequest(50, 6_000)],
	HAND_TUNED,
	OURS,
];

interface Scene {
	name: string;
	processes?: number;
	/** By default {@link REQUESTS}. */
	requests?: number | ((random: () => number) => number);
	limit?: number;
	/** By default {@link CONCURRENCY}. */
	concurrency?: number;
	/** Shares of the limit that others use. Each is simulated separately. */
	others?: number[];
	world?: Partial<World>;
	seeds?: number[];
	/** Single requests that arrive while the large run is waiting. */
	small?: number;
	kinds?: readonly Kind[];
}

/** As in the live benchmark. */
const FAST: Partial<World> = { latencyMs: { from: 50, to: 150 } };

const SCENES: Scene[] = [
	{ name: 'alone' },
	{ name: 'others use 25 and 50 %', others: [0.25, 0.5] },
	{ name: '4 processes, one key', processes: 4 },
];

/** Where a part of the pace matters most. */
const HARD_SCENES: Scene[] = [
	{ name: '4 processes, 100 a minute', processes: 4, limit: 100, requests: 1_000 },
	{ name: '4 processes, 50 a minute', processes: 4, limit: 50, requests: 500 },
	{ name: '200 to 5,000 sends', requests: (random) => Math.round(200 + 4_800 * random()) },
	{ name: '2,000 sends', requests: 2_000 },
	{ name: '2,000 sends, clock minute', requests: 2_000, kinds: ['clock'] },
	{
		name: '2,000 sends, bucket, answers in 50–150 ms',
		requests: 2_000,
		kinds: ['bucket'],
		world: FAST,
	},
	{ name: '30 % of headers missing', requests: 2_000, world: { headerMissing: 0.3 } },
	{ name: 'header always 0', requests: 2_000, world: { header: 'zero' } },
	{ name: 'limit 60, 20 at once', requests: 850, limit: 60, concurrency: 20 },
	{ name: 'single sends behind 2,200', requests: 2_200, small: 30 },
];

interface Total extends Omit<Measured, 'tookMs' | 'runsMs'> {
	ratios: number[];
	tookMs: number[];
	asked: number;
	smallMs: number[];
}

async function total(way: Way, scene: Scene): Promise<Total> {
	const {
		processes = 1,
		limit = LIMIT,
		others = [0],
		seeds = SEEDS,
		small = 0,
		kinds = KINDS,
	} = scene;
	const sum: Total = {
		ratios: [],
		tookMs: [],
		asked: 0,
		smallMs: [],
		refused: 0,
		attempts: 0,
		duplicates: 0,
		lost: 0,
		othersRefused: 0,
	};
	for (const kind of kinds) {
		for (const seed of seeds) {
			for (const share of others) {
				const random = seededRandom(seed + 99 + KINDS.indexOf(kind));
				const startMs = Math.floor((1_000_000 + seededRandom(seed + 99)()) * MINUTE_MS);
				const { requests = REQUESTS } = scene;
				const count = typeof requests === 'number' ? requests : requests(random);
				const world: World = {
					...PLAIN,
					kind,
					limit,
					others: share,
					skewMs: 21_234,
					seed,
					...scene.world,
				};
				const plans: Plan[] = Array.from({ length: processes }, (_, process) => ({
					startMs: 0,
					requests: Math.round(count / processes),
					concurrency: scene.concurrency ?? CONCURRENCY,
					process,
				}));
				for (let index = 0; index < small; index++) {
					const afterMs = Math.floor(random() * 3 * MINUTE_MS);
					plans.push({ startMs: afterMs, requests: 1, concurrency: CONCURRENCY, process: 0 });
				}
				const one = await way(world, plans, startMs);
				sum.tookMs.push(one.tookMs);
				sum.ratios.push(one.tookMs / idealMs(world, plans, startMs));
				sum.asked += plans.reduce((all, plan) => all + plan.requests, 0);
				sum.smallMs.push(...one.runsMs.slice(processes));
				sum.refused += one.refused;
				sum.attempts += one.attempts;
				sum.duplicates += one.duplicates;
				sum.lost += one.lost;
				sum.othersRefused += one.othersRefused;
			}
		}
	}
	return sum;
}

const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(2)} %`;
const mean = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

async function cell(way: Way, scene: Scene): Promise<string> {
	const { ratios, refused, attempts, duplicates, lost, asked } = await total(way, scene);
	return [
		mean(ratios).toFixed(2),
		percent(refused, attempts),
		percent(duplicates, asked),
		percent(lost, asked),
	].join(', ');
}

/** Time over the ideal and share of 429s, or how long small runs take, in seconds. */
async function shortCell(way: Way, scene: Scene): Promise<string> {
	const { ratios, refused, attempts, smallMs } = await total(way, { ...scene, seeds: [1, 2] });
	const sorted = smallMs.sort((a, b) => a - b);
	const p95Ms = sorted[Math.floor(sorted.length * 0.95)];
	if (p95Ms !== undefined) return `p95 ${(p95Ms / 1_000).toFixed(1)} s`;
	return `${mean(ratios).toFixed(3)}, ${percent(refused, attempts)}`;
}

/** Mean seconds of a run and what was lost, compared with the best setting of HTTP Request, for each kind of minute. */
async function besideHandTuned(): Promise<void> {
	console.log(
		`\n| sends, answers in 50–150 ms | minute | ${HAND_TUNED[0]} | ${OURS[0]} | the same with Concurrency ${MORE_AT_ONCE} |\n|---|---|---|---|---|`,
	);
	for (const requests of [1_000, 2_000, 2_750, 5_000]) {
		for (const kind of KINDS) {
			const cells: string[] = [];
			for (const [[, way], concurrency] of [
				[HAND_TUNED, CONCURRENCY],
				[OURS, CONCURRENCY],
				[OURS, MORE_AT_ONCE],
			] as const) {
				const { tookMs, refused, attempts, lost, asked } = await total(way, {
					name: '',
					requests,
					concurrency,
					kinds: [kind],
					world: FAST,
				});
				cells.push(
					`${(mean(tookMs) / 1_000).toFixed(1)} s, ${percent(refused, attempts)}, ${percent(lost, asked)}`,
				);
			}
			console.log(`| ${requests} | ${kind} | ${cells.join(' | ')} |`);
		}
	}
}

async function main() {
	console.log(
		`${REQUESTS} sends at ${LIMIT} a minute, ${CONCURRENCY} at once, latency ${PLAIN.latencyMs.from}–${PLAIN.latencyMs.to} ms; services: ${KINDS.join(', ')}; seeds ${SEEDS.join(', ')}.`,
	);
	console.log(
		'Each cell: T/ideal, share of attempts answered 429, duplicates, lost. The ideal knows the window and takes all that others leave.\n',
	);
	console.log(`| way of pacing | ${SCENES.map(({ name }) => name).join(' | ')} |`);
	console.log(`|---|${SCENES.map(() => '---|').join('')}`);
	for (const [name, way] of WAYS) {
		const cells: string[] = [];
		for (const scene of SCENES) cells.push(await cell(way, scene));
		console.log(`| ${name} | ${cells.join(' | ')} |`);
	}
	await besideHandTuned();
	console.log('\n| hard case | T/ideal and share of attempts answered 429 |\n|---|---|');
	for (const scene of HARD_SCENES)
		console.log(`| ${scene.name} | ${await shortCell(inPace, scene)} |`);
}

void main();
