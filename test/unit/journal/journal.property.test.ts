import fc from 'fast-check';

import type { StoreCalls } from '../../../nodes/CustomerMessaging/n8n/context';
import { type History, type Mutant, noCounts, play } from '../../../simulation/journalWorld';
import { propertyRuns, propertySeed } from '../../propertyRuns';

/** A history takes milliseconds, so more of them are tried than of other worlds. */
const histories = propertyRuns < 100 ? 300 : 20 * propertyRuns;
// Ten thousand histories of several executions each.
jest.setTimeout(1_800_000);

const anyHistory: fc.Arbitrary<History> = fc.record({
	seed: fc.nat(1_000_000_000),
	workers: fc.integer({ min: 2, max: 8 }),
	rows: fc.integer({ min: 1, max: 14 }),
	executions: fc.integer({ min: 1, max: 4 }),
	killRate: fc.constantFrom(0, 0.002, 0.01),
	failRate: fc.constantFrom(0, 0.003, 0.01),
	refuseRate: fc.constant(0.1),
});

/** The first history that breaks a promise, among random ones. */
async function firstBroken(numRuns: number, mutant: Mutant = {}, counts = noCounts()) {
	const check = fc.asyncProperty(anyHistory, async (history) => {
		expect(await play(history, counts, mutant)).toEqual([]);
	});
	const found = await fc.check(check, { numRuns, seed: propertySeed, endOnFailure: true });
	return found.failed ? fc.defaultReportMessage(found) : undefined;
}

test('Of random histories of executions, retries and Send Once, with kills and failing calls, none breaks a promise', async () => {
	const counts = noCounts();
	expect(await firstBroken(histories, {}, counts)).toBeUndefined();
	console.log(counts);
	// A few hundred histories hold fewer, and are enough to show that each of these happens.
	for (const [what, count] of Object.entries(counts))
		expect([what, count >= histories / 20]).toEqual([what, true]);
});

/** Changes n8n's calls for the row of the workflow, which is the lock, or of the node. */
const changed = (
	change: (calls: StoreCalls, sleep: (ms: number) => Promise<void>) => Partial<StoreCalls>,
): Mutant => ({
	calls: (calls, clock) => ({
		...calls,
		...change(calls, async (ms) => await clock.sleep(ms)),
	}),
});

const mutants: Array<[string, Mutant]> = [
	['that has no lock', { mayLock: false }],
	[
		'that releases its lock before it writes',
		changed(({ checkProcessedAndRecord: add, clearAllProcessedItems: clear }) => ({
			checkProcessedAndRecord: async (items, scope, options) => {
				if (scope === 'node') await clear('workflow', { mode: 'entries' });
				return await add(items, scope, options);
			},
		})),
	],
	[
		'that releases its lock again',
		changed(({ clearAllProcessedItems: clear }, sleep) => ({
			clearAllProcessedItems: async (scope, options) => {
				await clear(scope, options);
				void sleep(40).then(async () => await clear(scope, options).catch(() => undefined));
			},
		})),
	],
	[
		'that removes entries again later',
		changed(({ removeProcessed: remove }, sleep) => ({
			removeProcessed: async (items, scope, options) => {
				await remove(items, scope, options);
				void sleep(500).then(
					async () => await remove(items, scope, options).catch(() => undefined),
				);
			},
		})),
	],
	['whose names hold the run of the node', { operation: (runIndex) => ` ${runIndex}` }],
	[
		'that keeps too few entries',
		changed(({ checkProcessedAndRecord: add }) => ({
			checkProcessedAndRecord: async (items, scope, options) =>
				await add(items, scope, { ...options, ...(scope === 'node' && { maxEntries: 60 }) }),
		})),
	],
	[
		'in which others wait without end',
		{
			namesInUse: () =>
				new (class extends Map {
					override delete(): boolean {
						return false;
					}
				})(),
		},
	],
];

describe('Histories find a journal', () => {
	test.each(mutants)('%s', async (_, mutant) => {
		expect(await firstBroken(2_000, mutant)).toBeDefined();
	});
});
