import { askedBefore } from '../ask/answerLink';
import type { N8n } from '../n8n/context';
import { hasPlatforms, type Operation } from '../operations/operation';
import { type Plan, longWait, refuseAll } from '../plan/plan';
import { concurrencyOf } from '../run/options';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { History, HistoryMemory } from '../run/sendOnce';
import { type Addressed, type Delivery, type Platform, platforms } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import {
	type InvalidResult,
	isProblem,
	type Problem,
	type SentDelivery,
	type SentRecord,
	type SentResult,
} from '../shared/result';
import { Journal, type NamesInUse, type State } from './journal';
import { interrupted, Ledger } from './ledger';
import { EntryStore, MAX_ENTRIES, type Surroundings } from './store';

/** What was sent before, as far as the node can know. */
export interface SentRecords {
	/** For this execution, and for those whose data it started with. */
	ledger: Ledger;
	/** Absent if nothing has to be recorded for other attempts and executions. */
	journal?: Journal;
	recalled?: ReadonlyMap<Addressed, Known>;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
}

/** What is known of a message of a retry that the execution does not remember. */
export interface Known {
	state: State;
	/** Whether only its key of Send Once says so, so that another execution may have sent it. */
	byKey: boolean;
}

/** The record of a delivery that another attempt made. */
export function makeRecord(state: State): SentRecord {
	return state === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: interrupted;
}

/** The result of a delivery that an earlier attempt made. */
export function makeResult(delivery: SentDelivery, record: SentRecord): SentResult {
	return { kind: 'sent', delivery, sentBefore: true, ...record };
}

/** `records` are absent if the operation is not known, so that nothing can be sent. */
interface Reconciled {
	plan: Plan;
	records?: SentRecords;
}

/**
 * Compares a plan with what earlier attempts of the same run sent. A row that was sent before but
 * cannot be sent now keeps its outcome. For example, its scheduled time may have passed, or the
 * credential may have become unusable.
 */
export async function reconcile(plan: Plan, run: Run | UnusableRun, n8n: N8n): Promise<Reconciled> {
	const { operation, history } = run;
	if (!operation) return { plan };
	const isTest = 'testRecipient' in run && run.testRecipient !== undefined;
	const retriesUnknown = 'settings' in run && run.settings.retryUnknown;
	const asksAgain = operation.waits && history.isRetry && retriesUnknown;
	// A test must never count as the real message, so it has records of its own. So has a question that is asked
	// again, because its link is another one.
	const name = [
		`${run.resource}.${operation.value}`,
		...(isTest ? ['test'] : []),
		...(asksAgain ? [`again in ${n8n.execution.id}`] : []),
	].join(' ');
	const ledger = new Ledger(n8n, name);
	if (!plan.isStopped) {
		if (isTest) return { plan, records: { ledger } };
		const comparing = compare(plan, run, operation, n8n, ledger);
		const compared = await n8n.untilStopped(comparing);
		if (compared) return compared;
		void comparing.catch(() => undefined);
	}
	return { plan: leaveOut(plan, operation, n8n, ledger), records: { ledger } };
}

async function compare(
	plan: Plan,
	run: Run | UnusableRun,
	operation: Operation,
	n8n: N8n,
	ledger: Ledger,
): Promise<Reconciled> {
	const { isRetry } = run.history;
	const refused = (problem: Problem) => ({ plan: refuseAll(plan, [problem]), records: { ledger } });
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const sends = 'origin' in run && !run.isPreview && !isStopped && plan.deliveries.length > 0;
	const unsent = plan.deliveries.filter((delivery) => !ledger.find(delivery)).length;
	// With Send Once, it is not known yet how many of them are new, and what is left can be sent later.
	if (sends && n8n.stopsOnFailure && !run.settings.sendOnce) {
		const perRequest = operation.batchKey ? run.settings.batchSize : 1;
		const tooLong = longWait(Math.ceil(unsent / perRequest), run);
		if (tooLong) return refused(tooLong);
	}
	// What is only shown is not recorded, and a first attempt that sends nothing has nothing to look up.
	const isRecorded = sends || (isRetry && !('isPreview' in run && run.isPreview));
	// Users overwrite, so repeating them does no harm and need not be recorded.
	const records: SentRecords | Problem =
		isRecorded && !operation.overwrites ? await openJournal(plan, run, n8n, ledger) : { ledger };
	if (isProblem(records)) return refused(records);
	const isKnown = unsent < plan.deliveries.length || (records.recalled?.size ?? 0) > 0;
	if (operation.waits && isRetry && isRecorded && isKnown && 'origin' in run)
		return refused(cannotGoOn(askedBefore(n8n)));
	const rows = lookBack(plan.invalid, operation, n8n, records);
	const invalid = rows.filter(({ left }) => left.length > 0).map(({ row }) => row);
	return { plan: { ...plan, invalid, earlier: rows.flatMap(({ sent }) => sent) }, records };
}

/** The plan of a run that was stopped before its rows were checked: what was sent before, and the rest. */
function leaveOut(plan: Plan, operation: Operation, n8n: N8n, ledger: Ledger): Plan {
	const items = Array.from({ length: plan.itemCount }, (_, itemIndex) => ({ itemIndex }));
	const outcome = { outcome: 'notSent', reason: 'stopped', attempts: 0 } as const;
	const earlier = lookBack(items, operation, n8n, { ledger }).flatMap(({ row, sent, left }) => {
		const rest = left.map((platform) => ({ ...row, platform }));
		return sent.concat(rest.map((delivery) => ({ kind: 'sent', delivery, outcome })));
	});
	return { ...plan, deliveries: [], invalid: [], earlier };
}

/** What earlier attempts sent of rows, and the platforms of each that are left. */
function lookBack<R extends Pick<InvalidResult, 'itemIndex' | 'addressed'>>(
	rows: readonly R[],
	operation: Operation,
	n8n: N8n,
	{ ledger, recalled }: SentRecords,
) {
	const chosen = choosePlatforms(operation, n8n);
	return rows.map((row) => {
		const { itemIndex, addressed } = row;
		const sent = [undefined, ...platforms].flatMap((platform) => {
			const message = addressed?.find((one) => one.platform === platform);
			const known = message && recalled?.get(message);
			const record = known ? makeRecord(known.state) : ledger.find({ itemIndex, platform });
			return record ? [makeResult({ itemIndex, platform }, record)] : [];
		});
		const reached = sent.map(({ delivery }) => delivery.platform);
		return { row, sent, left: chosen.filter((platform) => !reached.includes(platform)) };
	});
}

/** The platforms that each row goes to; all of them if an expression chooses. */
function choosePlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	if (!hasPlatforms(operation)) return [undefined];
	const raw = n8n.raw('platforms');
	const chosen = platforms.filter((platform) => Array.isArray(raw) && raw.includes(platform));
	return Array.isArray(raw) && chosen.length === raw.length ? chosen : platforms;
}

/** What the runs of one process share. */
export type SharedByRuns = Pick<Surroundings, 'turns' | 'random'> & { namesInUse: NamesInUse };

const ofThisProcess: SharedByRuns = {
	namesInUse: new Map(),
	turns: new Map(),
	random: Math.random,
};

/** Opens the journal, and looks up what other attempts have sent. Or says why nothing must be sent. */
export async function openJournal(
	plan: Plan,
	run: Run | UnusableRun,
	n8n: N8n,
	ledger: Ledger,
	{ namesInUse, turns, random } = ofThisProcess,
): Promise<SentRecords | Problem> {
	const { isRetry, establishedAtMs } = run.history;
	const settings = 'settings' in run ? run.settings : undefined;
	const usesOnce = settings?.sendOnce === true;
	const hasAttempts = establishedAtMs !== undefined && !n8n.isTool;
	if (!hasAttempts && !usesOnce) return { ledger };

	const { context, execution } = n8n.memory();
	const memory: MarkMemory = context;
	const store = new EntryStore(n8n.store(), { ...n8n, random, turns });
	let keepsAll = usesOnce;
	try {
		const allHaveKeys = plan.deliveries.every(({ onceKey }) => onceKey !== undefined);
		if (hasAttempts && (isRetry || !usesOnce || !allHaveKeys)) {
			const marked = await mark(store, memory, execution, run.history, usesOnce);
			if (isProblem(marked)) return marked;
			keepsAll ||= marked;
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
		const isRecalled = hasAttempts && isRetry;
		const recalled = isRecalled ? await recall(plan, ledger, journal, nameOf) : undefined;
		return { ledger, journal, recalled };
	} catch (error) {
		// n8n-core asserts that n8n has given it a store. Without n8n, it has none.
		const missing = (error as { code?: unknown } | undefined)?.code === 'ERR_ASSERTION';
		const failure = missing ? 'this n8n has no store for it' : errorMessage(error);
		if (usesOnce) return unknownToOnce(failure, run);
		if (missing) return { ledger };
		if (!isRetry) return { ledger, unrecorded: failure };
		return cannotGoOn(
			`n8n cannot read what other attempts of this execution sent: ${failure}. Check n8n's database, then retry the execution`,
		);
	}
}

/**
 * How many messages may be pending: few at first, because a crash leaves the outcome of all of them unknown, but
 * as many as may be in flight. With Send Once, one batch.
 */
function chooseWindow(run: Run | UnusableRun) {
	const concurrency =
		'settings' in run ? concurrencyOf(run.settings, run.account.limits[run.target.api]) : 1;
	if ('settings' in run && run.operation.batchKey) {
		const { sendOnce, batchSize } = run.settings;
		const window = sendOnce ? batchSize : batchSize * concurrency;
		return { unit: batchSize, windowAfter: () => window };
	}
	return {
		unit: 1,
		windowAfter: (claimed: number) => Math.max(claimed < 100 ? 10 : 50, concurrency),
	};
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
	const names = asked.flatMap((message) => namesOf(message).concat(message.onceKey ?? []));
	const found = await journal.lookUp([...new Set(names)]);
	for (const message of mayDiffer ? asked : [])
		if (namesOf(message).some((name) => found.has(name))) numbers.noteMade(message);
	for (const message of asked) {
		const byName = found.get(nameOf(message));
		const byKey = found.get(message.onceKey ?? '');
		const isInDoubt = mayDiffer && numbers.wereMade(message);
		const state = byName ?? byKey ?? (isInDoubt ? 'pending' : undefined);
		if (state) recalled.set(message, { state, byKey: !byName && byKey !== undefined });
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
 * @returns whether the node has used Send Once, or why nothing must be sent
 * @throws what n8n's store throws
 */
async function mark(
	store: EntryStore,
	memory: MarkMemory,
	execution: string,
	{ isRetry, establishedAtMs }: History,
	usesOnce: boolean,
): Promise<boolean | Problem> {
	const { marked } = memory;
	if (!isRetry && marked?.isConfirmed) return marked.keepsAll;
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
	return await store.exclusively(async (list) => {
		// A list that was full may have dropped the mark of Send Once.
		const isLong = (await list.count()) > MAX_ENTRIES / 2;
		const found = await list.add([...left, ...lookedUp], MAX_ENTRIES);
		const removing = list.remove(lookedUp.filter((one) => !found.has(one)));
		const keepsAll = isLong || found.has(onceUsed);
		if (isRetry) {
			await removing;
			if (found.has(twins) && !marked) return twoBegan;
			return found.has(once) && !usesOnce ? usedOnce : keepsAll;
		}
		// All that a first attempt looks up is the mark of Send Once. If it stays, the list only becomes longer.
		await removing.catch(() => undefined);
		if (found.has(established)) await list.add([twins], MAX_ENTRIES);
		// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
		if (found.has(began) && !marked) {
			memory.wasInterrupted = true;
			return runAgain;
		}
		const hasOwn = marked !== undefined || found.has(established);
		memory.marked = { isConfirmed: true, keepsAll, ...(hasOwn && { own: execution }) };
		return keepsAll;
	});
}

function cannotGoOn(message: string): Problem {
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
