import type { Operation } from '../operations/operation';
import type { Platform } from '../shared/delivery';
import { longWait } from '../plan/longWait';
import { emptyPlan, type Plan } from '../plan/plan';
import type { Problem } from '../shared/problem';
import type { SentResult } from '../shared/result';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import { MAX_ENTRIES } from '../n8n/processedStore';
import { type Attempt, chunksOf } from './attempt';
import { openSendOnce, openShared } from './openRecords';
import {
	openSentRecords,
	possiblePlatforms,
	recordOf,
	recordsOfItem,
	resultOf,
	type SentRecords,
} from './sentRecords';
import { type Earlier, entriesKept } from './sharedLedger';

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
	if (!run.operation) return { plan };
	const isTest = 'testRecipient' in run && run.testRecipient !== undefined;
	// A test must never count as the real message, so it has records of its own.
	const operation = `${run.resource}.${run.operation.value}${isTest ? ' test' : ''}`;
	const records = openSentRecords(n8n, operation);
	if (plan.isStopped)
		return { plan: { ...plan, earlier: leftOut(plan, run.operation, n8n, records) }, records };
	if (isTest) return { plan, records };
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const sends = 'origin' in run && !run.isPreview && !isStopped && plan.deliveries.length > 0;
	const isRead = records.ledger.rows !== undefined;
	const tooLong = sends && n8n.stopsOnFailure ? longWaitOf(plan, run, records) : undefined;
	if (tooLong) return { plan: emptyPlan(plan.itemCount, [tooLong]), records };
	const sendsOnce = sends && run.settings.sendOnce;
	if (!isRead && (!sends || n8n.isTool) && !sendsOnce) {
		return { plan: await restoreSent(plan, run.operation, n8n, records), records };
	}

	const access = await n8n.openStore();
	const { once, problem } = sendsOnce ? openSendOnce(access, run, n8n) : {};
	if (problem) return { plan: emptyPlan(plan.itemCount, [problem]), records };
	if (n8n.isTool) return { plan, records: { ...records, once } };
	const attempt: Attempt = {
		history: run.history,
		execution: n8n.execution.id,
		runIndex: n8n.memory().runIndex,
		operation,
		maxEntries: once ? MAX_ENTRIES : entriesKept(plan.itemCount),
		firstItem: plan.deliveries[0]?.itemIndex ?? 0,
	};
	const opened = await openShared(plan, attempt, { n8n, access, own: records.ledger });
	if (opened.isInterrupted) n8n.memory().context.wasInterrupted = true;
	// With Send Once, the other attempts are known even where the shared ledger cannot tell.
	if (opened.problem && isOnceOnly(run.operation) && !once) {
		return { plan: emptyPlan(plan.itemCount, [opened.problem]), records };
	}
	// Rows that this attempt is the first to read were never sent if they are invalid.
	const earlierLedger = isRead ? opened.ledger : undefined;
	const restored = await restoreSent(plan, run.operation, n8n, {
		...records,
		shared: earlierLedger,
	});
	return { plan: restored, records: { ...records, shared: opened.ledger, once } };
}

/** Says that what no earlier attempt has sent would wait for the rate limit longer than it may. */
function longWaitOf(
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
			const outcome = others.get(records.keyOf({ itemIndex, platform }));
			if (outcome) sent.push({ platform, record: recordOf(outcome) });
		}
		earlier.push(...sent.map(({ platform, record }) => resultOf({ itemIndex, platform }, record)));
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
			if (record) return resultOf(position, record);
			const outcome = { outcome: 'notSent', reason: 'stopped', attempts: 0 } as const;
			return { kind: 'sent', delivery: position, outcome };
		}),
	);
}

/** Looks up in the shared ledger what other attempts sent of the rows that cannot be sent now. */
async function lookUp(
	{ invalid }: Plan,
	chosen: ReadonlyArray<Platform | undefined>,
	{ shared, ledger, keyOf }: SentRecords,
): Promise<Map<string, Earlier>> {
	if (!shared) return new Map();
	const positions = invalid
		.flatMap(({ itemIndex }) => chosen.map((platform) => ({ itemIndex, platform })))
		.filter((position) => !ledger.find(keyOf(position)));
	return await shared.lookUp([...chunksOf(positions, keyOf)]);
}

/** The platforms chosen for each row, or all of them if an expression chooses. */
function chosenPlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	const possible = possiblePlatforms(operation);
	const raw = n8n.raw('platforms');
	if (possible[0] === undefined || !Array.isArray(raw)) return possible;
	const chosen = possible.filter((platform) => raw.includes(platform));
	return chosen.length === raw.length ? chosen : possible;
}
