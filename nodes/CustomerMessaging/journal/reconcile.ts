import { hasPlatforms, type Operation } from '../operations/operation';
import { type Platform, platforms } from '../shared/delivery';
import type { SentRecord, SentResult, Problem, Result } from '../shared/result';
import type { N8n } from '../n8n/context';
import type { State } from './journal';
import { interrupted, Ledger, type Position } from './ledger';
import { cannotGoOn, openJournal, type Opening } from './open';
import { type AskMemory, recallAsked, remember, signatureIn } from '../ask/answerLink';
import { waitEnd } from '../ask/form';
import { type Plan, longWait, refuseAll } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';

export { wasTried } from './ledger';

/** What was sent before, as far as the node can know. */
export interface SentRecords extends Omit<Opening, 'problem'> {
	/** For this execution, and for those whose data it started with. */
	ledger: Ledger;
}

/** The record of a delivery that another attempt made. */
export function makeRecord(state: State): SentRecord {
	return state === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: interrupted;
}

/** The result of a delivery that an earlier attempt made. */
export function makeResult(delivery: Position, record: SentRecord): SentResult {
	return { kind: 'sent', delivery, sentBefore: true, ...record };
}

/**
 * Sets the records of a question apart that a retry asks again. It has a link of its own, so nothing that
 * was sent before is the same message. Empty for everything else.
 */
function nameOfNewAsk(run: Run | UnusableRun, { execution }: N8n): string {
	if (!run.operation?.waits || !run.history.isRetry) return '';
	const asksAgain = 'settings' in run && run.settings.retryUnknown;
	return asksAgain ? ` again in ${execution.id}` : '';
}

/** Refuses to repeat a question in a retry, if an earlier attempt has sent it, or may have. */
function askedBefore(
	{ deliveries }: Plan,
	run: Run | UnusableRun,
	{ ledger, recalled }: SentRecords,
	n8n: N8n,
): Problem | undefined {
	const asks = run.operation?.waits && 'isPreview' in run && !run.isPreview;
	const isKnown =
		(recalled?.size ?? 0) > 0 || deliveries.some((delivery) => ledger.find(delivery) !== undefined);
	if (!asks || !run.history.isRetry || !isKnown) return undefined;
	// n8n has not stored which execution asked if that was interrupted.
	const { context, runIndex, execution } = n8n.memory();
	const { asked: stored }: AskMemory = context;
	const asked = recallAsked(stored);
	const isOther = asked?.runIndex === runIndex && asked.execution !== execution;
	const who = isOther ? `Execution ${asked.execution}` : 'An earlier attempt';
	return cannotGoOn(
		`${who} has asked this question already, and the link in that message answers only that execution. To ask again with a new link, turn on 'Retry Unknown' under Options, or start the workflow from its trigger`,
	);
}

/** Stores the question before it is sent, so that a retry of a stopped execution can name this one. */
export function rememberAsk({ deliveries }: Plan, run: Run, n8n: N8n): void {
	const [{ ask } = {}] = deliveries;
	if (!ask || (run.isPreview && !run.testRecipient)) return;
	const { context, ...where } = n8n.memory();
	remember(context, { ...where, signature: signatureIn(n8n.answerUrl()), ask });
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
	const { operation } = run;
	if (!operation) return { plan };
	const isTest = 'testRecipient' in run && run.testRecipient !== undefined;
	// A test must never count as the real message, so it has records of its own.
	const name = `${run.resource}.${operation.value}${isTest ? ' test' : ''}${nameOfNewAsk(run, n8n)}`;
	const ledger = new Ledger(n8n, name);
	if (!plan.isStopped) {
		if (isTest) return { plan, records: { ledger } };
		const comparing = compare(plan, run, operation, n8n, ledger);
		const compared = await n8n.untilStopped(comparing);
		if (compared) return compared;
		void comparing.catch(() => undefined);
	}
	const earlier = leftOut(plan, operation, n8n, ledger);
	const stopped: Plan = { ...plan, deliveries: [], invalid: [], earlier, isStopped: true };
	return { plan: stopped, records: { ledger } };
}

async function compare(
	plan: Plan,
	run: Run | UnusableRun,
	operation: Operation,
	n8n: N8n,
	ledger: Ledger,
): Promise<Reconciled> {
	const refused = (problem: Problem) => ({
		plan: refuseAll(plan, [problem]),
		records: { ledger },
	});
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const sends = 'origin' in run && !run.isPreview && !isStopped && plan.deliveries.length > 0;
	// With Send Once, it is not known yet how many of them are new, and what is left can be sent later.
	const mustFit = sends && n8n.stopsOnFailure && !run.settings.sendOnce;
	const tooLong = mustFit ? findLongWait(plan, run, ledger) : undefined;
	if (tooLong) return refused(tooLong);
	// What is only shown is not recorded, and a first attempt that sends nothing has nothing to look up.
	const isRecorded = sends || (run.history.isRetry && !('isPreview' in run && run.isPreview));
	// Users overwrite, so repeating them does no harm and need not be recorded.
	const opening =
		isRecorded && operation.overwrites !== true
			? await openJournal(plan, run, n8n, ledger)
			: undefined;
	if (opening?.problem) return refused(opening.problem);
	const records = { ledger, ...opening };
	const asked = opening && askedBefore(plan, run, records, n8n);
	if (asked) return refused(asked);
	return { plan: restoreSent(plan, operation, n8n, records), records };
}

/** Says that what no earlier attempt has sent would wait for the rate limit longer than it may. */
function findLongWait({ deliveries }: Plan, run: Run, ledger: Ledger): Problem | undefined {
	const perRequest = run.operation.batchKey ? run.settings.batchSize : 1;
	const unsent = deliveries.filter((delivery) => !ledger.find(delivery)).length;
	return longWait(Math.ceil(unsent / perRequest), run);
}

/** Moves rows that cannot be sent now, but were sent before, from `invalid` to `earlier`. */
function restoreSent(
	plan: Plan,
	operation: Operation,
	n8n: N8n,
	{ ledger, recalled }: SentRecords,
): Plan {
	if (plan.invalid.length === 0 || n8n.isTool) return plan;
	const { possible, chosen } = choosePlatforms(operation, n8n);
	const earlier: Plan['earlier'] = [];
	const invalid = plan.invalid.filter(({ itemIndex, addressed = [] }) => {
		const sent = [
			...possible.map((platform) => ({ platform, record: ledger.find({ itemIndex, platform }) })),
			...addressed.map((message) => {
				const known = recalled?.get(message);
				return { platform: message.platform, record: known && makeRecord(known.state) };
			}),
		].flatMap(({ platform, record }) =>
			record ? [makeResult({ itemIndex, platform }, record)] : [],
		);
		earlier.push(...sent);
		return chosen.some((platform) => !sent.some(({ delivery }) => delivery.platform === platform));
	});
	return { ...plan, invalid, earlier };
}

/** The results of a run that was stopped before its rows were checked: what was sent before, and the rest. */
function leftOut(
	{ itemCount }: Plan,
	operation: Operation,
	n8n: N8n,
	ledger: Ledger,
): SentResult[] {
	const { chosen } = choosePlatforms(operation, n8n);
	return Array.from({ length: itemCount }, (_, itemIndex) => itemIndex).flatMap((itemIndex) =>
		chosen.map((platform): SentResult => {
			const delivery = { itemIndex, platform };
			const record = ledger.find(delivery);
			if (record) return makeResult(delivery, record);
			const outcome = { outcome: 'notSent', reason: 'stopped', attempts: 0 } as const;
			return { kind: 'sent', delivery, outcome };
		}),
	);
}

/** The platforms that the rows of an operation can have, and those chosen for each row. If an expression chooses, all are. */
function choosePlatforms(operation: Operation, n8n: N8n) {
	const possible: ReadonlyArray<Platform | undefined> = hasPlatforms(operation)
		? platforms
		: [undefined];
	const raw = n8n.raw('platforms');
	const chosen = Array.isArray(raw) ? possible.filter((platform) => raw.includes(platform)) : [];
	const isKnown = Array.isArray(raw) && hasPlatforms(operation) && chosen.length === raw.length;
	return { possible, chosen: isKnown ? chosen : possible };
}
