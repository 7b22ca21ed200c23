import type { Operation } from '../operations/operation';
import type { Platform } from '../shared/delivery';
import { isMissingStore, messageOf } from '../n8n/processedStore';
import { emptyPlan, type Plan } from '../plan/plan';
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
	/** Undefined where the operation is not known, and nothing can be sent. */
	records?: SentRecords;
}

/**
 * Compares a plan with what earlier attempts of the same run sent. A row that cannot be sent now,
 * because its time has passed or the credential no longer works, but was sent before, keeps what
 * became of it.
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
		return { plan: await keepRecords(plan, run.operation, n8n, records), records };
	}
	const opened = await openShared(plan, attempt, n8n, ledger);
	if (opened.isInterrupted) n8n.memory().context.wasInterrupted = true;
	if (opened.problem && isOnceOnly(run.operation)) {
		return { plan: emptyPlan(plan.itemCount, [opened.problem]), records };
	}
	records.shared = opened.ledger;
	return { plan: await keepRecords(plan, run.operation, n8n, records), records };
}

/**
 * Opens what all attempts share, or says why nothing must be sent. A first attempt goes on without
 * n8n's store where it cannot be read, as its retries have the execution's own memory. A retry must
 * not, as it would not know of other retries.
 */
async function openShared(plan: Plan, attempt: Attempt, n8n: N8n, own: Ledger): Promise<OpenedLedger> {
	const { history } = attempt;
	const access = history.establishedAtMs === undefined ? { missing: true } : await n8n.openStore({ isProbed: history.isRetry });
	const failed = (failure: string): OpenedLedger => {
		if (history.isRetry) return { problem: unreadable(failure) };
		n8n.log(`What is sent cannot be stored for a retry after an interruption: ${failure}`);
		return {};
	};
	if ('failure' in access) return failed(access.failure);
	if (!('store' in access)) return {};
	if (own.rows !== undefined) return { ledger: reopenSharedLedger(access.store, attempt, own.rows) };

	const rows = hashOf(plan.deliveries);
	const opened = await openSharedLedger(access.store, attempt, rows).catch((error: unknown) =>
		isMissingStore(error) ? {} : failed(messageOf(error)),
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

/** Creating a user again does no harm. */
function isOnceOnly({ batchKey }: Operation): boolean {
	return batchKey === undefined;
}

/** Gives rows that cannot be sent now, but were sent before, the outcome they had. */
async function keepRecords(plan: Plan, operation: Operation, n8n: N8n, records: SentRecords): Promise<Plan> {
	if (plan.invalid.length === 0 || n8n.isTool) return plan;
	const asked = askedPlatforms(operation, n8n);
	const others = await lookUp(plan, asked, records);
	const earlier: Plan['earlier'] = [];
	const invalid = plan.invalid.filter(({ itemIndex }) => {
		const known = recordsOfItem(itemIndex, operation, records);
		for (const platform of asked) {
			const outcome = others.get(records.keyOf({ itemIndex, platform }));
			if (outcome) known.push({ platform, record: recordOf(outcome) });
		}
		earlier.push(...known.map(({ platform, record }) => resultOf({ itemIndex, platform }, record)));
		return known.length < asked.length;
	});
	return { ...plan, invalid, earlier };
}

/** What other attempts sent of the rows that cannot be sent now. */
async function lookUp(
	{ invalid }: Plan,
	asked: ReadonlyArray<Platform | undefined>,
	{ shared, ledger, keyOf }: SentRecords,
): Promise<Map<string, Earlier>> {
	const found = new Map<string, Earlier>();
	if (!shared) return found;
	const positions = invalid
		.flatMap(({ itemIndex }) => asked.map((platform) => ({ itemIndex, platform })))
		.filter((position) => !ledger.find(keyOf(position)));
	for (const chunk of chunksOf(positions, keyOf)) {
		for (const [key, outcome] of await shared.lookUp(chunk)) found.set(key, outcome);
	}
	return found;
}

/** The platforms that each row asks for; all of them where an expression chooses. */
function askedPlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	const possible = possiblePlatforms(operation);
	const raw = n8n.raw('platforms');
	if (possible[0] === undefined || !Array.isArray(raw)) return possible;
	const chosen = possible.filter((platform) => raw.includes(platform));
	return chosen.length === raw.length ? chosen : possible;
}
