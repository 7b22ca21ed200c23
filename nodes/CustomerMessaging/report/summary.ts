import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import { grouped, listed, oneLine } from '../shared/formatting';
import {
	hasFailed,
	type LeftOutReason,
	type LeftOutResult,
	type NotSentReason,
	type Problem,
	type Result,
	type SentDelivery,
	type SentResult,
} from '../shared/result';
import { groupBy } from '../shared/slices';
import { WITHOUT_DOTS } from '../fields/wordsForValues';
import { describeFailure, type FailureText } from './messages';
import {
	itemName,
	itemNames,
	labelReader,
	nameItems,
	onPlatform,
	pickAccepted,
	pickSent,
	recipientNamer,
	recipientOfDelivery,
	toEditorHtml,
	compact,
} from './names';

/** Says why a run ended, and how all its deliveries did, for Stop Workflow. Undefined if nothing failed. */
export function stopSummary(results: readonly Result[], run: Run, isTool: boolean) {
	const failed = pickSent(results).filter(hasFailed);
	// Report the root failure: most unsent messages are the consequence of another one.
	const causes = failed.filter(
		({ outcome }) => outcome.outcome !== 'notSent' || !leftOutBecause.includes(outcome.reason),
	);
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.outcome.outcome === 'accepted') return undefined;
	const { delivery, outcome } = cause;
	// n8n writes the message of a failed execution to its log, so it names no people. The description does.
	const isUnnamed = !isTool && delivery.audience === undefined;
	const unnamed = isUnnamed ? { userID: undefined, to: undefined } : {};
	const { message, description } = describeFailure(outcome, run, {
		...cause,
		delivery: { ...delivery, ...unnamed },
	});
	const isOnly = results.length === 1;
	const recipient = recipientOfDelivery(delivery);
	const lines = compact(
		description,
		isOnly ? recipient && `Recipient: ${recipient}.` : tally(results, recipientOfDelivery),
		!delivery.test && !isTool && whatRetrySends(failed, run, results.length),
	);
	return {
		itemIndex: delivery.itemIndex,
		httpCode: 'statusCode' in outcome ? String(outcome.statusCode) : undefined,
		message: isOnly
			? message
			: `${message} (${nameDelivery(delivery)}). ${whatHappened(results, run) ?? ''}`,
		description: toEditorHtml(lines.join('\n')),
	};
}

const leftOutBecause: readonly NotSentReason[] = [
	'maxMessages',
	'stopped',
	'serviceUnavailable',
	'credentialsRefused',
	'addressRefused',
];

/** Names no person, but the audience of a broadcast. */
function nameDelivery({ platform, test, itemIndex, audience }: SentDelivery): string {
	return `${test ? 'test of ' : ''}${itemName(itemIndex, test ? undefined : audience)}${onPlatform(platform)}`;
}

/** A message that may have arrived is not repeated, and once it was reported, it stops no retry of this execution. */
function whatRetrySends(
	failed: readonly SentResult[],
	{ settings, operation }: Run,
	total: number,
): string {
	const repeatsAll = settings.retryUnknown || operation.overwrites;
	const { length } = failed.filter(({ outcome }) => repeatsAll || outcome.outcome !== 'unknown');
	const doubts = failed.length - length;
	const goesOn =
		doubts > 0 &&
		`Retry this execution to go on without ${doubts === 1 ? 'the one that' : `the ${doubts} that`} may have been delivered: ${doubts === 1 ? 'it is' : 'they are'} not sent again, and what follows is reached.`;
	const all =
		failed.length < total && !settings.sendOnce
			? ` Execute step would send all ${total} again.`
			: '';
	return compact(
		length > 0 &&
			`Retry sends ${length === 1 ? 'it' : `these ${length}`}: in Executions, the arrow beside this run.${all}`,
		goesOn,
	).join(' ');
}

/** `190 accepted, 7 not sent: Title (7), 3 may have been delivered`; undefined if nothing failed. */
export function whatHappened(
	results: readonly Result[],
	run: Run | UnusableRun,
): string | undefined {
	const failed = results.filter(hasFailed);
	if (failed.length === 0) return undefined;
	const notSent = failed.filter(
		(result) => result.kind !== 'sent' || result.outcome.outcome !== 'unknown',
	);
	// Those that an earlier execution has reported are still in doubt.
	const doubts = pickSent(results).filter(({ outcome }) => outcome.outcome === 'unknown').length;
	const previewed = results.filter(({ kind }) => kind === 'preview').length;
	const accepted = pickAccepted(results).length;
	return compact(
		(accepted > 0 || previewed === 0) && `${accepted} accepted`,
		previewed > 0 && `${previewed} previewed`,
		notSent.length > 0 && `${notSent.length} not sent: ${countReasons(notSent, labelReader(run))}`,
		doubts > 0 && `${doubts} may have been delivered`,
	).join(', ');
}

/** `User ID (2), Title (5)`: the fields to correct of each row, or why it was not sent. */
function countReasons(results: readonly Result[], labelOf: (field: string) => string): string {
	const all = results.flatMap((result) => {
		if (result.kind === 'invalid')
			return [...new Set(result.problems.map(({ field }) => labelOf(field)))];
		return result.kind === 'sent' && result.outcome.outcome === 'notSent'
			? reasons[result.outcome.reason]
			: 'refused by the service';
	});
	const byReason = groupBy(all, (reason) => reason);
	return listed([...byReason].map(([reason, { length }]) => `${reason} (${length})`));
}

const reasons: Readonly<Record<NotSentReason, string>> = {
	credentialsRefused: 'credentials refused',
	addressRefused: 'wrong address',
	noConnection: 'no connection',
	certificate: 'certificate',
	rateLimit: 'rate limit',
	serviceUnavailable: 'service down',
	stopped: 'run ended',
	schedulePassed: 'time passed',
	notRecorded: 'not recorded by n8n',
	keyInUse: 'Send Once Key in use',
	maxMessages: 'Max Messages',
	internalError: 'internal error in this node',
};

/** Counts the accepted deliveries, and names all others by outcome. n8n's log should hold no recipients. */
function tally(results: readonly Result[], recipientOf?: typeof recipientOfDelivery): string {
	const sent = pickSent(results);
	const accepted = pickAccepted(results);
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = results.filter((result) => result.kind === 'skipped');
	const before = skipped.filter(({ earlierOutcome }) => earlierOutcome === 'accepted').length;
	const doubts = skipped.length - before;
	const leftOut = results.filter((result) => result.kind === 'leftOut');
	const list = (kind: string, heading: string) => {
		const which = sent.flatMap(({ outcome, delivery }) =>
			outcome.outcome === kind ? [delivery] : [],
		);
		return which.length > 0 && `${heading}: ${nameAll(which, recipientOf)}.`;
	};
	return compact(
		`Accepted: ${accepted.length} of ${sent.length}${earlier === 0 ? '' : `, ${earlier} of them in an earlier attempt`}.`,
		before > 0 && `Sent before, so skipped: ${before}.`,
		doubts > 0 && `May have been delivered before, so skipped: ${doubts}.`,
		leftOut.length > 0 && `Skipped: ${countLeftOut(leftOut)}.`,
		list('rejected', 'Refused'),
		list('unknown', 'May have been delivered'),
		list('notSent', 'Not sent'),
	).join('\n');
}

/** `same message (2), no consent (1)`. */
function countLeftOut(leftOut: readonly LeftOutResult[]): string {
	const byReason = groupBy(leftOut, ({ reason }) => leftOutReasons[reason]);
	return listed([...byReason].map(([reason, { length }]) => `${reason} (${length})`));
}

const leftOutReasons: Readonly<Record<LeftOutReason, string>> = {
	recipientNotAllowed: 'not among Only These Recipients',
	noConsent: 'no consent',
	sameMessage: 'same message',
};

/** `1 (item 3, C-1004 on web)`, or `5, items 0–2 on android; items 0, 1 on web`. */
function nameAll(
	deliveries: readonly SentDelivery[],
	recipientOf: typeof recipientOfDelivery = () => undefined,
): string {
	const [first] = deliveries;
	if (first && deliveries.length === 1)
		return `1 (${itemName(first.itemIndex, recipientOf(first))}${onPlatform(first.platform)})`;
	const groups = [...groupBy(deliveries, ({ platform }) => platform)].map(([platform, group]) => {
		const items = group.map(({ itemIndex }) => itemIndex);
		const names = itemNames(items, (_, index) => group[index] && recipientOf(group[index]));
		return `items ${names}${onPlatform(platform)}`;
	});
	return `${deliveries.length}, ${groups.join('; ')}`;
}

/** What n8n's log says of a run that was stopped or timed out, of which n8n keeps no items. */
export function stoppedLine(
	results: readonly Result[],
	{ settings }: Run,
): [line: string, level: 'info' | 'warn'] {
	const line = `The run was stopped, by hand or by Timeout Workflow. ${tally(results)}`;
	const failed = pickSent(results).filter(hasFailed);
	if (failed.length === 0) return [line, 'info'];
	if (failed.every(({ outcome }) => outcome.outcome !== 'notSent')) return [line, 'warn'];
	const goOn = settings.sendOnce
		? 'Start the workflow again with the same items: Send Once skips what was sent.'
		: 'Start the workflow again with the items that were not sent, and no others.';
	return [`${line}\nn8n keeps no items of this run. ${goOn}`, 'warn'];
}

/** The maximum length of the text about all items, which n8n stores and shows as a whole. */
const MAX_LENGTH = 6_000;
const MAX_MESSAGE = 500;
/** Of more rows with the same problem, only one is named. */
const MAX_ROWS = 5;
/** A hint has so many lines about corrections. */
const MAX_LINES = 5;
/** Up to this many corrections of an agent's call are told in the message itself. */
const MAX_TOLD = 3;

/** How to name a field and an item. */
interface Naming {
	labelOf: ReturnType<typeof labelReader>;
	recipientOf: ReturnType<typeof recipientNamer>;
}

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This attempt sent nothing; the
 * summary also says what earlier attempts sent. Together, message and description stay below 8 kB.
 */
export function invalidSummary(
	plan: Plan,
	run: Run | UnusableRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): FailureText {
	const { concernsAll, earlier } = plan;
	const naming = { labelOf: labelReader(run), recipientOf: recipientNamer(run, items, n8n) };
	const isAgain = run.history.isRetry || concernsAll?.some(({ field }) => field === 'execution');
	const nothing = earlier.length > 0 || isAgain ? 'Nothing more was sent' : 'Nothing was sent';
	const { message, lines } = concernsAll
		? { message: concernsAll.map(({ message }) => message).join('; '), lines: [] }
		: listCorrections(plan, naming, n8n.isTool);
	const before =
		earlier.length > 0 && `Before this attempt: ${tally(earlier, recipientOfDelivery)}`;
	const description = toEditorHtml(compact(...lines, before).join('\n'));
	return {
		message: n8n.mask.text(`${nothing}: ${message}`),
		description: n8n.mask.text(description),
	};
}

const countFromZero = 'Items count from 0.';
const sendOthers = `To send the other items anyway, set On Error in the node's Settings to Continue (using error output). ${countFromZero}`;

/** A single correction is the message itself. Several are counted there, and follow on lines of their own. */
function listCorrections({ invalid, itemCount }: Plan, naming: Naming, isTool: boolean) {
	const { labelOf, recipientOf } = naming;
	const [{ itemIndex, problems } = { itemIndex: 0, problems: [] }] = invalid;
	const sentences = problems.map((problem) => asSentence(inWords(problem, labelOf)));
	// A model reads only the message.
	const isMessage = problems.length === 1 || (isTool && problems.length <= MAX_TOLD);
	if (itemCount === 1 && !isMessage) {
		const labels = new Set(problems.map(({ field }) => labelOf(field)));
		const message = `${problems.length} corrections are needed: ${listed([...labels])}`;
		return { message, lines: limited(sentences) };
	}
	if (invalid.length > 1 || !isMessage) {
		const message = `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, labelOf)}`;
		const last = invalid.length < itemCount ? sendOthers : countFromZero;
		return { message, lines: [...correctionLines(invalid, naming), last] };
	}
	const told = problems.map((problem) => asSentence(withoutPeople(problem, labelOf))).join(' ');
	const message = told.replace(/\.$/, '');
	const whole = sentences.join(' ');
	const recipient = recipientOf(itemIndex);
	const isWhole = told === whole && (itemCount === 1 || recipient === undefined);
	const lines = isWhole ? [] : [`${whole} ${nameRows([itemIndex], recipientOf)}.`];
	if (itemCount === 1) return { message, lines };
	return { message: `${message} (item ${itemIndex})`, lines: [...lines, sendOthers] };
}

/** Fields whose values tell who a person is. */
const personal = ['userID', 'user_id', 'subscription_id', 'email', 'mobile', 'name', 'email_cc'];

/** A problem in words for n8n's log, without the values that tell who a person is. */
function withoutPeople(problem: Problem, labelOf: Naming['labelOf']): string {
	const text = inWords(problem, labelOf);
	// What an expression leaves is nobody's.
	if (!personal.includes(problem.field) || text.includes('which an expression leaves')) return text;
	const afterLabel = text.startsWith(`${labelOf(problem.field)} '`);
	return text.replace(/'[^']*'/g, (value, at: number) => {
		const isValue = /[\d@]/.test(value) || / is $/.test(text.slice(0, at));
		return isValue || (afterLabel && at === text.indexOf("'")) ? "'…'" : value;
	});
}

/** The message of a problem, with the label of its field if the message itself does not name it. */
function inWords({ field, message }: Problem, labelOf: Naming['labelOf']): string {
	const label = labelOf(field);
	const text = oneLine(message, MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/** The values in a message: what is quoted, and what has digits. Expressions are the same for all rows. */
const valuePattern = /(\{\{[^{}]*\}\})|'[^']*'|\d(?:[\w.:-]*\w)?(?: \d\d:\d\d(?::\d\d)?)?/g;

/** What is wrong with rows, for a hint: as the error says it, but no more than a few lines. */
export function correctionsFor(
	results: readonly Result[],
	run: Run | UnusableRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): string[] {
	const invalid = results.filter((result) => result.kind === 'invalid');
	const naming = { labelOf: labelReader(run), recipientOf: recipientNamer(run, items, n8n) };
	const lines = correctionLines(invalid, naming);
	const left = lines.length - MAX_LINES;
	return left > 0 ? [...lines.slice(0, MAX_LINES), `And ${left} more.`] : lines;
}

/** One line for each field and rule, with the items that need the correction. */
function correctionLines(invalid: Plan['invalid'], naming: Naming): string[] {
	const found = invalid.flatMap(({ itemIndex: item, problems }) =>
		problems.map(({ field, message }) => ({ item, field, message: oneLine(message, MAX_MESSAGE) })),
	);
	const byRule = groupBy(found, ({ field, message }) => {
		const rule = message.replace(
			valuePattern,
			(_, expression?: string) => expression?.replace(WITHOUT_DOTS, '') ?? "''",
		);
		return `${field} ${rule}`;
	});
	return limited([...byRule.values()].map((group) => writeLine(group, naming)));
}

/** As many lines as n8n should store and show. */
function limited(all: readonly string[]): string[] {
	const lines: string[] = [];
	let length = 0;
	for (const line of all) {
		length += line.length;
		if (length > MAX_LENGTH) return [...lines, 'The error output lists all corrections.'];
		lines.push(line);
	}
	return lines;
}

/** Problems of several items, which differ only in the values of their rows. */
type Alike = ReadonlyArray<Problem & { item: number }>;

/** The problem, how many rows have it, and one of them as an example; a few are all named. */
function writeLine(group: Alike, { labelOf, recipientOf }: Naming): string {
	const items = [...new Set(group.map(({ item }) => item))];
	const example = group.find(({ message }) => message.includes(WITHOUT_DOTS)) ?? group[0];
	if (!example) return '';
	const found = items.length > MAX_ROWS ? '' : listValues(group);
	const rows = nameRows(items, recipientOf, example.item);
	return `${asSentence(inWords(example, labelOf))} ${rows}.${found}`;
}

/** `Items 0 (C-1), 4 (C-5)`, or `182 items, for example item 0 (C-1)`. */
function nameRows(
	items: readonly number[],
	recipientOf: Naming['recipientOf'],
	example?: number,
): string {
	const heading = items.length === 1 ? 'Item' : 'Items';
	return items.length > MAX_ROWS
		? `${grouped(items.length)} items, for example item ${itemNames([example ?? items[0] ?? 0], recipientOf)}`
		: `${heading} ${itemNames(items, recipientOf)}`;
}

/** Each value and its items, by the first value that differs: ` Found: 'a' (items 0, 3), 'b' (item 1).` */
function listValues(group: Alike): string {
	const rows = group.map(({ message }) => message.match(valuePattern) ?? []);
	const at = rows[0]?.findIndex((value, index) => rows.some((values) => values[index] !== value));
	if (at === undefined || at === -1) return '';
	const byValue = groupBy(group, (_, index) => rows[index]?.[at] ?? '');
	const found = [...byValue].map(([value, same]) => {
		const items = same.map(({ item }) => item);
		return `${value} (${nameItems(items)})`;
	});
	return ` Found: ${listed(found)}.`;
}

/** Ends a text with a full stop, unless it ends as a question. */
function asSentence(text: string): string {
	return text.endsWith('?') ? text : `${text}.`;
}
