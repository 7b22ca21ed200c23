import { lanesOf } from '../engine';
import type { INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import { countMessages, messageScope, messagesSent, tooManyMessages } from '../plan/counts';
import type { Noted, Plan } from '../plan/plan';
import { longWait, minutesAtLimit } from '../run/options';
import { laneFor } from '../send/wire';
import type { Run, KnownRun } from '../run/resolveRun';
import { isShownByHand, type TestRecipient } from '../run/guards';
import { decide } from '../schedule/choice';
import { isBlank, isEmpty, isRecord } from '../fields/field';
import { listColumns } from '../operations/dataMode';
import type { Operation } from '../operations/operation';
import { columnsInText } from '../plan/placeholders';
import { userAttributes } from '../operations/user';
import { formatWhen } from '../schedule/localTime';
import { type Clock, MINUTE_MS } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { count, formatSpan, grouped, listed, nameAudience, quote } from '../shared/formatting';
import { hasFailed, mayBeDelivered, type Result, type RunReport } from '../shared/result';
import { groupBy } from '../shared/slices';
import { howToSendRest } from './advice';
import { describeFailure } from './failures';
import {
	asSentence,
	compact,
	itemsOf,
	onPlatform,
	pickAccepted,
	pickSent,
	pickSkipped,
	toHints,
} from './names';
import { emailHints, misreadHint, nobodyHint, smsHints, textHints } from './contentHints';
import { correctionsFor } from './corrections';
import { cutOffSentence, listSentence, repeatWarnings, skippedAs } from './repeats';
import { whatHappened } from './summary';

const were = (number: number) => (number === 1 ? 'was' : 'were');
const them = (number: number) => (number === 1 ? 'it' : 'them');
const they = (number: number) => (number === 1 ? 'it' : 'they');

/** Of several rows for one user, only the values of the last one remain. */
async function repeatedUsers(
	run: Run,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string | undefined> {
	const rows = await lanesOf(deliveries, laneFor(run), clock);
	if (rows.size === 0) return undefined;
	const named = [...rows].map(([id, repeated]) => `${quote(id)} (${itemsOf(repeated)})`);
	return `${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their items are sent in the order of the input, so the values of the last item remain`;
}

/** Counts mapped users of whom only other attributes came, for instance because a column is called otherwise. */
function unreachableUsers(
	{ operation }: Run,
	deliveries: readonly Delivery[],
	items: readonly INodeExecutionData[],
	raw: N8n['raw'],
): string | undefined {
	const names = Object.keys(userAttributes);
	const isMapped = operation.overwrites && raw('dataMode') === 'autoMapInputData';
	if (!isMapped || names.every((name) => isBlank(raw(`${name}Field`)))) return undefined;
	const without = deliveries.filter(({ buildBody }) => {
		const { user_attributes: sent }: Record<string, unknown> = { ...buildBody() };
		return isRecord(sent) && names.every((name) => isEmpty(sent[name]));
	});
	if (without.length === 0) return undefined;
	const rows = without.slice(0, 100).map(({ itemIndex }) => items[itemIndex]?.json ?? {});
	const columns = new Set(rows.flatMap((json) => Object.keys(json)));
	const all = deliveries.length;
	return `${grouped(without.length)} of ${grouped(all)} ${all === 1 ? 'user' : 'users'} came without email, mobile and name. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'. ${listColumns(columns)}`;
}

/** What the safety limits left out for one reason. */
function leftOutHint(
	results: readonly Result[],
	reason: keyof typeof leftOutBecause,
): string | undefined {
	const leftOut = pickSkipped(results).filter(
		({ ending: { code, values } }) =>
			(values?.isInOtherBranch ? 'sentByOtherBranch' : code) === reason,
	);
	const { length } = leftOut;
	if (length === 0) return undefined;
	const items = itemsOf(leftOut.map(({ delivery }) => delivery));
	return `${count(length, 'message')} ${were(length)} skipped ${leftOutBecause[reason](length)} (${items}).`;
}

const leftOutBecause = {
	recipientNotAllowed: (number: number) =>
		`because ${number === 1 ? 'its recipient is' : 'their recipients are'} not listed in the credential under 'Only These Recipients'`,
	noConsent: (number: number) =>
		`because ${number === 1 ? 'its recipient has' : 'their recipients have'} not agreed: 'Consent' is empty, false, no or 0`,
	sameMessage: (number: number) =>
		`because this run has the same message to the same recipient before. To send ${them(number)} too, turn on 'Send Duplicates' under Options`,
	sentByOtherBranch: (number: number) =>
		`because another branch of the workflow leads to this node too, and sent the same message to the same recipient. To send ${them(number)} too, turn on 'Send Duplicates' under Options`,
};

/** What 'Leave Out Invalid Values' left out, by attribute. */
function leftOutValues({ leftOut }: Noted): string | undefined {
	const total = [...leftOut.values()].flat().length;
	if (total === 0) return undefined;
	const named = [...leftOut].map(
		([name, rows]) => `${quote(name)} (${grouped(rows.length)}, ${itemsOf(rows)})`,
	);
	return `${total === 1 ? '1 value was' : `${grouped(total)} values were`} left out because ${they(total)} ${total === 1 ? 'is' : 'are'} not valid: ${listed(named)}. The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview`;
}

/** What Send Once skipped, and how to send it all the same. */
function skippedOnce(results: readonly Result[], run: Run): string | undefined {
	// Of what the node's own keys skipped, there is a warning.
	const { length } = skippedAs('accepted', results).filter(({ delivery }) => !delivery.ownKeys);
	if (length === 0 || !run.settings.sendOnce) return undefined;
	const how = run.needsOnceKey ? "enter another 'Send Once Key'" : 'turn Send Once off for one run';
	return `Send Once: ${count(length, 'message')} ${were(length)} skipped, because this node has sent ${them(length)} before. To send ${them(length)} again on purpose, ${how}.`;
}

/** What a green run would hide: messages that were skipped, and what people may miss. */
export function writeWarnings(
	results: readonly Result[],
	run: Run,
	n8n: Pick<N8n, 'raw'>,
): string[] {
	const { sendOnce } = run.settings;
	const doubts = sendOnce ? skippedAs('unknown', results).length : 0;
	const differing = pickSkipped(results).filter(({ ending }) => ending.values?.differs);
	const warnings = compact(
		leftOutHint(results, 'recipientNotAllowed'),
		...repeatWarnings(results, run),
		doubts > 0 &&
			`Send Once: ${count(doubts, 'message')} ${were(doubts)} skipped that may never have arrived: when this node sent ${them(doubts)}, the service failed or did not answer. Check in the account whether ${they(doubts)} arrived. To send ${them(doubts)} again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.`,
		differing.length > 0 &&
			`Send Once: ${count(differing.length, 'message')} ${were(differing.length)} skipped although another message of this run with the same key says something else: ${itemsOf(differing.map(({ delivery }) => delivery))}. If people should get all of them, 'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as ${/\bjson\b/.test(String(n8n.raw('sendOnceKey'))) ? 'their occasion: shipped, delivered' : 'an order number'}.`,
	);
	return warnings.map(asSentence);
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

const whyShown = {
	byHand:
		"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
	campaign:
		"Nothing was sent: an expression in 'Recipient By' addresses an item to a campaign. By hand, all items are then only shown. To send them by hand, give items to a campaign a node of their own, and choose Campaign ID there.",
	previewOnly:
		"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
};

/** Of hints about single items, so many are shown, because n8n stores them all. */
const MAX_HINTS = 5;

/** The hints to show with a run's output: what the user should know in addition to the items. */
export async function writeHints(
	run: Run,
	{ deliveries, leftOut, noted, isCutOff, itemCount }: Plan,
	{ results, requests, waitedMs, pausedMs = 0, remaining, warning, isUnlocked }: RunReport,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<NodeExecutionHint[]> {
	const { mode, operation } = run;
	const { clock, now } = n8n;
	const shown = mode.kind === 'send' ? [] : deliveries;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const left = remaining === null ? '' : `; ${count(remaining, 'request')} left this minute`;
	const infos = compact(
		mode.kind === 'show' && whyShown[mode.because],
		...(mode.kind === 'test' ? testHints(mode.recipient, results) : []),
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		warning && `${warning}. What is left then is not sent`,
		messagesHint(deliveries, run, n8n),
		skippedOnce(results, run),
		listSentence(results, run, itemCount),
		cutOffSentence(results, isCutOff),
		isUnlocked === true &&
			"This node cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.",
		...[...new Set(schedule)].slice(0, MAX_HINTS),
		leftOutHint(leftOut, 'noConsent'),
		leftOutHint(leftOut, 'sameMessage'),
		leftOutHint(leftOut, 'sentByOtherBranch'),
		run.account.requireConsent === true &&
			deliveries.some(({ audience }) => audience !== undefined) &&
			'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did.',
		await repeatedUsers(run, deliveries, clock),
		noted && leftOutValues(noted),
		noted && nobodyHint(noted),
		noted && misreadHint(noted),
		unreachableUsers(run, deliveries, items, n8n.raw),
		...(noted ? textHints(noted) : []),
		...(await emailHints(operation, shown, clock)),
		noted?.oneForAll,
		sameForAll(operation, deliveries, n8n),
		// Shorter waits are normal.
		waitedMs >= MINUTE_MS && `Waited ${formatSpan(waitedMs)} for the rate limit${left}`,
		pausedMs >= MINUTE_MS && `Waited ${formatSpan(pausedMs)} while the service was down`,
	);
	return [
		...toHints(compact(noted?.warning), 'warning'),
		...toHints(writeWarnings([...leftOut, ...results], run, n8n), 'warning'),
		...(await smsHints(run, deliveries, results, clock)),
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
			: `${what} to ${whom} ${length === 1 ? 'is' : 'are'} scheduled for ${when}. n8n cannot cancel ${them(length)}.${together.some(({ delivery }) => delivery.ownKeys) ? ' Correct a wrong time in the account: another run today is skipped, whatever its time.' : ''}`;
	});
}

/** A broadcast that was meant as a message to each person greets all of them as the one of its row. */
function sameForAll(
	{ form, fields, isBroadcast }: Operation,
	[first]: readonly Delivery[],
	n8n: N8n,
): string | undefined {
	if (isBroadcast !== true || !first) return undefined;
	const found = form
		// People do not read the name of a campaign.
		.filter(({ name }) => fields.required[name]?.isText && name !== 'campaign_name')
		.flatMap(({ name, displayName }) =>
			columnsInText(n8n.raw(name)).map((code) => {
				const value = quote(n8n.evaluate(code, first.itemIndex));
				return `{{ ${code} }} in ${displayName} is ${value}`;
			}),
		);
	if (found.length === 0) return undefined;
	return `A broadcast says the same to everybody: ${listed(found, 3)} for all of its recipients. To write to each person by name, use 'Send to User' with one item for each person.`;
}

/** From this share of Max Messages on, a hint says so. */
const NEARLY = 0.8;

/** Says that Max Messages is nearly used up, or in a preview, that a run would exceed it. */
function messagesHint(deliveries: readonly Delivery[], run: Run, n8n: N8n): string | undefined {
	const { maxMessages } = run.settings;
	const scope = messageScope(n8n);
	const { rounds, attempts } = messagesSent(scope);
	const isSent = run.mode.kind === 'send';
	const total = rounds + attempts + (isSent ? 0 : countMessages(deliveries));
	// One message where one is allowed is as it is meant.
	if (!run.operation.isMessage || total < NEARLY * maxMessages || total === 1) return undefined;
	return (
		tooManyMessages(isSent ? [] : deliveries, maxMessages, scope)?.message ??
		`This execution ${isSent ? 'has sent' : 'would send'} ${grouped(total)} messages, and Max Messages is ${grouped(maxMessages)}. If more are meant, raise it under Options`
	);
}

function previewed(requests: number, run: Run): string[] {
	const { maxPerMinute = Infinity } = run.settings;
	const perMinute = Math.min(run.perMinute, maxPerMinute);
	const minutes = minutesAtLimit(requests, perMinute);
	const time =
		minutes === 0 ? '' : `, to be sent in about ${minutes} min at ${perMinute} per minute`;
	return compact(
		requests !== 1 && `Preview: ${count(requests, 'request')} in all${time}.`,
		longWait(requests, perMinute, run.settings)?.message,
	);
}

/** The first hint of a run in which something was not accepted. With Stop Workflow, the error says it. */
export function failureHints(
	results: readonly Result[],
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): NodeExecutionHint[] {
	const { stopsOnFailure, hasErrorOutput, workflowZone } = n8n;
	const shows = run.mode && isShownByHand(run.mode);
	const happened = stopsOnFailure && !shows ? undefined : whatHappened(results, run);
	if (happened === undefined) return [];
	const sentences = compact(
		`${happened}.`,
		hasErrorOutput ? 'They left by the error output.' : 'Their items in the output say why.',
		howToGoOn(results, run, workflowZone),
		stopsOnFailure && 'With them, a run that sends stops before it sends anything.',
	);
	const corrections = correctionsFor(results, run, items, n8n);
	return toHints([[sentences.join(' '), ...corrections].join('\n')], 'warning');
}

/** Where a run ended early: when, and how, to send the rest. */
function howToGoOn(results: readonly Result[], run: KnownRun, zone: string) {
	const left = pickSent(results).flatMap(({ ending }) =>
		ending.kind === 'notSent' ? [ending] : [],
	);
	const retryAt = left.map(({ values }) => values?.retryAt).find(Boolean);
	if (retryAt !== undefined)
		return `From ${formatWhen(Date.parse(retryAt), zone)} on, ${howToSendRest(run)}.`;
	const isRefused = left.some(
		({ code }) => code === 'credentialsRefused' || code === 'addressRefused',
	);
	return isRefused && `Test the credential, then ${howToSendRest(run)}.`;
}

/**
 * Marks messages that Send Once skipped although they say something else than the one that was sent with
 * the same key. If all of them were skipped, it is not known which one was sent, so each is marked.
 */
export function markDiffering(results: readonly Result[]): readonly Result[] {
	if (!results.some(({ kind }) => kind === 'skipped')) return results;
	const keyed = results.flatMap((result) =>
		result.kind !== 'invalid' && result.delivery.onceContent !== undefined ? [result] : [],
	);
	/** For each key whose messages differ: what the one says that was sent. */
	const sentAs = new Map<string | undefined, string | undefined>();
	for (const [key, group] of groupBy(keyed, ({ delivery }) => delivery.onceKey)) {
		const isMixed = new Set(group.map(({ delivery }) => delivery.onceContent)).size > 1;
		if (isMixed) sentAs.set(key, group.filter(mayBeDelivered).at(-1)?.delivery.onceContent);
	}
	return results.map((result): Result => {
		if (result.kind !== 'skipped') return result;
		const { onceKey, onceContent } = result.delivery;
		const differs = sentAs.has(onceKey) && sentAs.get(onceKey) !== onceContent;
		if (!differs) return result;
		const { ending } = result;
		return { ...result, ending: { ...ending, values: { ...ending.values, differs } } };
	});
}

/** Says what became of a question whose answer an execution waits for. */
export function askHints(
	results: readonly Result[],
	run: Run,
	{
		endMs,
		warning,
		hadAnswerColumn,
	}: { endMs?: number; warning?: string; hadAnswerColumn?: boolean },
	workflowZone: string,
): NodeExecutionHint[] {
	const warnings = pickSent(results).flatMap((result) => {
		const { delivery, ending } = result;
		if (ending.kind === 'accepted') return [];
		const why = `${onPlatform(delivery.platform)}: ${describeFailure(ending, run, result)[0]}.`;
		return ending.kind === 'unknown'
			? `The question may not have arrived${why} The execution waits, because an answer would prove that it arrived.`
			: `The question was not sent${why}`;
	});
	const infos = compact(
		`The execution waits for the answer${endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`}.`,
		hadAnswerColumn &&
			"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}.",
	);
	return [...toHints(compact(warning, ...warnings), 'warning'), ...toHints(infos, 'info')];
}
