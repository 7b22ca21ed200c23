import type { N8n } from '../n8n/context';
import type { StoreAccess } from '../n8n/processedStore';
import type { Plan } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import { errorMessage } from '../shared/formatting';
import type { Problem } from '../shared/problem';
import { type Attempt, type OpenedLedger, openSharedLedger, reopenSharedLedger } from './attempt';
import type { Ledger } from './ledger';
import { SendOnce } from './sendOnce';

/**
 * Opens the ledger that all attempts share, or says why nothing must be sent. If n8n's store cannot
 * be read, a first attempt continues without it, because its retries have the execution's own memory.
 * A retry must not continue, because it would not know what other retries sent.
 */
export async function openShared(
	plan: Plan,
	attempt: Attempt,
	{ n8n, access, own }: { n8n: N8n; access: StoreAccess; own: Ledger },
): Promise<OpenedLedger> {
	const { history } = attempt;
	if (history.establishedAtMs === undefined) return {};
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

	const rows = plan.rowsHash;
	const opened = await openSharedLedger(access.store, attempt, rows).catch((error: unknown) =>
		failed(errorMessage(error)),
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

/** Opens what Send Once knows. Without it, nothing must be sent. */
export function openSendOnce(
	access: StoreAccess,
	{ settings }: Run,
	n8n: N8n,
): { once: SendOnce; problem?: undefined } | { once?: undefined; problem: Problem } {
	if (!('store' in access)) {
		const reason = 'failure' in access ? access.failure : 'this n8n has no store for it';
		const message = `Send Once is on, but n8n cannot read what was sent before: ${reason}. Check n8n's database, or turn off Send Once`;
		return { problem: { field: 'sendOnce', message } };
	}
	const failed = (error: unknown) =>
		n8n.log(
			`Could not store for Send Once how messages ended, so they stay in doubt: ${errorMessage(error)}`,
		);
	const { retryUnknown } = settings;
	const { cancelled: stopped, clock } = n8n;
	const deps = { retryUnknown, stopped, clock, random: Math.random, failed };
	return { once: new SendOnce(access.store, deps) };
}
