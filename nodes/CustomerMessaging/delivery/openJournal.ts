import type { N8n } from '../n8n/context';
import { type EntryStore, MAX_ENTRIES } from '../n8n/entryStore';
import type { Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import { errorMessage } from '../shared/formatting';
import type { Problem } from '../shared/problem';
import {
	type DeliveryMessage,
	endOfChunks,
	messageNamer,
	type Position,
	chooseWindow,
} from './chunks';
import type { Claim } from './claim';
import { Journal } from './journal';
import type { Ledger } from './ledger';
import { NamesInUse } from './namesInUse';
import { logUnrecorded, unreadable } from './storeProblems';

/** Names of messages that runs of this process are sending. */
const namesInUse = new NamesInUse();

/** Identifies an attempt of an execution. */
export interface Attempt {
	run: Run | UnusableRun;
	n8n: N8n;
	/** For example `push.send`. */
	operation: string;
	/** What this execution sent. */
	own: Ledger;
	/** Identifies a delivery within the run. */
	keyOf: (delivery: Position) => string;
}

/** The journal of one attempt. */
export interface OpenJournal {
	journal: Journal<DeliveryMessage>;
	nameMessage: ReturnType<typeof messageNamer>;
	/** The first claim, if it was made already. */
	firstClaim?: Claim<DeliveryMessage>;
	/** Whether other processes of n8n are kept out while the journal is written. */
	isLocked: () => boolean;
}

/** The journal, unless there is none, or the reason why the attempt must not send anything. */
interface Opening {
	opened?: OpenJournal;
	problem?: Problem;
	/** Whether n8n runs the execution again from the start after it was interrupted. */
	isInterrupted?: boolean;
	/** Whether Send Once knows what all earlier attempts sent, because each of them used it. */
	haveAllUsedOnce?: boolean;
}

/**
 * Opens the journal, or says why nothing must be sent. If n8n's store cannot be read, a first attempt
 * continues without it, because its retries have the execution's own memory. A retry must not continue,
 * because it would not know what other retries sent.
 */
export async function openJournal(
	plan: Plan,
	store: EntryStore,
	attempt: Attempt,
): Promise<Opening> {
	const { run, n8n, own, operation } = attempt;
	const { history } = run;
	const usesOnce = usesSendOnce(run);
	store.maxEntries = usesOnce ? MAX_ENTRIES : entriesKept(plan.itemCount);
	const onlyOnce = () => (usesOnce ? { opened: makeJournal(undefined, plan, store, attempt) } : {});
	if (history.establishedAtMs === undefined || n8n.isTool) return onlyOnce();

	const { runIndex } = n8n.memory();
	const scope = `sent ${history.establishedAtMs} ${runIndex} ${operation}`;
	if (own.rows !== undefined)
		return { opened: makeJournal(`${scope} ${own.rows}`, plan, store, attempt) };
	try {
		const begun = await begin(scope, plan, store, attempt);
		// An attempt that was refused has no rows: its own retry has to be checked again.
		if (begun.problem) return { ...onlyOnce(), ...begun };
		own.rows = plan.rowsHash;
		return begun;
	} catch (error) {
		const failure = errorMessage(error);
		if (history.isRetry) return { problem: unreadable(failure) };
		logUnrecorded(n8n, failure);
		return onlyOnce();
	}
}

function usesSendOnce(run: Run | UnusableRun): boolean {
	return 'settings' in run && run.settings.sendOnce;
}

/** The number of entries to keep for a run of so many items. */
export function entriesKept(itemCount: number): number {
	return Math.min(MAX_ENTRIES, Math.max(5_000, 4 * itemCount));
}

function makeJournal(
	scope: string | undefined,
	plan: Plan,
	store: EntryStore,
	{ run, n8n, keyOf }: Attempt,
): OpenJournal {
	const journal = new Journal<DeliveryMessage>(store, {
		namesInUse,
		...chooseWindow(run),
		retryUnknown: 'settings' in run && run.settings.retryUnknown,
		looksUpBlocks: run.history.isRetry,
		failed: (error) =>
			n8n.log(`Could not store how messages ended, so they stay in doubt: ${errorMessage(error)}`),
	});
	const nameMessage = messageNamer(scope, keyOf, plan);
	return { journal, nameMessage, isLocked: () => store.isLocked };
}

/**
 * Claims the first messages, and with the same call notes that the attempt has begun.
 *
 * The hash of the rows is part of every name, because an earlier attempt may have read other rows
 * without n8n storing its memory.
 */
async function begin(
	scope: string,
	plan: Plan,
	store: EntryStore,
	attempt: Attempt,
): Promise<Opening> {
	const { run, n8n } = attempt;
	const { isRetry } = run.history;
	const { id: execution } = n8n.execution;
	const { runIndex } = n8n.memory();
	const { rowsHash, deliveries } = plan;
	const marks = {
		begun: `${scope} begun`,
		begunWithRows: `${scope} ${rowsHash} begun`,
		execution: `execution ${execution} ${runIndex} begun`,
		withoutOnce: `${scope} without Send Once`,
	};
	const opened = makeJournal(`${scope} ${rowsHash}`, plan, store, attempt);
	const { journal, nameMessage } = opened;
	const end = isRetry ? endOfChunks(deliveries, 0, journal.window) : journal.window;
	// A retry looks all of them up. If a crash leaves one behind, a later retry sends too little, not too much.
	const added = isRetry
		? [marks.begun, marks.begunWithRows, marks.withoutOnce]
		: [
				marks.begun,
				marks.begunWithRows,
				marks.execution,
				...(usesSendOnce(run) ? [] : [marks.withoutOnce]),
			];
	const firstClaim = await journal.claim(deliveries.slice(0, end).map(nameMessage), added);
	if (!firstClaim) return { opened };
	const { marks: known } = firstClaim;
	const haveAllUsedOnce = !known.has(marks.withoutOnce);
	const wrong: string[] = [];
	if (isRetry && haveAllUsedOnce && usesSendOnce(run)) wrong.push(marks.withoutOnce);
	const isOther = isRetry && known.has(marks.begun) && !known.has(marks.begunWithRows);
	if (isOther) wrong.push(marks.begunWithRows);
	if (wrong.length > 0) await store.exclusively(async (list) => await list.remove(wrong));
	const isInterrupted = !isRetry && known.has(marks.execution);
	const isTwin = !isRetry && known.has(marks.begunWithRows);
	if (!isOther && !isInterrupted && !isTwin) return { opened: { ...opened, firstClaim } };

	await giveBack({ ...opened, firstClaim });
	if (isOther) return { problem: otherRows, haveAllUsedOnce };
	// In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed.
	// It runs the workflow as it was then, so with Send Once if this run has it.
	if (isInterrupted) return { problem: runAgain, isInterrupted, haveAllUsedOnce: true };
	// Two executions began in the same millisecond with the same rows: each sends its own.
	return { opened: makeJournal(`${scope} ${rowsHash} of ${execution}`, plan, store, attempt) };
}

/** Records that nothing of the first claim is sent. */
export async function giveBack({
	journal,
	firstClaim,
}: Pick<OpenJournal, 'journal' | 'firstClaim'>): Promise<void> {
	for (const message of firstClaim?.claimed ?? []) journal.settle(message, undefined);
	await journal.finish();
}

const runAgain: Problem = {
	field: 'execution',
	message:
		'n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. Check in the account what was sent, then start the workflow from its trigger with the rows that are missing',
};

const otherRows: Problem = {
	field: 'execution',
	message:
		'Another attempt of this execution has sent messages, but with other rows than this one, so the node cannot tell who was reached. Retry the newest attempt instead. If there is none, check in the account what was sent. Then start the workflow from its trigger with the rows that are missing',
};
