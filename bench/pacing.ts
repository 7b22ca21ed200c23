/**
 * Ways of keeping to the limit, beside each other, against simulated services whose minute begins
 * with the clock, with the first request, never (sliding), or which refill by the second.
 * Run by `npm run bench:pacing`.
 */
import { dispatch } from '../nodes/CustomerMessaging/delivery/dispatcher';
import type { Limiter } from '../nodes/CustomerMessaging/delivery/dispatchOptions';
import { RateLimiter } from '../nodes/CustomerMessaging/rateLimit/rateLimiter';
import type { Reply } from '../nodes/CustomerMessaging/shared/reply';
import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/time';
import { seededRandom } from '../sandbox/random';
import { idealMs } from '../simulation/idealTime';
import { KINDS } from '../simulation/serverLimit';
import { Service } from '../simulation/service';
import { type Plan, simulate } from '../simulation/simulate';
import { VirtualClock } from '../simulation/virtualClock';
import { PLAIN, type World } from '../simulation/world';
import { Aimd, BurstAndWait, FixedSpacing, MiddleWay, OwnLog } from './pacers';

const REQUESTS = 5_000;
const LIMIT = 500;
const CONCURRENCY = 10;
const SEEDS = [1, 2, 3, 4];

interface Measured {
	tookMs: number;
	/** Answers of 429. */
	refused: number;
	attempts: number;
	/** Times that a request was processed once more than once. */
	duplicates: number;
	lost: number;
	othersRefused: number;
}

type Way = (world: World, plans: Plan[], startMs: number) => Promise<Measured>;

function measured(service: Service, tookMs: number): Measured {
	const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
	return {
		tookMs,
		refused: service.refusedAtMs.length,
		attempts: sum(service.left),
		duplicates: sum(service.processed) - service.processed.size,
		lost: REQUESTS - service.processed.size,
		othersRefused: service.othersRefused,
	};
}

function paced(make: (random: () => number) => Limiter): Way {
	return async (world, plans, startMs) => {
		const { service, tookMs } = await simulate(world, plans, make, startMs);
		return measured(service, tookMs);
	};
}

/**
 * n8n's HTTP Request: a batch leaves at once, the next one an interval later, whatever comes back.
 * With Retry On Fail one failed item runs all of them again, three times by default.
 */
function httpRequest(tries: number): Way {
	return async (world, plans, startMs) => {
		const clock = new VirtualClock(startMs);
		const service = new Service(world, clock);
		const runs = plans.map(async (plan, run) => {
			for (let attempt = 1; attempt <= tries; attempt++) {
				const replies: Array<Promise<Reply>> = [];
				for (let index = 0; index < plan.requests; index++) {
					if (index > 0 && index % 50 === 0) await clock.sleep(6_000);
					replies.push(service.send(`${run}.${index}`));
				}
				const all = await Promise.all(replies);
				if (all.every((reply) => reply.kind === 'answer' && reply.statusCode === 200)) return;
				if (attempt < tries) await clock.sleep(1_000);
			}
		});
		await clock.run(Promise.all(runs), startMs + 24 * 60 * MINUTE_MS);
		return measured(service, clock.now() - startMs);
	};
}

const WAYS: Array<[string, Way]> = [
	['HTTP Request, 50 per 6 s, Retry On Fail', httpRequest(3)],
	['HTTP Request, 50 per 6 s, Continue', httpRequest(1)],
	['fixed spacing and retry', paced(() => new FixedSpacing(LIMIT))],
	['own sliding log', paced(() => new OwnLog(LIMIT))],
	['burst until 0, wait 60 s', paced(() => new BurstAndWait(LIMIT))],
	['AIMD', paced(() => new Aimd(LIMIT))],
	['plain middle way', paced(() => new MiddleWay(LIMIT))],
	['**the rate limiter**', paced((random) => new RateLimiter(LIMIT, random))],
];

const SCENES: Array<{ name: string; others: number[]; processes: number }> = [
	{ name: 'alone', others: [0], processes: 1 },
	{ name: 'others use 25 and 50 %', others: [0.25, 0.5], processes: 1 },
	{ name: '4 processes, one key', others: [0], processes: 4 },
];

async function cell(way: Way, others: number[], processes: number): Promise<string> {
	const ratios: number[] = [];
	const total = { refused: 0, attempts: 0, duplicates: 0, lost: 0, othersRefused: 0, runs: 0 };
	for (const kind of KINDS) {
		for (const seed of SEEDS) {
			for (const share of others) {
				const world: World = { ...PLAIN, kind, limit: LIMIT, others: share, skewMs: 1_234, seed };
				const startMs = Math.floor((1_000_000 + seededRandom(seed + 99)()) * MINUTE_MS);
				const plans = Array.from({ length: processes }, (_, process) => ({
					startMs: 0,
					requests: REQUESTS / processes,
					concurrency: CONCURRENCY,
					process,
				}));
				const one = await way(world, plans, startMs);
				ratios.push(one.tookMs / idealMs(world, plans, startMs));
				total.refused += one.refused;
				total.attempts += one.attempts;
				total.duplicates += one.duplicates;
				total.lost += one.lost;
				total.othersRefused += one.othersRefused;
				total.runs++;
			}
		}
	}
	const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(2)} %`;
	const asked = REQUESTS * total.runs;
	return [
		(ratios.reduce((a, b) => a + b, 0) / ratios.length).toFixed(2),
		percent(total.refused, total.attempts),
		percent(total.duplicates, asked),
		percent(total.lost, asked),
	].join(', ');
}

/** What the dispatcher and the limiter cost when nothing has to wait, compared with a bare loop. */
async function overhead(): Promise<string> {
	const send = async (): Promise<Reply> => {
		await new Promise<void>((resolve) => setImmediate(resolve));
		return { kind: 'answer', statusCode: 200, body: null, remaining: 1_000_000 };
	};
	const timed = async (work: () => Promise<unknown>) => {
		const startMs = performance.now();
		await work();
		return performance.now() - startMs;
	};
	const bare = async () => {
		let next = 0;
		const worker = async () => {
			while (next++ < REQUESTS) await send();
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, worker));
	};
	const ours = async () =>
		await dispatch(
			Array.from({ length: REQUESTS }, (_, index) => index),
			{
				limiter: new RateLimiter(1_000_000_000),
				clock: {
					now: Date.now,
					sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
				},
				random: Math.random,
				send,
				stopped: () => false,
				settled: () => {},
			},
			{ concurrency: CONCURRENCY, maxWaitMs: Infinity, retryUnknown: false },
		);
	const best = async (work: () => Promise<unknown>) => {
		let least = Infinity;
		for (let round = 0; round < 5; round++) least = Math.min(least, await timed(work));
		return least;
	};
	const [bareMs, oursMs] = [await best(bare), await best(ours)];
	const perSendUs = (1_000 * (oursMs - bareMs)) / REQUESTS;
	return `${REQUESTS} sends without a limit: bare loop ${bareMs.toFixed(1)} ms, dispatcher and limiter ${oursMs.toFixed(1)} ms, ${perSendUs.toFixed(1)} µs more per send.`;
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
		for (const { others, processes } of SCENES) cells.push(await cell(way, others, processes));
		console.log(`| ${name} | ${cells.join(' | ')} |`);
	}
	console.log(`\n${await overhead()}`);
}

void main();
