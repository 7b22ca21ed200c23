import type { History } from '../run/history';
import type { Run } from '../run/resolveRun';
import type { Plan } from '../plan/plan';
import { ranges } from '../shared/formatting';
import { hasFailed, type Result, type SentResult } from '../shared/result';
import { describeFailure, type FailureText } from './messages';

/** Maximum number of problems to explain. The message names the rows and fields of all of them. */
const maxExplained = 30;

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This attempt sent nothing; the
 * summary also says what earlier attempts sent.
 */
export function invalidSummary(
	{ invalid, concernsAll, itemCount, earlier }: Plan,
	{ isRetry }: History,
): FailureText {
	const isAgain = isRetry || concernsAll?.some(({ field }) => field === 'execution');
	const nothing = earlier.length > 0 || isAgain ? 'Nothing more was sent' : 'Nothing was sent';
	const before = earlier.length > 0 ? `\nBefore this attempt: ${tally(earlier)}` : '';
	if (concernsAll) {
		return {
			message: `${nothing}: ${concernsAll.map(({ message }) => message).join('; ')}`,
			description: `It is about ${unique(concernsAll.map(({ field }) => field)).join(', ')} and applies to all ${itemCount} items.${before}`,
		};
	}
	const named = invalid.map(
		({ itemIndex, problems }) =>
			`item ${itemIndex} (${unique(problems.map(({ field }) => field)).join(', ')})`,
	);
	const explained = invalid.flatMap(({ itemIndex, problems }) =>
		problems.map(({ field, message }) => `Item ${itemIndex}, ${field}: ${message}.`),
	);
	const more = explained.length - maxExplained;
	const rest = more > 0 ? `\nAnd ${more} more, in the items named above.` : '';
	return {
		message: `${nothing}: ${invalid.length} of ${itemCount} items need a correction: ${named.join(', ')}`,
		description: `${explained.slice(0, maxExplained).join('\n')}${rest}\nCorrect them, or set On Error in the node's Settings to Continue (using error output), and the others are sent. Items count from 0.${before}`,
	};
}

/** Summarizes why a run ended and the outcomes of all its deliveries, for On Error: Stop Workflow. */
export function stopSummary(
	results: readonly Result[],
	run: Run,
): FailureText & { itemIndex?: number; httpCode?: string } {
	const failed = sentOf(results).filter(hasFailed);
	// What was not sent is mostly so because something else went wrong first: name that.
	const causes = failed.filter(({ outcome }) => !isLeftOut(outcome));
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.outcome.outcome === 'accepted')
		return { message: tally(results), description: '' };

	const { message, description } = describeFailure(cause.outcome, run);
	const { length } = sentOf(results);
	return {
		itemIndex: cause.delivery.itemIndex,
		httpCode: 'statusCode' in cause.outcome ? String(cause.outcome.statusCode) : undefined,
		message: `${message} (${nameOf(cause)}); ${length - failed.length} of ${length} had been accepted`,
		description: `${description}\n${tally(results)}`,
	};
}

/** Counts the accepted deliveries, and names the items of all others by outcome. */
export function tally(results: readonly Result[]): string {
	const sent = sentOf(results);
	const failed = sent.filter(hasFailed);
	const accepted = sent.filter((result) => !hasFailed(result));
	const earlier = accepted.filter(({ sentBefore }) => sentBefore).length;
	const skipped = results.filter(({ kind }) => kind === 'skipped').length;
	return [
		`Accepted: ${accepted.length} of ${sent.length}${earlier === 0 ? '' : `, ${earlier} of them in an earlier attempt`}.`,
		...(skipped > 0 ? [`Sent before, so skipped: ${skipped}.`] : []),
		...list(failed, 'rejected', 'Refused'),
		...list(failed, 'unknown', 'May have been delivered'),
		...list(failed, 'notSent', 'Not sent'),
	].join('\n');
}

function sentOf(results: readonly Result[]): SentResult[] {
	return results.filter((result) => result.kind === 'sent');
}

function list(failed: SentResult[], outcome: string, heading: string): string[] {
	const which = failed.filter((result) => result.outcome.outcome === outcome);
	if (which.length === 0) return [];
	const platforms = unique(which.map(({ delivery }) => delivery.platform));
	const groups = platforms.map((platform) => {
		const items = which.filter(({ delivery }) => delivery.platform === platform);
		return (
			ranges(unique(items.map(({ delivery }) => delivery.itemIndex))) +
			(platform ? ` on ${platform}` : '')
		);
	});
	return [`${heading}: ${which.length}, items ${groups.join('; items ')}.`];
}

function isLeftOut(outcome: SentResult['outcome']): boolean {
	return outcome.outcome === 'notSent' && outcome.reason === 'stopped';
}

function nameOf({ delivery: { itemIndex, platform, test } }: SentResult): string {
	return `${test ? 'test of ' : ''}item ${itemIndex}${platform ? ` on ${platform}` : ''}`;
}

function unique<T>(values: readonly T[]): T[] {
	return [...new Set(values)];
}
