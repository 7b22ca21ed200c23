import { askedBefore } from '../ask/answerLink';
import type { N8n } from '../n8n/context';
import { hasPlatforms, type Operation } from '../operations/operation';
import { type Plan, refuseAll } from '../plan/plan';
import { longWait } from '../run/options';
import { accountOf } from '../plan/sendOnceKey';
import type { KnownRun } from '../run/resolveRun';
import { type Platform, platforms } from '../shared/delivery';
import {
	type InvalidResult,
	isProblem,
	type Outcome,
	type Problem,
	type SentResult,
} from '../shared/result';
import { inSlices } from '../shared/slices';
import { Ledger } from './ledger';
import { cannotGoOn } from './marks';
import { openJournal } from './opening';
import { Sent } from './sent';

/** `sent` is absent if the operation is not known, so that nothing can be sent. */
interface Reconciled {
	plan: Plan;
	sent?: Sent;
}

/**
 * Compares a plan with what earlier attempts of the same run sent. A row that was sent before but
 * cannot be sent now keeps its outcome. For example, its scheduled time may have passed, or the
 * credential may have become unusable.
 */
export async function reconcile(plan: Plan, run: KnownRun, n8n: N8n): Promise<Reconciled> {
	const { operation, history } = run;
	if (!operation) return { plan };
	const isTest = run.mode?.kind === 'test';
	const asksAgain = operation.waits && history.isRetry && run.settings?.retryUnknown;
	// A test must never count as the real message, so it has records of its own. So has a question that is asked
	// again, because its link is another one.
	const { origin } = n8n.memory().context;
	const account = run.account ? accountOf(run) : origin?.account;
	if (origin) origin.account ??= account;
	const scope = {
		account,
		operation: [
			`${run.resource}.${operation.value}`,
			...(isTest ? ['test'] : []),
			...(asksAgain ? [`again in ${n8n.execution.id}`] : []),
		].join(' '),
	};
	const { sendOnce = true, sendDuplicates } = run.settings ?? {};
	const areEqualCallsOne = operation.isMessage === true && !sendOnce && !sendDuplicates;
	const ledger = new Ledger(n8n, { ...scope, areEqualCallsOne }, plan.call);
	const sent = new Sent(ledger, n8n);
	if (!plan.isStopped) {
		if (isTest) return { plan, sent };
		const comparing = compare(plan, run, operation, n8n, ledger, scope);
		const compared = await n8n.untilStopped(comparing);
		if (compared) return compared;
		void comparing.catch(() => undefined);
	}
	// A retry does not know yet what other attempts sent.
	const isKnown = !history.isRetry || n8n.isTool || !isSent(run, operation);
	const outcome: Outcome = isKnown
		? { outcome: 'notSent', reason: 'stopped', attempts: 0 }
		: { outcome: 'unknown', reason: 'stopped', attempts: 0 };
	return { plan: await leaveOut(plan, outcome, operation, n8n, sent), sent };
}

/** Whether attempts send something that is recorded. Users overwrite, so repeating them does no harm. */
function isSent({ mode }: KnownRun, { overwrites }: Operation): boolean {
	return !overwrites && (mode?.kind ?? 'send') === 'send';
}

async function compare(
	plan: Plan,
	run: KnownRun,
	operation: Operation,
	n8n: N8n,
	ledger: Ledger,
	scope: { account?: string; operation: string },
): Promise<Reconciled> {
	const { isRetry } = run.history;
	const remembered = new Sent(ledger, n8n);
	const refused = (problem: Problem) => ({ plan: refuseAll(plan, [problem]), sent: remembered });
	const isStopped = plan.invalid.length > 0 && n8n.stopsOnFailure;
	const { mode, settings, perMinute } = run;
	const sends = mode?.kind === 'send' && !isStopped && plan.deliveries.length > 0;
	// With Send Once, it is not known yet how many of them are new, and what is left can be sent later.
	if (sends && settings && perMinute && n8n.stopsOnFailure && !settings.sendOnce) {
		let unsent = 0;
		await inSlices(plan.deliveries, { clock: n8n.clock }, (delivery) => {
			if (!remembered.find(delivery)) unsent++;
		});
		const perRequest = operation.batchKey ? settings.batchSize : 1;
		const tooLong = longWait(Math.ceil(unsent / perRequest), perMinute, settings);
		if (tooLong) return refused(tooLong);
	}
	// A first attempt that sends nothing has nothing to look up.
	const isRecorded = (sends || isRetry) && isSent(run, operation);
	const sent: Sent | Problem = isRecorded
		? await openJournal({ ...plan, run, ...scope }, n8n, ledger)
		: remembered;
	if (isProblem(sent)) return refused(sent);
	const goesOn = operation.waits && isRetry && isRecorded && mode;
	if (goesOn && plan.deliveries.some((delivery) => sent.find(delivery)))
		return refused(cannotGoOn(askedBefore(n8n)));
	const rows = await lookBack(plan.invalid, operation, n8n, sent);
	const invalid = rows.filter(({ left }) => left.length > 0).map(({ row }) => row);
	const earlier = rows.flatMap(({ known }) => known);
	return { plan: reportLeftOut({ ...plan, invalid, earlier }, sent), sent };
}

/** What the brakes left out keeps its outcome if an earlier attempt of the execution sent it. */
function reportLeftOut(plan: Plan, sent: Sent): Plan {
	const known = plan.leftOut.flatMap(({ delivery }) => {
		const record = sent.find(delivery);
		return record ? [sent.report(delivery, record)] : [];
	});
	const leftOut = plan.leftOut.filter(({ delivery }) => !sent.find(delivery));
	return { ...plan, leftOut, earlier: [...plan.earlier, ...known] };
}

/** The plan of a run that was stopped before its rows were checked: what was sent before, and the rest. */
async function leaveOut(
	plan: Plan,
	outcome: Outcome,
	operation: Operation,
	n8n: N8n,
	sent: Sent,
): Promise<Plan> {
	const items = Array.from({ length: plan.itemCount }, (_, itemIndex) => ({ itemIndex }));
	const rows = await lookBack(items, operation, n8n, sent);
	const earlier = rows.flatMap(({ row, known, left }) => {
		const rest = left.map((platform) => ({ ...row, platform }));
		return known.concat(rest.map((delivery) => ({ kind: 'sent', delivery, outcome })));
	});
	return { ...plan, deliveries: [], invalid: [], earlier };
}

/** What earlier attempts sent of rows, and the platforms of each that are left. */
async function lookBack<R extends Pick<InvalidResult, 'itemIndex' | 'addressed'>>(
	rows: readonly R[],
	operation: Operation,
	n8n: N8n,
	sent: Sent,
) {
	const chosen = choosePlatforms(operation, n8n);
	const found: Array<{ row: R; known: SentResult[]; left: Array<Platform | undefined> }> = [];
	// Of a stopped run too.
	await inSlices(rows, { clock: n8n.clock }, (row) => {
		const { itemIndex, addressed } = row;
		const known = [undefined, ...platforms].flatMap((platform) => {
			const message = addressed?.find((one) => one.platform === platform);
			const delivery = { itemIndex, platform, recipient: message?.recipient };
			const record = sent.find(delivery, message);
			return record ? [sent.report(delivery, record)] : [];
		});
		const reached = known.map(({ delivery }) => delivery.platform);
		found.push({ row, known, left: chosen.filter((platform) => !reached.includes(platform)) });
	});
	return found;
}

/** The platforms that each row goes to; all of them if an expression chooses. */
function choosePlatforms(operation: Operation, n8n: N8n): ReadonlyArray<Platform | undefined> {
	if (!hasPlatforms(operation)) return [undefined];
	const raw = n8n.raw('platforms');
	const chosen = platforms.filter((platform) => Array.isArray(raw) && raw.includes(platform));
	return Array.isArray(raw) && chosen.length === raw.length ? chosen : platforms;
}
