import fc from 'fast-check';

import { type Execution, ExecutionList } from './support/executionList';
import { useNewStore } from './support/memoryStore';
import { untilNodeEnds } from './support/engine';
import { listedAs, push, rowsOf } from './support/sends';
import { propertyRuns } from '../propertyRuns';
import { anyEnd, anyFaults, type Ends, type Fault, FaultyService } from './support/faultyService';

/** How many sequences are tried: they are cheaper than the worlds of other property tests. */
const numRuns = 2 * propertyRuns;
// A thousand sequences, of several executions each, take minutes.
jest.setTimeout(1_800_000);

interface Attempt {
	/** Which of the failed executions is retried, modulo their number. */
	which: number;
	faults: Array<{ row: number; fault: Fault }>;
	ends?: Ends;
}

/** Sometimes more than one chunk. */
const rowCount = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 25 }));
const attempt: fc.Arbitrary<Attempt> = fc.record({
	which: fc.nat(20),
	faults: anyFaults(24),
	ends: anyEnd,
});
const sequence = fc.record({
	rowCount,
	concurrency: fc.integer({ min: 1, max: 4 }),
	failsBefore: fc.boolean(),
	attempts: fc.array(attempt, { minLength: 1, maxLength: 7 }),
});

let service: FaultyService;
beforeAll(async () => {
	service = new FaultyService();
	await service.open();
});
afterAll(async () => await service.close());

test('Whatever fails, and in whatever order it is retried, nobody is reached twice and nobody is forgotten', async () => {
	const seen = { executions: 0, kills: 0, finished: 0 };
	await fc.assert(
		fc.asyncProperty(sequence, async ({ rowCount: count, concurrency, failsBefore, attempts }) => {
			const store = useNewStore();
			const list = new ExecutionList();
			service.sequence++;
			const order = {
				parameters: push({ concurrency }),
				rows: rowsOf(count, `s${service.sequence}u`),
				credential: service.credential,
			};
			const failed: Execution[] = [];
			/** Whether n8n has lost what the first execution was. */
			let isLost = false;
			let seenFirst = false;
			/** What happened, for the message of a failed test. */
			const played: string[] = [];

			const play = async ({ which, faults, ends }: Attempt): Promise<void> => {
				const run = service.prepare(store, faults, ends);
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
				await run.end();
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
				// n8n shows nothing of it, so it does not look up what others sent of the rest.
				if (of && run.isStopped()) return;
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
	// A few sequences may hold none of these.
	if (numRuns >= 100) {
		expect(seen.finished).toBeGreaterThan(numRuns / 4);
		expect(seen.kills).toBeGreaterThan(numRuns / 50);
	}
});

/** Whether what an execution says agrees with what the service knows. */
function isTrue({ error, output }: Execution, rowCount: number, sent: number): void {
	const { message = '' } = error ?? {};
	if (/^Nothing (more )?was sent/.test(message)) expect(sent).toBe(0);
	for (const heading of ['Not sent', 'Refused']) {
		for (const row of listedAs(heading, error))
			expect([heading, row, service.countOf(row)]).toEqual([heading, row, 0]);
	}
	const [, accepted] = /\. (\d+) accepted, /.exec(message) ?? [];
	const doubtful = listedAs('May have been delivered', error);
	const known = Array.from({ length: rowCount }, (_, row) => row).filter(
		(row) => !doubtful.includes(row),
	);
	if (accepted !== undefined)
		expect(known.filter((row) => service.countOf(row) === 1)).toHaveLength(Number(accepted));
	if (!error && output.length > 0)
		expect(known.every((row) => service.countOf(row) === 1)).toBe(true);
}
