import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../../../../../nodes/CustomerMessaging/CustomerMessaging.node';
import type { StoreCalls } from '../../../../../nodes/CustomerMessaging/engine/record/lock';
import type { Reply } from '../../../../../nodes/CustomerMessaging/engine';
import { seededRandom } from '../../../../../sandbox/random';
import { VirtualClock } from '../../../../../simulation/virtualClock';
import { type Attempted, Judge, type Message, nameOf, readError, readItems } from './judge';
import { FaultyStore, simulateN8n, type StoreFaults, Worker } from './n8n';

const differences = [
	...['sendOnce', 'key', 'text', 'recipients', 'account', 'node', 'rows', 'time'],
] as const;

/** What histories are drawn from. Rates are from 0 to 1. */
const ranges = {
	seed: fc.nat(1_000_000_000),
	/** Processes of n8n. */
	workers: fc.integer({ min: 2, max: 8 }),
	executions: fc.integer({ min: 1, max: 4 }),
	rows: fc.integer({ min: 1, max: 14 }),
	isEvents: fc.boolean(),
	/** How many statements, requests and answers a worker is killed at. */
	killRate: fc.constantFrom(0, 0.003, 0.01),
	failRate: fc.constantFrom(0, 0.003, 0.01),
	/** How many calls of the store are never answered, or come late. */
	silentRate: fc.constantFrom(0, 0, 0, 0.002),
	/** How many statements a worker is stalled at, for up to 30 s. */
	stallRate: fc.constantFrom<number[]>(0, 0, 0, 0.003),
	/** How often the service refuses, answers 429 or 500, and loses an answer. */
	refuseRate: fc.constantFrom(0, 0.02, 0.05),
	/** How many minutes the clocks of workers differ. */
	clocksApart: fc.constantFrom(0, 0, 6),
	/** What other executions do to the list: it is full, grows beyond what small runs keep, or turns over. */
	list: fc.constantFrom('small', 'small', 'small', 'small', 'full', 'grows', 'turnsOver'),
	/** Whether executions begin in the last seconds of a day. */
	isMidnight: fc.constantFrom(false, false, false, false, true),
	differs: fc.subarray([...differences]),
};
const historiesOf = (change: Partial<typeof ranges>) => fc.record({ ...ranges, ...change });

export const histories = {
	any: historiesOf({}),
	/** Lists that take several claims, so that a kill comes between the messages to one recipient. */
	longLists: historiesOf({
		rows: fc.integer({ min: 14, max: 30 }),
		...{ killRate: fc.constant(0.01), differs: fc.constant([...differences]) },
	}),
	/** Lists that other executions have made long. */
	growingLists: historiesOf({
		executions: fc.integer({ min: 3, max: 4 }),
		list: fc.constant('grows'),
	}),
	/** Executions of one millisecond, on workers that are often stalled. */
	stalledTwins: historiesOf({
		...{ executions: fc.constant(4), rows: fc.integer({ min: 1, max: 3 }) },
		...{ killRate: fc.constant(0), failRate: fc.constant(0), silentRate: fc.constant(0) },
		...{ stallRate: fc.constant(0.03), list: fc.constant('small') },
	}),
};
export type History = typeof histories.any extends fc.Arbitrary<infer H> ? H : never;

/** What makes a node that breaks promises, to show that histories find it. */
export interface Mutant {
	mayLock?: boolean;
	/** Wraps n8n's calls of a worker. */
	calls?: (calls: StoreCalls, clock: VirtualClock) => Partial<StoreCalls>;
	/** Whether the names of an attempt hold its own start, and not that of the first one. */
	namesOwnStart?: boolean;
}

interface Row {
	row: string;
	user: string;
	/** Whom it is for, once the expression of the recipient was corrected. */
	corrected: string;
	/** A column that a node before this one makes different each time it runs, such as a time. */
	stamp: string;
	/** The same, of what a model writes. */
	text: string;
}

/** The expressions that can be the key of Send Once. */
const keys = {
	row: '={{ $json.row }}',
	edited: '={{ $json.row }} again',
	stamp: '={{ $json.stamp }}',
	due: '={{ $json.row }} {{ $json.due }}',
	day: '={{ $json.row }} {{ $today.toISODate() }}',
	now: '={{ $json.row }} {{ $now.toISO() }}',
	empty: '',
};
type Key = keyof typeof keys;

/** A `Date` as n8n writes it into a text, before and after the execution was stored. */
const due = {
	fresh: 'Mon May 06 2030 07:08:09 GMT+0000 (Coordinated Universal Time)',
	stored: '2030-05-06T07:08:09.000Z',
};

/** Where a retry begins: what n8n stored of an attempt that failed or was killed. */
interface Stored {
	round: number;
	context: string;
	rounds: Row[][];
	/** Whether n8n has stored no items, so that all nodes run again. */
	isAnew: boolean;
	/** When the chain of attempts was established, as this attempt knows it. */
	establishedAtMs: number;
	/** Whose memory it is; absent if it is empty. */
	by?: Attempted;
	/** When this round was tried for the first time, if the memory tells it. */
	triedAtMs?: number;
}

/** An execution and its retries. */
type Chain = ReturnType<World['makeChain']>;

/** How the node is set up in an attempt. A person may change it before a retry. */
type Setup = Chain['setup'];

interface Attempt extends Attempted {
	chain: Chain;
	setup: Setup;
	worker: Worker;
	isRetry: boolean;
	/** Whether it begins with items that n8n has stored. */
	isStored: boolean;
	establishedAtMs: number;
	/** When this round of the node was tried first. */
	triedAtMs?: number;
	context: IDataObject;
	rowsOfSeveral: string;
}

const START_MS = Date.UTC(2027, 0, 15, 10);
const MIDNIGHT_MS = Date.UTC(2027, 0, 15, 23, 59, 57);
const MOST_MS = 12 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** What a run that was killed may leave in doubt: what it has claimed, and what it looks up. */
const WINDOW = 10;
const LOOK_UP = 12;
const BATCH_SIZE = 3;

export interface Watched {
	mutant?: Mutant;
	/** Hears of what a history has of its own accord, such as a kill. */
	happens?: (what: string) => void;
	log?: (line: string) => void;
}

/** Plays a random history, and then retries all executions undisturbed. Returns what broke a promise. */
export async function play(history: History, watched: Watched = {}): Promise<string[]> {
	const { mutant = {}, happens = () => undefined, log = () => undefined } = watched;
	return await new World(history, mutant, happens, log).play();
}

class World implements StoreFaults {
	readonly judge = new Judge(() => this.clock.now());
	private readonly clock = new VirtualClock(START_MS);
	private readonly random: () => number;
	private readonly isQuick: boolean;
	/** What most executions have in common. */
	private readonly usual: { isShared: boolean; usesOnce: boolean; key: Key };
	private readonly store: FaultyStore;
	private workers: Worker[] = [];
	private isDisturbed = true;
	private ids = 0;
	private readonly chains: Chain[] = [];
	private readonly attempts: Attempt[] = [];
	private mayBeInDoubt = 0;
	private hasTurnedOver = false;

	constructor(
		private readonly history: History,
		private readonly mutant: Mutant,
		private readonly happens: (what: string) => void,
		private readonly tell: (line: string) => void,
	) {
		this.random = seededRandom(history.seed);
		this.isQuick = this.random() < 0.3;
		this.usual = {
			isShared: this.random() < 0.4,
			usesOnce: this.random() < 0.4,
			key: this.pick(['row', 'row', 'stamp', 'due', 'day', 'empty']),
		};
		this.store = new FaultyStore(this.clock, this, mutant.mayLock ?? true);
	}

	async play(): Promise<string[]> {
		const { workers, executions, list, isMidnight } = this.history;
		const { judge, clock, store } = this;
		this.workers = Array.from({ length: workers }, () => this.startWorker());
		if (list !== 'small') await this.makeOld();
		if (isMidnight) await clock.run(clock.sleep(MIDNIGHT_MS - clock.now()), MIDNIGHT_MS);
		const playing = Array.from({ length: executions }, async () => {
			await clock.sleep(this.pick([0, 0, 0, 3, 40, 200, 2_000, 9_000]));
			const chain = this.start();
			await this.playChain(chain);
			await chain.goesOn;
		});
		try {
			await clock.run(Promise.all(playing), clock.now() + MOST_MS + 4 * DAY_MS);
			this.isDisturbed = false;
			judge.isSettled = true;
			// What still comes late has come, and a lock that was left behind is old.
			await clock.run(clock.sleep(700_000), clock.now() + MOST_MS);
			await clock.run(this.settleAll(), clock.now() + MOST_MS);
		} catch (error) {
			judge.breaks('hangs', String(error));
		}
		if (store.rows.lostUpdates > 0) judge.breaks('lost updates', `${store.rows.lostUpdates}`);
		if (store.rows.readData('').length > 0) judge.breaks('lock', 'It stays');
		const doubted = [...judge.doubtedForNothing.keys()];
		if (doubted.length > this.mayBeInDoubt)
			judge.breaks('doubts', `${doubted.join(', ')}, and ${this.mayBeInDoubt} may be`);
		const broken = [...judge.broken];
		for (const { worker } of this.attempts) worker.revive();
		await clock.run(clock.sleep(MOST_MS), Infinity);
		return broken;
	}

	/** A node that has long been in use. */
	private async makeOld(): Promise<void> {
		const { clock } = this;
		if (this.history.list === 'full') {
			// Executions of the day before have left their marks.
			const marked = new Date(START_MS - DAY_MS).toISOString();
			this.fillList(4_000);
			this.fillList(990, [`day ${marked.slice(0, 10)}`, `hour ${marked.slice(0, 13)}`]);
		}
		this.isDisturbed = false;
		await clock.run(this.attempt(this.start(true)), clock.now() + MOST_MS);
		await clock.run(clock.sleep(2 * 3_600_000), clock.now() + MOST_MS);
		this.isDisturbed = true;
	}

	/** A first attempt, and some retries, several of which may go on at the same moment. */
	private async playChain(chain: Chain): Promise<void> {
		const { clock } = this;
		if (this.isTwin(chain)) this.happens('twins');
		// Sometimes a node before this one fails first.
		const luck = this.random();
		// Nodes before this one may take long.
		await clock.sleep(this.pick([0, 0, 0, 0, 300, 4_000]));
		if (luck < 0.1) {
			chain.hasNoMark = true;
			chain.stored.push({ ...startOf(chain), isAnew: this.random() >= 0.5 });
			// It is retried by a person, when its twins have begun.
			await clock.sleep(1_000);
		} else if (luck < 0.2 && !chain.isTool) await this.takeForDead(chain);
		else await this.attempt(chain);
		for (let retries = this.int(4); retries > 0 && !chain.hasSucceeded; retries--) {
			await this.disturbList();
			if (this.may('time', 0.1)) await clock.sleep(DAY_MS);
			const from = this.pick(chain.stored);
			if (!from || this.isGivenUp(chain)) return;
			// Only its memory, or a key, tells what an agent has sent.
			if (chain.isTool && (chain.wasKilled || !from.by || from !== chain.stored.at(-1))) return;
			const setup = this.edit(chain, from);
			const retry = this.attempt(chain, from, setup);
			// Somebody may press Retry twice, and so may two people.
			if (this.random() < 0.1 && !chain.isTool) {
				this.happens('retriesAtOnce');
				void this.attempt(chain, from, setup);
			}
			if (this.random() < 0.7 || chain.isTool) await retry;
			else await clock.sleep(this.int(300));
		}
	}

	/** When a worker is killed, n8n takes executions of others for dead, too. They go on, or only now reach this node. */
	private async takeForDead(chain: Chain): Promise<void> {
		this.happens('takenForDead');
		chain.stored.push(startOf(chain));
		const delayMs = this.random() < 0.5 ? 0 : this.int(2_000);
		chain.goesOn = this.clock.sleep(delayMs).then(async () => await this.attempt(chain));
		// Its retry has no memory of it, wherever it has got to.
		await this.clock.sleep(this.int(this.pick([300, 2_000, 2_000, 20_000])));
	}

	/** Whatever is not in doubt is sent in the end, and each execution comes to its end. */
	private async settleAll(): Promise<void> {
		this.workers = [this.startWorker()];
		// It takes over a lock that was left behind, so it must have something to send.
		const last = this.start(true);
		for (const row of last.rounds.flat()) row.user ||= row.corrected;
		await this.attempt(last);
		for (const chain of this.chains) {
			if (chain.isTool || this.isGivenUp(chain)) continue;
			const { setup } = chain;
			for (let tries = 0; tries < 5 && !chain.hasSucceeded; tries++) {
				const from = tries === 0 ? this.pick(chain.stored) : chain.stored.at(-1);
				if (!from) break;
				const key = setup.key === 'now' || setup.isTextTimed ? 'row' : setup.key;
				const isIncomplete = from.rounds.flat().some(({ user }) => user === '');
				const column = isIncomplete ? 'corrected' : setup.column;
				await this.attempt(chain, from, { ...setup, key, column, retryUnknown: false });
			}
			if (!chain.hasSucceeded && chain.stored.length > 0)
				this.judge.breaks('never ends', `execution ${chain.number}`);
		}
	}

	/** @param isPlain whether it is no tool's and has no keys */
	private start(isPlain = false): Chain {
		const chain = this.makeChain(isPlain);
		this.chains.push(chain);
		return chain;
	}

	makeChain(isPlain: boolean) {
		const { isEvents, rows } = this.history;
		const { usual } = this;
		const number: number = this.chains.length + 1;
		const isShared = this.random() < (usual.isShared ? 0.8 : 0.15);
		const make = (index: number, round: number): Row => {
			const row = isShared ? `s${round}-${index}` : `${number}-${round}-${index}`;
			// Sometimes several messages to one recipient, and sometimes one to nobody.
			const luck = this.random();
			const user = luck < 0.12 ? 'several' : luck < 0.15 ? '' : `u${row}`;
			const corrected = this.random() < 0.2 || user === '' ? `new ${row}` : user;
			return { row, user, corrected, stamp: `${row} at 0`, text: 'Hello' };
		};
		const rounds = Array.from({ length: this.random() < 0.3 ? 1 + this.int(3) : 1 }, (_, round) =>
			Array.from({ length: 1 + this.int(rows) }, (_row, index) => make(index, round)),
		);
		const nowMs = this.clock.now() + this.offset();
		// Milliseconds are coarse, so that twins are frequent.
		const establishedAtMs = Math.floor(nowMs / 50) * 50;
		const usesOnce = this.random() < (usual.usesOnce ? 0.8 : 0.15) && !isPlain;
		const isOfDay = this.random() < 0.3;
		const isTool = !isEvents && this.random() < 0.1 && !isPlain;
		const { key } = usual;
		const setup = {
			usesOnce,
			key: this.pick<Key>([key, key, key, 'row', 'stamp', 'due', 'day', 'now', 'empty']),
			period: isOfDay && !isTool ? 'day' : 'ever',
			isTextTimed: this.may('text', 0.2) && !isTool,
			column: 'user' as 'user' | 'corrected',
			retryUnknown: this.random() < 0.1,
			// A tool is a node of its own.
			nodeId: isTool ? 'tool' : 'node',
			brandId: 'brand',
		};
		return {
			...{ number, setup, establishedAtMs, rounds, isTool },
			/** The same, unless n8n ran the execution a second time. */
			firstBeganAtMs: establishedAtMs,
			stops: this.random() < 0.7,
			maxTries: this.pick([1, 1, 1, 2, 3]),
			/** Whether somebody started it by hand. */
			isByHand: this.random() < 0.3 && !isEvents && !isTool,
			stored: [] as Stored[],
			hasSucceeded: false,
			/** By recipient, how many messages an attempt had for it at most, in all its rounds. */
			most: new Map<string, number>(),
			fewer: new Set<string>(),
			...{ wasKilled: false, isRunAgain: false, isPasted: false, hasPosted: false },
			/** What retries began with. */
			retried: [] as Stored[],
			/** Killed, or retried, without a mark of its own: its retry may take the notes of its twin for its own. */
			isLikeItsTwin: false,
			/** Whether a call of the store failed before it sent anything, so that it may not know whose its mark is. */
			hasLostAnswer: false,
			/** Whether its first attempt sent nothing, so that it left no mark. */
			hasNoMark: false,
			/** What its first attempt still does, although n8n has taken it for dead and lets it be retried. */
			goesOn: undefined as Promise<void> | undefined,
			/** Whether the messages to one recipient differed, or their order, from those of an attempt that still ran. */
			differsBeside: false,
		};
	}

	/** What a person changes before a retry. */
	private edit(chain: Chain, { context }: Stored): Setup {
		const setup = { ...chain.setup, retryUnknown: this.random() < 0.1 };
		// An agent's calls in a retry are new ones unless all is the same.
		if (chain.isTool) return setup;
		if (this.may('sendOnce', 0.2)) setup.usesOnce = !setup.usesOnce;
		if (this.may('key', 0.1))
			setup.key = this.pick(['row', 'edited', 'stamp', 'due', 'day', 'empty']);
		if (this.may('text', 0.15)) setup.isTextTimed = !setup.isTextTimed;
		if (this.may('recipients', 0.2)) setup.column = 'corrected';
		if (this.may('account', 0.02)) setup.brandId = 'other';
		if (this.may('node', 0.03)) {
			setup.nodeId = 'pasted';
			setup.brandId = chain.setup.brandId;
			// Without memory, nothing tells that it is another node.
			if (context === '{}') chain.isPasted = true;
		}
		if (this.random() < 0.5) chain.setup = { ...setup, nodeId: 'node' };
		return setup;
	}

	/** Draws in any case, so that a history stays the same in what may still differ. */
	private may(differing: (typeof differences)[number], rate: number): boolean {
		return this.random() < rate && this.history.differs.includes(differing);
	}

	/** Runs an execution from the start, or from what n8n stored of an attempt. */
	private async attempt(chain: Chain, from?: Stored, setup = chain.setup): Promise<void> {
		const worker = this.pick(this.workers);
		const isRetry = from !== undefined;
		const name = `${++this.ids}`;
		if (isRetry) {
			this.happens('retries');
			chain.retried.push(from);
			if (chain.hasNoMark) chain.isLikeItsTwin = true;
		}
		let saved = from ?? startOf(chain);
		const isStored = isRetry && !from.isAnew;
		const rounds = isRetry && from.isAnew ? this.change(chain, from.rounds) : saved.rounds;
		const users = rounds.flat().map((row) => row[setup.column]);
		this.countRecipients(chain, users);
		const several = rounds.flat().filter((_, index) => users[index] === 'several');
		const rowsOfSeveral = several.map(({ row }) => row).join();
		const beganAtMs = this.clock.now();
		const namesOwnStart = isRetry && this.mutant.namesOwnStart;
		const establishedAtMs = namesOwnStart ? Math.floor(beganAtMs) : saved.establishedAtMs;
		const context = JSON.parse(saved.context) as IDataObject;
		const attempt: Attempt = {
			...{ name, chain, setup, worker, isRetry, isStored, beganAtMs, establishedAtMs, context },
			...{ triedAtMs: from?.triedAtMs, remembers: from?.by, mayHaveLeft: false, isOver: false },
			rowsOfSeveral,
		};
		const beside = this.attempts.filter((one) => one.chain === chain && !one.isOver);
		chain.differsBeside ||= beside.some((one) => one.rowsOfSeveral !== rowsOfSeveral);
		this.attempts.push(attempt);
		this.log(`${name} of ${chain.number} begins on ${worker.name} in round ${saved.round}`);
		this.log(`${JSON.stringify(setup)} ${saved.context}`);
		const save = (round: number) => {
			saved = { ...saved, round, context: JSON.stringify(context), triedAtMs: attempt.triedAtMs };
		};
		const work = async (): Promise<'succeeded' | 'failed'> => {
			if (chain.isTool) {
				const isDone = await this.callByAgent(attempt, rounds.flat());
				save(0);
				return isDone ? 'succeeded' : 'failed';
			}
			for (; saved.round < rounds.length; save(saved.round + 1)) {
				const { round } = saved;
				attempt.triedAtMs ??=
					isRetry && round === 0 ? establishedAtMs : this.clock.now() + worker.offsetMs;
				const isDone = await this.runWithTries(attempt, rounds[round] ?? [], round);
				if (!isDone) {
					save(round);
					return 'failed';
				}
				attempt.triedAtMs = undefined;
			}
			return 'succeeded';
		};
		const end = await Promise.race([work(), worker.whenKilled]);
		attempt.isOver = true;
		this.log(`${name} has ${end}`);
		if (!isRetry && !chain.hasPosted) chain.hasNoMark = true;
		chain.hasSucceeded ||= end === 'succeeded';
		if (end === 'succeeded') return;
		// A killed execution has lost its memory, unless the workflow saves its progress after each node.
		const isLost = end === 'killed' && (this.random() < 0.7 || chain.isTool);
		if (end === 'killed') {
			chain.wasKilled = true;
			if (!chain.hasPosted) chain.isLikeItsTwin = true;
		}
		const stored = { ...saved, rounds, isAnew: false, establishedAtMs, by: attempt };
		chain.stored.push(isLost ? (from ?? startOf(chain)) : stored);
		if (end !== 'killed' || isRetry || chain.goesOn || chain.isRunAgain || !this.isDisturbed)
			return;
		if (this.random() >= 0.2 || chain.isTool) return;
		// In queue mode, n8n 1 runs an execution again from its start when its worker was killed.
		this.happens('runAgain');
		Object.assign(chain, { isRunAgain: true, stored: [], establishedAtMs: this.clock.now() });
		await this.attempt(chain);
	}

	/** Runs the node, and again as n8n's Retry On Fail does. Returns whether the workflow goes on. */
	private async runWithTries(attempt: Attempt, rows: Row[], runIndex: number): Promise<boolean> {
		const { chain, worker } = attempt;
		for (let tries = 1; !(await this.run(attempt, rows, runIndex)); tries++) {
			if (tries === chain.maxTries) return !chain.stops;
			this.happens('tries');
			await this.clock.sleep(1_000);
			await worker.gate();
		}
		return true;
	}

	/** The calls of an agent, each with one row: some side by side, and some equal. */
	private async callByAgent(attempt: Attempt, rows: Row[]): Promise<boolean> {
		this.happens('agents');
		let runIndex = 0;
		const call = async (row: Row) => {
			// Each try of a call is handed the same item.
			const items = this.toItems([row], attempt);
			for (let tries = 1; !(await this.run(attempt, [row], runIndex++, items)); tries++)
				if (tries === attempt.chain.maxTries) return false;
			return true;
		};
		const ends: boolean[] = [];
		for (let next = 0; next < rows.length;) {
			const some = rows.slice(next, next + 1 + this.int(3));
			next += some.length;
			// Sometimes it makes the same call twice at once.
			if (some[0] && this.random() < 0.2) some.push(some[0]);
			ends.push(...(await Promise.all(some.map(call))));
		}
		return ends.every(Boolean);
	}

	/** Runs the node once. Returns whether what n8n's Retry On Fail looks at succeeded. */
	private async run(
		attempt: Attempt,
		rows: readonly Row[],
		runIndex: number,
		items = this.toItems(rows, attempt),
	) {
		const { chain, name, isRetry, establishedAtMs, context, setup, worker } = attempt;
		const { judge, clock } = this;
		const { stops, isTool, maxTries, isByHand } = chain;
		const isAlone = new Set(rows.map((row) => row[setup.column])).size < 2;
		const messages = rows.map((row) => this.toMessage(row, attempt, isAlone));
		if (isByHand && !isAlone && !setup.usesOnce) this.happens('listsByHand');
		for (const message of messages) judge.has(message, attempt);
		const calls = this.store.connect(worker, setup.nodeId);
		const firstMode = isByHand ? 'manual' : 'trigger';
		const n8n = simulateN8n(
			{
				...{ items, parameters: this.toParameters(setup, isTool), brandId: setup.brandId },
				...{ isTool, maxTries, stopsOnFailure: stops },
				nodeId: setup.nodeId,
				execution: { id: name, mode: isRetry ? 'retry' : firstMode, establishedAtMs, firstMode },
				random: this.random,
				memory: () => ({ context, runIndex, execution: name }),
				// Each worker has names and turns of its own, although they lie in one process here.
				store: () => ({
					calls: { ...calls, ...this.mutant.calls?.(calls, clock) },
					workflow: worker.name,
					node: `${worker.name} ${setup.nodeId}`,
					mayLock: this.mutant.mayLock ?? true,
				}),
				post: async ({ body }) =>
					await this.receive(attempt, messages, JSON.parse(String(body)) as Sent),
				log: (message, level) => {
					if (level === 'error') judge.breaks('mistake', message);
				},
			},
			worker,
			clock,
		);
		const end = await runNode(items, n8n, worker.pace);
		await worker.gate();
		const isError = end instanceof Error;
		const told = isError ? readError(end, rows.length) : readItems(end);
		if (isError) this.log(`${name} ${end.message} | ${end.description}`);
		else if (told.size < rows.length) judge.breaks('silent', `${name} says nothing of a row`);
		for (const [index, telling] of told) {
			const [row, asNow] = [rows[index], messages[index]];
			if (!row || !asNow || telling.told === 'invalid') continue;
			const isNotSent = telling.told === 'notSent';
			if (telling.told === 'unknown') this.happens('inDoubt');
			const message = this.asTold(row, asNow, attempt);
			this.log(`${message.row} to ${message.user} ${Object.values(telling).join(' ')}`);
			// One that was taken for dead and cannot read the list does not know what its retry has sent.
			const cannotKnow = isNotSent && chain.goesOn && !isRetry ? 'taken for dead' : undefined;
			const excuse = cannotKnow ?? this.excuseOf(chain, message);
			judge.tells(message, attempt, telling, excuse, this.doubtOf(chain, message));
			if (isNotSent && !this.isDisturbed && !this.isGivenUp(chain))
				if (telling.reason !== undefined && telling.reason !== 'stopped')
					judge.breaks('not sent in the end', `${message.row} by ${name}`);
		}
		return !isError && end[0]?.json.error === undefined;
	}

	private toItems(rows: readonly Row[], { isStored }: Attempt) {
		return rows.map((row) => ({ json: { ...row, due: isStored ? due.stored : due.fresh } }));
	}

	private toParameters(setup: Setup, isTool: boolean) {
		const { usesOnce, key, period, isTextTimed, column, retryUnknown } = setup;
		// A tool must not read `$json`, in which the model could put its own words.
		const row = isTool ? "$('Rows').first().json" : '$json';
		const text = `={{ ${row}.text }}${isTextTimed ? ' {{ $now.toFormat("HH:mm:ss.SSS") }}' : ''}`;
		const assignments = [
			{ name: 'row', value: `={{ ${row}.row }}`, type: 'string' },
			{ name: 'text', value: text, type: 'string' },
		];
		const ofEvents = {
			...{ resource: 'event', operation: 'track', dataMode: 'defineBelow' },
			...{ event_name: 'Order Placed', userID: `={{ $json.${column} }}` },
			attributes: { assignments },
		};
		const ofPushes = {
			...{ resource: 'push', operation: 'send', recipientBy: 'user_id', platforms: ['web'] },
			...{ user_id: `={{ ${row}.${column} }}`, title: `={{ ${row}.row }}`, message: text },
			...{ url: 'https://example.com/', sendAt: 'now', testRuns: isTool ? undefined : 'send' },
		};
		return {
			...{ authentication: 'apiKey', additionalFields: {} },
			...{ sendOnce: usesOnce, sendOncePeriod: period },
			sendOnceKey: keys[key].replaceAll('$json', row),
			options: { retryUnknown, batchSize: BATCH_SIZE, concurrency: 4, maxWait: 5 },
			...(this.history.isEvents ? ofEvents : ofPushes),
		};
	}

	private toMessage(row: Row, by: Attempt, isAlone: boolean): Message {
		const { setup, worker, triedAtMs = 0 } = by;
		const { column, nodeId, period, key, isTextTimed } = setup;
		const onceKey = {
			row: row.row,
			edited: `${row.row} again`,
			stamp: row.stamp,
			due: `${row.row} due`,
			day: `${row.row} ${dayOf(this.clock.now() + worker.offsetMs)}`,
			now: undefined,
			empty: isTextTimed ? undefined : `content ${row.row} ${row.text}`,
		}[key];
		// Each node has keys of its own.
		const scope = period === 'ever' ? nodeId : `${nodeId} ${dayOf(triedAtMs)}`;
		return {
			user: row[column],
			row: row.row,
			onceKey: onceKey && `${scope} ${onceKey}`,
			listKey: isTextTimed ? undefined : `${nodeId} ${dayOf(triedAtMs)} ${row.row} ${row.text}`,
			isAlone,
		};
	}

	private countRecipients({ most, fewer }: Chain, users: readonly string[]): void {
		const count = (user: string) => users.filter((one) => one === user).length;
		for (const [user, before] of most) if (before > 1 && count(user) < before) fewer.add(user);
		for (const user of users) most.set(user, Math.max(count(user), most.get(user) ?? 0));
	}

	/** A message of which an attempt tells. */
	private asTold(row: Row, asNow: Message, attempt: Attempt): Message {
		const { setup } = attempt;
		// A row that is for nobody now keeps the outcome of an attempt in which it was for somebody.
		const message = { ...asNow, user: asNow.user || row.corrected };
		// An attempt that is refused does not read whom its rows are for, and repeats what was said of them.
		const isRefused = setup.nodeId === 'pasted' || (setup.usesOnce && setup.key === 'now');
		const all = isRefused ? [row.user, row.corrected].map((user) => ({ ...asNow, user })) : [];
		return all.find((one) => this.judge.isKnown(one, attempt)) ?? message;
	}

	/** Why no promise holds for a message. */
	private excuseOf(chain: Chain, { user }: Message): string | undefined {
		if (chain.isPasted) return 'a node that was pasted meanwhile';
		if (chain.isRunAgain) return 'run a second time by n8n';
		if (this.isTwinGivenUp(chain)) return 'twins of which one was killed at its start';
		if (this.isTwin(chain) && this.twinsOf(chain).some(({ hasLostAnswer }) => hasLostAnswer))
			return 'twins of which one lost the answer to its first claim';
		const lookedUp = `established ${chain.establishedAtMs} ?`;
		if (this.isTwin(chain) && this.store.rows.readData('n:node').includes(lookedUp))
			return 'twins of which one lost the lock in a stall while it looked up their mark';
		// A first attempt that goes on does not look how far back the list reaches. A later twin leaves its mark again.
		if ((chain.goesOn || this.isTwin(chain)) && this.hasTurnedOver)
			return 'a list that turned over';
		if (this.isSeveral(chain, user) && (chain.goesOn || chain.differsBeside))
			return 'several messages to one recipient beside a living attempt';
		return chain.fewer.has(user) ? 'fewer messages to a recipient with several' : undefined;
	}

	/** Why a message may be in doubt although nobody has sent it. */
	private doubtOf(chain: Chain, message: Message): string | undefined {
		const excuse = this.excuseOf(chain, message);
		if (excuse) return excuse;
		if (this.hasTurnedOver) return 'a list that turned over';
		// Nobody can tell a mark that shows how far back the list reaches from one that was only looked up.
		const entries = this.store.rows.readData('n:node');
		if (entries.some((entry) => /^(first|month|day|hour)\b.* \?$/.test(entry)))
			return 'a mark whose look-up was interrupted';
		const hasBranched = new Set(chain.retried).size < chain.retried.length;
		return this.isSeveral(chain, message.user) && (chain.wasKilled || hasBranched)
			? 'several messages to one recipient without a memory in common'
			: undefined;
	}

	private isSeveral({ most }: Chain, user: string): boolean {
		return Number(most.get(user)) > 1;
	}

	/** Executions whose retries the node refuses, or for which nothing is promised. */
	private isGivenUp(chain: Chain): boolean {
		// Without its memory, the node refuses what it cannot tell from a twin.
		const { hasNoMark, wasKilled, goesOn } = chain;
		const isRefused = this.isTwin(chain) && (hasNoMark || wasKilled || goesOn !== undefined);
		return chain.isRunAgain || chain.isPasted || isRefused || this.isTwinGivenUp(chain);
	}

	private isTwin(chain: Chain): boolean {
		return this.twinsOf(chain).some((one) => one !== chain);
	}

	private twinsOf({ establishedAtMs }: Chain): Chain[] {
		return this.chains.filter((one) => one.firstBeganAtMs === establishedAtMs);
	}

	private isTwinGivenUp(chain: Chain): boolean {
		const twins = this.twinsOf(chain);
		// One that was taken for dead meets the mark of its twin, and cannot tell that a retry of its own was there.
		return twins.length > 1 && twins.some((one) => one.isLikeItsTwin || one.goesOn !== undefined);
	}

	/** All nodes run again: a list may come in another order, longer or shorter, and with other times. */
	private change({ fewer }: Chain, rounds: Row[][]): Row[][] {
		const stamp = this.may('key', 0.3) ? ++this.ids : 0;
		const written = this.may('text', 0.2) ? ++this.ids : undefined;
		let all = rounds.flat().map((row) => ({
			...row,
			stamp: `${row.row} at ${stamp}`,
			text: written === undefined ? row.text : `Hello ${written}`,
		}));
		if (this.may('rows', 0.4)) {
			const left = [...all];
			all = all.map(() => left.splice(this.int(left.length), 1)[0] as Row);
			// A round of a loop cannot know what the following ones bring.
			const isSeveral = (user: string) => all.filter((row) => row.user === user).length > 1;
			if (rounds.length > 1) for (const { user } of all) if (isSeveral(user)) fewer.add(user);
			const row = `new-${++this.ids}`;
			if (this.random() < 0.3)
				all.unshift({ row, user: row, corrected: row, stamp: row, text: 'Hello' });
			if (this.random() < 0.2 && all.length > 1) all.pop();
		}
		const size = Math.ceil(all.length / rounds.length);
		return rounds.map((_, round) => all.slice(round * size, (round + 1) * size));
	}

	/** The service takes most requests, refuses some, and loses the answer to others. */
	private async receive(attempt: Attempt, messages: Message[], body: Sent): Promise<Reply> {
		const { chain, worker } = attempt;
		const sent = readMessages(body).flatMap(({ user, row }) =>
			messages.filter((message) => message.user === user && message.row === row).slice(0, 1),
		);
		worker.onTheWay += sent.length;
		await this.travel(worker);
		worker.onTheWay -= sent.length;
		const luck = this.random() / (this.isDisturbed ? this.history.refuseRate : 0);
		const answer = (statusCode: number, more = {}): Reply => ({
			...{ kind: 'answer', statusCode, body: null, ...more },
		});
		// The question whether the service is back reaches nobody.
		if (sent.length === 0) {
			await this.travel(worker);
			return answer(400);
		}
		chain.hasPosted = true;
		const isTaken = luck > 3 || (luck > 2 && this.random() < 0.5);
		this.log(`${attempt.name} ${isTaken ? 'delivers' : 'loses'} ${sent.map(nameOf).join()}`);
		for (const message of sent) this.judge.arrives(message, attempt);
		for (const message of luck < 1 ? [] : sent) this.judge.posted(message, attempt);
		for (const message of isTaken ? sent : [])
			this.judge.takes(message, attempt, this.excuseOf(chain, message));
		await this.travel(worker);
		if (luck < 1) return answer(429, { retryAfterMs: 2_000 });
		if (luck < 2) return answer(400);
		if (luck < 2.5) return answer(500);
		if (luck < 3) return { kind: 'failure', code: 'ECONNRESET', message: 'socket hang up' };
		return answer(202, { remaining: 400 });
	}

	private async travel(worker: Worker): Promise<void> {
		await this.clock.sleep(5 + 100 * this.random() ** 3);
		this.disturb(worker);
		await worker.gate();
	}

	/** Kills a worker, or stalls it. */
	disturb(worker: Worker): void {
		const { killRate, stallRate, isEvents } = this.history;
		if (!this.isDisturbed || worker.isKilled) return;
		// Each run may have a window claimed, and another one that it looks up.
		const leave = () => {
			const ofRun = (isEvents ? BATCH_SIZE : WINDOW) + LOOK_UP;
			this.mayBeInDoubt += this.leaveNames(worker).length * ofRun;
		};
		if (this.random() < stallRate) {
			this.happens('stalls');
			// It may lose the lock while it looks names up.
			leave();
			worker.stall(this.int(30_000));
		}
		if (this.random() >= killRate) return;
		this.happens('kills');
		this.log(`${worker.name} is killed`);
		leave();
		this.mayBeInDoubt += worker.onTheWay;
		worker.kill();
		this.workers = this.workers.map((one) => (one === worker ? this.startWorker() : one));
	}

	/** The attempts of a worker, which may have left names that they claimed or looked up. */
	private leaveNames(worker: Worker): Attempt[] {
		const attempts = this.attempts.filter((one) => one.worker === worker && !one.isOver);
		for (const attempt of attempts) attempt.mayHaveLeft = true;
		return attempts;
	}

	delayMs(): number {
		return this.isQuick ? 1 : 1 + Math.floor(16 * this.random() ** 2);
	}

	lateMs(): number {
		return 1_000 * this.int(60);
	}

	/** Where the store is silent, all runs of a worker have to end. */
	leaveDoubt(fate: string, worker: Worker): void {
		this.log(`${worker.name}: a call of the store ${fate}`);
		for (const { chain } of this.leaveNames(worker))
			if (!chain.hasPosted) chain.hasLostAnswer = true;
		this.mayBeInDoubt += fate.startsWith('fails') ? 2 * WINDOW : 20 * WINDOW;
	}

	fateOfCall() {
		const { failRate, silentRate } = this.history;
		if (!this.isDisturbed) return 'none';
		const luck = this.random();
		if (luck < failRate) {
			this.happens('failedCalls');
			return luck < failRate / 2 ? 'failsBefore' : 'failsAfter';
		}
		if (luck <= 1 - silentRate) return 'none';
		this.happens('silentCalls');
		return this.pick(['silentBefore', 'silentAfter', 'late'] as const);
	}

	/** What other executions of the node do to its list, once they get the lock. */
	private async disturbList(): Promise<void> {
		const { list } = this.history;
		if (list === 'small' || list === 'full' || this.random() < 0.7) return;
		for (let tries = 0; !this.store.isFree; tries++) {
			if (tries === 100) return;
			await this.clock.sleep(10);
		}
		// The marks of all hours before are dropped, now or by the next small run, or they are missing.
		this.hasTurnedOver = true;
		// Small runs drop nothing of a list that is longer than what they keep.
		if (list === 'grows') return this.fillList(5_200);
		this.judge.droppedAtMs.names = this.judge.droppedAtMs.keys = this.clock.now();
		this.fillList(this.pick([4_800, 4_980, 5_000]), [], 5_000);
	}

	private fillList(entries: number, first: string[] = [], keep = Infinity): void {
		const { rows } = this.store;
		const data = [...rows.readData('n:node'), ...first];
		for (let added = 0; added < entries; added++) data.push(`other ${++this.ids}`);
		rows.put('n:node', { mode: 'entries', data: data.slice(-Math.min(keep, data.length)) });
	}

	private startWorker(): Worker {
		return new Worker(this.clock, this.offset());
	}

	private offset(): number {
		return Math.floor(60_000 * this.history.clocksApart * (this.random() - 0.5));
	}

	private log(text: string): void {
		this.tell(`${this.clock.now() - START_MS} ${text}`);
	}

	private pick<T>(list: readonly T[]): T {
		return list[this.int(list.length)] as T;
	}

	private int(below: number): number {
		return Math.floor(this.random() * below);
	}
}

/** A retry of an execution of which n8n has stored nothing. */
const startOf = ({ rounds, establishedAtMs }: Chain): Stored => ({
	...{ round: 0, context: '{}', rounds, isAnew: true, establishedAtMs },
});

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** What is sent: a push, or a batch of events. */
interface Sent {
	user_id?: string;
	title?: string;
	nv?: Array<{ userID: string; attributes: { row: string } }>;
}

const readMessages = ({ user_id: user, title: row, nv }: Sent) =>
	nv?.map(({ userID, attributes }) => ({ user: userID, row: attributes.row })) ?? [{ user, row }];
