import { askedBefore } from '../ask/answerLink';
import { openRecord, Sent } from '../engine';
import type { N8n } from '../n8n/context';
import { hasPlatforms, type Operation } from '../operations/operation';
import { longWait } from '../run/options';
import { policyFor } from '../run/wire';
import { checkAccount, type KnownRun } from '../run/resolveRun';
import { type Addressed, platforms } from '../shared/delivery';
import type { Problem, SentDelivery, SentEnding, SentResult, UnsentResult } from '../shared/ending';
import { inSlices } from '../shared/slices';
import { accountOf, executionKey, identityFor } from './identity';
import { startOfPeriod } from './keys';
import { type Plan, refuseAll } from './plan';

/** A run, and the record of earlier attempts. */
interface Attempt {
	run: KnownRun;
	operation: Operation;
	n8n: N8n;
	sent: Sent<SentDelivery>;
	/** Separates its records from those of other accounts and operations. */
	scope: { account?: string; operation: string };
	/** False if repeating the messages does no harm, or if none are sent. */
	isRecorded: boolean;
}

/**
 * Compares a plan with the messages of earlier attempts of the same run. A row that was sent before but cannot be
 * sent now keeps its outcome. For example, its scheduled time may have passed, or the credential may have become
 * unusable.
 *
 * @returns `sent` is absent if the operation is not known, so nothing can be sent
 */
export async function reconcile(
	plan: Plan,
	run: KnownRun,
	n8n: N8n,
): Promise<{ plan: Plan; sent?: Attempt['sent'] }> {
	const { operation, history } = run;
	if (!operation) return { plan };
	const isTest = run.mode?.kind === 'test';
	const asksAgain = operation.waits && history.isRetry && run.settings?.retryUnknown;
	const { origin } = n8n.memory().context;
	const account = run.account ? accountOf(run) : origin?.account;
	if (origin) origin.account ??= account;
	// A test must never count as the real message, so it has records of its own. So has a question that is asked
	// again, because it has another link.
	const own = [isTest && 'test', asksAgain && `again in ${n8n.execution.id}`].filter(Boolean);
	const name = [`${run.resource}.${operation.value}`, ...own].join(' ');
	const scope = { account, operation: name };
	const { sendOnce = true, sendDuplicates: areEqualCallsApart } = run.settings ?? {};
	const areEqualCallsOne = operation.isMessage === true && !sendOnce && !areEqualCallsApart;
	const identity = { ...scope, areEqualCallsOne, areEqualCallsApart };
	const sent = new Sent(n8n, identity, identityFor(operation), plan.call);
	const isRecorded = !operation.isIdempotent && (run.mode?.kind ?? 'send') === 'send';
	const attempt: Attempt = { run, operation, n8n, sent, scope, isRecorded };
	if (!plan.isStopped) {
		if (isTest) return { plan, sent };
		const comparing = compare(plan, attempt);
		const compared = await n8n.untilStopped(comparing);
		if (compared) return { plan: compared, sent };
		void comparing.catch(() => undefined);
	}
	return { plan: endStopped(plan, attempt), sent };
}

async function compare(plan: Plan, attempt: Attempt): Promise<Plan> {
	const { run, operation, n8n, sent } = attempt;
	const { isRetry } = run.history;
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const { mode, settings, perMinute } = run;
	const sends = mode?.kind === 'send' && !isStopped && plan.deliveries.length > 0;
	// With Send Once, the number of new messages is not known yet, and the rest can be sent later.
	if (sends && settings && perMinute && n8n.stopsOnFailure && !settings.sendOnce) {
		let unsent = 0;
		await inSlices(plan.deliveries, { clock: n8n.clock }, (delivery) => {
			if (!sent.find(delivery)) unsent++;
		});
		const tooLong = longWait(policyFor(run).countRequests(unsent), perMinute, settings);
		if (tooLong) return refuseAll(plan, [tooLong]);
	}
	// A first attempt that sends nothing has nothing to look up.
	if ((sends || isRetry) && attempt.isRecorded) {
		const problem = await open(plan, attempt);
		if (problem) return refuseAll(plan, [problem]);
		const goesOn = operation.waits && isRetry && mode;
		if (goesOn && plan.deliveries.some((delivery) => sent.find(delivery)))
			return refuseAll(plan, [cannotGoOn(askedBefore(n8n))]);
	}
	const { invalid, earlier } = await lookBack(plan.invalid, attempt);
	// Messages that the safety limits left out also keep an earlier outcome.
	const leftOut = plan.leftOut.filter(({ delivery }) => !sent.find(delivery));
	earlier.push(...plan.leftOut.flatMap(({ delivery }) => findSent(delivery, sent)));
	return { ...plan, invalid, leftOut, earlier, isCutOff: sent.isCutOff };
}

/** The result of a delivery in an earlier attempt; empty if there is none. */
function findSent(delivery: SentDelivery, sent: Attempt['sent'], asked?: object): SentResult[] {
	const record = sent.find(delivery, asked);
	return record ? [sent.report(delivery, record)] : [];
}

/** The plan of a run that was stopped before its rows were compared: each one ends by that, or as it did before. */
function endStopped(plan: Plan, { run, operation, n8n, sent, isRecorded }: Attempt): Plan {
	// A retry does not know yet what other attempts sent.
	const isKnown = !run.history.isRetry || n8n.isTool || !isRecorded;
	const ending: SentEnding = { kind: isKnown ? 'notSent' : 'unknown', code: 'stopped' };
	const chosen = choosePlatforms(operation, n8n);
	const earlier = Array.from({ length: plan.itemCount }, (_, itemIndex) =>
		chosen.map((platform) => {
			const delivery = { itemIndex, platform };
			return findSent(delivery, sent)[0] ?? { delivery, ending, attempts: 0 };
		}),
	).flat();
	return { ...plan, deliveries: [], leftOut: [], invalid: [], earlier };
}

/** Finds what earlier attempts sent of invalid rows, and the rows of which something is left. */
async function lookBack(rows: Plan['invalid'], { operation, n8n, sent }: Attempt) {
	const chosen = choosePlatforms(operation, n8n);
	const invalid: Array<UnsentResult<'invalid'>> = [];
	const earlier: SentResult[] = [];
	await inSlices(rows, { clock: n8n.clock }, (row) => {
		const known = [undefined, ...platforms].flatMap((platform) => {
			const message = row.addressed?.find((one) => one.platform === platform);
			const asked = { ...row.delivery, platform, recipient: message?.recipient };
			return findSent(asked, sent, message);
		});
		earlier.push(...known);
		const reached = known.map(({ delivery }) => delivery.platform);
		if (!chosen.every((platform) => reached.includes(platform))) invalid.push(row);
	});
	return { invalid, earlier };
}

/** The platforms of each row; all of them if an expression chooses. */
function choosePlatforms(operation: Operation, n8n: Pick<N8n, 'raw'>) {
	if (!hasPlatforms(operation)) return [undefined];
	const raw = n8n.raw('platforms');
	const chosen = platforms.filter((platform) => Array.isArray(raw) && raw.includes(platform));
	return chosen.length > 0 ? chosen : platforms;
}

/** Opens the record and looks up messages of other attempts. Returns a problem if nothing may be sent. */
async function open(
	{ deliveries, invalid, numbers }: Plan,
	{ run, n8n, sent, scope: { account, operation } }: Attempt,
): Promise<Problem | undefined> {
	const { isRetry, startedByHand, firstTryMs } = run.history;
	// Calls of an agent have no other attempts.
	const establishedAtMs = n8n.isTool ? undefined : run.history.establishedAtMs;
	const { settings } = run;
	const { ledger } = sent;
	const usesOnce = settings?.sendOnce === true;
	const owned = deliveries.filter(({ ownKeys }) => ownKeys !== undefined);
	const broadcasts = owned.some(({ audience }) => audience !== undefined);
	const isList = owned.some(({ ignoresKeys, audience }) => !ignoresKeys && !audience);
	const mustRead = usesOnce || (broadcasts && startedByHand === true);
	if (establishedAtMs === undefined && !usesOnce && owned.length === 0) return undefined;
	// A run by hand belongs to this calendar day.
	const startOfDay = startOfPeriod('day', firstTryMs, n8n.workflowZone);
	const memory = n8n.memory();
	const executionKeyOf = (message: Partial<Addressed>) =>
		establishedAtMs !== undefined && account !== undefined && isAddressed(message)
			? executionKey([account, establishedAtMs, memory.context.marked?.own, operation], message)
			: undefined;
	const lookUp = (recipients: NonNullable<Plan['numbers']>) => {
		if (ledger.isNew) recipients.expectOtherOrder();
		const planned = deliveries
			.filter(isAddressed)
			.map((message) => ({ message, key: message.onceKey, record: ledger.find(message) }));
		const refused = invalid.flatMap(({ delivery, addressed = [] }) =>
			addressed.map((message) => ({ message, record: ledger.find({ ...delivery, ...message }) })),
		);
		return { rows: [...planned, ...refused], recipients };
	};
	const failed = await openRecord<SentDelivery, Addressed>(sent, {
		environment: n8n,
		store: n8n.store(),
		memory,
		sending: {
			policy: policyFor(run),
			concurrency: run.concurrency ?? 1,
			maxWaitMs: settings?.maxWaitMs ?? Infinity,
		},
		attempt: { isRetry, establishedAtMs, hasKeys: usesOnce },
		names: {
			executionKeyOf,
			keysOf: ({ onceKey: key, ownKeys: own, ignoresKeys }) => ({ key, own, ignoresKeys }),
		},
		list: {
			mustRead,
			keepsMost: usesOnce || broadcasts,
			planned: numbers?.total ?? 0,
			asksSinceMs: isList ? startOfDay.toMillis() : undefined,
		},
		lookUp: numbers && (() => lookUp(numbers)),
	});
	if (!failed) return undefined;
	if (failed.because === 'sharedMarks') return twoBegan;
	// A new execution would send again what this one has sent.
	const again = isRetry ? 'retry the execution' : 'execute this';
	const rule = `n8n cannot read what was sent before: ${failed.reason}. Check n8n's database, then ${again} again`;
	return mustRead ? { field: 'sendOnce', rule } : cannotGoOn(rule);
}

function isAddressed<M extends Partial<Addressed>>(message: M): message is M & Addressed {
	return message.number !== undefined && message.recipient !== undefined;
}

const cannotGoOn = (rule: string): Problem => ({ field: 'execution', rule });

/** In queue mode, n8n 1 runs an execution again from its trigger when its worker was killed. */
export const runAgain = cannotGoOn(
	`n8n runs this execution a second time from the start, because it was interrupted the first time while it was sending. ${checkAccount}`,
);

const twoBegan = cannotGoOn(
	`Two executions of this workflow may have begun in the same millisecond, and n8n did not store which of their messages this one had sent. ${checkAccount}`,
);
