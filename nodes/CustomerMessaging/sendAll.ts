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
import type { RunReport, SentDelivery } from './shared/result';
import { wireFor } from './run/wire';

/** What the runs of a process share of the limit, and 0 to 1 for the waits before retries. */
export interface Pacing {
	pace?: Pace;
	random?: () => number;
}

/** Sends all deliveries of a plan, and reports the outcome of each. Never throws. */
export async function sendAll(
	{ deliveries }: Plan,
	run: Run,
	n8n: N8n,
	sent: Sent<SentDelivery>,
	{ pace = paceFor(run), random = Math.random }: Pacing = {},
): Promise<RunReport> {
	const { settings, perMinute, history } = run;
	const { sendOnce, requestTimeoutMs, maxWaitMs, maxMessages } = settings;
	const scope = messageScope(n8n);
	const { rounds, attempts } = messagesSent(scope);
	let warning: string | undefined;
	const { rest, isLocked, ranAgain, ...done } = await deliver(
		deliveries,
		{
			...{ clock: n8n.clock, now: n8n.now, stop: n8n.stop, cancelled: n8n.cancelled },
			stopsOnFailure: n8n.stopsOnFailure,
			untilStopped: async (work) => await n8n.untilStopped(work),
			log: (message, level) => n8n.log(message, level),
			...{ sent, pace, random, isRetry: history.isRetry, api: run.target.api },
			wire: wireFor(run, n8n),
			policy: policyFor(run),
			limits: {
				...{ requestTimeoutMs, maxWaitMs },
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
				n8n.log(sendOnce ? `${warning}. What Send Once skips takes no time` : warning, 'warn');
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

/** Whether other executions must not send it, although Send Once is off. */
function isBroadcastOnce({ ownKeys, audience }: Delivery): boolean {
	return ownKeys !== undefined && audience !== undefined;
}

/** Writes a time of n8n's steady clock in the workflow's zone, with its offset, rounded up to seconds. */
function writeTime(ms: number, { clock, now, workflowZone }: N8n): string {
	return formatIso(Math.ceil((now() + ms - clock.now()) / 1_000) * 1_000, workflowZone);
}

function paceFor({ origin, account: { brandId, secret }, target: { api }, perMinute }: Run): Pace {
	return paceOf({ host: origin, identity: [brandId, secret].join(' '), api }, perMinute);
}
