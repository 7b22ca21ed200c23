import { createHash } from 'node:crypto';
import type { NodeExecutionHint } from 'n8n-workflow';

import { repeatedIds, longWait, minutesAtLimit, type Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import { type Clock, MINUTE_MS } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import {
	count,
	listed,
	nameItems,
	quote,
	itemNumbers,
	formatSpan,
	nameAudience,
} from '../shared/formatting';
import { inSlices } from '../shared/slices';
import {
	getItemIndex,
	type Result,
	type SkippedResult,
	hasFailed,
	type SentResult,
	type RunReport,
} from '../shared/result';
import type { TestRecipient } from '../run/testRecipient';
import type { N8n } from '../n8n/context';
import { findTriggers } from '../run/sendOnce';
import { formatWhen } from '../schedule/localTime';
import { decide } from '../schedule/choice';
import { emailHints, smsHints } from './smsHints';
import { howToSendRest, describeFailure } from './messages';
import { toEditorHtml } from './previewPage';
import { whatHappened } from './summary';

/** Of several rows for one user, only the values of the last one remain. */
export async function repeatedUserHints(
	{ operation }: Pick<Run, 'operation'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	const rows = await repeatedIds(deliveries, operation, clock);
	if (rows.size === 0) return [];
	const named = [...rows].map(
		([id, repeated]) => `${quote(id)} (${nameItems(repeated.map(({ itemIndex }) => itemIndex))})`,
	);
	return [
		`${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their rows are sent in the order of the input, so the values of the last row remain`,
	];
}

/**
 * Says which recipients get the same message more than once.
 *
 * @param candidates groups of messages that may be the same; they are compared here
 */
export async function sameMessageHints(
	candidates: ReadonlyArray<readonly Delivery[]>,
	clock: Clock,
): Promise<string[]> {
	const byContent = new Map<string, Delivery[]>();
	await inSlices(candidates.flat(), { clock }, (delivery) => {
		const content = hashWhole(delivery);
		const group = byContent.get(content);
		if (group) group.push(delivery);
		else byContent.set(content, [delivery]);
	});
	const groups = [...byContent.values()].filter(({ length }) => length > 1);
	if (groups.length === 0) return [];
	const repeats = groups.reduce((sum, { length }) => sum + length - 1, 0);
	const one = repeats === 1;
	return [
		`${count(repeats, 'message')} ${one ? 'is' : 'are'} the same as an earlier one of this run to the same recipient: ${listed([...new Set(groups.map(nameGroup))])}. To send ${one ? 'it' : 'each of them'} only once, turn on 'Send Once', or place a Remove Duplicates node before this one`,
	];
}

function hashWhole({ path, buildBody, envelope, schedule }: Delivery): string {
	const whole = JSON.stringify([path, buildBody(), envelope, schedule]);
	return createHash('sha256').update(whole).digest('base64');
}

/** The recipient and the items: the same on each platform of a push. */
function nameGroup(group: readonly Delivery[]): string {
	const recipient = Object.values(group[0]?.to ?? {}).map(quote);
	const items = group.map(({ itemIndex }) => itemIndex);
	return `${recipient.join(', ')} (${nameItems(items)})`;
}

/** Hints about what Send Once skipped. */
export function skippedHints(results: readonly Result[], run: Run): string[] {
	const { length } = skippedAs('accepted', results);
	if (length === 0) return [];
	return [run.isOnceADay ? outToday(length) : sentBefore(length, run)];
}

function sentBefore(length: number, { needsOnceKey }: Run): string {
	const [were, them] = length === 1 ? ['was', 'it'] : ['were', 'them'];
	const how = needsOnceKey ? "enter another 'Send Once Key'" : 'turn Send Once off for one run';
	return `Send Once: ${count(length, 'message')} ${were} skipped, because this node has sent ${them} before. To send ${them} again on purpose, ${how}.`;
}

function outToday(length: number): string {
	const [were, they, them] = length === 1 ? ['was', 'it', 'it'] : ['were', 'they', 'them'];
	return `${count(length, 'broadcast')} ${were} skipped, because ${they} went out today already: started by hand, the same broadcast goes out once a day. To send ${them} again on purpose, change the message, or turn on 'Send Once' with a key of your own.`;
}

/** What a green run would hide: messages that Send Once skips and that people may miss. */
export function writeWarnings(results: readonly Result[]): string[] {
	const { length } = skippedAs('unknown', results);
	const [they, them] = length === 1 ? ['it', 'it'] : ['they', 'them'];
	const differing = results.filter((one) => one.kind === 'skipped' && one.differs === true);
	const items = [...new Set(differing.map(getItemIndex))];
	return [
		...(length > 0
			? [
					`Send Once: ${count(length, 'message')} ${length === 1 ? 'was' : 'were'} skipped that may never have arrived: when this node sent ${them}, the service failed or did not answer. Check in the account whether ${they} arrived. To send ${them} again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.`,
				]
			: []),
		...(differing.length > 0
			? [
					`Send Once: ${count(differing.length, 'message')} ${differing.length === 1 ? 'was' : 'were'} skipped although another message of this run with the same key says something else: ${nameItems(items)}. If people should get all of them, ${tooCoarse}`,
				]
			: []),
	];
}

const tooCoarse =
	"'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number.";

function skippedAs(outcome: SkippedResult['earlierOutcome'], results: readonly Result[]): Result[] {
	return results.filter((one) => one.kind === 'skipped' && one.earlierOutcome === outcome);
}

/** Says what became of the test message, and how it differs from the real one. */
export function testHints(
	{ value }: TestRecipient,
	results: readonly Result[],
	triggers: readonly string[],
): string[] {
	const tests = results.filter((result): result is SentResult => result.kind === 'sent');
	const [first] = tests;
	const { itemIndex, test } = first?.delivery ?? {};
	if (!test) {
		return [
			'Nothing was sent: this execution has sent its test message already, so these are only previewed.',
		];
	}
	const others = results.some(({ kind }) => kind === 'preview')
		? 'Nobody else got it: the other messages are only previewed.'
		: 'Nobody else got it.';
	const byTrigger =
		triggers.length > 0
			? ` Started by ${listed(triggers.map(quote))}, the workflow sends to everyone it is meant for.`
			: '';
	const nothingElse = `${others}${byTrigger}`;
	const accepted = tests.filter((result) => !hasFailed(result));
	if (accepted.length < tests.length) {
		return [
			`The test message of item ${itemIndex} was not accepted everywhere. Its output says why. ${nothingElse}`,
		];
	}
	const platforms = accepted.flatMap(({ delivery: { platform } }) => platform ?? []);
	const where = platforms.length > 0 ? ` on ${platforms.join(', ')}` : '';
	return [
		`Test sent to ${value}${where}. ${nothingElse}`,
		`The test differs from the real message: ${test.changes.join('. ')}.`,
	];
}

/** The hints to show with a run's output: what the user should know in addition to the items. */
export async function writeHints(
	run: Run,
	{
		deliveries,
		shown = [],
		sameMessages = [],
	}: Pick<Plan, 'deliveries' | 'shown' | 'sameMessages'>,
	{ results, requests, waitedMs, pausedMs = 0, remaining, warning, isUnlocked }: RunReport,
	n8n: N8n,
): Promise<NodeExecutionHint[]> {
	const { clock, now } = n8n;
	const triggers = findTriggers(n8n.nodesBefore());
	const { isTestRun, isPreview, testRecipient, operation } = run;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const sms = await smsHints(run, { deliveries, shown }, results, clock);
	const left = remaining === null ? '' : `; ${count(remaining, 'request')} left this minute`;
	const infos = [
		...(isTestRun ? [`Nothing was sent: this is a preview. ${howToSend(triggers)}`] : []),
		...(testRecipient ? testHints(testRecipient, results, triggers) : []),
		...(isPreview && !isTestRun && !testRecipient
			? [
					"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
				]
			: []),
		...onlyShown(shown),
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		...(warning ? [`${warning}. What is left then is not sent`] : []),
		...skippedHints(results, run),
		...(isUnlocked === true ? [unlocked] : []),
		...bounded([...new Set(schedule)]),
		...bounded(identicalBroadcasts(deliveries)),
		...(await sameMessageHints(sameMessages, clock)),
		...(await repeatedUserHints(run, deliveries, clock)),
		...(await emailHints(operation, isPreview ? deliveries : shown, clock)),
		...sms.filter(({ isLong }) => !isLong).map(({ message }) => message),
		// Shorter waits are normal.
		...(waitedMs >= MINUTE_MS ? [`Waited ${formatSpan(waitedMs)} for the rate limit${left}`] : []),
		...(pausedMs >= MINUTE_MS ? [`Waited ${formatSpan(pausedMs)} while the service was down`] : []),
	];
	return [
		...[
			...writeWarnings(results),
			...sms.filter(({ isLong }) => isLong).map(({ message }) => message),
		].map((message) => ({ message, type: 'warning' as const })),
		...infos.map((message) => ({ message, type: 'info' as const })),
	].map(({ message, type }) => ({ message: toEditorHtml(message), location: 'outputPane', type }));
}

/** @param triggers the names of those that start the workflow without a person */
function howToSend(triggers: readonly string[]): string {
	const byTrigger =
		triggers.length > 0 ? ` Started by ${listed(triggers.map(quote))}, the workflow sends.` : '';
	return `To send, set 'When Run by Hand' to Send, and execute it again.${byTrigger}`;
}

function onlyShown({ length }: readonly Delivery[]): string[] {
	if (length === 0) return [];
	return [
		`Not sent: ${count(length, 'message')} to a campaign, which may reach many people. To send ${length === 1 ? 'it' : 'them'} too, set 'When Run by Hand' to Send.`,
	];
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ history }: Run, results: readonly Result[]): string[] {
	if (history.startedByHand !== true) return [];
	const sent = new Map<string, string[]>();
	for (const result of results) {
		if (result.kind !== 'sent' || hasFailed(result) || !result.delivery.audience) continue;
		const time = result.scheduled ?? result.delivery.schedule;
		const when = time && 'instantMs' in time ? formatWhen(time.instantMs, time.zone) : '';
		sent.set(when, [...(sent.get(when) ?? []), nameAudience(result.delivery)]);
	}
	return [...sent].map(([when, audiences]) => {
		const what = count(audiences.length, 'broadcast');
		const whom = listed([...new Set(audiences)]);
		return when === ''
			? `This run by hand sent ${what} to real people: ${whom}. To try out without sending, set 'When Run by Hand' to Show Only.`
			: `${what} to ${whom} ${audiences.length === 1 ? 'is' : 'are'} scheduled for ${when}. n8n cannot cancel ${audiences.length === 1 ? 'it' : 'them'}.`;
	});
}

const unlocked =
	"Send Once cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.";

function previewed(requests: number, run: Run): string[] {
	const perMinute = run.account.limits[run.target.api];
	const minutes = minutesAtLimit(requests, perMinute);
	const time =
		minutes === 0 ? '' : `, to be sent in about ${minutes} min at ${perMinute} per minute`;
	const warning = longWait(requests, run)?.message;
	return [
		...(requests === 1 ? [] : [`Preview: ${count(requests, 'request')} in all${time}.`]),
		...(warning ? [warning] : []),
	];
}

/** n8n stores and shows all hints, so those about single items are limited. */
function bounded(hints: readonly string[]): string[] {
	const more = hints.length - MAX_HINTS;
	if (more <= 0) return [...hints];
	return [...hints.slice(0, MAX_HINTS), `${count(more, 'more hint')} of this kind`];
}

const MAX_HINTS = 5;

/** Names the items that send the same broadcast to the same people. */
function identicalBroadcasts(deliveries: readonly Delivery[]): string[] {
	const groups = new Map<string, Delivery[]>();
	for (const delivery of deliveries) {
		if (delivery.audience === undefined) continue;
		const { path, buildBody, schedule } = delivery;
		const key = JSON.stringify([path, buildBody(), schedule]);
		groups.set(key, [...(groups.get(key) ?? []), delivery]);
	}
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (!first || group.length < 2) return [];
		return [
			`Items ${itemNumbers(group.map(({ itemIndex }) => itemIndex))} are the same broadcast to ${nameAudience(first)}. To send it once, give the node a single item`,
		];
	});
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
	const where = hasErrorOutput
		? 'They left by the error output.'
		: 'Their items in the output say why.';
	const stops = stopsOnFailure
		? ' With them, a run that sends stops before it sends anything.'
		: '';
	const message = toEditorHtml(
		`${happened}. ${where}${howToGoOn(results, run, workflowZone)}${stops}`,
	);
	return [{ message, type: 'warning', location: 'outputPane' }];
}

/** Where a run ended early: when, and how, to send the rest. */
function howToGoOn(results: readonly Result[], run: Run | UnusableRun, zone: string): string {
	const left = results.flatMap((result) =>
		result.kind === 'sent' && result.outcome.outcome === 'notSent' ? [result.outcome] : [],
	);
	const retryAt = left.find((outcome) => outcome.retryAt !== undefined)?.retryAt;
	if (retryAt !== undefined)
		return ` From ${formatWhen(Date.parse(retryAt), zone)} on, ${howToSendRest(run)}.`;
	return left.some(({ reason }) => reason === 'credentialsRefused' || reason === 'addressRefused')
		? ` Test the credential, then ${howToSendRest(run)}.`
		: '';
}

/** What the messages of a run with one key of Send Once say. */
interface Contents {
	first: string;
	/** Whether another message says something else. */
	areMixed: boolean;
	/** What the message that was sent says. */
	sent?: string;
}

/**
 * Marks messages that Send Once skipped although they say something else than the one that was sent with
 * the same key. If all of them were skipped, it is not known which one was sent, so each is marked.
 */
export function markDiffering(report: RunReport): RunReport {
	if (!report.results.some(({ kind }) => kind === 'skipped')) return report;
	const byKey = groupContents(report.results);
	const results = report.results.map((result): Result => {
		if (result.kind !== 'skipped') return result;
		const { onceKey = '', onceContent } = result.delivery;
		const contents = byKey.get(onceKey);
		const differs = contents?.areMixed === true && contents.sent !== onceContent;
		return differs ? { ...result, differs } : result;
	});
	return { ...report, results };
}

function groupContents(results: readonly Result[]): Map<string, Contents> {
	const byKey = new Map<string, Contents>();
	for (const result of results) {
		if (result.kind !== 'sent' && result.kind !== 'skipped') continue;
		const { onceKey, onceContent } = result.delivery;
		if (onceKey === undefined || onceContent === undefined) continue;
		const contents = byKey.get(onceKey) ?? { first: onceContent, areMixed: false };
		contents.areMixed ||= contents.first !== onceContent;
		if (wasDelivered(result)) contents.sent = onceContent;
		byKey.set(onceKey, contents);
	}
	return byKey;
}

function wasDelivered(result: Result): boolean {
	return result.kind === 'sent' && (!hasFailed(result) || result.outcome.outcome === 'unknown');
}

/**
 * Says what became of a question whose answer an execution waits for.
 *
 * @param hadAnswerColumn whether the input had a column with the name of the answer
 */
export function askHints(
	results: readonly Result[],
	run: Run,
	{ endMs, hadAnswerColumn }: { endMs?: number; hadAnswerColumn?: boolean },
	workflowZone: string,
): NodeExecutionHint[] {
	const sent = results.filter((result): result is SentResult => result.kind === 'sent');
	const until = endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`;
	const warnings = sent.filter(hasFailed).map((result) => {
		const { delivery, outcome } = result;
		const { platform } = delivery;
		const where = platform ? ` on ${platform}` : '';
		const why = outcome.outcome === 'accepted' ? '' : describeFailure(outcome, run, result).message;
		return outcome.outcome === 'unknown'
			? `The question may not have arrived${where}: ${why}. The execution waits, because an answer would prove that it arrived.`
			: `The question was not sent${where}: ${why}.`;
	});
	return [
		...warnings.map((message) => ({ message, type: 'warning' as const })),
		{ message: `The execution waits for the answer${until}.`, type: 'info' as const },
		...(hadAnswerColumn ? [{ message: columnLeftOut, type: 'info' as const }] : []),
	].map(({ message, type }) => ({ message: toEditorHtml(message), location: 'outputPane', type }));
}

const columnLeftOut =
	"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}.";
