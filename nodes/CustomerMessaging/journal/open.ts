import type { SentRecord, Problem } from '../shared/result';
import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import { concurrencyOf } from '../run/options';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { Addressed, Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import { Journal, type NamesInUse, type State } from './journal';
import { mark, type MarkMemory, noteUnmarked, onceMark, onceUsed } from './marks';
import { EntryStore, isMissingStore, MAX_ENTRIES } from './store';

/** The ledger's storage: a plain object that n8n stores for one node with the execution. */
export interface LedgerMemory {
	sent?: {
		runIndex: number;
		/** How often n8n has called `execute()` in this execution since a call succeeded. */
		tries: { execution: string; count: number };
		records: Records;
		/** For a tool: what earlier calls sent. Only a retry of the execution must not repeat it. */
		finished?: Records;
	};
}

/** By operation, for example `push.send`, then by delivery. */
type Records = Record<string, Record<string, SentRecord>>;

/** For a delivery whose request was in flight when n8n stored the memory. */
const interrupted: SentRecord = {
	outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 },
};

/**
 * Remembers what one run of the node sent, so that nothing that was accepted, or may have been, is
 * sent twice. The ledger outlives `execute()`: n8n's Retry On Fail calls `execute()` again within the
 * same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger {
	/** Whether no attempt has run this run of the node before, as far as the execution remembers. */
	readonly isNew: boolean;
	private readonly records: Records[string];
	/** The latest record. All deliveries of a batch share it, which saves memory. */
	private latest?: SentRecord;
	private readonly sent: NonNullable<LedgerMemory['sent']>;

	/**
	 * @param memory a JSON-serializable object; only its key `sent` is used
	 * @param run the run of the node and its execution; the records of an earlier run are discarded
	 * @param operation for example `push.send`; operations do not share records
	 */
	constructor(
		memory: LedgerMemory,
		run: { execution: string; runIndex: number },
		private readonly operation: string,
	) {
		const { execution, runIndex } = run;
		const tries = { execution, count: 0 };
		this.isNew = memory.sent?.runIndex !== runIndex;
		this.sent = memory.sent?.runIndex === runIndex ? memory.sent : { runIndex, tries, records: {} };
		memory.sent = this.sent;
		if (this.sent.tries.execution !== execution) {
			this.sent.tries = tries;
			Object.assign(this.findRecords(this.sent.records), this.sent.finished?.[operation]);
		}
		this.sent.tries.count++;
		this.records = this.findRecords(this.sent.records);
	}

	/** The record of a delivery that an earlier attempt made or may have made. */
	find(key: string): SentRecord | undefined {
		return this.records[named(key)];
	}

	/** Call this before sending a request. If n8n then ends the execution, the outcome is unknown. */
	begin(key: string): void {
		this.records[named(key)] ??= interrupted;
	}

	/** Stores an outcome after which the delivery must not be repeated. Any other outcome removes the record. */
	record(key: string, { outcome, batch, request, scheduled }: SentRecord): void {
		if (outcome.outcome !== 'accepted' && outcome.outcome !== 'unknown') {
			delete this.records[named(key)];
			return;
		}
		const { latest } = this;
		const isSame =
			latest?.outcome === outcome &&
			latest.batch === batch &&
			latest.request === request &&
			latest.scheduled === scheduled;
		const record = isSame ? latest : { outcome, batch, request, ...(scheduled && { scheduled }) };
		this.records[named(key)] = this.latest = record;
	}

	/**
	 * Call this when the node has run without stopping the workflow. The records are deleted unless n8n
	 * will call the node again.
	 *
	 * @param firstItemFailed whether the first item failed, because n8n's Retry On Fail checks only that one
	 */
	close(
		firstItemFailed: boolean,
		{ maxTries, isTool }: { maxTries: number; isTool: boolean },
	): void {
		if (firstItemFailed && this.sent.tries.count < maxTries) return;
		// As a tool, the node may be called again in the same execution.
		this.sent.tries.count = 0;
		if (isTool) Object.assign(this.findRecords((this.sent.finished ??= {})), this.records);
		this.sent.records = {};
	}

	private findRecords(records: Records): Records[string] {
		return (records[this.operation] ??= {});
	}
}

/** Adds a prefix, so that a key such as `__proto__` is safe. */
function named(key: string): string {
	return `#${key}`;
}

/** What the runs of one process share. */
export interface SharedByRuns {
	namesInUse: NamesInUse;
	/** Calls that wait for their turn, by workflow. */
	turns: Map<string, Promise<unknown>>;
	/** 0 to 1. */
	random: () => number;
}

const ofThisProcess: SharedByRuns = {
	namesInUse: new Map(),
	turns: new Map(),
	random: Math.random,
};

export interface OpenJournal {
	journal: Journal<Delivery>;
	/** What is known of the messages of a retry that the execution does not remember. */
	recalled: ReadonlyMap<Addressed, Known>;
}

export interface Known {
	state: State;
	/** Whether only its key of Send Once says so, so that another execution may have sent it. */
	byKey: boolean;
}

/** The journal, unless there is none, or the reason why the attempt must not send anything. */
interface Opening {
	opened?: OpenJournal;
	problem?: Problem;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
	/** Whether n8n runs the execution again from the start after it was interrupted. */
	isInterrupted?: boolean;
}

/** An attempt of an execution. */
export interface Attempt {
	run: Run | UnusableRun;
	n8n: Pick<N8n, 'store' | 'memory' | 'clock' | 'cancelled' | 'execution' | 'isTool'>;
	/** For example `push.send`. */
	operation: string;
	/** What this execution sent. */
	ledger: Ledger;
	/** Whether the ledger holds a message. */
	remembers: (message: Pick<Delivery, 'itemIndex' | 'platform'>) => boolean;
}

/** Opens the journal, and looks up what other attempts have sent. Or says why nothing must be sent. */
export async function openJournal(
	plan: Plan,
	attempt: Attempt,
	{ namesInUse, turns, random } = ofThisProcess,
): Promise<Opening> {
	const { run, n8n } = attempt;
	const { isRetry, establishedAtMs } = run.history;
	const settings = 'settings' in run ? run.settings : undefined;
	const usesOnce = settings?.sendOnce === true;
	const hasAttempts = establishedAtMs !== undefined && !n8n.isTool;
	if (!hasAttempts && !usesOnce) return {};

	const { id: execution } = n8n.execution;
	const memory: MarkMemory = n8n.memory().context;
	const store = new EntryStore(n8n.store(), { ...n8n, random, turns });
	let keepsAll = usesOnce;
	try {
		const allHaveKeys = plan.deliveries.every(({ onceKey }) => onceKey !== undefined);
		if (hasAttempts && (isRetry || !usesOnce || !allHaveKeys)) {
			const marked = await mark(store, memory, { execution, establishedAtMs, isRetry, usesOnce });
			if (marked.problem) return { problem: marked.problem, isInterrupted: !isRetry };
			keepsAll ||= marked.keepsAll;
		} else {
			if (hasAttempts) noteUnmarked(memory, execution);
			await store.probe();
		}
		const scope = ['here', establishedAtMs, memory.marked?.own, attempt.operation];
		const nameOf = ({ platform, recipient, number }: Partial<Addressed>) =>
			[...scope, platform, recipient, number].join(' ');
		const journal = new Journal<Delivery>(store, {
			...chooseWindow(run),
			nameOf: (delivery) => delivery.onceKey ?? nameOf(delivery),
			areNamesNew: !isRetry && !usesOnce,
			retryUnknown: settings?.retryUnknown === true,
			keep: keepsAll ? MAX_ENTRIES : chooseLength(plan.numbers?.total ?? 0),
			marks: usesOnce ? [onceUsed, ...(hasAttempts ? [onceMark(establishedAtMs)] : [])] : [],
			// Another retry may turn Send Once on meanwhile.
			stopMark: isRetry && !usesOnce ? onceMark(establishedAtMs) : undefined,
			namesInUse,
			execution,
		});
		const recalls = hasAttempts && isRetry;
		const recalled = recalls ? await recall(plan, attempt, journal, nameOf) : new Map();
		return { opened: { journal, recalled } };
	} catch (error) {
		const missing = isMissingStore(error);
		const failure = missing ? 'this n8n has no store for it' : errorMessage(error);
		if (usesOnce) return { problem: unknownToOnce(failure, run) };
		if (missing) return {};
		return isRetry ? { problem: unreadable(failure) } : { unrecorded: failure };
	}
}

/** How many entries a node keeps that never used Send Once. */
function chooseLength(messages: number): number {
	return Math.min(MAX_ENTRIES, Math.max(5_000, 4 * messages));
}

/** The first messages of a run are claimed by tens, and the following ones by fifties. */
const SMALL_WINDOW = { claimed: 100, size: 10 };
const LARGE_WINDOW = 50;

/**
 * How many messages may be pending: few at first, because a crash leaves the outcome of all of them unknown, but
 * as many as may be in flight. With Send Once, one batch.
 */
function chooseWindow(run: Run | UnusableRun) {
	const sizeAfter = (claimed: number) =>
		claimed < SMALL_WINDOW.claimed ? SMALL_WINDOW.size : LARGE_WINDOW;
	if (!('settings' in run)) return { unit: 1, windowAfter: sizeAfter };
	const { operation, settings } = run;
	const { batchSize } = settings;
	const concurrency = concurrencyOf(run);
	if (operation.batchKey) {
		const window = settings.sendOnce ? batchSize : batchSize * concurrency;
		return { unit: batchSize, windowAfter: () => window };
	}
	return { unit: 1, windowAfter: (claimed: number) => Math.max(sizeAfter(claimed), concurrency) };
}

/**
 * Looks up what other attempts have made of the messages that this one does not remember.
 *
 * If the attempts may have had their rows in another order, and some of several messages to one recipient were
 * made, it is not known which. The others are then in doubt.
 */
async function recall(
	{ deliveries, invalid, numbers }: Plan,
	{ ledger, remembers }: Attempt,
	journal: Journal<Delivery>,
	nameOf: (message: Addressed) => string,
): Promise<Map<Addressed, Known>> {
	const recalled = new Map<Addressed, Known>();
	if (!numbers) return recalled;
	numbers.mayDiffer ||= ledger.isNew;
	const { mayDiffer } = numbers;
	const asked: Array<Addressed & Pick<Delivery, 'onceKey'>> = [
		...deliveries.filter((delivery): delivery is Delivery & Addressed => !remembers(delivery)),
		...invalid.flatMap(({ itemIndex, addressed = [] }) =>
			addressed.filter(({ platform }) => !remembers({ itemIndex, platform })),
		),
	];
	const namesOf = (message: (typeof asked)[number]) => {
		// Another attempt may have had one more message to the recipient.
		const isLast = mayDiffer && message.number === numbers.countOf(message);
		const next = isLast ? [nameOf({ ...message, number: message.number + 1 })] : [];
		return { names: [nameOf(message), ...next], key: message.onceKey };
	};
	const found = await journal.lookUp([
		...new Set(asked.map(namesOf).flatMap(({ names, key = [] }) => names.concat(key))),
	]);
	for (const message of mayDiffer ? asked : [])
		if (namesOf(message).names.some((name) => found.has(name))) numbers.noteMade(message);
	for (const message of asked) {
		const state = found.get(nameOf(message));
		const stateOfKey = found.get(message.onceKey ?? '');
		if (state) recalled.set(message, { state, byKey: false });
		else if (stateOfKey) recalled.set(message, { state: stateOfKey, byKey: true });
		else if (mayDiffer && numbers.wereMade(message))
			recalled.set(message, { state: 'pending', byKey: false });
	}
	return recalled;
}

function unknownToOnce(reason: string, run: Partial<Run>): Problem {
	const why = run.isOnceADay
		? 'Started by hand, a broadcast goes out once a day'
		: 'Send Once is on';
	const orElse = run.isOnceADay || run.needsOnceKey ? '' : ', or turn off Send Once';
	return {
		field: 'sendOnce',
		message: `${why}, but n8n cannot read what was sent before: ${reason}. Check n8n's database${orElse}`,
	};
}

function unreadable(reason: string): Problem {
	return {
		field: 'execution',
		message: `n8n cannot read what other attempts of this execution sent: ${reason}. Check n8n's database, then retry the execution`,
	};
}
