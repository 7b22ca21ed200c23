import fc from 'fast-check';

import { Ledger } from '../../../../nodes/CustomerMessaging/engine/record/ledger';
import { LookUps } from '../../../../nodes/CustomerMessaging/engine/record/lookUps';
import { Marks } from '../../../../nodes/CustomerMessaging/engine/record/marks';
import {
	type EntryList,
	EntryStore,
} from '../../../../nodes/CustomerMessaging/engine/record/store';
import type { StoreCalls } from '../../../../nodes/CustomerMessaging/engine/record/lock';
import { RecipientNumbers } from '../../../../nodes/CustomerMessaging/plan/counts';
import type { Addressed } from '../../../../nodes/CustomerMessaging/shared/delivery';
import type {
	SentDelivery,
	RecordedResult,
} from '../../../../nodes/CustomerMessaging/shared/result';
import { propertyRuns, propertySeed } from '../../../propertyRuns';
import { differences, type History, type Mutant, noCounts, play } from './support/world';

const histories = propertyRuns < 100 ? 300 : 20 * propertyRuns;
// Ten thousand histories of several executions each.
jest.setTimeout(1_800_000);

const ranges = {
	seed: fc.nat(1_000_000_000),
	workers: fc.integer({ min: 2, max: 8 }),
	executions: fc.integer({ min: 1, max: 4 }),
	rows: fc.integer({ min: 1, max: 14 }),
	isEvents: fc.boolean(),
	killRate: fc.constantFrom(0, 0.003, 0.01),
	failRate: fc.constantFrom(0, 0.003, 0.01),
	silentRate: fc.constantFrom(0, 0, 0, 0.002),
	stallRate: fc.constantFrom(0, 0, 0, 0.003),
	refuseRate: fc.constantFrom(0, 0.02, 0.05),
	clocksApart: fc.constantFrom(0, 0, 6),
	list: fc.constantFrom('small', 'small', 'small', 'small', 'full', 'grows', 'turnsOver'),
	isMidnight: fc.constantFrom(false, false, false, false, true),
	differs: fc.subarray([...differences]),
};
const anyHistory: fc.Arbitrary<History> = fc.record(ranges);
/** Lists that take several claims, so that a kill comes between the messages to one recipient. */
const longLists: fc.Arbitrary<History> = fc.record({
	...ranges,
	rows: fc.integer({ min: 14, max: 30 }),
	killRate: fc.constant(0.01),
	differs: fc.constant([...differences]),
});

/** Lists that other executions have made long. */
const growingLists: fc.Arbitrary<History> = fc.record({
	...ranges,
	executions: fc.integer({ min: 3, max: 4 }),
	list: fc.constant('grows' as const),
});

/** Executions of one millisecond, on workers that are often stalled. */
const stalledTwins: fc.Arbitrary<History> = fc.record({
	...ranges,
	executions: fc.constant(4),
	rows: fc.integer({ min: 1, max: 3 }),
	killRate: fc.constant(0),
	failRate: fc.constant(0),
	silentRate: fc.constant(0),
	stallRate: fc.constant(0.03),
	list: fc.constant('small' as const),
});

/** Random histories that break a promise, at most so many, each with the command that plays it again. */
async function brokenHistories(
	numRuns: number,
	{ from = anyHistory, counts = noCounts(), mutant = {} as Mutant, most = Infinity },
) {
	const broken: string[] = [];
	const isEnough = fc.asyncProperty(from, async (history) => {
		const breaks = await play(history, counts, mutant);
		if (breaks.length > 0)
			broken.push(`${breaks.join('\n')}\nHISTORY='${JSON.stringify(history)}' ${replay}`);
		return broken.length < most;
	});
	await fc.check(isEnough, { numRuns, seed: propertySeed, endOnFailure: true });
	return broken;
}

const replay = "npx jest unit/engine/record -t 'none breaks a promise'";
const replayed = process.env.HISTORY;

test('Of random histories of second tries, none breaks a promise', async () => {
	if (replayed !== undefined) {
		const lines: string[] = [];
		const broken = await play(JSON.parse(replayed) as History, noCounts(), {}, (line) =>
			lines.push(line),
		);
		throw new Error([...lines, ...broken].join('\n'));
	}
	const counts = noCounts();
	expect([
		...(await brokenHistories(histories, { counts })),
		...(await brokenHistories(histories / 10, { counts, from: longLists })),
	]).toEqual([]);
	process.stdout.write(`${JSON.stringify(counts)}\n`);
	// A few hundred histories hold fewer, and are enough to show that each of these happens.
	for (const what of happens) expect([what, counts[what] >= histories / 40]).toEqual([what, true]);
});

const happens = [
	'retries',
	'tries',
	'twins',
	'retriesAtOnce',
	'agents',
	'listsByHand',
	'runAgain',
	'takenForDead',
	'kills',
	'stalls',
	'failedCalls',
	'silentCalls',
	'inDoubt',
] as const;

/** Changes n8n's calls for the row of the workflow, which is the lock, or of the node. */
const changed = (
	change: (calls: StoreCalls, sleep: (ms: number) => Promise<void>) => Partial<StoreCalls>,
): Mutant => ({
	calls: (calls, clock) => ({
		...calls,
		...change(calls, async (ms) => await clock.sleep(ms)),
	}),
});

/** A list that is cut to so many entries. */
const keeping = (maxEntries: number) =>
	changed(({ checkProcessedAndRecord: add }) => ({
		checkProcessedAndRecord: async (items, scope, options) =>
			await add(items, scope, { ...options, ...(scope === 'node' && { maxEntries }) }),
	}));

const mutants: Array<[string, Mutant, fc.Arbitrary<History>?]> = [
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
	['that keeps too few entries', keeping(60)],
	['whose small runs cut the list', keeping(5_000), growingLists],
	[
		'that takes a failed call for a call without effect',
		changed(({ getProcessedDataCount: count }) => ({
			getProcessedDataCount: async (scope, options) =>
				scope === 'node' ? 0 : await count(scope, options),
		})),
	],
	['whose names hold the start of the attempt', { namesOwnStart: true }],
	[
		'that knows a message by its key alone',
		changed(({ checkProcessedAndRecord: add }) => ({
			checkProcessedAndRecord: async (items, scope, options) =>
				await add(
					items.filter((item) => !String(item).startsWith('here ')),
					scope,
					options,
				),
		})),
	],
	[
		'that takes a list for whole because it is short',
		changed(({ checkProcessedAndRecord: add, getProcessedDataCount: count }) => ({
			checkProcessedAndRecord: async (items, scope, options) => {
				const isLookUp = items.includes(`${String(items[0])} ?`);
				if (!isLookUp || !/^(first|month|day|hour)/.test(String(items[0])))
					return await add(items, scope, options);
				const isShort = (await count(scope, options)) < 5_000;
				const processed = isShort ? items.filter((item) => !String(item).endsWith(' ?')) : [];
				return { new: items.filter((item) => !processed.includes(item)), processed };
			},
		})),
	],
];

/** Methods of the node's classes in place of its own. */
const replaced: Array<[string, object, object, fc.Arbitrary<History>]> = [
	[
		'whose ledger knows a message by its position',
		Ledger.prototype,
		{
			find(this: Ledger<SentDelivery>, { itemIndex, platform }: SentDelivery) {
				return find.call(this, { itemIndex, platform });
			},
		},
		anyHistory,
	],
	[
		'that tells several messages to one recipient apart by their numbers',
		RecipientNumbers.prototype,
		{
			keyOf(this: RecipientNumbers, message: Partial<Addressed> & Omit<Addressed, 'number'>) {
				return `${keyOf.call(this, message)}${message.number ?? ''}`;
			},
			countOf: ({ number }: Addressed) => number,
		},
		longLists,
	],
	[
		'that believes a mark that was only looked up',
		LookUps.prototype,
		{
			async findMarks(this: LookUps, marks: readonly string[]) {
				const { found, maybe } = await findMarks.call(this, marks);
				return { found: [...found, ...maybe], maybe: [] };
			},
		},
		anyHistory,
	],
	[
		'that trusts its marks before its lock is released',
		Marks.prototype,
		{
			async areOfTwin(this: Marks, list: EntryList) {
				const isTwin = await areOfTwin.call(this, list);
				this.trust(isTwin);
				return isTwin;
			},
		},
		stalledTwins,
	],
	[
		'that stores a doubt',
		Ledger.prototype,
		{
			recordFound(
				this: Ledger<SentDelivery>,
				delivery: SentDelivery,
				record: RecordedResult,
				isShown: boolean,
			) {
				this.record(delivery, record, isShown);
			},
		},
		anyHistory,
	],
	[
		'that waits for its store without end',
		EntryStore.prototype,
		{ answered: async (call: () => Promise<unknown>) => await call() },
		anyHistory,
	],
];
const find: Ledger<SentDelivery>['find'] = Reflect.get(Ledger.prototype, 'find');
const keyOf: RecipientNumbers['keyOf'] = Reflect.get(RecipientNumbers.prototype, 'keyOf');
const areOfTwin: Marks['areOfTwin'] = Reflect.get(Marks.prototype, 'areOfTwin');
const findMarks: LookUps['findMarks'] = Reflect.get(LookUps.prototype, 'findMarks');

describe('Histories find a node', () => {
	// Each of the others takes as long as all histories.
	const isQuick = propertyRuns < 100;

	// Jest takes an argument that is missing for a callback.
	const all = mutants.map(([name, mutant, from = anyHistory]) => [name, mutant, from] as const);
	test.each(isQuick ? all.slice(0, 3) : all)('%s', async (_, mutant, from) => {
		expect(await brokenHistories(2_000, { mutant, from, most: 1 })).toHaveLength(1);
	});

	test.each(isQuick ? replaced.slice(0, 1) : replaced)('%s', async (_, target, methods, from) => {
		const own = Object.keys(methods).map((name) => [name, Reflect.get(target, name)] as const);
		Object.assign(target, methods);
		try {
			expect(await brokenHistories(2_000, { from, most: 1 })).toHaveLength(1);
		} finally {
			Object.assign(target, Object.fromEntries(own));
		}
	});
});
