import type { NodeExecutionHint } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import { repeatedIds, longWait, minutesAtLimit, type Plan } from '../plan/plan';
import { hash } from '../plan/sendOnceKey';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { TestRecipient } from '../run/guards';
import { decide } from '../schedule/choice';
import { formatWhen } from '../schedule/localTime';
import { type Clock, MINUTE_MS } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { count, formatSpan, listed, nameAudience, quote } from '../shared/formatting';
import { hasFailed, mayBeDelivered, type Result, type RunReport } from '../shared/result';
import { inSlices } from '../shared/slices';
import { howToSendRest, describeFailure } from './messages';
import {
	groupBy,
	itemNumbers,
	itemsOf,
	nameItems,
	onPlatform,
	pickAccepted,
	pickSent,
	told,
	toHints,
} from './names';
import { emailHints, smsHints } from './contentHints';
import { whatHappened } from './summary';

const were = (number: number) => (number === 1 ? 'was' : 'were');
const them = (number: number) => (number === 1 ? 'it' : 'them');
const they = (number: number) => (number === 1 ? 'it' : 'they');

/** Of several rows for one user, only the values of the last one remain. */
async function repeatedUsers(
	{ operation }: Run,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string | undefined> {
	const rows = await repeatedIds(deliveries, operation, clock);
	if (rows.size === 0) return undefined;
	const named = [...rows].map(([id, repeated]) => `${quote(id)} (${itemsOf(repeated)})`);
	return `${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their rows are sent in the order of the input, so the values of the last row remain`;
}

/** Says who gets the same message more than once. The candidates may be the same, and are compared here. */
async function sameMessages(
	candidates: ReadonlyArray<readonly Delivery[]>,
	clock: Clock,
): Promise<string[]> {
	const deliveries = candidates.flat();
	const contents: string[] = [];
	await inSlices(deliveries, { clock }, ({ path, buildBody, envelope, schedule }) => {
		contents.push(hash([path, buildBody(), envelope, schedule]));
	});
	const byContent = groupBy(deliveries, (_, index) => contents[index]);
	const broadcasts: string[] = [];
	// The same on each platform of a push.
	const recipients = new Set<string>();
	let repeats = 0;
	for (const group of byContent.values()) {
		const [{ audience, platform, to = {} } = {}] = group;
		if (group.length === 1) continue;
		if (audience === undefined) {
			repeats += group.length - 1;
			recipients.add(`${Object.values(to).map(quote).join(', ')} (${itemsOf(group)})`);
		} else
			broadcasts.push(
				`Items ${itemNumbers(group.map(({ itemIndex }) => itemIndex))} are the same broadcast to ${nameAudience({ audience, platform })}. To send it once, give the node a single item`,
			);
	}
	const one = repeats === 1;
	return told(
		...broadcasts.slice(0, MAX_HINTS),
		repeats > 0 &&
			`${count(repeats, 'message')} ${one ? 'is' : 'are'} the same as an earlier one of this run to the same recipient: ${listed([...recipients])}. To send ${one ? 'it' : 'each of them'} only once, turn on 'Send Once', or place a Remove Duplicates node before this one`,
	);
}

/** What Send Once skipped, and how to send it all the same. */
function skipped(results: readonly Result[], run: Run): string | undefined {
	const { length } = skippedAs('accepted', results);
	if (length === 0) return undefined;
	if (run.isOnceADay)
		return `${count(length, 'broadcast')} ${were(length)} skipped, because ${they(length)} went out today already: started by hand, the same broadcast goes out once a day. To send ${them(length)} again on purpose, change the message, or turn on 'Send Once' with a key of your own.`;
	const how = run.needsOnceKey ? "enter another 'Send Once Key'" : 'turn Send Once off for one run';
	return `Send Once: ${count(length, 'message')} ${were(length)} skipped, because this node has sent ${them(length)} before. To send ${them(length)} again on purpose, ${how}.`;
}

/** What a green run would hide: messages that Send Once skips and that people may miss. */
export function writeWarnings(results: readonly Result[]): string[] {
	const doubts = skippedAs('unknown', results).length;
	const differing = results
		.filter((one) => one.kind === 'skipped')
		.filter(({ differs }) => differs);
	const items = [...new Set(differing.map(({ delivery }) => delivery.itemIndex))];
	return told(
		doubts > 0 &&
			`Send Once: ${count(doubts, 'message')} ${were(doubts)} skipped that may never have arrived: when this node sent ${them(doubts)}, the service failed or did not answer. Check in the account whether ${they(doubts)} arrived. To send ${them(doubts)} again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.`,
		differing.length > 0 &&
			`Send Once: ${count(differing.length, 'message')} ${were(differing.length)} skipped although another message of this run with the same key says something else: ${nameItems(items)}. If people should get all of them, 'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number.`,
	);
}

function skippedAs(outcome: 'accepted' | 'unknown', results: readonly Result[]): Result[] {
	return results.filter((one) => one.kind === 'skipped' && one.earlierOutcome === outcome);
}

/** Says what became of the test message, and how it differs from the real one. */
function testHints({ value }: TestRecipient, results: readonly Result[]): string[] {
	const tests = pickSent(results);
	const { itemIndex, test } = tests[0]?.delivery ?? {};
	if (!test)
		return [
			'Nothing was sent: this execution has sent its test message already, so these are only previewed.',
		];
	const others = results.some(({ kind }) => kind === 'preview');
	const nobodyElse = `Nobody else got it${others ? ': the other messages are only previewed' : ''}.`;
	if (tests.some(hasFailed))
		return [
			`The test message of item ${itemIndex} was not accepted everywhere. Its output says why. ${nobodyElse}`,
		];
	const platforms = tests.flatMap(({ delivery: { platform } }) => platform ?? []);
	return [
		`Test sent to ${value}${onPlatform(platforms.join(', '))}. ${nobodyElse}`,
		`The test differs from the real message: ${test.changes.join('. ')}.`,
	];
}

/** Of hints about single items, so many are shown, because n8n stores them all. */
const MAX_HINTS = 5;

/** The hints to show with a run's output: what the user should know in addition to the items. */
export async function writeHints(
	run: Run,
	{ deliveries, shown = [], sameMessages: candidates = [] }: Plan,
	{ results, requests, waitedMs, pausedMs = 0, remaining, warning, isUnlocked }: RunReport,
	{ clock, now }: N8n,
): Promise<NodeExecutionHint[]> {
	const { isTestRun, isPreview, testRecipient, operation } = run;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const left = remaining === null ? '' : `; ${count(remaining, 'request')} left this minute`;
	const infos = told(
		isTestRun &&
			"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
		...(testRecipient ? testHints(testRecipient, results) : []),
		isPreview &&
			!isTestRun &&
			!testRecipient &&
			"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
		shown.length > 0 &&
			`Not sent: ${count(shown.length, 'message')} to a campaign, which may reach many people. To send ${them(shown.length)} too, set 'When Run by Hand' to Send.`,
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		warning && `${warning}. What is left then is not sent`,
		skipped(results, run),
		isUnlocked === true &&
			"Send Once cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.",
		...[...new Set(schedule)].slice(0, MAX_HINTS),
		...(await sameMessages(candidates, clock)),
		await repeatedUsers(run, deliveries, clock),
		...(await emailHints(operation, isPreview ? deliveries : shown, clock)),
		// Shorter waits are normal.
		waitedMs >= MINUTE_MS && `Waited ${formatSpan(waitedMs)} for the rate limit${left}`,
		pausedMs >= MINUTE_MS && `Waited ${formatSpan(pausedMs)} while the service was down`,
	);
	return [
		...toHints(writeWarnings(results), 'warning'),
		...(await smsHints(run, deliveries, shown, results, clock)),
		...toHints(infos, 'info'),
	];
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ history }: Run, results: readonly Result[]): string[] {
	if (history.startedByHand !== true) return [];
	const sent = pickAccepted(results).filter(({ delivery }) => delivery.audience !== undefined);
	const byTime = groupBy(sent, ({ scheduled, delivery }) => {
		const time = scheduled ?? delivery.schedule;
		return time && 'instantMs' in time ? formatWhen(time.instantMs, time.zone) : '';
	});
	return [...byTime].map(([when, together]) => {
		const { length } = together;
		const what = count(length, 'broadcast');
		const whom = listed([...new Set(together.map(({ delivery }) => nameAudience(delivery)))]);
		return when === ''
			? `This run by hand sent ${what} to real people: ${whom}. To try out without sending, set 'When Run by Hand' to Show Only.`
			: `${what} to ${whom} ${length === 1 ? 'is' : 'are'} scheduled for ${when}. n8n cannot cancel ${them(length)}.`;
	});
}

function previewed(requests: number, run: Run): string[] {
	const perMinute = run.account.limits[run.target.api];
	const minutes = minutesAtLimit(requests, perMinute);
	const time =
		minutes === 0 ? '' : `, to be sent in about ${minutes} min at ${perMinute} per minute`;
	return told(
		requests !== 1 && `Preview: ${count(requests, 'request')} in all${time}.`,
		longWait(requests, run)?.message,
	);
}

/** The first hint of a run in which something was not accepted. With Stop Workflow, the error says it. */
export function failureHints(
	results: readonly Result[],
	run: Run | UnusableRun,
	{ stopsOnFailure, hasErrorOutput, workflowZone }: N8n,
): NodeExecutionHint[] {
	const shows = 'isTestRun' in run && run.isTestRun;
	const happened = stopsOnFailure && !shows ? undefined : whatHappened(results, run);
	if (happened === undefined) return [];
	const sentences = told(
		`${happened}.`,
		hasErrorOutput ? 'They left by the error output.' : 'Their items in the output say why.',
		howToGoOn(results, run, workflowZone),
		stopsOnFailure && 'With them, a run that sends stops before it sends anything.',
	);
	return toHints([sentences.join(' ')], 'warning');
}

/** Where a run ended early: when, and how, to send the rest. */
function howToGoOn(results: readonly Result[], run: Run | UnusableRun, zone: string) {
	const left = pickSent(results).flatMap(({ outcome }) =>
		outcome.outcome === 'notSent' ? [outcome] : [],
	);
	const retryAt = left.find((outcome) => outcome.retryAt !== undefined)?.retryAt;
	if (retryAt !== undefined)
		return `From ${formatWhen(Date.parse(retryAt), zone)} on, ${howToSendRest(run)}.`;
	const isRefused = left.some(
		({ reason }) => reason === 'credentialsRefused' || reason === 'addressRefused',
	);
	return isRefused && `Test the credential, then ${howToSendRest(run)}.`;
}

/**
 * Marks messages that Send Once skipped although they say something else than the one that was sent with
 * the same key. If all of them were skipped, it is not known which one was sent, so each is marked.
 */
export function markDiffering(report: RunReport): RunReport {
	if (!report.results.some(({ kind }) => kind === 'skipped')) return report;
	const keyed = report.results.flatMap((result) =>
		result.kind !== 'invalid' && result.delivery.onceContent !== undefined ? [result] : [],
	);
	/** For each key whose messages differ: what the one says that was sent. */
	const sentAs = new Map<string | undefined, string | undefined>();
	for (const [key, group] of groupBy(keyed, ({ delivery }) => delivery.onceKey)) {
		const isMixed = new Set(group.map(({ delivery }) => delivery.onceContent)).size > 1;
		if (isMixed) sentAs.set(key, group.filter(mayBeDelivered).at(-1)?.delivery.onceContent);
	}
	const results = report.results.map((result): Result => {
		if (result.kind !== 'skipped') return result;
		const { onceKey, onceContent } = result.delivery;
		const differs = sentAs.has(onceKey) && sentAs.get(onceKey) !== onceContent;
		return differs ? { ...result, differs } : result;
	});
	return { ...report, results };
}

/** Says what became of a question whose answer an execution waits for. */
export function askHints(
	results: readonly Result[],
	run: Run,
	{ endMs, hadAnswerColumn }: { endMs?: number; hadAnswerColumn?: boolean },
	workflowZone: string,
): NodeExecutionHint[] {
	const warnings = pickSent(results).flatMap((result) => {
		const { delivery, outcome } = result;
		if (outcome.outcome === 'accepted') return [];
		const why = `${onPlatform(delivery.platform)}: ${describeFailure(outcome, run, result).message}.`;
		return outcome.outcome === 'unknown'
			? `The question may not have arrived${why} The execution waits, because an answer would prove that it arrived.`
			: `The question was not sent${why}`;
	});
	const infos = told(
		`The execution waits for the answer${endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`}.`,
		hadAnswerColumn &&
			"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}.",
	);
	return [...toHints(warnings, 'warning'), ...toHints(infos, 'info')];
}
