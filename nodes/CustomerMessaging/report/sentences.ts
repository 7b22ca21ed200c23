import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import { countMessages } from '../plan/counts';
import type { Plan } from '../plan/plan';
import type { KnownRun, Run } from '../run/resolveRun';
import {
	hasFailed,
	isSent,
	type Problem,
	type Result,
	type SentDelivery,
	type SentResult,
} from '../shared/ending';
import { grouped, listed, oneLine, onPlatform, tell, tellLog } from '../shared/formatting';
import { groupBy } from '../shared/slices';
import {
	asSentence,
	compact,
	inHeading,
	itemsOf,
	itemsOnly,
	labelReader,
	MAX_NAMED,
	pick,
	recipientNamer,
	recipientOfDelivery,
	toEditorHtml,
} from './naming';
import { describeFailure, isConsequence, n8nFailure, shortReason } from './reasons';

/** The error of Stop Workflow: the root failure, and the outcomes of all messages. Undefined if nothing failed. */
export function stopSummary(
	results: readonly Result[],
	run: Run,
	n8n: Pick<N8n, 'isTool' | 'now'>,
) {
	const failed = results.filter(isSent).filter(hasFailed);
	// Report the root failure: most unsent messages are the consequence of another one.
	const causes = failed.filter(({ ending }) => !isConsequence(ending));
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.ending.kind === 'accepted') return undefined;
	const { delivery, ending } = cause;
	// n8n writes the message of a failed execution to its log, so it names no people. The description does.
	const [message, advice] = describeFailure(ending, run, delivery, true);
	const isOnly = results.length === 1;
	const recipient = recipientOfDelivery(delivery);
	const lines = compact(
		advice,
		isOnly ? recipient && `Recipient: ${recipient}.` : tally(results, itemsOf),
		listSentence(results, run),
		!delivery.test && !n8n.isTool && whatRetrySends(failed, run),
	);
	const where = compact(`item ${delivery.itemIndex}`, delivery.audience).join(', ');
	const { values } = ending;
	return {
		itemIndex: delivery.itemIndex,
		httpCode: values && 'statusCode' in values ? String(values.statusCode) : undefined,
		failure: n8nFailure(ending, run, n8n.now()),
		message: isOnly
			? message
			: `${message} (${where}${onPlatform(delivery.platform)}). ${whatHappened(results, run) ?? ''}`,
		description: toEditorHtml(lines.join('\n')),
	};
}

/** True if a retry was stopped before it knew. Its text says what to do. */
function isUnclear({ ending }: SentResult): boolean {
	return ending.kind === 'unknown' && ending.code === 'stopped';
}

/** A message that may have arrived is not repeated, and once it was reported, it stops no retry of this execution. */
function whatRetrySends(failed: readonly SentResult[], run: Run): string {
	if (failed.some(isUnclear)) return '';
	const { settings, operation } = run;
	const repeatsAll = settings.retryUnknown || operation.isIdempotent;
	const { length } = failed.filter(({ ending }) => repeatsAll || ending.kind !== 'unknown');
	return compact(
		length > 0 &&
			`Retry sends the ${length} that ${length === 1 ? 'was' : 'were'} not sent: in Executions, the arrow beside this run.`,
		length < failed.length &&
			'Retry this execution to go on without what may have been delivered: that is not sent again.',
	).join(' ');
}

/** Messages that other executions had sent, or may have sent, so that this one skipped them. */
export function skippedAs(outcome: 'accepted' | 'unknown', results: readonly Result[]) {
	return pick(results, 'skipped').filter(({ ending }) => ending.values?.earlierOutcome === outcome);
}

/** Of a list that is run again by hand, how many had got it. */
export function listSentence(
	results: readonly Result[],
	{ settings }: KnownRun,
	itemCount = new Set(results.map(({ delivery }) => delivery.itemIndex)).size,
): string | undefined {
	// Of what its keys skipped, there is a sentence of its own.
	if (settings?.sendOnce) return undefined;
	const countOf = (some: ReadonlyArray<{ delivery: SentDelivery }>) =>
		countMessages(some.map(({ delivery }) => delivery));
	const before = countOf(skippedAs('accepted', results));
	if (before === 0) return undefined;
	const now = countOf(pick(results, 'accepted').filter(({ sentBefore }) => !sentBefore));
	return `${grouped(before)} of these ${grouped(itemCount)} got this message from this node today; ${grouped(now)} ${now === 1 ? 'was' : 'were'} sent now. To send it to everyone again on purpose, turn on 'Allow Duplicates' under Options.`;
}

/** `190 accepted, 2 skipped, 7 not sent: Title (7), 3 may have been delivered`; undefined if nothing failed. */
export function whatHappened(results: readonly Result[], run: KnownRun): string | undefined {
	const failed = results.filter(hasFailed);
	if (failed.length === 0) return undefined;
	const notSent = failed.filter(({ ending }) => ending.kind !== 'unknown');
	const [accepted, previewed, skipped, doubts] = (
		['accepted', 'preview', 'skipped', 'unknown'] as const
	).map((kind) => pick(results, kind).length);
	return compact(
		(accepted || !previewed) && `${accepted} accepted`,
		previewed && `${previewed} previewed`,
		skipped && `${skipped} skipped`,
		notSent.length && `${notSent.length} not sent: ${countReasons(notSent, labelReader(run))}`,
		// Also those that an earlier execution has reported.
		doubts && `${doubts} may have been delivered`,
	).join(', ');
}

/** `User ID (2), Title (5)`: the fields to correct of each row, or why it was not sent. */
function countReasons(results: readonly Result[], labelOf: (field: string) => string): string {
	const all = results.flatMap(({ ending }) => {
		if (ending.kind !== 'invalid') return shortReason(ending) ?? [];
		return [...new Set(ending.values.problems.map(({ field }) => labelOf(field)))];
	});
	return countEach(all);
}

/** `same message (2), no consent (1)`. */
function countEach(reasons: readonly string[]): string {
	const byReason = groupBy(reasons, (reason) => reason);
	return listed([...byReason].map(([reason, { length }]) => `${reason} (${length})`));
}

/** Counts the accepted and skipped messages, and names all others by outcome; without recipients for n8n's log. */
function tally(results: readonly Result[], write: typeof itemsOf = itemsOnly): string {
	const accepted = pick(results, 'accepted');
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = pick(results, 'skipped').flatMap(({ ending }) => shortReason(ending) ?? []);
	const counted = (number: number) => (number > 0 ? String(number) : '');
	const named = (kind: 'invalid' | 'rejected' | 'unknown' | 'notSent') => {
		const deliveries = pick(results, kind).map(({ delivery }) => delivery);
		const groups = [...groupBy(deliveries, ({ platform }) => platform)].map(
			([platform, group]) => write(group) + onPlatform(platform),
		);
		return groups.length > 0 ? `${deliveries.length}, ${groups.join('; ')}` : '';
	};
	const outcomes = {
		Accepted: `${accepted.length} of ${results.filter(isSent).length}${earlier > 0 ? `, ${earlier} of them in an earlier attempt` : ''}`,
		'Sent before, so skipped': counted(skippedAs('accepted', results).length),
		'May have been delivered before, so skipped': counted(skippedAs('unknown', results).length),
		Skipped: countEach(skipped),
		'Not valid': named('invalid'),
		Refused: named('rejected'),
		'May have been delivered': named('unknown'),
		'Not sent': named('notSent'),
	};
	return Object.entries(outcomes)
		.filter(([, text]) => text !== '')
		.map(([name, text]) => `${name}: ${text}.`)
		.join('\n');
}

/** The line for n8n's log about a run that was stopped or timed out, because n8n keeps no items of it. */
export function stoppedLine(results: readonly Result[], run: Run) {
	const failed = results.filter(isSent).filter(hasFailed);
	const lines = compact(
		`The run was stopped, by hand or by Timeout Workflow. ${tally(results)}`,
		listSentence(results, run),
		howToGoOn(failed, run),
	);
	return [lines.join('\n'), failed.length === 0 ? 'info' : 'warn'] as const;
}

function howToGoOn(failed: readonly SentResult[], run: Run): string | undefined {
	if (failed.some(isUnclear))
		return 'What other attempts sent was not looked up yet. Retry the execution again: it sends only what was not sent.';
	if (pick(failed, 'notSent').length === 0) return undefined;
	// By hand, the next run skips what this one sent.
	const isListADay =
		run.history.startedByHand === true &&
		failed.some(({ delivery }) => delivery.ownKeys && !delivery.ignoresKeys);
	const goOn =
		run.settings.sendOnce || isListADay
			? `Start it again${run.settings.sendOnce ? '' : ' by hand today'} with the same items: what was sent is skipped.`
			: 'Start the workflow again with the items that were not sent, and no others.';
	return `n8n keeps no items of this run. ${goOn}`;
}

const MAX_MESSAGE = 500;
/** n8n stores and shows all lines. */
const MAX_LINES = 20;
/** Up to this many corrections of an agent's call are told in the message: a model reads nothing else. */
const MAX_TOLD = 3;

const sendOthers =
	"To send the other items anyway, set On Error in the node's Settings to Continue (using error output).";

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This run sent nothing; the summary also says
 * what earlier attempts sent.
 */
export function invalidSummary(
	plan: Plan,
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'hasOthersArguments' | 'isTool' | 'memory' | 'mask' | 'read' | 'raw'>,
) {
	const { concernsAll, earlier, invalid } = plan;
	const isAgain =
		run.history.isRetry ||
		n8n.hasOthersArguments ||
		concernsAll?.some(({ field }) => field === 'execution');
	const isLaterRound = !n8n.isTool && n8n.memory().runIndex > 0;
	const isMore = isLaterRound || earlier.length > 0 || isAgain;
	const nothing = `Nothing ${isMore ? 'more ' : ''}was sent`;
	const { message, lines } = concernsAll
		? tellAll(concernsAll)
		: tellRows(plan, run, n8n.isTool, correctionsFor(invalid, run, items, n8n));
	const before = earlier.length > 0 && `Before this attempt: ${tally(earlier, itemsOf)}`;
	return {
		itemIndex: invalid[0]?.delivery.itemIndex ?? 0,
		failure: { cause: 'configuration-invalid' },
		message: n8n.mask.text(`${nothing}: ${message}`),
		description: n8n.mask.text(toEditorHtml(compact(...lines, before).join('\n'))),
	};
}

/** A problem of all items is the message itself. Its values follow, which n8n's log must not hold. */
function tellAll(problems: readonly Problem[]) {
	const message = problems.map(tellLog).join('; ');
	const whole = problems.map(tell).join('; ');
	return { message, lines: message === whole ? [] : [asSentence(whole)] };
}

/** A single correction is the message itself. Several are counted there, and follow on lines of their own. */
function tellRows(
	{ invalid, itemCount }: Plan,
	run: KnownRun,
	isTool: boolean,
	corrections: readonly string[],
) {
	const labelOf = labelReader(run);
	const [first] = invalid;
	const { problems = [] } = first?.ending.values ?? {};
	const lines = compact(...corrections, invalid.length < itemCount && sendOthers);
	const isList = itemCount > 1;
	if (invalid.length > 1 || problems.length > (isTool ? MAX_TOLD : 1)) {
		const labels = new Set(problems.map(({ field }) => labelOf(field)));
		const message = isList
			? `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, labelOf)}`
			: `${problems.length} corrections are needed: ${listed([...labels])}`;
		return { message, lines };
	}
	const message = problems.map((problem) => inWords(problem, labelOf, tellLog)).join('. ');
	if (isList) return { message: `${message} (item ${first?.delivery.itemIndex})`, lines };
	const isWhole = problems.every((problem) => tell(problem) === tellLog(problem));
	return { message, lines: isWhole ? [] : lines };
}

/** The sentence of a problem, with the label of its field if the sentence itself does not name it. */
function inWords(problem: Problem, labelOf: (field: string) => string, write = tell): string {
	const label = labelOf(problem.field);
	const text = oneLine(write(problem), MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/**
 * One line for each field and rule: an example, and the items that need the correction, such as
 * `Items 0 (C-1), 4 (C-5)` or `182 items, for example item 0 (C-1)`.
 */
export function correctionsFor(
	results: readonly Result[],
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'read' | 'raw'>,
): string[] {
	const labelOf = labelReader(run);
	const recipientOf = recipientNamer(run, items, n8n);
	const found = pick(results, 'invalid').flatMap(({ delivery, ending }) =>
		ending.values.problems.map((problem) => ({ ...delivery, problem })),
	);
	const byRule = groupBy(found, ({ problem: { field, rule } }) => `${field} ${rule}`);
	const lines = [...byRule.values()].map((rows) => {
		const [example] = rows;
		const sentence = asSentence(inWords(example.problem, labelOf));
		if (items.length <= 1) return sentence;
		const { size } = new Set(rows.map(({ itemIndex }) => itemIndex));
		// Of more, one is named.
		return size > MAX_NAMED
			? `${sentence} ${grouped(size)} items, for example ${itemsOf([example], recipientOf)}.`
			: `${sentence} ${inHeading(itemsOf(rows, recipientOf))}.`;
	});
	const left = lines.length - MAX_LINES;
	return left > 0 ? [...lines.slice(0, MAX_LINES), `And ${left} more.`] : lines;
}
