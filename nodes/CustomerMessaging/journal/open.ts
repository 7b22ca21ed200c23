import type { Problem } from '../shared/result';
import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import { concurrencyOf } from '../run/options';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { History, HistoryMemory } from '../run/sendOnce';
import type { Addressed, Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import { Journal, type NamesInUse, type State } from './journal';
import type { Ledger } from './ledger';
import { EntryStore, isMissingStore, MAX_ENTRIES, type Surroundings } from './store';

/** What the runs of one process share. */
export interface SharedByRuns extends Pick<Surroundings, 'turns' | 'random'> {
	namesInUse: NamesInUse;
}

const ofThisProcess: SharedByRuns = {
	namesInUse: new Map(),
	turns: new Map(),
	random: Math.random,
};

/** What is known of a message of a retry that the execution does not remember. */
export interface Known {
	state: State;
	/** Whether only its key of Send Once says so, so that another execution may have sent it. */
	byKey: boolean;
}

/** The journal, unless there is none, or the reason why the attempt must not send anything. */
export interface Opening {
	journal?: Journal;
	recalled?: ReadonlyMap<Addressed, Known>;
	problem?: Problem;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
}

/** Opens the journal, and looks up what other attempts have sent. Or says why nothing must be sent. */
export async function openJournal(
	plan: Plan,
	run: Run | UnusableRun,
	n8n: Pick<N8n, 'store' | 'memory' | 'clock' | 'cancelled' | 'isTool'>,
	ledger: Ledger,
	{ namesInUse, turns, random } = ofThisProcess,
): Promise<Opening> {
	const { isRetry, establishedAtMs } = run.history;
	const settings = 'settings' in run ? run.settings : undefined;
	const usesOnce = settings?.sendOnce === true;
	const hasAttempts = establishedAtMs !== undefined && !n8n.isTool;
	if (!hasAttempts && !usesOnce) return {};

	const { context, execution } = n8n.memory();
	const memory: MarkMemory = context;
	const store = new EntryStore(n8n.store(), { ...n8n, random, turns });
	let keepsAll = usesOnce;
	try {
		const allHaveKeys = plan.deliveries.every(({ onceKey }) => onceKey !== undefined);
		if (hasAttempts && (isRetry || !usesOnce || !allHaveKeys)) {
			const marked = await mark(store, memory, execution, run.history, usesOnce);
			if (marked.problem) return { problem: marked.problem };
			keepsAll ||= marked.keepsAll;
		} else {
			if (hasAttempts) noteUnmarked(memory, execution);
			await store.probe();
		}
		const scope = ['here', establishedAtMs, memory.marked?.own, ledger.operation];
		const nameOf = ({ platform, recipient, number }: Partial<Addressed>) =>
			[...scope, platform, recipient, number].join(' ');
		const journal = new Journal(store, {
			...chooseWindow(run),
			nameOf: (delivery) => delivery.onceKey ?? nameOf(delivery),
			areNamesNew: !isRetry && !usesOnce,
			retryUnknown: settings?.retryUnknown === true,
			// A node that never used Send Once keeps fewer, because each call writes all of them.
			keep: keepsAll
				? MAX_ENTRIES
				: Math.min(MAX_ENTRIES, Math.max(5_000, 4 * (plan.numbers?.total ?? 0))),
			marks: usesOnce ? [onceUsed, ...(hasAttempts ? [onceMark(establishedAtMs)] : [])] : [],
			// Another retry may turn Send Once on meanwhile.
			stopMark: isRetry && !usesOnce ? onceMark(establishedAtMs) : undefined,
			namesInUse,
			execution,
		});
		if (!hasAttempts || !isRetry) return { journal };
		return { journal, recalled: await recall(plan, ledger, journal, nameOf) };
	} catch (error) {
		const missing = isMissingStore(error);
		const failure = missing ? 'this n8n has no store for it' : errorMessage(error);
		if (usesOnce) return { problem: unknownToOnce(failure, run) };
		if (missing) return {};
		if (!isRetry) return { unrecorded: failure };
		return {
			problem: cannotGoOn(
				`n8n cannot read what other attempts of this execution sent: ${failure}. Check n8n's database, then retry the execution`,
			),
		};
	}
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
	const { sendOnce, batchSize } = run.settings;
	const concurrency = concurrencyOf(run.settings, run.account.limits[run.target.api]);
	if (run.operation.batchKey) {
		const window = sendOnce ? batchSize : batchSize * concurrency;
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
	ledger: Ledger,
	journal: Journal,
	nameOf: (message: Addressed) => string,
): Promise<Map<Addressed, Known>> {
	const recalled = new Map<Addressed, Known>();
	if (!numbers) return recalled;
	numbers.mayDiffer ||= ledger.isNew;
	const { mayDiffer } = numbers;
	const asked: Array<Addressed & Pick<Delivery, 'onceKey'>> = [
		...deliveries.filter((delivery): delivery is Delivery & Addressed => !ledger.find(delivery)),
		...invalid.flatMap(({ itemIndex, addressed = [] }) =>
			addressed.filter(({ platform }) => !ledger.find({ itemIndex, platform })),
		),
	];
	const namesOf = (message: Addressed) => {
		// Another attempt may have had one more message to the recipient.
		const isLast = mayDiffer && message.number === numbers.countOf(message);
		const next = isLast ? [nameOf({ ...message, number: message.number + 1 })] : [];
		return [nameOf(message), ...next];
	};
	const found = await journal.lookUp([
		...new Set(asked.flatMap((message) => namesOf(message).concat(message.onceKey ?? []))),
	]);
	for (const message of mayDiffer ? asked : [])
		if (namesOf(message).some((name) => found.has(name))) numbers.noteMade(message);
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

/** What n8n stores for the node between the attempts of an execution. */
export interface MarkMemory extends HistoryMemory {
	marked?: {
		/** Whether n8n has confirmed the marks. */
		isConfirmed: boolean;
		/** Joins the names of the execution's messages, where the time of its start does not identify it. */
		own?: string;
		/** Whether the node has used Send Once, so that its list must not become shorter. */
		keepsAll: boolean;
	};
}

/** Tells runs without Send Once how many entries to keep. */
const onceUsed = 'once used';

/** The mark of an execution of which an attempt used Send Once. */
const onceMark = (establishedAtMs = 0) => `established ${establishedAtMs} once`;

/**
 * Notes that an execution has no marks. If a retry needs names of this execution, they hold its ID: without marks,
 * nobody knows whether another execution began in the same millisecond.
 */
function noteUnmarked(memory: MarkMemory, execution: string): void {
	memory.marked ??= { isConfirmed: false, own: execution, keepsAll: true };
}

/**
 * Marks that a first attempt without Send Once, or a retry, begins to send.
 *
 * @returns whether the node has used Send Once, and why nothing must be sent
 * @throws what n8n's store throws
 */
async function mark(
	store: EntryStore,
	memory: MarkMemory,
	execution: string,
	{ isRetry, establishedAtMs }: History,
	usesOnce: boolean,
): Promise<{ keepsAll: boolean; problem?: Problem }> {
	const { marked } = memory;
	if (!isRetry && marked?.isConfirmed) return marked;
	if (!isRetry) noteUnmarked(memory, execution);
	await store.probe();
	const established = `established ${establishedAtMs}`;
	const twins = `${established} twins`;
	const began = `execution ${execution}`;
	const once = onceMark(establishedAtMs);
	const left = [established, ...(isRetry ? [] : [began]), ...(usesOnce ? [once, onceUsed] : [])];
	const lookedUp = (isRetry ? [once, twins, onceUsed] : [onceUsed]).filter(
		(one) => !left.includes(one),
	);
	let keepsAll = false;
	const found = await store.exclusively(async (list) => {
		// A list that was full may have dropped the mark of Send Once.
		const isLong = (await list.count()) > MAX_ENTRIES / 2;
		const before = await list.add([...left, ...lookedUp], MAX_ENTRIES);
		keepsAll = isLong || before.has(onceUsed);
		const removing = list.remove(lookedUp.filter((one) => !before.has(one)));
		// All that a first attempt looks up is the mark of Send Once. If it stays, the list only becomes longer.
		await (isRetry ? removing : removing.catch(() => undefined));
		if (!isRetry && before.has(established)) await list.add([twins], MAX_ENTRIES);
		return before;
	});
	if (isRetry) {
		if (found.has(twins) && !marked) return { keepsAll, problem: twoBegan };
		return { keepsAll, ...(found.has(once) && !usesOnce && { problem: usedOnce }) };
	}
	// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
	if (found.has(began) && !marked) {
		memory.wasInterrupted = true;
		return { keepsAll, problem: runAgain };
	}
	const hasOwn = marked !== undefined || found.has(established);
	memory.marked = { isConfirmed: true, keepsAll, ...(hasOwn && { own: execution }) };
	return { keepsAll };
}

export function cannotGoOn(message: string): Problem {
	return { field: 'execution', message };
}

const runAgain = cannotGoOn(
	'n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
);

const twoBegan = cannotGoOn(
	'Two executions of this workflow began in the same millisecond, and n8n did not store which of their messages this one had sent. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
);

const usedOnce: Problem = {
	field: 'sendOnce',
	message:
		'An earlier attempt of this execution had Send Once on, so what it sent is known by the keys of Send Once only. Turn on Send Once again and retry, or start the workflow from its trigger',
};

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
