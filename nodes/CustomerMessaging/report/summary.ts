import type { Run, KnownRun } from '../run/resolveRun';
import { listed } from '../shared/formatting';
import {
	hasFailed,
	type NotSentReason,
	type Result,
	type SentDelivery,
	type SentResult,
	type SkipReason,
} from '../shared/result';
import { groupBy } from '../shared/slices';
import { describeFailure, quoteAnswer } from './messages';
import { isListADay, listSentence } from './repeats';
import {
	asSentence,
	itemNames,
	labelReader,
	onPlatform,
	pickAccepted,
	pickSent,
	pickSkipped,
	recipientOfDelivery,
	toEditorHtml,
	compact,
} from './names';

/** Says why a run ended, and how all its deliveries did, for Stop Workflow. Undefined if nothing failed. */
export function stopSummary(results: readonly Result[], run: Run, isTool: boolean) {
	const failed = pickSent(results).filter(hasFailed);
	// Report the root failure: most unsent messages are the consequence of another one.
	const causes = failed.filter(
		({ outcome }) => outcome.outcome !== 'notSent' || !consequences.includes(outcome.reason),
	);
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.outcome.outcome === 'accepted') return undefined;
	const { delivery, outcome } = cause;
	// n8n writes the message of a failed execution to its log, so it names no people. The description does.
	const audience = delivery.test ? undefined : delivery.audience;
	const isUnnamed = delivery.audience === undefined;
	const unnamed = isUnnamed ? { userID: undefined, to: undefined } : {};
	const [message, description] = describeFailure(outcome, run, {
		...cause,
		delivery: { ...delivery, ...unnamed },
		isLogged: true,
	});
	const isOnly = results.length === 1;
	const recipient = recipientOfDelivery(delivery);
	const lines = compact(
		whatWasSaid(outcome),
		description,
		isOnly ? recipient && `Recipient: ${recipient}.` : tally(results, recipientOfDelivery),
		listSentence(results, run),
		!delivery.test && !isTool && whatRetrySends(failed, run, results.length),
	);
	return {
		itemIndex: delivery.itemIndex,
		httpCode: 'statusCode' in outcome ? String(outcome.statusCode) : undefined,
		message: isOnly
			? message
			: `${message} (${nameDelivery(delivery, audience)}). ${whatHappened(results, run) ?? ''}`,
		description: toEditorHtml(lines.join('\n')),
	};
}

/** What the service answered, in the description of the error: n8n's log holds the message, and must name nobody. */
function whatWasSaid(outcome: SentResult['outcome']): string | undefined {
	if (outcome.outcome === 'rejected' && outcome.redirectsTo !== undefined)
		return `It redirects to ${outcome.redirectsTo}.`;
	const answer = 'response' in outcome ? quoteAnswer(outcome.response) : '';
	return answer === '' ? undefined : `The service answered: ${asSentence(answer)}`;
}

/** Why messages are not sent after another one failed. */
const consequences: readonly NotSentReason[] = [
	'maxMessages',
	'stopped',
	'serviceUnavailable',
	'credentialsRefused',
	'addressRefused',
];

/** `item 3, C-1004 on web` */
function nameDelivery({ platform, test, itemIndex }: SentDelivery, recipient?: string): string {
	const named = recipient === undefined ? '' : `, ${recipient}`;
	return `${test ? 'test of ' : ''}item ${itemIndex}${named}${onPlatform(platform)}`;
}

/** Whether a retry was stopped before it knew. Its text says what to do. */
function isUnclear({ outcome }: SentResult): boolean {
	return outcome.outcome === 'unknown' && outcome.reason === 'stopped';
}

/** A message that may have arrived is not repeated, and once it was reported, it stops no retry of this execution. */
function whatRetrySends(failed: readonly SentResult[], run: Run, total: number): string {
	if (failed.some(isUnclear)) return '';
	const { settings, operation } = run;
	const repeatsAll = settings.retryUnknown || operation.overwrites;
	const { length } = failed.filter(({ outcome }) => repeatsAll || outcome.outcome !== 'unknown');
	const doubts = failed.length - length;
	const goesOn =
		doubts > 0 &&
		`Retry this execution to go on without ${doubts === 1 ? 'the one that' : `the ${doubts} that`} may have been delivered: ${doubts === 1 ? 'it is' : 'they are'} not sent again, and what follows is reached.`;
	const all =
		failed.length < total && !settings.sendOnce && !isListADay(failed, run)
			? ` Execute step would send all ${total} again.`
			: '';
	return compact(
		length > 0 &&
			`Retry sends ${length === 1 ? 'it' : `these ${length}`}: in Executions, the arrow beside this run.${all}`,
		goesOn,
	).join(' ');
}

/** `190 accepted, 7 not sent: Title (7), 3 may have been delivered`; undefined if nothing failed. */
export function whatHappened(results: readonly Result[], run: KnownRun): string | undefined {
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
export function countReasons(
	results: readonly Result[],
	labelOf: (field: string) => string,
): string {
	const all = results.flatMap((result) => {
		if (result.kind === 'invalid')
			return [...new Set(result.problems.map(({ field }) => labelOf(field)))];
		return result.kind === 'sent' && result.outcome.outcome === 'notSent'
			? reasons[result.outcome.reason]
			: 'refused by the service';
	});
	return countEach(all);
}

/** `same message (2), no consent (1)`. */
function countEach(reasons: readonly string[]): string {
	const byReason = groupBy(reasons, (reason) => reason);
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
	keyInUse: 'another run is sending it',
	maxMessages: 'Max Messages',
	internalError: 'internal error in this node',
};

/** How all ended, as text. n8n's log should hold no recipients. */
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
	const before = skipped.filter(({ earlierOutcome }) => earlierOutcome === 'accepted').length;
	const doubts = skipped.filter(({ earlierOutcome }) => earlierOutcome === 'unknown').length;
	const leftOut = skipped.flatMap(({ reason }) => leftOutReasons[reason] ?? []);
	const invalid = results.filter((result) => result.kind === 'invalid');
	const named = (which: readonly SentDelivery[]) =>
		which.length > 0 ? nameAll(which, recipientOf) : '';
	const ended = (kind: string) =>
		named(sent.flatMap(({ outcome, delivery }) => (outcome.outcome === kind ? [delivery] : [])));
	const inAll = `${accepted.length} of ${sent.length}`;
	return [
		{
			name: 'Accepted',
			text: earlier === 0 ? inAll : `${inAll}, ${earlier} of them in an earlier attempt`,
		},
		{ name: 'Sent before, so skipped', text: before > 0 ? String(before) : '' },
		{ name: 'May have been delivered before, so skipped', text: doubts > 0 ? String(doubts) : '' },
		{ name: 'Skipped', text: countEach(leftOut) },
		{ name: 'Not valid', text: named(invalid) },
		{ name: 'Refused', text: ended('rejected') },
		{ name: 'May have been delivered', text: ended('unknown') },
		{ name: 'Not sent', text: ended('notSent') },
	].filter(({ text }) => text !== '');
}

/** What the safety limits left out. */
const leftOutReasons: Readonly<Partial<Record<SkipReason, string>>> = {
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
	if (first && deliveries.length === 1) return `1 (${nameDelivery(first, recipientOf(first))})`;
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
	if (failed.every(({ outcome }) => outcome.outcome !== 'notSent')) return [line, 'warn'];
	const goOn = run.settings.sendOnce
		? 'Start the workflow again with the same items: Send Once skips what was sent.'
		: isListADay(results, run)
			? 'Execute it again today with the same items: what was sent is skipped.'
			: 'Start the workflow again with the items that were not sent, and no others.';
	return [`${line}\nn8n keeps no items of this run. ${goOn}`, 'warn'];
}
