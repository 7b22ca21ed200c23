import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { Run, UnusableRun } from '../run/resolveRun';
import { listed, oneLine } from '../shared/formatting';
import {
	hasFailed,
	type NotSentReason,
	type Problem,
	type Result,
	type SentDelivery,
	type SentResult,
} from '../shared/result';
import { describeFailure, type FailureText } from './messages';
import {
	groupBy,
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
	told,
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
	const { message, description } = describeFailure(outcome, run, cause);
	const isOnly = results.length === 1;
	const lines = told(
		description,
		!isOnly && tally(results, recipientOfDelivery),
		!delivery.test && !isTool && whatRetrySends(failed, run),
	);
	return {
		itemIndex: delivery.itemIndex,
		httpCode: 'statusCode' in outcome ? String(outcome.statusCode) : undefined,
		message: isOnly
			? message
			: `${message} (${nameDelivery(delivery, message)}). ${whatHappened(results, run) ?? ''}`,
		description: toEditorHtml(lines.join('\n')),
	};
}

const leftOutBecause: readonly NotSentReason[] = [
	'stopped',
	'serviceUnavailable',
	'credentialsRefused',
	'addressRefused',
];

/** @param message what is said about it, which may name its recipient already */
function nameDelivery(delivery: SentDelivery, message: string): string {
	const { platform, test, itemIndex } = delivery;
	const recipient = recipientOfDelivery(delivery);
	const isNamed = recipient !== undefined && message.includes(` ${recipient} `);
	return `${test ? 'test of ' : ''}${itemName(itemIndex, isNamed ? undefined : recipient)}${onPlatform(platform)}`;
}

/** A message that may have arrived is not repeated. */
function whatRetrySends(failed: readonly SentResult[], { settings, operation }: Run): string {
	const repeatsAll = settings.retryUnknown || operation.overwrites;
	const { length } = failed.filter(({ outcome }) => repeatsAll || outcome.outcome !== 'unknown');
	if (length === 0) return 'Nothing is left to send. Retry changes nothing.';
	return `Retry sends ${length === 1 ? 'it' : `these ${length}`}.`;
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
	const doubts = failed.length - notSent.length;
	const previewed = results.filter(({ kind }) => kind === 'preview').length;
	const accepted = pickAccepted(results).length;
	return told(
		(accepted > 0 || previewed === 0) && `${accepted} accepted`,
		previewed > 0 && `${previewed} previewed`,
		notSent.length > 0 && `${notSent.length} not sent: ${countReasons(notSent, labelReader(run))}`,
		doubts > 0 && `${doubts} may have been delivered`,
	).join(', ');
}

/** `User ID (2), Title (5)`: the first field to correct of each row, or why it was not sent. */
function countReasons(results: readonly Result[], labelOf: (field: string) => string): string {
	const byReason = groupBy(results, (result) => {
		if (result.kind === 'invalid') return labelOf(result.problems[0]?.field ?? '');
		return result.kind === 'sent' && result.outcome.outcome === 'notSent'
			? reasons[result.outcome.reason]
			: 'refused by the service';
	});
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
	internalError: 'mistake in this node',
};

/** Counts the accepted deliveries, and names all others by outcome. n8n's log should hold no recipients. */
function tally(results: readonly Result[], recipientOf?: typeof recipientOfDelivery): string {
	const sent = pickSent(results);
	const accepted = pickAccepted(results);
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = results.filter((result) => result.kind === 'skipped');
	const before = skipped.filter(({ earlierOutcome }) => earlierOutcome === 'accepted').length;
	const doubts = skipped.length - before;
	const list = (kind: string, heading: string) => {
		const which = sent.flatMap(({ outcome, delivery }) =>
			outcome.outcome === kind ? [delivery] : [],
		);
		return which.length > 0 && `${heading}: ${nameAll(which, recipientOf)}.`;
	};
	return told(
		`Accepted: ${accepted.length} of ${sent.length}${earlier === 0 ? '' : `, ${earlier} of them in an earlier attempt`}.`,
		before > 0 && `Sent before, so skipped: ${before}.`,
		doubts > 0 && `May have been delivered before, so skipped: ${doubts}.`,
		list('rejected', 'Refused'),
		list('unknown', 'May have been delivered'),
		list('notSent', 'Not sent'),
	).join('\n');
}

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
/** Up to this many ranges of items are named for one value. */
const MAX_RANGES = 3;
/** Up to this many corrections of a single item are told in the message itself. */
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
		: listCorrections(plan, naming);
	const before =
		earlier.length > 0 && `Before this attempt: ${tally(earlier, recipientOfDelivery)}`;
	const description = toEditorHtml(told(...lines, before).join('\n'));
	return {
		message: n8n.mask.text(`${nothing}: ${message}`),
		description: n8n.mask.text(description),
	};
}

const countFromZero = 'Items count from 0.';
const sendOthers = `To send the other items anyway, set On Error in the node's Settings to Continue (using error output). ${countFromZero}`;

/** Few corrections of a single item are the message itself. Others are counted there, and follow on lines of their own. */
function listCorrections({ invalid, itemCount }: Plan, naming: Naming) {
	const { labelOf, recipientOf } = naming;
	const [{ itemIndex, problems } = { itemIndex: 0, problems: [] }] = invalid;
	if (invalid.length > 1 || problems.length > MAX_TOLD) {
		const message = `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, labelOf)}`;
		const last = invalid.length < itemCount ? sendOthers : countFromZero;
		return { message, lines: [...correctionLines(invalid, naming), last] };
	}
	const sentences = problems.map((problem) => asSentence(inWords(problem, labelOf))).join(' ');
	const message = sentences.replace(/\.$/, '');
	if (itemCount === 1) return { message, lines: [] };
	const name = itemName(itemIndex, recipientOf(itemIndex));
	return { message: `${message} (${name})`, lines: [sendOthers] };
}

/** The message of a problem, with the label of its field if the message itself does not name it. */
function inWords({ field, message }: Problem, labelOf: Naming['labelOf']): string {
	const label = labelOf(field);
	const text = oneLine(message, MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/** The values in a message: what is quoted, and what has digits. Expressions are the same for all rows. */
const valuePattern = /(\{\{[^{}]*\}\})|'[^']*'|\d(?:[\w.:-]*\w)?(?: \d\d:\d\d(?::\d\d)?)?/g;

/** One line for each field and rule, with the items that need the correction. */
function correctionLines(invalid: Plan['invalid'], naming: Naming): string[] {
	const found = invalid.flatMap(({ itemIndex: item, problems }) =>
		problems.map(({ field, message }) => ({ item, field, message: oneLine(message, MAX_MESSAGE) })),
	);
	const byRule = groupBy(found, ({ field, message }) => {
		const rule = message.replace(valuePattern, (_, expression?: string) => expression ?? "''");
		return `${field} ${rule}`;
	});
	const lines: string[] = [];
	let length = 0;
	for (const group of byRule.values()) {
		const line = writeLine(group, naming);
		length += line.length;
		if (length > MAX_LENGTH) return [...lines, 'The error output lists all corrections.'];
		lines.push(line);
	}
	return lines;
}

/** Problems of several items, which differ only in the values of their rows. */
type Alike = ReadonlyArray<Problem & { item: number }>;

function writeLine(group: Alike, { labelOf, recipientOf }: Naming): string {
	const items = [...new Set(group.map(({ item }) => item))];
	const heading = items.length === 1 ? 'Item' : 'Items';
	const text = group[0] ? inWords(group[0], labelOf) : '';
	return `${heading} ${itemNames(items, recipientOf)}: ${asSentence(text)}${listValues(group)}`;
}

/** Each value and its items, by the first value that differs: ` Found: 'a' (items 0, 3), 'b' (item 1).` */
function listValues(group: Alike): string {
	const rows = group.map(({ message }) => message.match(valuePattern) ?? []);
	const at = rows[0]?.findIndex((value, index) => rows.some((values) => values[index] !== value));
	if (at === undefined || at === -1) return '';
	const byValue = groupBy(group, (_, index) => rows[index]?.[at] ?? '');
	const found = [...byValue].map(([value, same]) => {
		const items = same.map(({ item }) => item);
		return `${value} (${nameItems(items, MAX_RANGES)})`;
	});
	return ` Found: ${listed(found)}.`;
}

/** Ends a text with a full stop, unless it ends as a question. */
function asSentence(text: string): string {
	return text.endsWith('?') ? text : `${text}.`;
}
