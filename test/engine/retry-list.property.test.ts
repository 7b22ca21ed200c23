import fc from 'fast-check';

import { type Course, type Execution, ExecutionList } from './support/executionList';
import { type MemoryStore, useNewStore } from './support/memoryStore';
import { untilNodeEnds } from './support/engine';
import { idOf, listedAs, push, rowsOf } from './support/sends';
import { propertyRuns } from '../propertyRuns';
import { type LocalServer, startServer } from './support/localServer';

/** How many sequences are tried: they are cheaper than the worlds of other property tests. */
const numRuns = 2 * propertyRuns;
// A thousand sequences, of several executions each, take minutes.
jest.setTimeout(900_000);

type Fault = 'refuse' | 'acceptAndReset' | 'reset';

interface Attempt {
	/** Which of the failed executions is retried, counted round. */
	which: number;
	faults: Array<{ row: number; fault: Fault }>;
	/** After how many requests the process is killed or the execution stopped. */
	ends?: { after: number; how: 'kill' | 'stop' };
}

/** A service that takes pushes, until its client is killed. */
class Service {
	readonly accepted = new Map<string, number>();
	faults = new Map<string, Fault>();
	sequence = 0;
	requests = 0;
	onRequest: () => void = () => {};
	isCutOff = false;
	private server?: LocalServer;

	get url(): string {
		return this.server?.url ?? '';
	}

	async open(): Promise<void> {
		this.server = await startServer((response, { socket }, body) => {
			if (this.isCutOff) return void socket.destroy();
			this.requests++;
			const { user_id: user } = JSON.parse(body) as { user_id: string };
			const fault = this.faults.get(user);
			if (fault !== 'refuse' && fault !== 'reset')
				this.accepted.set(user, (this.accepted.get(user) ?? 0) + 1);
			this.onRequest();
			if (fault === 'reset' || fault === 'acceptAndReset') return void socket.destroy();
			response
				.writeHead(fault === 'refuse' ? 400 : 200, { 'x-ratelimit-remaining': '100000' })
				.end('{}');
		});
	}

	async close(): Promise<void> {
		await this.server?.close();
	}

	countOf(row: number): number {
		return this.accepted.get(this.userOf(row)) ?? 0;
	}

	/** Users differ from sequence to sequence: a request that was aborted in one may arrive in the next. */
	userOf(row: number): string {
		return idOf(row, `s${this.sequence}u`);
	}
}

/** Of more than one chunk at times. */
const rowCount = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 25 }));
const attempt: fc.Arbitrary<Attempt> = fc.record({
	which: fc.nat(20),
	faults: fc.array(
		fc.record({
			row: fc.nat(24),
			fault: fc.constantFrom<Fault>('refuse', 'acceptAndReset', 'reset'),
		}),
		{ maxLength: 3 },
	),
	ends: fc.option(
		fc.record({
			after: fc.integer({ min: 1, max: 20 }),
			how: fc.constantFrom('kill' as const, 'stop' as const),
		}),
		{ nil: undefined, freq: 2 },
	),
});
const sequence = fc.record({
	rowCount,
	concurrency: fc.integer({ min: 1, max: 4 }),
	failsBefore: fc.boolean(),
	attempts: fc.array(attempt, { minLength: 1, maxLength: 7 }),
});

let service: Service;
beforeAll(async () => {
	service = new Service();
	await service.open();
});
afterAll(async () => await service.close());

test('whatever fails, and in whatever order it is retried, nobody is reached twice and nobody is forgotten', async () => {
	const seen = { executions: 0, kills: 0, finished: 0 };
	await fc.assert(
		fc.asyncProperty(sequence, async ({ rowCount: count, concurrency, failsBefore, attempts }) => {
			const store = useNewStore();
			const list = new ExecutionList();
			service.sequence++;
			const order = {
				parameters: push({ concurrency }),
				rows: rowsOf(count, `s${service.sequence}u`),
				credential: {
					baseUrl: service.url,
					pushUrl: service.url,
					mailUrl: service.url,
					brandId: 'brand',
					apiKey: 'secret-key',
					customLimits: true,
					pushLimit: 100_000,
				},
			};
			const failed: Execution[] = [];
			/** Whether n8n has lost what the first execution was. */
			let isLost = false;
			let seenFirst = false;
			/** What happened, for the message of a failed test. */
			const played: string[] = [];

			const play = async ({ which, faults, ends }: Attempt): Promise<void> => {
				const run = prepare(store, faults, ends);
				const of = failed[which % Math.max(1, failed.length)];
				// Once it has succeeded, there is nothing to retry.
				if (!of && seenFirst) return;
				seenFirst = true;
				list.sourceFails = failsBefore && !of;
				const before = service.requests;
				const execution = of
					? await list.retry(of, run.course)
					: await list.start({ ...order, ...run.course });
				await untilNodeEnds();
				run.end();
				played.push(
					`${of?.id} ${execution.id} ${run.isKilled()} ${run.isStopped()} ${service.requests - before} ${execution.error?.message} ${String((execution.error as { description?: string } | undefined)?.description).slice(-150)}`,
				);
				seen.executions++;
				if (run.isKilled()) {
					seen.kills++;
					if (!of && !failsBefore) isLost = true;
					failed.push(execution);
					return;
				}
				// n8n does not run the node again for an execution that was stopped.
				if (execution.error && !run.isStopped()) failed.push(execution);
				isTrue(execution, count, service.requests - before);
			};
			for (const one of attempts) await play(one);
			for (let row = 0; row < count; row++) {
				expect([row, service.countOf(row) <= 1, played]).toEqual([row, true, played]);
			}

			const last = failed.at(-1);
			if (!last) return;
			list.sourceFails = false;
			const before = service.requests;
			const final = await list.retry(last);
			isTrue(final, count, service.requests - before);
			seen.finished++;
			const doubtful = listedAs('May have been delivered', final.error);
			for (let row = 0; row < count && !isLost; row++) {
				const times = service.countOf(row);
				expect([row, doubtful.includes(row) ? times <= 1 : times === 1]).toEqual([row, true]);
			}
			if (isLost) expect(service.requests).toBe(before);
		}),
		{ numRuns },
	);
	expect(seen.finished).toBeGreaterThan(numRuns / 4);
	// Few are enough to say that the sequences are not all of one kind.
	if (numRuns >= 100) expect(seen.kills).toBeGreaterThan(numRuns / 50);
});

function prepare(store: MemoryStore, faults: Attempt['faults'], ends: Attempt['ends']) {
	service.faults = new Map(faults.map(({ row, fault }) => [service.userOf(row), fault]));
	let ended = false;
	let stop = () => {};
	const startedAt = service.requests;
	service.onRequest = () => {
		if (!ends || service.requests - startedAt < ends.after) return;
		ended = true;
		if (ends.how === 'kill') store.isCrashed = service.isCutOff = true;
		stop();
	};
	const isKilled = () => ended && ends?.how === 'kill';
	const course: Course = { started: (press) => (stop = press), isKilled };
	return {
		course,
		isKilled,
		isStopped: () => ended && ends?.how === 'stop',
		end() {
			service.faults.clear();
			service.onRequest = () => {};
			store.isCrashed = service.isCutOff = false;
		},
	};
}

/** Whether what an execution says agrees with what the service knows. */
function isTrue({ error, output }: Execution, rowCount: number, sent: number): void {
	const { message = '' } = error ?? {};
	if (/^Nothing (more )?was sent/.test(message)) expect(sent).toBe(0);
	for (const heading of ['Not sent', 'Refused']) {
		for (const row of listedAs(heading, error))
			expect([heading, row, service.countOf(row)]).toEqual([heading, row, 0]);
	}
	const [, accepted] = /(\d+) of \d+ had been accepted/.exec(message) ?? [];
	const doubtful = listedAs('May have been delivered', error);
	const known = Array.from({ length: rowCount }, (_, row) => row).filter(
		(row) => !doubtful.includes(row),
	);
	if (accepted !== undefined)
		expect(known.filter((row) => service.countOf(row) === 1)).toHaveLength(Number(accepted));
	if (!error && output.length > 0)
		expect(known.every((row) => service.countOf(row) === 1)).toBe(true);
}
