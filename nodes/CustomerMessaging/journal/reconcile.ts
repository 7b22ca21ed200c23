import { hasPlatforms, type Operation } from '../operations/operation';
import { type Delivery, type Platform, platforms } from '../shared/delivery';
import type { SentRecord, SentResult, Problem, Result } from '../shared/result';
import type { N8n } from '../n8n/context';
import type { State } from './journal';
import { Ledger, type LedgerMemory, type OpenJournal, type Attempt, openJournal } from './open';
import { type AskMemory, recallAsked, remember, signatureIn } from '../ask/answerLink';
import { waitEnd } from '../ask/form';
import { type Plan, longWait, refuseAll } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';

/** Identifies a delivery within the run. */
export type Position = Pick<Delivery, 'itemIndex' | 'platform'>;

/** What was sent before, as far as the node can know. */
export interface SentRecords {
	/** For this execution, and for those whose data it started with. */
	ledger: Ledger;
	/** Returns a key that identifies a delivery within the run. */
	keyOf: (delivery: Position) => string;
	/** For other attempts of this execution, and with Send Once for all executions. */
	opened?: OpenJournal;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
}

/** Whether n8n has called `execute()` before for a run of the node. */
export function wasTried({ context, runIndex }: { context: LedgerMemory; runIndex: number }) {
	return context.sent?.runIndex === runIndex;
}

/** @param operation for example `push.send` */
export function openSentRecords(n8n: N8n, operation: string): SentRecords {
	const { context, runIndex } = n8n.memory();
	const { id: execution } = n8n.execution;
	// As a tool, the node gets a new run index with every try. All its calls therefore share one
	// ledger, and their content identifies their deliveries.
	return n8n.isTool
		? { ledger: new Ledger(context, { execution, runIndex: 0 }, operation), keyOf: contentKey }
		: { ledger: new Ledger(context, { execution, runIndex }, operation), keyOf: positionKey };
}

/** The records of the deliveries of one item in this execution, by platform. */
export function recordsOfItem(
	itemIndex: number,
	operation: Operation,
	{ ledger, keyOf }: SentRecords,
): Array<{ platform?: Platform; record: SentRecord }> {
	return possiblePlatforms(operation).flatMap((platform) => {
		const record = ledger.find(keyOf({ itemIndex, platform }));
		return record ? [{ platform, record }] : [];
	});
}

export function possiblePlatforms(operation: Operation): ReadonlyArray<Platform | undefined> {
	return hasPlatforms(operation) ? platforms : [undefined];
}

/** The record of a delivery that another attempt made. */
export function makeRecord(state: State): SentRecord {
	return state === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: { outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 } };
}

/** The result of a delivery that an earlier attempt made. */
export function makeResult(delivery: Position, record: SentRecord): SentResult {
	return { kind: 'sent', delivery, sentBefore: true, ...record };
}

function positionKey({ itemIndex, platform }: Position): string {
	return platform ? `${itemIndex} ${platform}` : String(itemIndex);
}

function contentKey(delivery: Partial<Delivery>): string {
	const { path, buildBody, envelope, schedule } = delivery;
	return JSON.stringify([path, buildBody?.(), envelope, schedule]);
}

/**
 * Sets the records of a question apart that a retry asks again. It has a link of its own, so nothing that
 * was sent before is the same message. Empty for everything else.
 */
export function nameOfNewAsk(run: Run | UnusableRun, { execution }: N8n): string {
	if (!run.operation?.waits || !run.history.isRetry) return '';
	const asksAgain = 'settings' in run && run.settings.retryUnknown;
	return asksAgain ? ` again in ${execution.id}` : '';
}

/** Refuses to repeat a question in a retry, if an earlier attempt has sent it, or may have. */
export function askedBefore(
	{ deliveries }: Plan,
	run: Run | UnusableRun,
	{ ledger, keyOf, opened }: SentRecords,
	n8n: N8n,
): Problem | undefined {
	const asks = run.operation?.waits && 'isPreview' in run && !run.isPreview;
	if (!asks || !run.history.isRetry) return undefined;
	const isKnown =
		(opened?.recalled.size ?? 0) > 0 ||
		deliveries.some((delivery) => ledger.find(keyOf(delivery)) !== undefined);
	return isKnown ? askedIn(executionThatAsked(n8n)) : undefined;
}

/** Undefined if n8n did not store it, because it was interrupted. */
function executionThatAsked(n8n: N8n): string | undefined {
	const { context, runIndex } = n8n.memory();
	const { asked: stored }: AskMemory = context;
	const asked = recallAsked(stored);
	const isOther = asked?.runIndex === runIndex && asked.execution !== n8n.execution.id;
	return isOther ? asked.execution : undefined;
}

function askedIn(execution: string | undefined): Problem {
	const which = execution === undefined ? 'An earlier attempt' : `Execution ${execution}`;
	return {
		field: 'execution',
		message: `${which} has asked this question already, and the link in that message answers only that execution. To ask again with a new link, turn on 'Retry Unknown' under Options, or start the workflow from its trigger`,
	};
}

/** Stores the question before it is sent, so that a retry of a stopped execution can name this one. */
export function rememberAsk({ deliveries }: Plan, run: Run, n8n: N8n): void {
	const [{ ask } = {}] = deliveries;
	if (!ask || (run.isPreview && !run.testRecipient)) return;
	const { context, runIndex, execution } = n8n.memory();
	remember(context, { execution, runIndex, signature: signatureIn(n8n.answerUrl()), ask });
}

/**
 * Lets the execution wait for the answer if the question was delivered, or may have been: then an answer
 * proves that it arrived. Nobody can answer what was only previewed or surely not delivered.
 *
 * @returns until when it waits, in epoch milliseconds; undefined if it does not wait
 */
export async function waitForAnswer(
	run: Run,
	results: readonly Result[],
	n8n: N8n,
): Promise<{ endMs?: number } | undefined> {
	if (!run.operation.waits) return undefined;
	if (!results.some((result) => mayHaveArrived(result, run))) {
		const memory: AskMemory = n8n.memory().context;
		delete memory.asked;
		return undefined;
	}
	if (n8n.cancelled()) return undefined;
	const nowMs = n8n.now();
	const end = waitEnd(run.settings.limitWaitTime, { nowMs, workflowZone: n8n.workflowZone });
	// Sending may have lasted until after the end. n8n then goes on at once.
	const endMs = 'message' in end ? nowMs : end.endMs;
	await n8n.waitForAnswer(endMs);
	return { endMs };
}

/** Whether a person may have this execution's link. What another execution sent has another link. */
function mayHaveArrived(result: Result, { history }: Run): boolean {
	if (result.kind !== 'sent' || (history.isRetry && result.sentBefore)) return false;
	const { outcome } = result.outcome;
	return outcome === 'accepted' || outcome === 'unknown';
}

export interface Reconciled {
	plan: Plan;
	/** Undefined if the operation is not known, so that nothing can be sent. */
	records?: SentRecords;
}

/**
 * Compares a plan with what earlier attempts of the same run sent. A row that was sent before but
 * cannot be sent now keeps its outcome. For example, its scheduled time may have passed, or the
 * credential may have become unusable.
 */
export async function reconcile(plan: Plan, run: Run | UnusableRun, n8n: N8n): Promise<Reconciled> {
	const { operation: ofRun } = run;
	if (!ofRun) return { plan };
	const isTest = 'testRecipient' in run && run.testRecipient !== undefined;
	// A test must never count as the real message, so it has records of its own.
	const operation = `${run.resource}.${ofRun.value}${isTest ? ' test' : ''}${nameOfNewAsk(run, n8n)}`;
	const records = openSentRecords(n8n, operation);
	if (isTest && !plan.isStopped) return { plan, records };
	if (!plan.isStopped) {
		const comparing = compare(plan, { ...run, operation: ofRun }, n8n, operation, records);
		const compared = await n8n.untilStopped(comparing);
		if (compared) return compared;
		void comparing.catch(() => undefined);
	}
	const earlier = leftOut(plan, ofRun, n8n, records);
	return { plan: { ...plan, deliveries: [], invalid: [], earlier, isStopped: true }, records };
}

async function compare(
	plan: Plan,
	run: (Run | UnusableRun) & { operation: Operation },
	n8n: N8n,
	operation: string,
	records: SentRecords,
): Promise<Reconciled> {
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const sends = 'origin' in run && !run.isPreview && !isStopped && plan.deliveries.length > 0;
	const sendsOnce = sends && run.settings.sendOnce;
	// With Send Once, it is not known yet how many of them are new, and what is left can be sent later.
	const mustFit = sends && n8n.stopsOnFailure && !sendsOnce;
	const tooLong = mustFit ? findLongWait(plan, run, records) : undefined;
	if (tooLong) return { plan: refuseAll(plan, [tooLong]), records };
	// What is only shown is not recorded, and a first attempt that sends nothing has nothing to look up.
	const isRecorded = sends || (run.history.isRetry && !('isPreview' in run && run.isPreview));
	// Users overwrite, so repeating them does no harm and need not be recorded.
	if (!isRecorded || !isOnceOnly(run.operation))
		return { plan: restoreSent(plan, run.operation, n8n, records), records };
	const { ledger, keyOf } = records;
	const remembers: Attempt['remembers'] = (position) => ledger.find(keyOf(position)) !== undefined;
	const attempt = { run, n8n, operation, ledger, remembers };
	const { opened, unrecorded, problem, isInterrupted } = await openJournal(plan, attempt);
	if (isInterrupted) n8n.memory().context.wasInterrupted = true;
	if (problem) return { plan: refuseAll(plan, [problem]), records };
	const allRecords = { ...records, opened, unrecorded };
	const asked = askedBefore(plan, run, allRecords, n8n);
	if (asked) return { plan: refuseAll(plan, [asked]), records };
	return { plan: restoreSent(plan, run.operation, n8n, allRecords), records: allRecords };
}

/** Says that what no earlier attempt has sent would wait for the rate limit longer than it may. */
function findLongWait(
	{ deliveries }: Plan,
	run: Run,
	{ ledger, keyOf }: SentRecords,
): Problem | undefined {
	const perRequest = run.operation.batchKey ? run.settings.batchSize : 1;
	const waitFor = (count: number) => longWait(Math.ceil(count / perRequest), run);
	if (!waitFor(deliveries.length)) return undefined;
	return waitFor(deliveries.filter((delivery) => !ledger.find(keyOf(delivery))).length);
}

/** Whether repeating the operation would do harm. Creating a user again does not. */
function isOnceOnly({ overwrites }: Operation): boolean {
	return overwrites !== true;
}

/** Moves rows that cannot be sent now, but were sent before, from `invalid` to `earlier`. */
function restoreSent(plan: Plan, operation: Operation, n8n: N8n, records: SentRecords): Plan {
	if (plan.invalid.length === 0 || n8n.isTool) return plan;
	const chosen = chosenPlatforms(operation, n8n);
	const earlier: Plan['earlier'] = [];
	const invalid = plan.invalid.filter(({ itemIndex, addressed = [] }) => {
		const sent = recordsOfItem(itemIndex, operation, records);
		for (const message of addressed) {
			const known = records.opened?.recalled.get(message);
			if (known) sent.push({ platform: message.platform, record: makeRecord(known.state) });
		}
		earlier.push(
			...sent.map(({ platform, record }) => makeResult({ itemIndex, platform }, record)),
		);
		return sent.length < chosen.length;
	});
	return { ...plan, invalid, earlier };
}

/** The results of a run that was stopped before its rows were checked: what was sent before, and the rest. */
function leftOut(
	{ itemCount }: Plan,
	operation: Operation,
	n8n: N8n,
	{ ledger, keyOf }: SentRecords,
): SentResult[] {
	const chosen = chosenPlatforms(operation, n8n);
	return Array.from({ length: itemCount }, (_, itemIndex) => itemIndex).flatMap((itemIndex) =>
		chosen.map((platform): SentResult => {
			const position = { itemIndex, platform };
			const record = ledger.find(keyOf(position));
			if (record) return makeResult(position, record);
			const outcome = { outcome: 'notSent', reason: 'stopped', attempts: 0 } as const;
			return { kind: 'sent', delivery: position, outcome };
		}),
	);
}

/** The platforms chosen for each row, or all of them if an expression chooses. */
function chosenPlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	const possible = possiblePlatforms(operation);
	const raw = n8n.raw('platforms');
	if (possible[0] === undefined || !Array.isArray(raw)) return possible;
	const chosen = possible.filter((platform) => raw.includes(platform));
	return chosen.length === raw.length ? chosen : possible;
}
