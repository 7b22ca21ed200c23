import { deliver, type Pace, paceOf, type Sent } from './engine';
import type { N8n } from './n8n/context';
import { messagesSent } from './plan/counts';
import { type Plan, toTestMessage } from './plan/plan';
import { runAgain } from './plan/reconcile';
import { longWait } from './run/options';
import type { Delivery } from './shared/delivery';
import type { Run } from './run/resolveRun';
import { formatIso } from './schedule/localTime';
import { tell } from './shared/formatting';
import {
	hasFailed,
	mayBeDelivered,
	type Result,
	type RunReport,
	type SentDelivery,
} from './shared/ending';
import { groupBy } from './shared/slices';
import { policyFor, wireFor } from './run/wire';

/** A run that can send its messages. */
export interface Ready {
	plan: Plan;
	run: Run;
	n8n: N8n;
	sent: Sent<SentDelivery>;
	/** Stands for another process in a simulation. */
	pace?: Pace;
}

/** Sends all deliveries of a plan, and reports the outcome of each. Never throws. */
export async function sendAll({ plan, run, n8n, sent, pace }: Ready): Promise<RunReport> {
	const { deliveries } = plan;
	const { settings, perMinute, concurrency, history, origin, account, target } = run;
	const { sendOnce, requestTimeoutMs, maxWaitMs, maxMessages } = settings;
	const { rounds, attempts } = messagesSent(n8n);
	const identity = [account.brandId, account.secret].join(' ');
	let warning: string | undefined;
	const { rest, isLocked, ranAgain, ...done } = await deliver(
		deliveries,
		{
			...n8n,
			sent,
			pace: pace ?? paceOf({ host: origin, identity, api: target.api }, perMinute),
			isRetry: history.isRetry,
			api: target.api,
			wire: wireFor(run, n8n),
			policy: policyFor(run),
			limits: {
				requestTimeoutMs,
				maxWaitMs,
				concurrency,
				maxMessages: maxMessages - rounds - attempts,
				isAwaited: n8n.isTool || history.startedByHand === true,
				key: account.secret,
			},
			// A time of n8n's steady clock, rounded up to seconds.
			writeTime: (ms) => {
				const atMs = n8n.now() + ms - n8n.clock.now();
				return formatIso(Math.ceil(atMs / 1_000) * 1_000, n8n.workflowZone);
			},
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
	// Other executions must not send a broadcast again, although Send Once is off.
	const isOnce = ({ ownKeys, audience }: Delivery) => ownKeys && audience !== undefined;
	return {
		...done,
		isUnlocked: (sendOnce || deliveries.some(isOnce)) && !isLocked,
		...(ranAgain && { refused: runAgain }),
		...((!sendOnce || isAtLimit) && { warning }),
	};
}

/**
 * Finds the item whose message goes to the test recipient: the first, once in an execution. Otherwise 500 rounds of a
 * loop or calls by an agent would send 500 tests.
 */
export function findTest({ plan, run, n8n }: Ready) {
	const [first] = plan.deliveries;
	const { context, runIndex } = n8n.memory();
	const { testedIn } = context;
	// With Retry On Fail, an agent's tool gets a new run index, and any other node keeps its own.
	const isTested = testedIn !== undefined && (n8n.isTool || testedIn !== runIndex);
	if (!first || run.mode.kind !== 'test' || isTested) return undefined;
	return { itemIndex: first.itemIndex, recipient: run.mode.recipient };
}

/** Sends a test on each platform. Its records are apart from those of real messages; see `reconcile`. */
export async function sendTest(
	{ itemIndex, recipient }: NonNullable<ReturnType<typeof findTest>>,
	ready: Ready,
): Promise<RunReport> {
	const { plan, run, n8n } = ready;
	const { context, runIndex } = n8n.memory();
	context.testedIn = runIndex;
	const deliveries = plan.deliveries
		.filter((delivery) => delivery.itemIndex === itemIndex)
		.map((delivery) => toTestMessage(delivery, recipient));
	const report = await sendAll({
		...ready,
		plan: { ...plan, deliveries, invalid: [] },
		run: { ...run, operation: recipient.operation },
	});
	const mayHaveArrived = report.results.some((one) => !hasFailed(one) || mayBeDelivered(one));
	if (!mayHaveArrived) delete context.testedIn;
	return report;
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
