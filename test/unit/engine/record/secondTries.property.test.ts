import fc from 'fast-check';

import type { StoreCalls } from '../../../../nodes/CustomerMessaging/engine/record/lock';
import { Ledger } from '../../../../nodes/CustomerMessaging/engine/record/ledger';
import { LookUps } from '../../../../nodes/CustomerMessaging/engine/record/lookUps';
import { Marks } from '../../../../nodes/CustomerMessaging/engine/record/marks';
import {
	type EntryList,
	EntryStore,
} from '../../../../nodes/CustomerMessaging/engine/record/store';
import { RecipientNumbers } from '../../../../nodes/CustomerMessaging/plan/counts';
import type { Addressed } from '../../../../nodes/CustomerMessaging/shared/delivery';
import type { SentDelivery } from '../../../../nodes/CustomerMessaging/shared/ending';
import { propertyRuns, propertySeed } from '../../../propertyRuns';
import type { VirtualClock } from '../../../../simulation/virtualClock';
import { histories, type History, type Mutant, play, type Watched } from './support/world';

const isQuick = propertyRuns < 100;
const numRuns = isQuick ? 100 : 20 * propertyRuns;
// Ten thousand histories of several executions each.
jest.setTimeout(1_800_000);

const replay = "npx jest unit/engine/record -t 'none breaks a promise'";
const replayed = process.env.HISTORY;

/** The first random history that breaks a promise, with what it breaks and the command that plays it again. */
async function brokenHistory(runs: number, from = histories.any, watched: Watched = {}) {
	let breaks: string[] = [];
	const property = fc.asyncProperty(from, async (history) => {
		breaks = await play(history, watched);
		return breaks.length === 0;
	});
	const options = { numRuns: runs, seed: propertySeed, endOnFailure: true };
	const { counterexample } = await fc.check(property, options);
	return counterexample && [...breaks, `HISTORY='${JSON.stringify(counterexample[0])}' ${replay}`];
}

test('Of random histories of second tries, none breaks a promise', async () => {
	if (replayed !== undefined) {
		const lines: string[] = [];
		const broken = await play(JSON.parse(replayed) as History, { log: (line) => lines.push(line) });
		throw new Error([...lines, ...broken].join('\n'));
	}
	const counts = new Map<string, number>();
	const happens = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
	expect(await brokenHistory(numRuns, histories.any, { happens })).toBeNull();
	expect(await brokenHistory(numRuns / 10, histories.longLists, { happens })).toBeNull();
	// A few hundred histories hold fewer, and are enough to show that each of these happens.
	const often = [...counts].filter(([, count]) => count >= numRuns / 40).map(([what]) => what);
	expect(often.sort()).toEqual([
		...['agents', 'failedCalls', 'inDoubt', 'kills', 'listsByHand', 'retries', 'retriesAtOnce'],
		...['runAgain', 'silentCalls', 'stalls', 'takenForDead', 'tries', 'twins'],
	]);
});

type Add = StoreCalls['checkProcessedAndRecord'];

/** Changes n8n's call that adds entries, for the row of the workflow, which is the lock, or of the node. */
const adding = (change: (add: Add, calls: StoreCalls) => Add): Change => ({
	calls: (calls) => ({ checkProcessedAndRecord: change(calls.checkProcessedAndRecord, calls) }),
});

/** A list that is cut to so many entries. */
const keeping = (maxEntries: number) =>
	adding((add) => async (items, scope, options) => {
		return await add(items, scope, { ...options, ...(scope === 'node' && { maxEntries }) });
	});

/** A call that is made once more after a while. */
const again =
	<A extends unknown[]>(clock: VirtualClock, ms: number, call: (...given: A) => Promise<void>) =>
	async (...given: A) => {
		await call(...given);
		void clock.sleep(ms).then(async () => await call(...given).catch(() => undefined));
	};

interface Change extends Mutant {
	/** Methods of one of the node's classes in place of its own. */
	target?: object;
	methods?: object;
}
const replacing = (target: object, methods: object): Change => ({ target, methods });
type NodeLedger = Ledger<SentDelivery>;
const find: NodeLedger['find'] = Reflect.get(Ledger.prototype, 'find');
const address: RecipientNumbers['address'] = Reflect.get(RecipientNumbers.prototype, 'address');
const areOfTwin: Marks['areOfTwin'] = Reflect.get(Marks.prototype, 'areOfTwin');
const findMarks: LookUps['findMarks'] = Reflect.get(LookUps.prototype, 'findMarks');

/** The first ones are found by `npm test` too; each of the others takes as long as all histories. */
const mutants: Array<[string, Change, fc.Arbitrary<History>?]> = [
	['that has no lock', { mayLock: false }],
	[
		'that releases its lock before it writes',
		adding((add, { clearAllProcessedItems: clear }) => async (items, scope, options) => {
			if (scope === 'node') await clear('workflow', { mode: 'entries' });
			return await add(items, scope, options);
		}),
	],
	[
		'that releases its lock again',
		{
			calls: ({ clearAllProcessedItems: clear }, clock) => ({
				clearAllProcessedItems: again(clock, 40, clear),
			}),
		},
	],
	[
		'whose ledger knows a message by its position',
		replacing(Ledger.prototype, {
			find(this: NodeLedger, { itemIndex, platform }: Parameters<NodeLedger['find']>[0]) {
				return find.call(this, { itemIndex, platform });
			},
		}),
	],
	[
		'that removes entries again later',
		{
			calls: ({ removeProcessed: remove }, clock) => ({
				removeProcessed: again(clock, 500, remove),
			}),
		},
	],
	['that keeps too few entries', keeping(60)],
	['whose small runs cut the list', keeping(5_000), histories.growingLists],
	[
		'that takes a failed call for a call without effect',
		{
			calls: ({ getProcessedDataCount: count }) => ({
				getProcessedDataCount: async (scope, options) =>
					scope === 'node' ? 0 : await count(scope, options),
			}),
		},
	],
	['whose names hold the start of the attempt', { namesOwnStart: true }],
	[
		'that knows a message by its key alone',
		adding((add) => async (items, scope, options) => {
			const others = items.filter((item) => !String(item).startsWith('here '));
			return await add(others, scope, options);
		}),
	],
	[
		'that takes a list for whole because it is short',
		adding((add, { getProcessedDataCount: count }) => async (items, scope, options) => {
			const isLookUp = items.includes(`${String(items[0])} ?`);
			if (!isLookUp || !/^(first|month|day|hour)/.test(String(items[0])))
				return await add(items, scope, options);
			const isShort = (await count(scope, options)) < 5_000;
			const processed = isShort ? items.filter((item) => !String(item).endsWith(' ?')) : [];
			return { new: items.filter((item) => !processed.includes(item)), processed };
		}),
	],
	[
		'that tells several messages to one recipient apart by their numbers',
		replacing(RecipientNumbers.prototype, {
			address(this: RecipientNumbers, message: Omit<Addressed, 'number'>) {
				const keyOf = (one: Addressed) => `${one.recipient} ${one.platform} ${one.number}`;
				return address.call(Object.assign(this, { keyOf }), message);
			},
			countOf: ({ number }: Addressed) => number,
		}),
		histories.longLists,
	],
	[
		'that believes a mark that was only looked up',
		replacing(LookUps.prototype, {
			async findMarks(this: LookUps, marks: readonly string[]) {
				const { found, maybe } = await findMarks.call(this, marks);
				return { found: [...found, ...maybe], maybe: [] };
			},
		}),
	],
	[
		'that trusts its marks before its lock is released',
		replacing(Marks.prototype, {
			async areOfTwin(this: Marks, list: EntryList) {
				const isTwin = await areOfTwin.call(this, list);
				this.trust(isTwin);
				return isTwin;
			},
		}),
		histories.stalledTwins,
	],
	[
		'that stores a doubt',
		replacing(Ledger.prototype, {
			recordFound(this: NodeLedger, ...found: Parameters<NodeLedger['record']>) {
				this.record(...found);
			},
		}),
	],
	[
		'that waits for its store without end',
		replacing(EntryStore.prototype, {
			answered: async (call: () => Promise<unknown>) => await call(),
		}),
	],
];

const tried = isQuick ? mutants.slice(0, 4) : mutants;

test.each(tried)('Histories find a node %s', async (_, change, from = histories.any) => {
	const { target = {}, methods = {}, ...mutant } = change;
	const own = Object.keys(methods).map((name) => [name, Reflect.get(target, name)] as const);
	expect(Object.keys(methods).every((name) => name in target)).toBe(true);
	Object.assign(target, methods);
	try {
		expect(await brokenHistory(10_000, from, { mutant })).not.toBeNull();
	} finally {
		Object.assign(target, Object.fromEntries(own));
	}
});
