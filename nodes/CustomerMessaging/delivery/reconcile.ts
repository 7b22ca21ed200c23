import type { Operation } from '../operations/operation';
import type { Platform } from '../shared/delivery';
import { longWait } from '../plan/longWait';
import { refuseAll, type Plan } from '../plan/plan';
import type { Problem } from '../shared/problem';
import type { SentResult } from '../shared/result';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import { askedBefore, nameOfNewAsk } from './askRecords';
import type { Position } from './chunks';
import type { Known } from './claim';
import { lookUpChunks } from './lookUpChunks';
import { giveBack, openJournal } from './openJournal';
import {
	openSentRecords,
	possiblePlatforms,
	makeRecord,
	recordsOfItem,
	makeResult,
	type SentRecords,
} from './sentRecords';
import { unknownToOnce, unknownToRetry } from './storeProblems';

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
		// Nothing of what it still claims is sent.
		void comparing
			.then(async ({ records: late }) => late?.opened && (await giveBack(late.opened)))
			.catch(() => undefined);
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
	const isRead = records.ledger.rows !== undefined;
	const sendsOnce = sends && run.settings.sendOnce;
	// With Send Once, it is not known yet how many of them are new, and what is left can be sent later.
	const mustFit = sends && n8n.stopsOnFailure && !sendsOnce;
	const tooLong = mustFit ? findLongWait(plan, run, records) : undefined;
	if (tooLong) return { plan: refuseAll(plan.itemCount, [tooLong]), records };
	if (!isRead && (!sends || n8n.isTool) && !sendsOnce) {
		return { plan: await restoreSent(plan, run.operation, n8n, records), records };
	}

	// Users overwrite, so repeating them does no harm and need not be recorded.
	if (!isOnceOnly(run.operation))
		return { plan: await restoreSent(plan, run.operation, n8n, records), records };
	const access = await n8n.openStore();
	if (!('store' in access)) {
		const problem = sendsOnce ? unknownToOnce(access) : unknownToRetry(access, run, n8n);
		if (problem) return { plan: refuseAll(plan.itemCount, [problem]), records };
		return { plan: await restoreSent(plan, run.operation, n8n, records), records };
	}
	const { ledger: own, keyOf } = records;
	const attempt = { run, n8n, operation, own, keyOf };
	const { opened, problem, isInterrupted, haveAllUsedOnce } = await openJournal(
		plan,
		access.store,
		attempt,
	);
	if (isInterrupted) n8n.memory().context.wasInterrupted = true;
	// Send Once knows the other attempts even where their own records cannot tell, if they used it.
	if (problem && !(sendsOnce && haveAllUsedOnce === true)) {
		return { plan: refuseAll(plan.itemCount, [problem]), records };
	}
	const allRecords = { ...records, opened };
	const asked = askedBefore(plan, run, allRecords, n8n);
	if (asked) {
		if (opened) await giveBack(opened);
		return { plan: refuseAll(plan.itemCount, [asked]), records };
	}
	// Rows that this attempt is the first to read were never sent if they are invalid.
	const earlier = isRead ? allRecords : records;
	return { plan: await restoreSent(plan, run.operation, n8n, earlier), records: allRecords };
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
async function restoreSent(
	plan: Plan,
	operation: Operation,
	n8n: N8n,
	records: SentRecords,
): Promise<Plan> {
	if (plan.invalid.length === 0 || n8n.isTool) return plan;
	const chosen = chosenPlatforms(operation, n8n);
	const others = await lookUp(plan, chosen, records);
	const earlier: Plan['earlier'] = [];
	const invalid = plan.invalid.filter(({ itemIndex }) => {
		const sent = recordsOfItem(itemIndex, operation, records);
		for (const platform of chosen) {
			const known = others.get(records.keyOf({ itemIndex, platform }));
			if (known) sent.push({ platform, record: makeRecord(known.state) });
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

/** Looks up in the journal what other attempts sent of the rows that cannot be sent now. */
async function lookUp(
	{ invalid }: Plan,
	chosen: ReadonlyArray<Platform | undefined>,
	{ opened, ledger, keyOf }: SentRecords,
): Promise<Map<string, Known>> {
	if (!opened) return new Map();
	const positions: Position[] = invalid
		.flatMap(({ itemIndex }) => chosen.map((platform) => ({ itemIndex, platform })))
		.filter((position) => !ledger.find(keyOf(position)));
	const found = await lookUpChunks(positions, opened);
	return new Map([...found].map(([position, known]) => [keyOf(position), known]));
}

/** The platforms chosen for each row, or all of them if an expression chooses. */
function chosenPlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	const possible = possiblePlatforms(operation);
	const raw = n8n.raw('platforms');
	if (possible[0] === undefined || !Array.isArray(raw)) return possible;
	const chosen = possible.filter((platform) => raw.includes(platform));
	return chosen.length === raw.length ? chosen : possible;
}
