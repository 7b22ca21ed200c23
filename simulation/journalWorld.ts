import type { NamesInUse, State } from '../nodes/CustomerMessaging/journal/journal';
import { Ledger, type LedgerMemory } from '../nodes/CustomerMessaging/journal/ledger';
import {
	type MarkMemory,
	openJournal,
	type SharedByRuns,
} from '../nodes/CustomerMessaging/journal/reconcile';
import type { N8n, StoreCalls } from '../nodes/CustomerMessaging/n8n/context';
import type { Plan } from '../nodes/CustomerMessaging/plan/plan';
import { RecipientNumbers } from '../nodes/CustomerMessaging/plan/counts';
import type { Run } from '../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../nodes/CustomerMessaging/shared/delivery';
import { isProblem } from '../nodes/CustomerMessaging/shared/result';
import { seededRandom } from '../sandbox/random';
import { N8nStore, SimulatedProcess } from './n8nStore';
import { VirtualClock } from './virtualClock';

/** What makes a journal that breaks promises, to show that histories find it. */
export interface Mutant {
	mayLock?: boolean;
	/** Wraps n8n's calls of a process. */
	calls?: (calls: StoreCalls, clock: VirtualClock) => StoreCalls;
	namesInUse?: () => NamesInUse;
	/** What is added to the name of the operation, and so to the names of messages. */
	operation?: (runIndex: number) => string;
}

/** What happened in some histories. */
export interface Counts {
	histories: number;
	attempts: number;
	kills: number;
	/** Calls that failed before and after their commit. */
	failedCalls: number;
	lostAnswers: number;
	/** Executions that began in the same millisecond as another one. */
	twins: number;
	/** Executions that n8n ran again from the start after a kill. */
	runAgain: number;
	/** Messages that were claimed under a key that another run had used or was using. */
	sameKeys: number;
	accepted: number;
	inDoubt: number;
}

export const noCounts = (): Counts => ({
	histories: 0,
	attempts: 0,
	kills: 0,
	failedCalls: 0,
	lostAnswers: 0,
	twins: 0,
	runAgain: 0,
	sameKeys: 0,
	accepted: 0,
	inDoubt: 0,
});

export interface History {
	seed: number;
	/** Processes of n8n. */
	workers: number;
	rows: number;
	executions: number;
	/** 0 to 1: how many statements a process is killed at, and how many calls fail. */
	killRate: number;
	failRate: number;
	/** How often the service refuses a message, and loses an answer. */
	refuseRate: number;
}

/** A row of the input. Its text does not identify it: a person may correct texts before a retry. */
interface Row {
	recipient: string;
	/** Tells the messages to one recipient apart, for the judge alone. */
	text: number;
	isInvalid: boolean;
}

interface Execution {
	id: number;
	establishedAtMs: number;
	rounds: Row[][];
	usesOnce: boolean;
	isTool: boolean;
	retryUnknown: boolean;
	/** What n8n stored of attempts that ended, or were killed: where a retry begins. */
	stored: Array<{ round: number; context: object; rounds: Row[][]; isLost: boolean }>;
	succeeded: boolean;
	/** Whether it was killed twice, so that its retries are refused, or given up. */
	isConfused?: boolean;
	/** Whether it was killed before it could tell itself from another one of the same millisecond. */
	isUnmarked?: boolean;
}

type Told = 'accepted' | 'skipped' | 'unknown' | 'notSent' | 'rejected';

const START_MS = 1_800_000_000_000;
/** Enough for several locks that killed processes leave behind, one after another. */
const MOST_MS = 3_600_000;
const MAX_WAIT_MS = 20_000;
const WINDOW = 10;
const CONTEXT = 'n:node';

/** Plays a random history, and then retries all executions undisturbed. Returns what broke a promise. */
export async function play(
	history: History,
	counts: Counts = noCounts(),
	mutant: Mutant = {},
): Promise<string[]> {
	return await new World(history, counts, mutant).play();
}

class World {
	private readonly clock = new VirtualClock(START_MS);
	private readonly store = new N8nStore();
	private readonly random: () => number;
	private readonly broken: string[] = [];
	private workers: Worker[] = [];
	private isDisturbed = true;
	private ids = 0;
	private readonly all: Execution[] = [];
	/** How often each message was accepted, more than that was allowed where Retry Unknown repeated it. */
	private readonly accepted = new Map<string, number>();
	private readonly allowed = new Map<string, number>();
	private readonly requested = new Set<string>();
	/** Attempts whose journal is open, and which of them claimed a name last. */
	private readonly live = new Set<number>();
	private readonly claimedBy = new Map<string, number>();
	/** How many messages kills, lost answers and failed writes may leave in doubt. */
	private mayBeInDoubt = 0;
	private readonly keysUsed = new Set<string>();
	private readonly keys = new Map<string, string>();

	constructor(
		private readonly history: History,
		private readonly counts: Counts,
		private readonly mutant: Mutant,
	) {
		this.random = seededRandom(history.seed);
	}

	async play(): Promise<string[]> {
		const { workers, executions } = this.history;
		this.counts.histories++;
		this.workers = Array.from({ length: workers }, () => this.startWorker());
		const { all } = this;
		const playing = Array.from({ length: executions }, async () => {
			const atMs = this.pick([0, 0, 0, 3, 40, 200, 2_000, 9_000]);
			await this.clock.sleep(atMs);
			const execution = this.makeExecution();
			all.push(execution);
			if (this.isTwin(execution)) this.counts.twins++;
			await this.attempt(execution);
			for (let retries = this.int(4); retries > 0; retries--) {
				// Several retries may go on at the same moment.
				const retry = this.retry(execution);
				if (this.random() < 0.7) await retry;
				else await this.clock.sleep(this.int(300));
			}
		});
		try {
			await this.clock.run(Promise.all(playing), this.clock.now() + MOST_MS);
			this.isDisturbed = false;
			await this.clock.run(this.clock.sleep(60_000), this.clock.now() + MOST_MS);
			await this.clock.run(this.settleAll(all), this.clock.now() + MOST_MS);
		} catch (error) {
			this.broken.push(String(error));
		}
		for (const [message, times] of this.accepted) {
			const key = this.keys.get(message) ?? '';
			const most = 1 + (this.allowed.get(message) ?? 0) + (this.allowed.get(key) ?? 0);
			if (times > most) this.broken.push(`${message} was accepted ${times} times`);
		}
		if (this.store.lostUpdates > 0) this.broken.push(`${this.store.lostUpdates} lost updates`);
		if (this.store.readData('').length > 0) this.broken.push('A lock stays');
		return this.broken;
	}

	/** Whatever is not in doubt is sent in the end. */
	private async settleAll(all: readonly Execution[]): Promise<void> {
		this.workers = [this.startWorker()];
		// It takes over a lock that was left behind.
		await this.attempt({ ...this.makeExecution(), usesOnce: false });
		let inDoubt = 0;
		for (const execution of all) {
			const { stored, usesOnce, isTool } = execution;
			if (isTool || execution.succeeded || stored.length === 0 || this.isGivenUp(execution))
				continue;
			const told = await this.attempt(execution, this.pick(stored), {
				usesOnce,
				retryUnknown: false,
				isQuiet: true,
			});
			for (const [message, one] of told ?? [])
				if (one === 'unknown' && !this.wasRequested(message) && !message.includes('shared'))
					inDoubt++;
			if (told && [...told.values()].some((one) => one === 'notSent'))
				this.broken.push('Something is not sent in the end');
		}
		this.counts.inDoubt += inDoubt;
		if (inDoubt > this.mayBeInDoubt)
			this.broken.push(`${inDoubt} are in doubt for nothing, and ${this.mayBeInDoubt} may be`);
	}

	private makeExecution(): Execution {
		const establishedAtMs = Math.floor(this.clock.now() / 50) * 50;
		const twin = this.all.find((one) => one.establishedAtMs === establishedAtMs);
		// Of the same workflow, so Send Once is on for both or for none.
		const usesOnce = twin?.usesOnce ?? this.random() < 0.4;
		const rounds = Array.from({ length: this.random() < 0.3 ? 1 + this.int(3) : 1 }, (_, round) =>
			Array.from({ length: 1 + this.int(this.history.rows) }, (_row, index): Row => ({
				// Sometimes several messages to one recipient.
				recipient: this.random() < 0.15 ? 'shared' : `r${round}-${index}`,
				text: 100 * round + index,
				isInvalid: this.random() < 0.05,
			})),
		);
		return {
			id: ++this.ids,
			// Milliseconds are coarse, so that twins are frequent.
			establishedAtMs,
			rounds,
			usesOnce,
			isTool: usesOnce && this.random() < 0.1,
			retryUnknown: this.random() < 0.1,
			stored: [],
			succeeded: false,
		};
	}

	private async retry(execution: Execution): Promise<void> {
		const { stored, usesOnce, isTool } = execution;
		const from = this.pick(stored);
		if (!from || execution.succeeded || isTool || this.isGivenUp(execution)) return;
		const changed = this.random() < 0.2;
		await this.attempt(execution, from, {
			usesOnce: changed ? !usesOnce : usesOnce,
			retryUnknown: this.random() < 0.1,
		});
	}

	/** Runs an execution from the start, or from what n8n stored of an attempt. Returns what it told of each message. */
	private async attempt(
		execution: Execution,
		from?: Execution['stored'][number],
		{ usesOnce, retryUnknown, isQuiet = false }: Settings = execution,
	): Promise<Map<string, Told> | undefined> {
		this.counts.attempts++;
		const context = JSON.parse(JSON.stringify(from?.context ?? {})) as LedgerMemory;
		const isFirst = from === undefined;
		const id = isFirst ? execution.id : ++this.ids;
		// A node before this one may give the rows of a killed attempt in another order, with one more or corrected.
		const { rounds: earlier } = from ?? execution;
		const rounds = from?.isLost ? this.change(earlier) : earlier;
		const told = new Map<string, Told>();
		let saved = { round: from?.round ?? 0, context: JSON.stringify(from?.context ?? {}) };
		const worker = this.pickWorker();
		const isAlive = await Promise.race([
			worker.whenKilled.then(() => false),
			(async () => {
				for (let round = saved.round; round < rounds.length; round++) {
					saved = { round, context: JSON.stringify(context) };
					const settings = { usesOnce, retryUnknown };
					const attempt = { execution, id, isFirst, runIndex: round, context, settings, worker };
					const isDone = await this.run(attempt, rounds[round] ?? [], told, isQuiet);
					saved = { round, context: JSON.stringify(context) };
					if (!isDone) return true;
				}
				execution.succeeded = true;
				return true;
			})(),
		]);
		const { stored } = execution;
		if (!execution.succeeded) {
			// A killed execution has lost its memory, unless the workflow saves its progress after each round.
			const savesProgress = this.random() < 0.3;
			const isLost = !isAlive && !savesProgress;
			const now = { ...saved, context: JSON.parse(saved.context) as object, rounds, isLost: false };
			const start = { round: 0, context: {}, rounds, isLost: true };
			// A retry that is killed can be retried from where it began.
			stored.push(isLost ? (from ?? start) : now);
			const { marked }: MarkMemory = context as MarkMemory;
			if (isFirst && !isAlive && !marked?.isConfirmed) execution.isUnmarked = true;
			if (!isAlive && isFirst && this.isDisturbed && this.random() < 0.3) {
				// In queue mode, n8n 1 runs the execution again from the start.
				this.counts.runAgain++;
				const again = { ...execution, establishedAtMs: this.clock.now(), stored: [] };
				await this.attempt(again);
				execution.succeeded = again.succeeded;
				execution.establishedAtMs = again.establishedAtMs;
				execution.stored = again.stored;
				// Of what it had sent the first time, n8n stores nothing any more.
				execution.isConfused = !again.succeeded;
			}
		}
		return isAlive ? told : undefined;
	}

	private wasRequested(message: string): boolean {
		return this.requested.has(message) || this.requested.has(this.keys.get(message) ?? '');
	}

	/** Twins of which one was killed before it could tell itself from the other. */
	private isGivenUp({ isConfused = false, ...execution }: Execution): boolean {
		const twins = this.all.filter((one) => one.establishedAtMs === execution.establishedAtMs);
		return isConfused || (twins.length > 1 && twins.some(({ isUnmarked }) => isUnmarked));
	}

	private isTwin({ id, establishedAtMs }: Execution): boolean {
		return this.all.some((one) => one.id !== id && one.establishedAtMs === establishedAtMs);
	}

	private change(rounds: Row[][]): Row[][] {
		const all = rounds.flat();
		if (this.random() < 0.5) return rounds;
		const changed = [...all].sort(() => this.random() - 0.5);
		if (this.random() < 0.5)
			changed.unshift({
				recipient: `new ${this.int(1e6)}`,
				text: 1e4 + this.int(1e6),
				isInvalid: false,
			});
		return rounds.length > 1
			? [changed.slice(0, all.length / 2), changed.slice(all.length / 2)]
			: [changed];
	}

	/** One run of the node. Returns whether it accepted all rows. */
	private async run(
		attempt: RunningAttempt,
		rows: readonly Row[],
		told: Map<string, Told>,
		isQuiet: boolean,
	): Promise<boolean> {
		const { execution, id, isFirst, runIndex, context, settings, worker } = attempt;
		const { usesOnce } = settings;
		const { establishedAtMs, isTool } = execution;
		const operation = `push.send${this.mutant.operation?.(runIndex) ?? ''}`;
		const { run, n8n } = this.describe(attempt, establishedAtMs);
		const ledger = new Ledger(n8n, operation);
		const numbers = new RecipientNumbers({ context: context as never, runIndex });
		const messages = new Map<Delivery, string>();
		const plan: Plan = {
			deliveries: [],
			invalid: [],
			earlier: [],
			itemCount: rows.length,
			numbers,
		};
		for (const [itemIndex, { recipient, text, isInvalid }] of rows.entries()) {
			const addressed = numbers.address(recipient, 'web');
			if (isInvalid && !isQuiet) {
				plan.invalid.push({ kind: 'invalid', itemIndex, problems: [], addressed: [addressed] });
				continue;
			}
			const onceKey = usesOnce ? `key ${recipient} ${text}` : undefined;
			const delivery: Delivery = {
				...addressed,
				itemIndex,
				onceKey,
				path: '',
				buildBody: () => ({}),
			};
			messages.set(delivery, `${execution.id}/${recipient}/${text}`);
			if (onceKey !== undefined) this.keys.set(`${execution.id}/${recipient}/${text}`, onceKey);
			plan.deliveries.push(delivery);
		}
		// With Send Once, it is another run whose messages are known by their keys only.
		const acceptedBefore = new Map(isFirst ? [] : this.accepted);
		const opening = await openJournal(plan, run, n8n, ledger, worker.shared);
		// The node refuses the retries of such an execution.
		if ((context as MarkMemory).wasInterrupted) execution.isConfused = true;
		if (isProblem(opening)) return isQuiet;
		const { journal, recalled, unrecorded } = opening;
		if (!journal || unrecorded !== undefined) {
			if (isTool || unrecorded !== undefined) return false;
			throw new Error('There is no journal');
		}
		this.live.add(id);
		const toSend: Delivery[] = [];
		const wasUnknown = new Set<Delivery>();
		let hasFailed = plan.invalid.length > 0;
		const tell = (delivery: Delivery, one: Told) => {
			const message = messages.get(delivery) ?? '';
			told.set(message, one);
			hasFailed ||= one !== 'accepted' && one !== 'skipped';
			this.check(message, delivery, one, acceptedBefore);
		};
		for (const delivery of plan.deliveries) {
			const record = ledger.find(delivery);
			const known = record?.outcome.outcome ?? recalled?.get(delivery as never)?.state;
			const isRepeated = known !== undefined && known !== 'accepted' && settings.retryUnknown;
			if (isRepeated) wasUnknown.add(delivery);
			if (known === undefined || isRepeated) toSend.push(delivery);
			else tell(delivery, known === 'accepted' ? 'accepted' : 'unknown');
		}
		// With Stop Workflow, the first failure ends the run.
		const stops = this.random() < 0.5 && !isQuiet;
		if (hasFailed && stops && plan.invalid.length > 0) toSend.length = 0;
		const inFlight = new Set<Promise<void>>();
		let waitedMs = 0;
		let rest: readonly Delivery[] = toSend;
		while (rest.length > 0 && !(hasFailed && stops)) {
			while (journal.roomFor(rest.length) === 0) await Promise.race(inFlight);
			const claim = await journal.claim(rest).catch(() => undefined);
			if (!claim) break;
			for (const [delivery, state] of claim.known) {
				if (claim.claimed.includes(delivery)) continue;
				if (usesOnce) this.counts.sameKeys++;
				tell(delivery, tellKnown(state, usesOnce));
			}
			for (const delivery of claim.claimed) {
				const message = messages.get(delivery) ?? '';
				if (delivery.onceKey !== undefined) {
					if (this.keysUsed.has(delivery.onceKey)) this.counts.sameKeys++;
					this.keysUsed.add(delivery.onceKey);
				}
				ledger.begin(delivery);
				const names = [message, ...(delivery.onceKey === undefined ? [] : [delivery.onceKey])];
				if (claim.known.has(delivery) || wasUnknown.has(delivery)) {
					wasUnknown.add(delivery);
					for (const name of names) {
						// Whoever repeats what another worker is still sending gets no promise.
						const isLive = this.live.has(this.claimedBy.get(name) ?? 0);
						this.allowed.set(name, isLive ? Infinity : (this.allowed.get(name) ?? 0) + 1);
					}
				}
				for (const name of names) this.claimedBy.set(name, id);
				const request = this.request(names, worker, isQuiet).then((end) => {
					const reported =
						end === 'accepted'
							? end
							: wasUnknown.has(delivery) || end === 'unknown'
								? 'unknown'
								: 'rejected';
					if (reported === 'rejected') ledger.record(delivery, { outcome: rejected });
					else ledger.record(delivery, { outcome: { outcome: reported } as never });
					tell(delivery, reported);
					journal.settle(delivery, reported === 'rejected' ? undefined : reported);
				});
				inFlight.add(request);
				void request.then(() => inFlight.delete(request));
			}
			rest = claim.later;
			if (claim.claimed.length > 0 || claim.known.size > 0 || rest.length === 0) continue;
			const held = rest.filter((delivery) => journal.heldBy(delivery));
			if (held.length > 0 && waitedMs > MAX_WAIT_MS) {
				for (const delivery of held) {
					if (!this.live.has(Number(journal.heldBy(delivery))))
						this.broken.push(`Waits for a run that has ended`);
					tell(delivery, wasUnknown.has(delivery) ? 'unknown' : 'notSent');
				}
				rest = rest.filter((delivery) => !held.includes(delivery));
				continue;
			}
			const since = this.clock.now();
			await journal.flush();
			await this.clock.sleep(500);
			await worker.process.untilKilled();
			if (held.length > 0) waitedMs += this.clock.now() - since;
		}
		await Promise.all(inFlight);
		for (const delivery of toSend)
			if (!told.has(messages.get(delivery) ?? ''))
				tell(delivery, wasUnknown.has(delivery) ? 'unknown' : 'notSent');
		await journal.finish();
		this.live.delete(id);
		this.mayBeInDoubt += journal.inDoubt;
		// With Stop Workflow, a failure ends the execution, and a retry begins with what it remembers.
		if (!hasFailed) ledger.close(false, { maxTries: 1 });
		return !hasFailed || isQuiet;
	}

	private describe(
		{ id, isFirst, runIndex, context, settings, worker }: RunningAttempt,
		establishedAtMs: number,
	): { run: Run; n8n: N8n } {
		const { usesOnce, retryUnknown } = settings;
		const run = {
			history: { isRetry: !isFirst, wasInterrupted: false, establishedAtMs },
			settings: { sendOnce: usesOnce, retryUnknown, concurrency: 1 },
			operation: {},
			account: { limits: {} },
			target: { api: 'push' },
		};
		const n8n = {
			store: () => ({
				calls: worker.calls,
				workflow: 'workflow',
				node: 'workflow node',
				mayLock: this.mutant.mayLock ?? true,
			}),
			memory: () => ({ context, runIndex, execution: String(id) }),
			clock: this.clock,
			cancelled: () => false,
			execution: { id: String(id) },
			isTool: false,
		};
		return { run, n8n } as unknown as { run: Run; n8n: N8n };
	}

	/** The service accepts most messages, refuses some, and loses the answer to others. */
	private async request(
		names: readonly string[],
		{ process }: Worker,
		isQuiet: boolean,
	): Promise<'accepted' | 'unknown' | 'refused'> {
		await process.step();
		const { refuseRate } = this.history;
		const isRefused = !isQuiet && this.random() < refuseRate;
		const isLost = !isQuiet && this.random() < refuseRate / 2;
		for (const name of names) this.requested.add(name);
		if (!isRefused) {
			this.counts.accepted++;
			for (const name of names) {
				this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
			}
		}
		await this.clock.sleep(5 + 200 * this.random() ** 3);
		await process.step();
		return isLost ? 'unknown' : isRefused ? 'refused' : 'accepted';
	}

	/** Whether what a run says of a message is true. */
	private check(
		message: string,
		{ onceKey = '' }: Delivery,
		told: Told,
		acceptedBefore: ReadonlyMap<string, number>,
	): void {
		// Of several messages to one recipient, a retry after a kill cannot tell which ones were made.
		if (message.includes('shared') || this.allowed.has(message)) return;
		const isAccepted = this.accepted.has(message) || this.accepted.has(onceKey);
		const what = `${message} is called ${told}`;
		if (told === 'accepted' && !isAccepted) this.broken.push(`${what}, but was not accepted`);
		if (told === 'skipped' && !isAccepted) this.broken.push(`${what}, but was not accepted`);
		if (told === 'notSent' && acceptedBefore.has(message))
			this.broken.push(`${what}, but had been accepted`);
	}

	private startWorker(): Worker {
		let tellKilled = () => {};
		const whenKilled = new Promise<void>((resolve) => {
			tellKilled = resolve;
		});
		const delayMs = () => 1 + Math.floor(16 * this.random() ** 2);
		const killed = () => {
			this.counts.kills++;
			// Each run of the process may have a window in flight, and another one that is being looked up.
			this.mayBeInDoubt += 2 * WINDOW * this.history.executions;
			tellKilled();
			this.workers = this.workers.map((one) => (one === worker ? this.startWorker() : one));
		};
		const process = new SimulatedProcess(this.clock, delayMs, Infinity, killed);
		const step = async () => {
			if (this.isDisturbed && this.random() < this.history.killRate) process.kill();
			await process.step();
		};
		const calls = this.connect(step);
		const worker: Worker = {
			process: { step, untilKilled: async () => await process.untilKilled() },
			whenKilled,
			calls: this.mutant.calls?.(calls, this.clock) ?? calls,
			shared: {
				namesInUse: this.mutant.namesInUse?.() ?? (new Map() as NamesInUse),
				turns: new Map(),
				random: this.random,
			},
		};
		return worker;
	}

	/** n8n's calls from one process, which may fail before their commit and after it. */
	private connect(step: () => Promise<void>): StoreCalls {
		const calls = this.store.connect(step);
		const at = (scope: string) => (scope === 'workflow' ? '' : CONTEXT);
		const may = async <T>(
			call: () => Promise<T>,
			leavesDoubt: (result: T | undefined) => boolean = () => true,
		): Promise<T> => {
			const luck = this.isDisturbed ? this.random() : 1;
			const { failRate } = this.history;
			if (luck < failRate) {
				this.counts.failedCalls++;
				if (leavesDoubt(undefined)) this.mayBeInDoubt += 2 * WINDOW;
				throw new Error('The connection is lost');
			}
			const result = await call();
			if (luck > 2 * failRate) return result;
			this.counts.lostAnswers++;
			if (leavesDoubt(result)) this.mayBeInDoubt += 2 * WINDOW;
			throw new Error('The connection was lost');
		};
		return {
			checkProcessedAndRecord: async (items, scope, options) =>
				await may(
					async () => await calls.checkProcessedAndRecord(items.map(String), at(scope), options),
					// The number of entries tells that all of them were added, and were new.
					(result) => result !== undefined && result.new.length < items.length,
				),
			removeProcessed: async (items, scope) =>
				await may(async () => await calls.removeProcessed(items.map(String), at(scope))),
			clearAllProcessedItems: async (scope) =>
				await may(async () => await calls.clearAllProcessedItems(at(scope))),
			getProcessedDataCount: async (scope, options) =>
				await may(async () => await calls.getProcessedDataCount(at(scope), options)),
		};
	}

	private pickWorker(): Worker {
		return this.pick(this.workers);
	}

	private pick<T>(list: readonly T[]): T {
		return list[this.int(list.length)] as T;
	}

	private int(below: number): number {
		return Math.floor(this.random() * below);
	}
}

function tellKnown(state: State, usesOnce: boolean): Told {
	if (state === 'pending') return 'unknown';
	return usesOnce ? (state === 'accepted' ? 'skipped' : 'unknown') : state;
}

const rejected = { outcome: 'rejected', statusCode: 400, response: null, attempts: 1 } as const;

interface Settings {
	usesOnce: boolean;
	retryUnknown: boolean;
	/** Whether the service takes everything, and no failure ends the run. */
	isQuiet?: boolean;
}

interface RunningAttempt {
	execution: Execution;
	id: number;
	isFirst: boolean;
	runIndex: number;
	context: LedgerMemory;
	settings: Settings;
	worker: Worker;
}

interface Worker {
	process: { step: () => Promise<void>; untilKilled: () => Promise<void> };
	whenKilled: Promise<void>;
	calls: StoreCalls;
	shared: SharedByRuns;
}
