import { deliver, type Pace, paceOf, type Sent } from './engine';
import type { N8n } from './n8n/context';
import { messageScope, messagesSent } from './plan/counts';
import type { Plan } from './plan/plan';
import { runAgain } from './plan/reconcile';
import { concurrencyOf, longWait } from './run/options';
import { policyFor } from './run/policy';
import type { Delivery } from './shared/delivery';
import type { Run } from './run/resolveRun';
import { formatIso } from './schedule/localTime';
import { tell } from './shared/sentence';
import { mayBeDelivered, type Result, type RunReport, type SentDelivery } from './shared/result';
import { groupBy } from './shared/slices';
import { wireFor } from './run/wire';

/** The pace that runs of a process share, and random numbers from 0 to 1 for the waits before retries. */
interface Pacing {
	pace?: Pace;
	random?: () => number;
}

/** A run that can send its messages. */
export interface Ready {
	plan: Plan;
	run: Run;
	n8n: N8n;
	sent: Sent<SentDelivery>;
	/** Stands for another process in a simulation. */
	pacing?: Pacing;
}

/** Sends all deliveries of a plan, and reports the outcome of each. Never throws. */
export async function sendAll({ plan, run, n8n, sent, pacing = {} }: Ready): Promise<RunReport> {
	const { deliveries } = plan;
	const { settings, perMinute, history } = run;
	const { sendOnce, requestTimeoutMs, maxWaitMs, maxMessages } = settings;
	const { clock, now, stop, cancelled, stopsOnFailure, untilStopped, log } = n8n;
	const { pace = paceFor(run), random = Math.random } = pacing;
	const { rounds, attempts } = messagesSent(messageScope(n8n));
	let warning: string | undefined;
	const { rest, isLocked, ranAgain, ...done } = await deliver(
		deliveries,
		{
			clock,
			now,
			stop,
			cancelled,
			stopsOnFailure,
			untilStopped,
			log,
			sent,
			pace,
			random,
			isRetry: history.isRetry,
			api: run.target.api,
			wire: wireFor(run, n8n),
			policy: policyFor(run),
			limits: {
				requestTimeoutMs,
				maxWaitMs,
				concurrency: concurrencyOf(settings, perMinute),
				maxMessages: maxMessages - rounds - attempts,
				isAwaited: n8n.isTool || history.startedByHand === true,
				key: run.account.secret,
			},
			writeTime: (ms) => writeTime(ms, n8n),
		},
		(requests) => {
			const tooLong = longWait(requests, perMinute, settings);
			warning = tooLong && tell(tooLong);
			if (warning)
				log(sendOnce ? `${warning}. What Send Once skips takes no time` : warning, 'warn');
		},
	);
	// With Send Once, the warning counted messages that were then skipped.
	const isAtLimit = rest.kind === 'notSent' && rest.code === 'rateLimit';
	return {
		...done,
		isUnlocked: (sendOnce || deliveries.some(isBroadcastOnce)) && !isLocked,
		...(ranAgain && { refused: runAgain }),
		...((!sendOnce || isAtLimit) && { warning }),
	};
}

/**
 * Marks messages that Send Once skipped although they say something else than the one that was sent with
 * the same key. If all of them were skipped, it is not known which one was sent, so each is marked.
 */
export function markDiffering(results: readonly Result[]): readonly Result[] {
	if (!results.some(({ ending }) => ending.kind === 'skipped')) return results;
	const keyed = results.filter(({ delivery }) => delivery.onceContent !== undefined);
	/** For each key whose messages differ: the content that was sent. */
	const sentAs = new Map<string | undefined, string | undefined>();
	for (const [key, group] of groupBy(keyed, ({ delivery }) => delivery.onceKey)) {
		const isMixed = new Set(group.map(({ delivery }) => delivery.onceContent)).size > 1;
		if (isMixed) sentAs.set(key, group.filter(mayBeDelivered).at(-1)?.delivery.onceContent);
	}
	return results.map((result): Result => {
		const { ending, delivery } = result;
		const differs =
			sentAs.has(delivery.onceKey) && sentAs.get(delivery.onceKey) !== delivery.onceContent;
		if (ending.kind !== 'skipped' || !differs) return result;
		return { ...result, ending: { ...ending, values: { ...ending.values, differs } } };
	});
}

/** True if other executions must not send it, although Send Once is off. */
function isBroadcastOnce({ ownKeys, audience }: Delivery): boolean {
	return ownKeys !== undefined && audience !== undefined;
}

/** Writes a time of n8n's steady clock in the workflow's zone, with its offset, rounded up to seconds. */
function writeTime(
	ms: number,
	{ clock, now, workflowZone }: Pick<N8n, 'clock' | 'now' | 'workflowZone'>,
): string {
	return formatIso(Math.ceil((now() + ms - clock.now()) / 1_000) * 1_000, workflowZone);
}

function paceFor({ origin, account: { brandId, secret }, target: { api }, perMinute }: Run): Pace {
	return paceOf({ host: origin, identity: [brandId, secret].join(' '), api }, perMinute);
}
