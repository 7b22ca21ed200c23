import fc from 'fast-check';

import { propertyRuns } from '../propertyRuns';
import { untilNodeEnds } from './support/engine';
import { ExecutionList } from './support/executionList';
import { anyEnd, anyFaults, type Ends, type Fault, FaultyService } from './support/faultyService';
import { useNewStore } from './support/memoryStore';
import { freezeClock } from './support/service';
import { push, toldBy } from './support/sends';

// Hundreds of sequences, of several executions each, take minutes.
jest.setTimeout(1_800_000);
freezeClock('2026-10-28T12:00:00Z');

type Period = 'ever' | 'day' | 'week' | 'month';

interface Run {
	/** Hours between this execution and the one before. */
	hours: number;
	rows: Array<{ user: number; key: string }>;
	faults: Array<{ row: number; fault: Fault }>;
	ends?: Ends;
}

const run: fc.Arbitrary<Run> = fc.record({
	hours: fc.constantFrom(0, 0, 1, 12, 30, 24 * 8),
	rows: fc.array(fc.record({ user: fc.nat(15), key: fc.constantFrom('', 'A', 'B') }), {
		minLength: 1,
		maxLength: 30,
	}),
	faults: anyFaults(15),
	ends: anyEnd,
});
const sequence = fc.record({
	period: fc.constantFrom<Period>('ever', 'day', 'week', 'month'),
	concurrency: fc.integer({ min: 1, max: 4 }),
	runs: fc.array(run, { minLength: 1, maxLength: 6 }),
});

let service: FaultyService;
beforeAll(async () => {
	service = new FaultyService();
	await service.open();
});
afterAll(async () => await service.close());

const dayMs = 86_400_000;
/** 2026-10-26 is a Monday. */
const monday = Date.UTC(2026, 9, 26);

/** Names the period of an instant, worked out without the node's code. */
function nameOf(period: Period, nowMs: number): string {
	const iso = new Date(nowMs).toISOString();
	switch (period) {
		case 'ever':
			return '';
		case 'day':
			return iso.slice(0, 10);
		case 'month':
			return iso.slice(0, 7);
		case 'week':
			return String(Math.floor((nowMs - monday) / (7 * dayMs)));
	}
}

test('Whatever fails, no message is sent twice in a period, and none is skipped that was surely not delivered', async () => {
	const seen = { kills: 0, skipped: 0, inDoubt: 0 };
	await fc.assert(
		fc.asyncProperty(sequence, async ({ period, concurrency, runs }) => {
			const store = useNewStore();
			const list = new ExecutionList();
			service.sequence++;
			jest.setSystemTime(new Date('2026-10-28T12:00:00Z'));
			/** How often each message was accepted, by user, key and period. */
			const accepted = new Map<string, number>();
			const mayHaveArrived = new Set<string>();
			let wasCutShort = false;

			const play = async ({ hours, rows, faults, ends }: Run): Promise<void> => {
				jest.setSystemTime(Date.now() + hours * 3_600_000);
				const during = nameOf(period, Date.now());
				const course = service.prepare(store, faults, ends, ({ user, message, fault }) => {
					if (fault === 'refuse') return;
					const name = `${user} ${message}`;
					mayHaveArrived.add(name);
					if (fault !== 'reset') accepted.set(name, (accepted.get(name) ?? 0) + 1);
				});
				const execution = await list.start({
					parameters: {
						...push({ concurrency }),
						// Tells the service key and period: an aborted request may arrive during the next run.
						message: `={{ $json.key || 'whole' }} ${during}`,
						sendOnce: true,
						sendOnceKey: '={{ $json.key }}',
						sendOncePeriod: period,
					},
					rows: rows.map(({ user, key }) => ({ id: service.userOf(user), key })),
					credential: service.credential,
					timezone: 'UTC',
					onError: 'continueErrorOutput',
					...course.course,
				});
				await untilNodeEnds();
				await course.end();
				if (course.isKilled()) seen.kills++;
				if (course.isKilled() || course.isStopped()) {
					wasCutShort = true;
					return;
				}
				const told = toldBy(execution);
				expect(told.map(({ item }) => item)).toEqual(rows.map((_, item) => item));
				for (const { item, outcome, details } of told) {
					const { user, key } = rows[item] ?? { user: -1, key: '' };
					const name = `${service.userOf(user)} ${key || 'whole'} ${during}`;
					if (outcome === 'accepted') expect([name, accepted.get(name)]).toEqual([name, 1]);
					if (outcome === 'skipped') {
						seen.skipped++;
						expect([name, mayHaveArrived.has(name)]).toEqual([name, true]);
					}
					if (outcome === 'unknown' && details.reason === 'interrupted') {
						seen.inDoubt++;
						expect(wasCutShort).toBe(true);
					}
				}
			};
			for (const one of runs) await play(one);
			for (const [name, count] of accepted) expect([name, count]).toEqual([name, 1]);
		}),
		{ numRuns: propertyRuns },
	);
	// A few sequences may hold none of these.
	if (propertyRuns >= 100) {
		expect(seen.skipped).toBeGreaterThan(0);
		expect(seen.kills).toBeGreaterThan(0);
		expect(seen.inDoubt).toBeGreaterThan(0);
	}
});
