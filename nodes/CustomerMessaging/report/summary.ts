import type { Run, UnusableRun } from '../run/resolveRun';
import {
	type NotSentReason,
	hasFailed,
	type Result,
	type SentDelivery,
	type SentResult,
	type Problem,
	type InvalidResult,
} from '../shared/result';
import {
	itemName,
	nameItem,
	itemNames,
	recipientOfDelivery,
	labelReader,
	type RecipientOf,
} from './names';
import { listed, asSentence, nameItems, oneLine, count } from '../shared/formatting';
import { describeFailure, type FailureText } from './messages';
import { toEditorHtml } from './previewPage';
import type { Plan } from '../plan/plan';
import type { History } from '../run/sendOnce';

/** Summarizes why a run ended and the outcomes of all its deliveries, for On Error: Stop Workflow. */
export function stopSummary(
	results: readonly Result[],
	run: Run,
	isTool: boolean,
): FailureText & { itemIndex?: number; httpCode?: string } {
	const failed = pickSent(results).filter(hasFailed);
	// Most unsent messages are the consequence of another failure, so that one is named.
	const causes = failed.filter(({ outcome }) => !isLeftOut(outcome));
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.outcome.outcome === 'accepted')
		return { message: tally(results, recipientOfDelivery), description: '' };

	const { message, description } = describeFailure(cause.outcome, run, cause);
	const isOnly = results.length === 1;
	const ofAll = ` (${nameDelivery(cause, message)}). ${whatHappened(results, run) ?? ''}`;
	const retry = cause.delivery.test || isTool ? [] : [whatRetrySends(failed, run)];
	return {
		itemIndex: cause.delivery.itemIndex,
		httpCode: 'statusCode' in cause.outcome ? String(cause.outcome.statusCode) : undefined,
		message: isOnly ? message : message + ofAll,
		description: toEditorHtml(
			[description, ...(isOnly ? [] : [tally(results, recipientOfDelivery)]), ...retry].join('\n'),
		),
	};
}

/** A message that may have arrived is not repeated. */
function whatRetrySends(failed: readonly SentResult[], { settings, operation }: Run): string {
	const repeatsUnknown = settings.retryUnknown || operation.overwrites;
	const { length } = failed.filter(
		({ outcome }) => outcome.outcome !== 'unknown' || repeatsUnknown,
	);
	if (length === 0) return 'Nothing is left to send. Retry changes nothing.';
	return `Retry sends ${length === 1 ? 'it' : `these ${length}`}.`;
}

/**
 * `190 accepted, 7 not sent: User ID (2), Title (5), 3 may have been delivered`; undefined if nothing was
 * left out.
 */
export function whatHappened(
	results: readonly Result[],
	run: Run | UnusableRun,
): string | undefined {
	const failed = results.filter(hasFailed);
	if (failed.length === 0) return undefined;
	const isUnknown = (result: Result) =>
		result.kind === 'sent' && result.outcome.outcome === 'unknown';
	const notSent = failed.filter((result) => !isUnknown(result));
	const doubts = failed.length - notSent.length;
	const previewed = results.filter(({ kind }) => kind === 'preview').length;
	const accepted = pickSent(results).length - failed.filter(({ kind }) => kind === 'sent').length;
	return [
		...(accepted > 0 || previewed === 0 ? [`${accepted} accepted`] : []),
		...(previewed > 0 ? [`${previewed} previewed`] : []),
		...(notSent.length > 0
			? [`${notSent.length} not sent: ${countReasons(notSent, labelReader(run))}`]
			: []),
		...(doubts > 0 ? [`${doubts} may have been delivered`] : []),
	].join(', ');
}

/** `User ID (2), Title (5)`: the first field to correct of each row, or why it was not sent. */
export function countReasons(
	results: readonly Result[],
	labelOf: (field: string) => string,
): string {
	const counts = new Map<string, number>();
	for (const result of results) {
		const reason = nameReason(result, labelOf);
		counts.set(reason, (counts.get(reason) ?? 0) + 1);
	}
	return listed([...counts].map(([reason, count]) => `${reason} (${count})`));
}

function nameReason(result: Result, labelOf: (field: string) => string): string {
	if (result.kind === 'invalid') return labelOf(result.problems[0]?.field ?? '');
	return result.kind === 'sent' && result.outcome.outcome === 'notSent'
		? reasons[result.outcome.reason]
		: 'refused by the service';
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

/**
 * Counts the accepted deliveries, and names the items of all others by outcome.
 *
 * @param recipientOf how to name the recipients of few items; n8n's log should hold none
 */
export function tally(
	results: readonly Result[],
	recipientOf: (delivery: SentDelivery) => string | undefined = () => undefined,
): string {
	const sent = pickSent(results);
	const accepted = sent.filter((result) => !hasFailed(result));
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = results.filter((result) => result.kind === 'skipped');
	const skippedUnknown = skipped.filter(
		({ earlierOutcome }) => earlierOutcome === 'unknown',
	).length;
	const skippedAccepted = skipped.length - skippedUnknown;
	return [
		`Accepted: ${accepted.length} of ${sent.length}${earlier === 0 ? '' : `, ${earlier} of them in an earlier attempt`}.`,
		...(skippedAccepted > 0 ? [`Sent before, so skipped: ${skippedAccepted}.`] : []),
		...(skippedUnknown > 0
			? [`May have been delivered before, so skipped: ${skippedUnknown}.`]
			: []),
		...list(sent, 'rejected', 'Refused', recipientOf),
		...list(sent, 'unknown', 'May have been delivered', recipientOf),
		...list(sent, 'notSent', 'Not sent', recipientOf),
	].join('\n');
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

function pickSent(results: readonly Result[]): SentResult[] {
	return results.filter((result) => result.kind === 'sent');
}

function list(
	sent: SentResult[],
	outcome: string,
	heading: string,
	recipientOf: (delivery: SentDelivery) => string | undefined,
): string[] {
	const which = sent.filter((result) => result.outcome.outcome === outcome);
	if (which.length === 0) return [];
	const [only] = which.length === 1 ? which : [];
	if (only) {
		const { itemIndex, platform } = only.delivery;
		const name = itemName(itemIndex, recipientOf(only.delivery));
		return [`${heading}: 1 (${name}${platform ? ` on ${platform}` : ''}).`];
	}
	const platforms = unique(which.map(({ delivery }) => delivery.platform));
	const groups = platforms.map((platform) => {
		const deliveries = which
			.map(({ delivery }) => delivery)
			.filter((delivery) => delivery.platform === platform);
		const byItem = new Map(deliveries.map((delivery) => [delivery.itemIndex, delivery]));
		const names = itemNames([...byItem.keys()], (item) => {
			const delivery = byItem.get(item);
			return delivery && recipientOf(delivery);
		});
		return names + (platform ? ` on ${platform}` : '');
	});
	return [`${heading}: ${which.length}, items ${groups.join('; items ')}.`];
}

const leftOutBecause: readonly NotSentReason[] = [
	'stopped',
	'serviceUnavailable',
	'credentialsRefused',
	'addressRefused',
];

function isLeftOut(outcome: SentResult['outcome']): boolean {
	return outcome.outcome === 'notSent' && leftOutBecause.includes(outcome.reason);
}

/** @param message what is said about it, which may name its recipient already */
function nameDelivery({ delivery }: SentResult, message: string): string {
	const { platform, test, itemIndex } = delivery;
	const recipient = recipientOfDelivery(delivery);
	const isNamed = recipient !== undefined && message.includes(` ${recipient} `);
	const item = isNamed ? `item ${itemIndex}` : nameItem(delivery);
	return `${test ? 'test of ' : ''}${item}${platform ? ` on ${platform}` : ''}`;
}

function unique<T>(values: readonly T[]): T[] {
	return [...new Set(values)];
}

/** The maximum length of the text about all items, which n8n stores and shows as a whole. */
const MAX_LENGTH = 6_000;
const MAX_MESSAGE = 500;
/** Up to this many ranges of items are named for one value. */
const MAX_RANGES = 3;

/** What the lines need in addition to the problems. */
export interface Naming {
	labelOf: (field: string) => string;
	recipientOf: RecipientOf;
}

/** The message of a problem, with the label of its field if the message itself does not name it. */
export function inWords({ field, message }: Problem, labelOf: Naming['labelOf']): string {
	const label = labelOf(field);
	const text = oneLine(message, MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/** Items that need the same correction. */
interface Group {
	field: string;
	/** The messages differ only in the values of their rows. */
	problems: Array<{ item: number; message: string }>;
}

/** One line for each field and rule, with the items that need the correction. */
export function correctionLines(invalid: readonly InvalidResult[], naming: Naming): string[] {
	const groups = groupProblems(invalid);
	const lines: string[] = [];
	let length = 0;
	for (const group of groups) {
		const line = writeLine(group, naming);
		length += line.length;
		if (length > MAX_LENGTH) break;
		lines.push(line);
	}
	const left = groups.slice(lines.length).flatMap(listItems);
	if (left.length === 0) return lines;
	const items = [...new Set(left)].sort((one, other) => one - other);
	return [
		...lines,
		`Further corrections are needed in ${nameItems(items)}. The error output lists all of them.`,
	];
}

function groupProblems(invalid: readonly InvalidResult[]): Group[] {
	const groups = new Map<string, Group>();
	for (const { itemIndex: item, problems } of invalid) {
		for (const problem of problems) {
			const { field } = problem;
			const message = oneLine(problem.message, MAX_MESSAGE);
			const key = `${field} ${findRule(message)}`;
			const group = groups.get(key) ?? { field, problems: [] };
			group.problems.push({ item, message });
			groups.set(key, group);
		}
	}
	return [...groups.values()];
}

/** The values in a message: what is quoted, and what has digits. Expressions are the same for all rows. */
const valuePattern = /(\{\{[^{}]*\}\})|'[^']*'|\d(?:[\w.:-]*\w)?(?: \d\d:\d\d(?::\d\d)?)?/g;

/** A message without the values of its row. */
function findRule(message: string): string {
	return message.replace(valuePattern, (_, expression?: string) => expression ?? "''");
}

function findValues(message: string): string[] {
	return [...message.matchAll(valuePattern)].map(([value]) => value);
}

function writeLine({ field, problems }: Group, { labelOf, recipientOf }: Naming): string {
	const items = listItems({ problems });
	const heading = items.length === 1 ? 'Item' : 'Items';
	const [{ message } = { message: '' }] = problems;
	const text = inWords({ field, message }, labelOf);
	return `${heading} ${itemNames(items, recipientOf)}: ${asSentence(text)}${listValues(problems)}`;
}

function listItems({ problems }: Pick<Group, 'problems'>): number[] {
	return [...new Set(problems.map(({ item }) => item))];
}

/** Each value and its items, by the first value that differs: ` Found: 'a' (items 0, 3), 'b' (item 1).` */
function listValues(problems: Group['problems']): string {
	const rows = problems.map(({ item, message }) => ({ item, values: findValues(message) }));
	const at = rows[0]?.values.findIndex((value, index) =>
		rows.some(({ values }) => values[index] !== value),
	);
	if (at === undefined || at === -1) return '';
	const itemsOf = new Map<string, number[]>();
	for (const { item, values } of rows) {
		const value = values[at] ?? '';
		const items = itemsOf.get(value) ?? [];
		items.push(item);
		itemsOf.set(value, items);
	}
	const found = [...itemsOf].map(([value, items]) => `${value} (${nameItems(items, MAX_RANGES)})`);
	return ` Found: ${listed(found)}.`;
}

/** Up to this many corrections of a single item are told in the message itself. */
const MAX_TOLD = 3;

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This attempt sent nothing; the
 * summary also says what earlier attempts sent. Together, message and description stay below 8 kB.
 */
export function invalidSummary(plan: Plan, { isRetry }: History, naming: Naming): FailureText {
	const { concernsAll, earlier } = plan;
	const isAgain = isRetry || concernsAll?.some(({ field }) => field === 'execution');
	const nothing = earlier.length > 0 || isAgain ? 'Nothing more was sent' : 'Nothing was sent';
	const { message, lines } = concernsAll
		? { message: concernsAll.map(({ message }) => message).join('; '), lines: [] }
		: plan.invalid.length === 1
			? aboutOne(plan, naming)
			: aboutSeveral(plan, naming);
	const before =
		earlier.length > 0 ? [`Before this attempt: ${tally(earlier, recipientOfDelivery)}`] : [];
	return {
		message: `${nothing}: ${message}`,
		description: toEditorHtml([...lines, ...before].join('\n')),
	};
}

interface Told {
	message: string;
	lines: string[];
}

function aboutOne({ invalid, itemCount }: Plan, naming: Naming): Told {
	const [{ itemIndex, problems } = { itemIndex: 0, problems: [] }] = invalid;
	const told = problems.slice(0, MAX_TOLD).map((problem) => inWords(problem, naming.labelOf));
	const more = problems.length - told.length;
	const rest = more > 0 ? [`${count(more, 'more correction')} below`] : [];
	const name = itemName(itemIndex, naming.recipientOf(itemIndex));
	return {
		message: `${[...told, ...rest].map(asSentence).join(' ').replace(/\.$/, '')}${itemCount > 1 ? ` (${name})` : ''}`,
		lines: [
			...(more > 0 ? correctionLines(invalid, naming) : []),
			...(itemCount > 1 ? [sendOthers] : []),
		],
	};
}

function aboutSeveral({ invalid, itemCount }: Plan, naming: Naming): Told {
	return {
		message: `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, naming.labelOf)}`,
		lines: [
			...correctionLines(invalid, naming),
			...(invalid.length < itemCount ? [sendOthers] : [countFromZero]),
		],
	};
}

const countFromZero = 'Items count from 0.';

const sendOthers = `To send the other items anyway, set On Error in the node's Settings to Continue (using error output). ${countFromZero}`;
