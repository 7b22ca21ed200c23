import type { Run } from '../run/resolveRun';
import type { NotSentReason } from '../shared/outcome';
import { hasFailed, type Result, type SentDelivery, type SentResult } from '../shared/result';
import { nameItem, itemNames, recipientOfDelivery } from './itemNames';
import { describeFailure, type FailureText } from './messages';
import { toEditorHtml } from './editorHtml';

/** Summarizes why a run ended and the outcomes of all its deliveries, for On Error: Stop Workflow. */
export function stopSummary(
	results: readonly Result[],
	run: Run,
): FailureText & { itemIndex?: number; httpCode?: string } {
	const failed = pickSent(results).filter(hasFailed);
	// Most unsent messages are the consequence of another failure, so that one is named.
	const causes = failed.filter(({ outcome }) => !isLeftOut(outcome));
	const cause = causes.find(({ sentBefore }) => !sentBefore) ?? causes[0] ?? failed[0];
	if (!cause || cause.outcome.outcome === 'accepted')
		return { message: tally(results, recipientOfDelivery), description: '' };

	const { message, description } = describeFailure(cause.outcome, run, cause);
	const { length } = pickSent(results);
	const isOnly = results.length === 1;
	const ofAll = ` (${nameDelivery(cause, message)}); ${length - failed.length} of ${length} had been accepted`;
	return {
		itemIndex: cause.delivery.itemIndex,
		httpCode: 'statusCode' in cause.outcome ? String(cause.outcome.statusCode) : undefined,
		message: isOnly ? message : message + ofAll,
		description: toEditorHtml(
			isOnly ? description : `${description}\n${tally(results, recipientOfDelivery)}`,
		),
	};
}

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
