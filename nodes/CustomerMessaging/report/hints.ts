import type { INodeExecutionData } from 'n8n-workflow';

import { isBlank, isEmpty, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import { listColumns } from '../operations/dataMode';
import { userAttributes } from '../operations/user';
import { countMessages, messagesSent } from '../plan/counts';
import { whyBroadcastsSkipped } from '../plan/keys';
import type { Plan } from '../plan/plan';
import type { Noted } from '../plan/rows';
import { isShownByHand } from '../run/guards';
import type { KnownRun, Run } from '../run/resolveRun';
import { decide } from '../schedule/choice';
import { formatWhen } from '../schedule/localTime';
import {
	hasFailed,
	isSent,
	type Result,
	type RunReport,
	type SentDelivery,
} from '../shared/ending';
import { count, formatSpan, grouped, listed, onPlatform, quote, tell } from '../shared/formatting';
import { groupBy, MINUTE_MS } from '../shared/slices';
import { describeFailure, howToSendRest, whySkipped } from './reasons';
import {
	asSentence,
	compact,
	inHeading,
	itemsOf,
	type NameOf,
	pick,
	recipientNamer,
	type Told,
} from './naming';
import { correctionsFor, listSentence, skippedAs, whatHappened } from './sentences';

/** A run, as its hints need it. */
interface Facts extends Partial<Noted> {
	run: Run;
	plan: Plan;
	done: RunReport;
	items: readonly INodeExecutionData[];
	n8n: Pick<N8n, 'isTool' | 'memory' | 'now' | 'raw' | 'read'>;
	nameOf: NameOf;
}

type Hint = (facts: Facts) => string | false | undefined | readonly string[];

/** n8n stores all hints, so only the first ones about single items are shown. */
const MAX_HINTS = 5;

/** The outcome, with advice: the first box. */
const happened: readonly Hint[] = [
	nothingWasSent,
	testMessage,
	broadcastByHand,
	({ run, plan, done }) => listSentence(done.results, run, plan.itemCount),
	skippedOnce,
];

/** Everything else: the last box. */
const rest: readonly Hint[] = [
	({ done: { warning } }) => warning && `${warning}. What is left then is not sent`,
	messagesHint,
	notesCutOff,
	({ done }) =>
		done.isUnlocked === true &&
		"This node cannot keep workers of n8n apart, because another node uses the same row of n8n's database. Two workers may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history",
	ambiguousTimes,
	// Of all others, there is a warning.
	({ plan }) => whyLeftOut(plan.leftOut.filter((one) => !isNotAllowed(one))),
	({ run, plan }) =>
		run.account.requireConsent === true &&
		plan.deliveries.some(isToMany) &&
		'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did',
	leftOutValues,
	takenAsEmpty,
	addressesAsIds,
	usersWithoutAddress,
	doubtfulValues,
	// Shorter waits are normal.
	({ done: { pausedMs = 0 } }) =>
		pausedMs >= MINUTE_MS && `Waited ${formatSpan(pausedMs)} while the service was down`,
];

/** Tells what the items of a run do not show. */
export function tellRun(ended: Omit<Facts, keyof Noted | 'nameOf'>): Told {
	const { run, plan, done, items, n8n } = ended;
	const facts = { ...ended, ...plan.noted, nameOf: recipientNamer(run, items, n8n) };
	const write = (hints: readonly Hint[]) => compact(...hints.flatMap((hint) => hint(facts)));
	const results = [...plan.earlier, ...plan.leftOut, ...done.results];
	return {
		happened: write(happened),
		warnings: compact(facts.warning, ...writeWarnings(results, run, itemsOf)),
		rest: write(rest),
	};
}

const isToMany = ({ audience }: SentDelivery) => audience !== undefined;
const skipped = (number: number, noun = 'message') =>
	`${count(number, noun)} ${number === 1 ? 'was' : 'were'} skipped`;

const byHand = "To send, set 'When Run by Hand' to Send, and execute it again";
const whyShown = {
	byHand: `this is a preview. ${byHand}`,
	list: `by hand, a list is only shown. ${byHand}`,
	campaign:
		"an expression in 'Recipient By' addresses an item to a campaign. By hand, all items are then only shown. Give items to a campaign a node of their own, and choose Campaign ID there",
	previewOnly: "'Preview Only' is on. It also holds when a trigger starts the workflow",
};

function nothingWasSent({ run: { mode } }: Facts) {
	return mode.kind === 'show' && `Nothing was sent: ${whyShown[mode.because]}`;
}

const nobodyElse = 'Nobody else got it; other messages are only previewed';

function testMessage({ run: { mode }, done }: Facts): string | undefined {
	if (mode.kind !== 'test') return undefined;
	const tests = done.results.filter(isSent);
	const { itemIndex, test } = tests[0]?.delivery ?? {};
	if (!test) return 'Nothing was sent: this execution has sent its test message already';
	if (tests.some(hasFailed))
		return `The test message of item ${itemIndex} was not accepted everywhere. Its output says why. ${nobodyElse}`;
	const platforms = tests.flatMap(({ delivery: { platform } }) => platform ?? []);
	return `Test sent to ${mode.recipient.value}${onPlatform(platforms.join(', '))}. ${nobodyElse}. A test is sent at once, without fields that could reach others`;
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function broadcastByHand({ run, done }: Facts): string | false {
	const sent = pick(done.results, 'accepted').filter(({ delivery }) => isToMany(delivery));
	if (run.history.startedByHand !== true || sent.length === 0) return false;
	const whom = sent.map(({ delivery }) => `${delivery.audience}${onPlatform(delivery.platform)}`);
	return `This run by hand sent ${count(sent.length, 'broadcast')} to real people: ${listed([...new Set(whom)])}. n8n cannot change, cancel or recall it. If it was not meant, ask the service's support at once; a correction goes out under another ${nameOfBroadcast(run)}`;
}

/** An address in place of the ID that the shop or CRM uses reaches nobody, or another user. */
function addressesAsIds({ plan }: Facts): string | false {
	const found = plan.deliveries.filter(({ userID, to }) =>
		String(userID ?? to?.user_id).includes('@'),
	);
	return (
		found.length > 0 &&
		`${inHeading(itemsOf(found))}: User ID has an @. It is the ID that your shop or CRM uses for a person, which is seldom the email address`
	);
}

function skippedOnce({ run, done }: Facts): string | false {
	// For messages that automatic keys skipped, there is a warning.
	const { length } = skippedAs('accepted', done.results).filter(
		({ delivery }) => !delivery.ownKeys,
	);
	return (
		length > 0 &&
		run.settings.sendOnce &&
		`Send Once: ${skipped(length)}, because this node has sent the same before. To send it again on purpose, enter another 'Send Once Key'`
	);
}

function messagesHint({ run, plan, n8n }: Facts): string | undefined {
	const { maxMessages } = run.settings;
	const { rounds, attempts } = messagesSent(n8n);
	const planned = run.mode.kind === 'send' ? [] : plan.deliveries;
	const total = rounds + attempts + countMessages(planned);
	// Few are not worth a word, and one message where one is allowed is as it is meant.
	if (!run.operation.isMessage || total < 0.8 * maxMessages || total === 1) return undefined;
	return `This execution ${planned.length === 0 ? 'has sent' : 'would send'} ${grouped(total)} messages, and Max Messages is ${grouped(maxMessages)}. If more are meant, raise it under Options`;
}

function notesCutOff({ plan, done }: Facts) {
	return (
		plan.isCutOff === true &&
		pick(done.results, 'accepted').length > 0 &&
		"This node has sent so much today that its notes do not reach back to the beginning of the day. Whoever got this message before that may have got it again now: earlier runs in n8n's Executions tell who"
	);
}

function ambiguousTimes({ plan: { deliveries }, n8n }: Facts): string[] {
	const found = deliveries.flatMap(({ schedule }) => {
		const decided = schedule && decide(schedule, n8n.now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	return [...new Set(found)].slice(0, MAX_HINTS);
}

const isNotAllowed = ({ ending }: Result) => ending.code === 'recipientNotAllowed';

/** One sentence for each reason to skip messages. */
function whyLeftOut(results: readonly Result[], write = itemsOf): string[] {
	const byReason = groupBy(pick(results, 'skipped'), ({ ending }) => ending.code);
	return [...byReason].map(([code, found]) => {
		const items = inHeading(write(found.map(({ delivery }) => delivery)));
		return `${items}: ${skipped(found.length)} because ${whySkipped(code)}`;
	});
}

/** Counts mapped users of whom only other attributes came, for instance because a column is called otherwise. */
function usersWithoutAddress({ run, plan, items, n8n }: Facts): string | undefined {
	const names = Object.keys(userAttributes);
	const isMapped = run.operation.hasAttributes && n8n.raw('dataMode') === 'autoMapInputData';
	const isAsked = (name: string) => !isBlank(n8n.raw(`${name}Field`));
	if (!isMapped || !names.some(isAsked)) return undefined;
	const unseen = new Set(['email', 'mobile'].filter(isAsked));
	const { length } = plan.deliveries.filter(({ buildBody }) => {
		const { user_attributes: sent }: Record<string, unknown> = { ...buildBody() };
		const filled = names.filter((name) => isRecord(sent) && !isEmpty(sent[name]));
		for (const name of filled) unseen.delete(name);
		return filled.length === 0;
	});
	const all = count(plan.deliveries.length, 'user');
	const found = compact(
		length > 0 && `${grouped(length)} of ${all} came without email, mobile and name`,
		// A list with addresses and without a single number, or the other way round, is seldom meant.
		unseen.size === 1 &&
			plan.deliveries.length > 1 &&
			`None of ${all} came with ${[...unseen].join()}`,
	);
	if (found.length === 0) return undefined;
	const columns = new Set(items.slice(0, 100).flatMap(({ json }) => Object.keys(json)));
	return `${found.join('. ')}. If a column holds them, enter its name under 'Email Column', 'Mobile Column' or 'Name Column'; otherwise, leave the field empty. ${listColumns(columns)}`;
}

function leftOutValues({ leftOut = [], nameOf }: Facts) {
	const named = [...groupBy(leftOut, ({ attribute }) => attribute)].map(
		([name, rows]) => `${quote(name)} in ${itemsOf(rows, nameOf)}`,
	);
	return (
		leftOut.length > 0 &&
		`Left out as not valid: ${count(leftOut.length, 'value')}, ${listed(named)}. The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview`
	);
}

function takenAsEmpty({ nobody }: Facts) {
	const named = [...(nobody ?? [])].map(
		([name, { count: number, value }]) =>
			`${quote(name)} (${grouped(number)}, such as ${quote(value)})`,
	);
	return (
		named.length > 0 &&
		`Taken as empty, because such values stand for missing ones: ${listed(named)}. To send them as they are, turn on 'Skip Text Check' under Options`
	);
}

/** One sentence for each rule, with the values of its first item. */
function doubtfulValues({ hints = [], nameOf }: Facts): string[] {
	return [...groupBy(hints, ({ rule }) => rule).values()]
		.slice(0, MAX_HINTS)
		.map((rows) => `${inHeading(itemsOf(rows, nameOf))}: ${tell(rows[0])}`);
}

/**
 * Warnings about messages that were skipped or may be missing, which a green run would hide.
 *
 * @param write names items; without people for n8n's log
 */
export function writeWarnings(
	results: readonly Result[],
	run: Run,
	write: (rows: readonly SentDelivery[]) => string,
): string[] {
	const named = (some: ReadonlyArray<{ delivery: SentDelivery }>) =>
		write(some.map(({ delivery }) => delivery));
	const { sendOnce } = run.settings;
	const passed = results.filter(isSent).filter(({ wasReported }) => wasReported);
	const { length: doubts } = skippedAs('unknown', results);
	const differing = pick(results, 'skipped').filter(({ ending }) => ending.values?.differs);
	const warnings = compact(
		passed.length > 0 &&
			`${count(passed.length, 'message')} of an earlier attempt may never have arrived: ${named(passed)}. Check in the account: nothing of it is sent again`,
		...whyLeftOut(results.filter(isNotAllowed), write),
		broadcastsOfToday(results, run),
		doubts > 0 &&
			`${skipped(doubts)} that may never have arrived: another execution sent the same, or is sending it, and has not noted how that ended. Check in the account. To send it all the same, turn on '${sendOnce ? 'Resend Unconfirmed' : 'Allow Duplicates'}' under Options; whoever got it already then gets it twice`,
		differing.length > 0 &&
			`Send Once: ${skipped(differing.length)} although another message of this run with the same key says something else: ${named(differing)}. If people should get all of them, 'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number, or the occasion: shipped, delivered`,
	);
	return warnings.map(asSentence);
}

const nameOfBroadcast = ({ operation }: Run) =>
	'campaign_name' in operation.fields.required ? 'campaign name' : 'title';

function broadcastsOfToday(results: readonly Result[], run: Run): string | false {
	const { length: number } = skippedAs('accepted', results).filter(
		({ delivery }) => isToMany(delivery) && delivery.ownKeys,
	);
	const why = whyBroadcastsSkipped(nameOfBroadcast(run), run);
	return number > 0 && `${skipped(number, 'broadcast')}, ${why}`;
}

/** Summarizes a run in which something was not accepted. With Stop Workflow, the error does. */
export function tellFailures(
	results: readonly Result[],
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'stopsOnFailure' | 'hasErrorOutput' | 'workflowZone' | 'read' | 'raw'>,
): Told {
	const { stopsOnFailure, hasErrorOutput, workflowZone } = n8n;
	const shows = run.mode && isShownByHand(run.mode);
	const told = stopsOnFailure && !shows ? undefined : whatHappened(results, run);
	if (told === undefined) return { happened: [] };
	const sentences = compact(
		told,
		hasErrorOutput ? 'What failed left by the error output' : 'What failed says why in its item',
		howToGoOn(results, run, workflowZone),
		stopsOnFailure && 'With such items, a run that sends stops before it sends anything',
	);
	const corrections = correctionsFor(results, run, items, n8n);
	return { happened: [sentences.map(asSentence).join(' '), ...corrections], hasFailed: true };
}

function howToGoOn(results: readonly Result[], run: KnownRun, zone: string) {
	const left = pick(results, 'notSent');
	const retryAt = left.map(({ ending }) => ending.values?.retryAt).find(Boolean);
	const when = retryAt
		? `From ${formatWhen(Date.parse(retryAt), zone)} on`
		: 'Once the cause is resolved';
	return left.length > 0 && `${when}, ${howToSendRest(run)}`;
}

/** Reports the question whose answer an execution waits for. */
export function tellQuestion(
	results: readonly Result[],
	run: Run,
	{ endMs, hadAnswerColumn }: { endMs?: number; hadAnswerColumn: boolean },
	workflowZone: string,
): Told {
	const failed = results.filter(isSent).flatMap(({ delivery, ending }) => {
		if (ending.kind === 'accepted') return [];
		const what = ending.kind === 'unknown' ? 'may not have arrived' : 'was not sent';
		const [why] = describeFailure(ending, run, delivery);
		return `The question ${what}${onPlatform(delivery.platform)}: ${why}`;
	});
	const end = endMs === undefined ? '' : ` until ${formatWhen(endMs, workflowZone)}`;
	const told = compact(
		...failed,
		`The execution waits for the answer${end}`,
		hadAnswerColumn &&
			"The input has a column 'data'. If nobody answers, the execution goes on without it, so that it is not taken for an answer to this question. Later nodes can read it from an earlier node, such as {{ $('Name of the node').item.json.data }}",
	);
	return { happened: told, hasFailed: failed.length > 0 };
}
