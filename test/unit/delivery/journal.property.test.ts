import fc from 'fast-check';

import { type Code, play, type Schedule } from '../../../simulation/journalWorld';
import { propertyRuns, propertySeed } from '../../propertyRuns';
import { loadMutant } from './support/mutant';

/** A history takes milliseconds, so more of them are tried than of other worlds. */
const histories = propertyRuns < 100 ? 100 : 20 * propertyRuns;
// Ten thousand histories of several executions each.
jest.setTimeout(1_800_000);

const anySchedule: fc.Arbitrary<Schedule> = fc.record({
	seed: fc.nat(1_000_000),
	workers: fc.integer({ min: 2, max: 8 }),
	rows: fc.integer({ min: 1, max: 12 }),
	window: fc.integer({ min: 1, max: 5 }),
	runs: fc.array(
		fc.record({
			worker: fc.nat(7),
			// Several begin at the same moment, or while others wait for a lock that was left behind.
			atMs: fc.constantFrom(0, 0, 0, 3, 40, 200, 2_000, 9_000),
			execution: fc.nat(2),
			sendOnce: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 7 },
	),
	kills: fc.array(fc.record({ worker: fc.nat(7), step: fc.integer({ min: 0, max: 60 }) }), {
		maxLength: 3,
	}),
});

const files = {
	entries: 'delivery/entries.ts',
	claim: 'delivery/claim.ts',
	journal: 'delivery/journal.ts',
	lock: 'n8n/workflowLock.ts',
	store: 'n8n/entryStore.ts',
};

/** The smallest schedule that breaks a promise, among random ones. */
async function firstBroken(code: Code, numRuns: number, endOnFailure = false) {
	const check = fc.asyncProperty(anySchedule, async (schedule) => {
		expect(await play(schedule, code)).toEqual([]);
	});
	const found = await fc.check(check, { numRuns, seed: propertySeed, endOnFailure });
	return found.failed ? fc.defaultReportMessage(found) : undefined;
}

test('Of random histories of executions, retries and Send Once, with kills at every step, none breaks a promise', async () => {
	expect(await firstBroken(loadMutant({}), histories)).toBeUndefined();
});

describe('Histories find a journal', () => {
	test.each([
		[
			'without a lock',
			{
				[files.store]: [
					'if (this.isLocked) this.isLocked = await this.lock.acquire();',
					'this.isLocked = false;',
				],
			},
		],
		[
			'that releases its lock before it writes',
			{
				[files.store]: [
					'try {\n\t\t\treturn await work(',
					'try {\n\t\t\tawait this.lock.release();\n\t\t\treturn await work(',
				],
			},
		],
		[
			'that takes over a lock at once',
			{
				[files.lock]: [
					'const LEFT_BEHIND_MS = { least: 8_000, most: 12_000 };',
					'const LEFT_BEHIND_MS = { least: 0, most: 0 };',
				],
			},
		],
	] as Array<[string, Record<string, [string, string]>]>)('%s', async (_, mutations) => {
		expect(await firstBroken(loadMutant(mutations), 2_000, true)).toBeDefined();
	});
});
