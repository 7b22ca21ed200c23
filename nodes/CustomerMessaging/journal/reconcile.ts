import type { Operation } from '../operations/operation';
import type { Platform } from '../shared/delivery';
import { longWait } from '../plan/longWait';
import { refuseAll, type Plan } from '../plan/plan';
import type { Problem } from '../shared/problem';
import type { SentResult } from '../shared/result';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import { askedBefore, nameOfNewAsk } from './askRecords';
import { type Attempt, openJournal } from './open';
import {
	openSentRecords,
	possiblePlatforms,
	makeRecord,
	recordsOfItem,
	makeResult,
	type SentRecords,
} from './sentRecords';

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
	if (tooLong) return { plan: refuseAll(plan.itemCount, [tooLong]), records };
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
	if (problem) return { plan: refuseAll(plan.itemCount, [problem]), records };
	const allRecords = { ...records, opened, unrecorded };
	const asked = askedBefore(plan, run, allRecords, n8n);
	if (asked) return { plan: refuseAll(plan.itemCount, [asked]), records };
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
