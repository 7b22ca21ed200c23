import { lanesOf } from '../engine';
import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import { countMessages, messageScope, messagesSent, tooManyMessages } from '../plan/counts';
import type { Plan } from '../plan/plan';
import type { Noted } from '../plan/rows';
import { longWait, minutesAtLimit } from '../run/options';
import { laneFor } from '../run/wire';
import type { Run, KnownRun } from '../run/resolveRun';
import { isShownByHand, type Mode } from '../run/guards';
import { decide } from '../schedule/choice';
import { isBlank, isEmpty, isRecord } from '../fields/field';
import { listColumns } from '../operations/dataMode';
import type { Operation } from '../operations/operation';
import { columnsInText } from '../plan/placeholders';
import { userAttributes } from '../operations/user';
import { formatWhen } from '../schedule/localTime';
import { type Clock, MINUTE_MS, groupBy } from '../shared/slices';
import type { Delivery } from '../shared/delivery';
import {
	count,
	formatSpan,
	grouped,
	listed,
	nameAudience,
	quote,
	tell,
} from '../shared/formatting';
import {
	type Problem,
	type EndingOf,
	hasFailed,
	type Result,
	type RunReport,
	type SentDelivery,
} from '../shared/ending';
import { howToSendRest } from './advice';
import { describeFailure, leftOut as leftOutReasons } from './failures';
import {
	asSentence,
	asHeading,
	compact,
	isPreview,
	itemNumbers,
	itemsOf,
	type NameOf,
	onPlatform,
	pickAccepted,
	pickSent,
	pickSkipped,
	recipientNamer,
	them,
	they,
	type Told,
	were,
} from './names';
import { emailHint, misreadHint, nobodyHint, smsHints, textHints } from './contentHints';
import { correctionsFor } from './corrections';
import {
	cutOffSentence,
	listSentence,
	nameOfBroadcast,
	repeatWarnings,
	skippedAs,
} from './repeats';
import { whatHappened } from './summary';

const toldOf = (problem: Problem | undefined) => problem && tell(problem);

/** Only the values of a user's last row remain. */
async function repeatedUsers(
	run: Run,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string | undefined> {
	const rows = await lanesOf(deliveries, laneFor(run), clock);
	if (rows.size === 0) return undefined;
	const named = [...rows].map(
		([id, repeated]) =>
			`${quote(id)} (items ${itemNumbers(repeated.map(({ itemIndex }) => itemIndex))})`,
	);
	return `${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their items are sent in the order of the input, so the values of the last item remain. Items count from 0`;
}

/** Counts mapped users of whom only other attributes came, for instance because a column is called otherwise. */
function unreachableUsers(
	{ operation }: Run,
	deliveries: readonly Delivery[],
	items: readonly INodeExecutionData[],
	raw: N8n['raw'],
): string | undefined {
	const names = Object.keys(userAttributes);
	const isMapped = operation.hasAttributes && raw('dataMode') === 'autoMapInputData';
	const isAsked = (name: string) => !isBlank(raw(`${name}Field`));
	if (!isMapped || !names.some(isAsked)) return undefined;
	const unseen = new Set(['email', 'mobile'].filter(isAsked));
	const without = deliveries.filter(({ buildBody }) => {
		const { user_attributes: sent }: Record<string, unknown> = { ...buildBody() };
		const filled = names.filter((name) => isRecord(sent) && !isEmpty(sent[name]));
		for (const name of filled) unseen.delete(name);
		return filled.length === 0;
	});
	const all = `${grouped(deliveries.length)} ${deliveries.length === 1 ? 'user' : 'users'}`;
	const found = compact(
		without.length > 0 &&
			`${grouped(without.length)} of ${all} came without email, mobile and name`,
		// A list with addresses and without a single number, or the other way round, is seldom meant.
		unseen.size === 1 && deliveries.length > 1 && `None of ${all} came with ${[...unseen].join()}`,
	);
	if (found.length === 0) return undefined;
	const columns = new Set(items.slice(0, 100).flatMap(({ json }) => Object.keys(json)));
	return `${found.join('. ')}. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'; otherwise, leave the field empty. ${listColumns(columns)}`;
}

/** Counts the messages that a safety limit left out. */
function leftOutHint(
	results: readonly Result[],
	reason: EndingOf<'skipped'>['code'],
	write = itemsOf,
): string | undefined {
	const found = pickSkipped(results).filter(({ ending }) => ending.code === reason);
	const { length } = found;
	if (length === 0) return undefined;
	const items = write(found.map(({ delivery }) => delivery));
	return `${asHeading(items)}: ${count(length, 'message')} ${were(length)} skipped ${leftOutReasons[reason].because(length)}.`;
}

/** Counts the values that 'Leave Out Invalid Values' left out, by attribute. */
function leftOutValues({ leftOut }: Noted, nameOf: NameOf): string | undefined {
	const { length: total } = leftOut;
	if (total === 0) return undefined;
	const named = [...groupBy(leftOut, ({ attribute }) => attribute)].map(
		([name, rows]) => `${quote(name)} in ${itemsOf(rows, nameOf)}`,
	);
	return `${total === 1 ? '1 value was' : `${grouped(total)} values were`} left out because ${they(total)} ${total === 1 ? 'is' : 'are'} not valid: ${listed(named)}. The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview`;
}

/** Counts the messages that Send Once skipped, and says how to send them anyway. */
function skippedOnce(results: readonly Result[], run: Run): string | undefined {
	// For messages that automatic keys skipped, there is a warning.
	const { length } = skippedAs('accepted', results).filter(({ delivery }) => !delivery.ownKeys);
	if (length === 0 || !run.settings.sendOnce) return undefined;
	const how = run.needsOnceKey ? "enter another 'Send Once Key'" : 'turn Send Once off for one run';
	return `Send Once: ${count(length, 'message')} ${were(length)} skipped, because this node has sent ${them(length)} before. To send ${them(length)} again on purpose, ${how}.`;
}

/**
 * Warnings about messages that were skipped or may be missing, which a green run would hide.
 *
 * @param write names items; without people for n8n's log
 */
export function writeWarnings(
	results: readonly Result[],
	run: Run,
	n8n: Pick<N8n, 'raw'>,
	write: (rows: readonly SentDelivery[]) => string,
): string[] {
	const { sendOnce } = run.settings;
	const doubts = sendOnce ? skippedAs('unknown', results).length : 0;
	const differing = pickSkipped(results).filter(({ ending }) => ending.values?.differs);
	const passed = pickSent(results).filter(({ wasReported }) => wasReported);
	const warnings = compact(
		passed.length > 0 &&
			`${count(passed.length, 'message')} of an earlier attempt may never have arrived, and ${passed.length === 1 ? 'is' : 'are'} not sent again: ${write(passed.map(({ delivery }) => delivery))}. Check in the account whether ${they(passed.length)} arrived`,
		leftOutHint(results, 'recipientNotAllowed', write),
		...repeatWarnings(results, run),
		doubts > 0 &&
			`Send Once: ${count(doubts, 'message')} ${were(doubts)} skipped that may never have arrived: when this node sent ${them(doubts)}, the service failed or did not answer. Check in the account whether ${they(doubts)} arrived. To send ${them(doubts)} again, turn on 'Resend Unconfirmed' under Options and run these items again. Whoever got the message already then gets it twice.`,
		differing.length > 0 &&
			`Send Once: ${count(differing.length, 'message')} ${were(differing.length)} skipped although another message of this run with the same key says something else: ${write(differing.map(({ delivery }) => delivery))}. If people should get all of them, 'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as ${/\bjson\b/.test(String(n8n.raw('sendOnceKey'))) ? 'their occasion: shipped, delivered' : 'an order number'}.`,
	);
	return warnings.map(asSentence);
}

/** Reports the test message. */
function testHints(
	{ recipient: { value } }: Extract<Mode, { kind: 'test' }>,
	results: readonly Result[],
): string[] {
	const tests = pickSent(results);
	const { itemIndex, test } = tests[0]?.delivery ?? {};
	if (!test)
		return [
			'Nothing was sent: this execution has sent its test message already, so these are only previewed.',
		];
	const others = results.some(isPreview);
	const nobodyElse = `Nobody else got it${others ? ': the other messages are only previewed' : ''}.`;
	if (tests.some(hasFailed))
		return [
			`The test message of item ${itemIndex} was not accepted everywhere. Its output says why. ${nobodyElse}`,
		];
	const platforms = tests.flatMap(({ delivery: { platform } }) => platform ?? []);
	return [
		`Test sent to ${value}${onPlatform(platforms.join(', '))}. ${nobodyElse}`,
		'A test is sent at once, without fields that could reach others.',
	];
}

const whyShown = {
	byHand:
		"Nothing was sent: this is a preview. To send, set 'When Run by Hand' to Send, and execute it again.",
	list: "Nothing was sent: by hand, a list is only shown. To send, set 'When Run by Hand' to Send, and execute it again.",
	campaign:
		"Nothing was sent: an expression in 'Recipient By' addresses an item to a campaign. By hand, all items are then only shown. To send them by hand, give items to a campaign a node of their own, and choose Campaign ID there.",
	previewOnly:
		"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
};

/** n8n stores all hints, so only the first ones about single items are shown. */
const MAX_HINTS = 5;

/** Tells what the items of a run do not show. */
export async function tellRun(
	run: Run,
	{ deliveries, leftOut, earlier, invalid, noted, isCutOff, itemCount }: Plan,
	{ results, requests, pausedMs = 0, warning, isUnlocked }: RunReport,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Required<Told>> {
	const { mode, operation } = run;
	const { clock, now } = n8n;
	const shown = mode.kind === 'send' ? [] : deliveries;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const nameOf = recipientNamer(run, items, n8n);
	const sms = await smsHints(run, deliveries, results, clock);
	const happened = compact(
		mode.kind === 'show' && whyShown[mode.because],
		...(mode.kind === 'test' ? testHints(mode, results) : []),
		...sentByHand(run, results),
		...(results.some(isPreview) ? previewed(requests, run, invalid.length > 0) : []),
		listSentence(results, run, itemCount),
		skippedOnce(results, run),
	);
	const rest = compact(
		warning && `${warning}. What is left then is not sent`,
		messagesHint(deliveries, run, n8n),
		cutOffSentence(results, isCutOff),
		isUnlocked === true &&
			"This node cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.",
		...[...new Set(schedule)].slice(0, MAX_HINTS),
		leftOutHint(leftOut, 'noConsent'),
		leftOutHint(leftOut, 'sameMessage'),
		leftOutHint(leftOut, 'sameInOtherBranch'),
		run.account.requireConsent === true &&
			deliveries.some(({ audience }) => audience !== undefined) &&
			'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did.',
		await repeatedUsers(run, deliveries, clock),
		noted && leftOutValues(noted, nameOf),
		noted && nobodyHint(noted),
		noted && misreadHint(noted, nameOf),
		addressesAsIds(deliveries),
		unreachableUsers(run, deliveries, items, n8n.raw),
		...(noted ? textHints(noted, nameOf) : []),
		await emailHint(operation, shown, clock),
		sameForAll(operation, deliveries, n8n),
		// Shorter waits are normal.
		pausedMs >= MINUTE_MS && `Waited ${formatSpan(pausedMs)} while the service was down`,
		...(sms.rest ?? []),
	);
	const warnings = compact(
		noted?.warning,
		...writeWarnings([...earlier, ...leftOut, ...results], run, n8n, itemsOf),
		...(sms.warnings ?? []),
	);
	return { happened, warnings, rest };
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ history, operation }: Run, results: readonly Result[]): string[] {
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
			? `This run by hand sent ${what} to real people: ${whom}. ${length === 1 ? 'It' : 'They'} cannot be recalled. If it was not meant, ask the service's support at once; a correction goes out under another ${nameOfBroadcast(operation)}.`
			: `${what} to ${whom} ${length === 1 ? 'is' : 'are'} scheduled for ${when}. n8n cannot cancel ${them(length)}.${together.some(({ delivery }) => delivery.ownKeys) ? ' Correct a wrong time in the account: another run today is skipped, whatever its time.' : ''}`;
	});
}

/** An address in place of the ID that the shop or CRM uses reaches nobody, or another user. */
function addressesAsIds(deliveries: readonly Delivery[]): string | undefined {
	const found = deliveries.filter(({ userID, to }) => {
		const id = userID ?? to?.user_id;
		return typeof id === 'string' && id.includes('@');
	});
	if (found.length === 0) return undefined;
	return `${asHeading(itemsOf(found))}: User ID has an @. It is the ID that your shop or CRM uses for a person, which is seldom the email address`;
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

/** A hint appears from this share of Max Messages on. */
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
		toldOf(tooManyMessages(isSent ? [] : deliveries, maxMessages, scope)) ??
		`This execution ${isSent ? 'has sent' : 'would send'} ${grouped(total)} messages, and Max Messages is ${grouped(maxMessages)}. If more are meant, raise it under Options`
	);
}

/** @param isCounted whether it is said elsewhere how many are previewed */
function previewed(requests: number, run: Run, isCounted: boolean): string[] {
	const { perMinute } = run;
	const minutes = minutesAtLimit(requests, perMinute);
	const time = minutes > 0 && `about ${minutes} min at ${perMinute} per minute`;
	return compact(
		isCounted && time && `Sending takes ${time}`,
		!isCounted &&
			requests !== 1 &&
			`Preview: ${count(requests, 'request')} in all${time ? `, to be sent in ${time}` : ''}.`,
		toldOf(longWait(requests, perMinute, run.settings)),
	);
}

/** Summarizes a run in which something was not accepted. With Stop Workflow, the error does. */
export function tellFailures(
	results: readonly Result[],
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): string[] {
	const { stopsOnFailure, hasErrorOutput, workflowZone } = n8n;
	const shows = run.mode && isShownByHand(run.mode);
	const happened = stopsOnFailure && !shows ? undefined : whatHappened(results, run);
	if (happened === undefined) return [];
	const isOne = results.filter(hasFailed).length === 1;
	const inOutput = isOne
		? 'Its item in the output says why.'
		: 'Their items in the output say why.';
	const sentences = compact(
		`${happened}.`,
		hasErrorOutput ? `${isOne ? 'It' : 'They'} left by the error output.` : inOutput,
		howToGoOn(results, run, workflowZone),
		stopsOnFailure &&
			`With ${isOne ? 'it' : 'them'}, a run that sends stops before it sends anything.`,
	);
	return [sentences.join(' '), ...correctionsFor(results, run, items, n8n)];
}

/** For a run that ended early: when and how to send the rest. */
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

/** Reports the question whose answer an execution waits for. */
export function tellQuestion(
	results: readonly Result[],
	run: Run,
	{
		endMs,
		warning,
		hadAnswerColumn,
	}: { endMs?: number; warning?: string; hadAnswerColumn?: boolean },
	workflowZone: string,
) {
	const failed = pickSent(results).flatMap((result) => {
		const { delivery, ending } = result;
		if (ending.kind === 'accepted') return [];
		const why = `${onPlatform(delivery.platform)}: ${describeFailure(ending, run, result)[0]}.`;
		return ending.kind === 'unknown'
			? `The question may not have arrived${why} The execution waits, because an answer would prove that it arrived.`
			: `The question was not sent${why}`;
	});
	const happened = compact(
		...failed,
		`The execution waits for the answer${endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`}.`,
		hadAnswerColumn &&
			"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}.",
	);
	return { happened, warnings: compact(warning), hasFailed: failed.length > 0 };
}
