import type { N8n } from '../n8n/context';
import type { Run, KnownRun } from '../run/resolveRun';
import { listed } from '../shared/formatting';
import {
	hasFailed,
	type Result,
	type SentDelivery,
	type SentResult,
	type SentEnding,
} from '../shared/ending';
import { groupBy } from '../shared/slices';
import { quoteAnswer } from './advice';
import { describeFailure, isConsequence, n8nFailure, shortReason } from './failures';
import { isListADay, listSentence, skippedAs } from './repeats';
import {
	asSentence,
	itemNames,
	itemNumbers,
	labelReader,
	onPlatform,
	pickAccepted,
	pickInvalid,
	pickSent,
	pickSkipped,
	recipientOfDelivery,
	toEditorHtml,
	compact,
	isPreview,
} from './names';

/** The error of Stop Workflow: the root failure, and the outcomes of all messages. Undefined if nothing failed. */
export function stopSummary(
	results: readonly Result[],
	run: Run,
	{ isTool, now, raw }: Pick<N8n, 'isTool' | 'now' | 'raw'>,
) {
	const failed = pickSent(results).filter(hasFailed);
	// Report the root failure: most unsent messages are the consequence of another one.
	const causes = failed.filter(({ ending }) => !isConsequence(ending));
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.ending.kind === 'accepted') return undefined;
	const { delivery, ending } = cause;
	// n8n writes the message of a failed execution to its log, so it names no people. The description does.
	const audience = delivery.test ? undefined : delivery.audience;
	const about = { ...cause, isLogged: true };
	const [message, description] = describeFailure(ending, run, about);
	const isOnly = results.length === 1;
	// By hand, a list of messages may only be shown.
	const sendsAll = !run.operation.isMessage || raw('testRuns') === 'send';
	const recipient = recipientOfDelivery(delivery);
	const lines = compact(
		whatWasSaid(ending),
		description,
		isOnly ? recipient && `Recipient: ${recipient}.` : tally(results, recipientOfDelivery),
		listSentence(results, run),
		!delivery.test && !isTool && whatRetrySends(failed, run, sendsAll ? results.length : 0),
	);
	return {
		itemIndex: delivery.itemIndex,
		httpCode: statusOf(ending),
		failure: n8nFailure(ending, run, now()),
		message: isOnly
			? message
			: `${message} (${nameDelivery(delivery, audience)}). ${whatHappened(results, run) ?? ''}`,
		description: toEditorHtml(lines.join('\n')),
	};
}

/** The status that came back, as n8n's error holds it. */
function statusOf({ values }: SentEnding): string | undefined {
	return values && 'statusCode' in values ? String(values.statusCode) : undefined;
}

/** The service's answer, for the description of the error. The message goes to n8n's log, which must name nobody. */
function whatWasSaid({ kind, values }: SentEnding): string | undefined {
	if (kind === 'rejected' && values.redirectsTo !== undefined)
		return `It redirects to ${values.redirectsTo}.`;
	const answer = values && 'response' in values ? quoteAnswer(values.response) : '';
	return answer === '' ? undefined : `The service answered: ${asSentence(answer)}`;
}

/** `item 3, C-1004 on web` */
function nameDelivery({ platform, test, itemIndex }: SentDelivery, recipient?: string): string {
	const named = recipient === undefined ? '' : `, ${recipient}`;
	return `${test ? 'test of ' : ''}item ${itemIndex}${named}${onPlatform(platform)}`;
}

/** True if a retry was stopped before it knew. Its text says what to do. */
function isUnclear({ ending }: SentResult): boolean {
	return ending.kind === 'unknown' && ending.code === 'stopped';
}

/** A message that may have arrived is not repeated, and once it was reported, it stops no retry of this execution. */
function whatRetrySends(failed: readonly SentResult[], run: Run, totalByHand: number): string {
	if (failed.some(isUnclear)) return '';
	const { settings, operation } = run;
	const repeatsAll = settings.retryUnknown || operation.isIdempotent;
	const { length } = failed.filter(({ ending }) => repeatsAll || ending.kind !== 'unknown');
	const doubts = failed.length - length;
	const goesOn =
		doubts > 0 &&
		`${length > 0 ? 'It goes' : 'Retry this execution to go'} on without ${doubts === 1 ? 'the one that' : `the ${doubts} that`} may have been delivered: ${doubts === 1 ? 'that one is' : 'these are'} not sent again, and what follows is reached.`;
	const all =
		failed.length < totalByHand && !settings.sendOnce && !isListADay(failed, run)
			? ` Execute step would send all ${totalByHand} again.`
			: '';
	return compact(
		length > 0 &&
			`Retry sends ${length === 1 ? 'the one that was not sent' : `the ${length} that were not sent`}: in Executions, the arrow beside this run.${all}`,
		goesOn,
	).join(' ');
}

/** `190 accepted, 2 skipped, 7 not sent: Title (7), 3 may have been delivered`; undefined if nothing failed. */
export function whatHappened(results: readonly Result[], run: KnownRun): string | undefined {
	const failed = results.filter(hasFailed);
	if (failed.length === 0) return undefined;
	const notSent = failed.filter(({ ending }) => ending.kind !== 'unknown');
	// Also those that an earlier execution has reported.
	const doubts = pickSent(results).filter(({ ending }) => ending.kind === 'unknown').length;
	const previewed = results.filter(isPreview).length;
	const skipped = pickSkipped(results).length;
	const accepted = pickAccepted(results).length;
	return compact(
		(accepted > 0 || previewed === 0) && `${accepted} accepted`,
		previewed > 0 && `${previewed} previewed`,
		skipped > 0 && `${skipped} skipped`,
		notSent.length > 0 && `${notSent.length} not sent: ${countReasons(notSent, labelReader(run))}`,
		doubts > 0 && `${doubts} may have been delivered`,
	).join(', ');
}

/** `User ID (2), Title (5)`: the fields to correct of each row, or why it was not sent. */
export function countReasons(
	results: readonly Result[],
	labelOf: (field: string) => string,
): string {
	const all = results.flatMap(({ ending: result }) => {
		if (result.kind === 'invalid')
			return [...new Set(result.values.problems.map(({ field }) => labelOf(field)))];
		return shortReason(result) ?? [];
	});
	return countEach(all);
}

/** `same message (2), no consent (1)`. */
function countEach(reasons: readonly string[]): string {
	const byReason = groupBy(reasons, (reason) => reason);
	return listed([...byReason].map(([reason, { length }]) => `${reason} (${length})`));
}

/** The outcomes of all messages, as text; without recipients for n8n's log. */
export function tally(
	results: readonly Result[],
	recipientOf?: typeof recipientOfDelivery,
): string {
	return countOutcomes(results, recipientOf)
		.map(({ name, text }) => `${name}: ${text}.`)
		.join('\n');
}

/** Counts the accepted and skipped deliveries, and names all others by outcome. */
function countOutcomes(
	results: readonly Result[],
	recipientOf?: typeof recipientOfDelivery,
): Array<{ name: string; text: string }> {
	const sent = pickSent(results);
	const accepted = pickAccepted(results);
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = pickSkipped(results);
	const before = skippedAs('accepted', results).length;
	const doubts = skippedAs('unknown', results).length;
	const leftOut = skipped.flatMap(({ ending }) => shortReason(ending) ?? []);
	const invalid = pickInvalid(results);
	const named = (which: readonly SentDelivery[]) =>
		which.length > 0 ? nameAll(which, recipientOf) : '';
	const ended = (kind: string) =>
		named(sent.flatMap(({ ending, delivery }) => (ending.kind === kind ? [delivery] : [])));
	const inAll = `${accepted.length} of ${sent.length}`;
	return [
		{
			name: 'Accepted',
			text: earlier === 0 ? inAll : `${inAll}, ${earlier} of them in an earlier attempt`,
		},
		{ name: 'Sent before, so skipped', text: before > 0 ? String(before) : '' },
		{ name: 'May have been delivered before, so skipped', text: doubts > 0 ? String(doubts) : '' },
		{ name: 'Skipped', text: countEach(leftOut) },
		{ name: 'Not valid', text: named(invalid.map(({ delivery }) => delivery)) },
		{ name: 'Refused', text: ended('rejected') },
		{ name: 'May have been delivered', text: ended('unknown') },
		{ name: 'Not sent', text: ended('notSent') },
	].filter(({ text }) => text !== '');
}

/** `1 (item 3, C-1004 on web)`, or `5, items 0–2 on android; items 0, 1 on web`. */
function nameAll(
	deliveries: readonly SentDelivery[],
	recipientOf?: typeof recipientOfDelivery,
): string {
	const [first] = deliveries;
	if (first && deliveries.length === 1) return `1 (${nameDelivery(first, recipientOf?.(first))})`;
	const groups = [...groupBy(deliveries, ({ platform }) => platform)].map(([platform, group]) => {
		const items = group.map(({ itemIndex }) => itemIndex);
		const names = recipientOf
			? itemNames(items, (_, index) => group[index] && recipientOf(group[index]))
			: itemNumbers(items);
		return `items ${names}${onPlatform(platform)}`;
	});
	return `${deliveries.length}, ${groups.join('; ')}`;
}

/** The line for n8n's log about a run that was stopped or timed out, because n8n keeps no items of it. */
export function stoppedLine(
	results: readonly Result[],
	run: Run,
): [line: string, level: 'info' | 'warn'] {
	const told = compact(tally(results), listSentence(results, run)).join('\n');
	const line = `The run was stopped, by hand or by Timeout Workflow. ${told}`;
	const failed = pickSent(results).filter(hasFailed);
	if (failed.length === 0) return [line, 'info'];
	if (failed.some(isUnclear))
		return [
			`${line}\nWhat other attempts sent was not looked up yet. Retry the execution again: it sends only what was not sent.`,
			'warn',
		];
	if (failed.every(({ ending }) => ending.kind !== 'notSent')) return [line, 'warn'];
	const goOn = run.settings.sendOnce
		? 'Start the workflow again with the same items: Send Once skips what was sent.'
		: isListADay(results, run)
			? 'Execute it again today with the same items: what was sent is skipped.'
			: 'Start the workflow again with the items that were not sent, and no others.';
	return [`${line}\nn8n keeps no items of this run. ${goOn}`, 'warn'];
}
