import type { Operation } from '../operations/operation';
import type { Platform } from '../shared/delivery';
import { isMissingStore } from '../n8n/processedStore';
import { emptyPlan, type Plan } from '../plan/plan';
import { errorMessage } from '../shared/formatting';
import type { Problem } from '../shared/problem';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { N8n } from '../n8n/context';
import {
	type Attempt,
	chunksOf,
	hashOf,
	type OpenedLedger,
	openSharedLedger,
	reopenSharedLedger,
} from './attempt';
import type { Ledger } from './ledger';
import {
	openSentRecords,
	possiblePlatforms,
	recordOf,
	recordsOfItem,
	resultOf,
	type SentRecords,
} from './sentRecords';
import type { Earlier } from './sharedLedger';

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
	const operation = `${run.resource}.${run.operation.value}`;
	const records = openSentRecords(n8n, operation);
	const { ledger } = records;
	const attempt: Attempt = {
		history: run.history,
		execution: n8n.execution.id,
		runIndex: n8n.memory().runIndex,
		operation,
		itemCount: plan.itemCount,
		firstItem: plan.deliveries[0]?.itemIndex ?? 0,
	};
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const sends = plan.deliveries.length > 0 && !isStopped && !('isPreview' in run && run.isPreview);

	const isRead = ledger.rows !== undefined;
	if (!isRead && (!sends || n8n.isTool)) {
		return { plan: await restoreSent(plan, run.operation, n8n, records), records };
	}
	const opened = await openShared(plan, attempt, n8n, ledger);
	if (opened.isInterrupted) n8n.memory().context.wasInterrupted = true;
	if (opened.problem && isOnceOnly(run.operation)) {
		return { plan: emptyPlan(plan.itemCount, [opened.problem]), records };
	}
	// Rows that this attempt is the first to read were never sent if they are invalid.
	const earlierLedger = isRead ? opened.ledger : undefined;
	const restored = await restoreSent(plan, run.operation, n8n, {
		...records,
		shared: earlierLedger,
	});
	return { plan: restored, records: { ...records, shared: opened.ledger } };
}

/**
 * Opens the ledger that all attempts share, or says why nothing must be sent. If n8n's store cannot
 * be read, a first attempt continues without it, because its retries have the execution's own memory.
 * A retry must not continue, because it would not know what other retries sent.
 */
async function openShared(
	plan: Plan,
	attempt: Attempt,
	n8n: N8n,
	own: Ledger,
): Promise<OpenedLedger> {
	const { history } = attempt;
	const access =
		history.establishedAtMs === undefined
			? { missing: true }
			: await n8n.openStore({ isProbed: history.isRetry });
	const failed = (failure: string): OpenedLedger => {
		if (history.isRetry) return { problem: unreadable(failure) };
		n8n.log(
			`Cannot store what is sent, so a retry after an interruption cannot know it: ${failure}`,
		);
		return {};
	};
	if ('failure' in access) return failed(access.failure);
	if (!('store' in access)) return {};
	if (own.rows !== undefined)
		return { ledger: reopenSharedLedger(access.store, attempt, own.rows) };

	const rows = hashOf(plan.deliveries);
	const opened = await openSharedLedger(access.store, attempt, rows).catch((error: unknown) =>
		isMissingStore(error) ? {} : failed(errorMessage(error)),
	);
	// An attempt that was refused has no rows: its own retry has to be checked again.
	if (opened.ledger) own.rows = rows;
	return opened;
}

function unreadable(reason: string): Problem {
	return {
		field: 'execution',
		message: `n8n cannot read what other attempts of this execution sent: ${reason}. Check n8n's database, then retry the execution`,
	};
}

/** Whether repeating the operation would do harm. Creating a user again does not. */
function isOnceOnly({ batchKey }: Operation): boolean {
	return batchKey === undefined;
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

/** Looks up in the shared ledger what other attempts sent of the rows that cannot be sent now. */
async function lookUp(
	{ invalid }: Plan,
	chosen: ReadonlyArray<Platform | undefined>,
	{ shared, ledger, keyOf }: SentRecords,
): Promise<Map<string, Earlier>> {
	const found = new Map<string, Earlier>();
	if (!shared) return found;
	const positions = invalid
		.flatMap(({ itemIndex }) => chosen.map((platform) => ({ itemIndex, platform })))
		.filter((position) => !ledger.find(keyOf(position)));
	for (const chunk of chunksOf(positions, keyOf)) {
		for (const [key, outcome] of await shared.lookUp(chunk)) found.set(key, outcome);
	}
	return found;
}

/** The platforms chosen for each row, or all of them if an expression chooses. */
function chosenPlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	const possible = possiblePlatforms(operation);
	const raw = n8n.raw('platforms');
	if (possible[0] === undefined || !Array.isArray(raw)) return possible;
	const chosen = possible.filter((platform) => raw.includes(platform));
	return chosen.length === raw.length ? chosen : possible;
}
