import type { NodeExecutionHint } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import { longWait, minutesAtLimit } from '../plan/longWait';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, itemNumbers, listed, spanOf, audienceOf } from '../shared/formatting';
import { hasFailed, type Result, type RunReport, type SkippedResult } from '../shared/result';
import { dataHints } from './dataHints';
import { forPanel } from './panel';
import { testHints } from './testHints';

/** The hints to show with a run's output: what the user should know in addition to the items. */
export async function hintsOf(
	run: Run,
	deliveries: readonly Delivery[],
	{ results, requests, waitedMs, remaining, warning }: RunReport,
	clock: Clock,
): Promise<NodeExecutionHint[]> {
	const { isTestRun, isPreview, testRecipient, operation } = run;
	const schedule = deliveries.flatMap((delivery) =>
		delivery.schedule?.kind === 'at' && delivery.schedule.hint ? [delivery.schedule.hint] : [],
	);
	const pages = results.filter(isAcceptedPage).length;
	const skipped = results.filter((result) => result.kind === 'skipped');
	const left = remaining === null ? '' : `; ${count(remaining, 'call')} left this minute`;
	return [
		...(isTestRun ? [testRun(operation)] : []),
		...(testRecipient ? testHints(testRecipient, results) : []),
		...(isPreview && !isTestRun && !testRecipient
			? ["Nothing was sent: 'Preview Only' is on."]
			: []),
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		...(warning ? [`${warning}. What is left then is not sent`] : []),
		...(skipped.length > 0 ? [skippedBefore(skipped)] : []),
		...bounded([...new Set(schedule)]),
		...bounded(identicalBroadcasts(deliveries)),
		...(await dataHints(run, deliveries, clock)),
		// Shorter waits are normal.
		...(waitedMs >= 1000 ? [`Waited ${spanOf(waitedMs)} for the rate limit${left}`] : []),
		...(pages > 0 ? [answeredWithPages(pages)] : []),
	].map((message) => ({ message: forPanel(message), location: 'outputPane', type: 'info' }));
}

function testRun({ isBroadcast }: Operation): string {
	const what = isBroadcast ? 'a broadcast' : 'a message';
	return `Nothing was sent: ${what} that is started by hand in the editor only shows what it would send. Started by its trigger, the workflow sends. To send from the editor too, set 'Test Runs' to Send.`;
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ operation, history }: Run, results: readonly Result[]): string[] {
	if (!operation.isBroadcast || history.startedByHand !== true) return [];
	const sent = results.filter(
		(result) => result.kind === 'sent' && !hasFailed(result) && !result.delivery.test,
	);
	const audiences = new Set(
		sent.map((result) => (result.kind === 'sent' ? audienceOf(result.delivery) : '')),
	);
	if (sent.length === 0) return [];
	return [
		`This run by hand sent ${count(sent.length, 'broadcast')} to real people: ${listed([...audiences])}. To try out without sending, set 'Test Runs' to Preview.`,
	];
}

function skippedBefore(skipped: readonly SkippedResult[]): string {
	const { length } = skipped;
	const unknown = skipped.filter(({ earlierOutcome }) => earlierOutcome === 'unknown').length;
	const doubt =
		unknown === 0
			? ''
			: ` It is not known whether ${unknown} of them arrived: see the run that sent them, or their earlierOutcome.`;
	return `Send Once: ${count(length, 'message')} ${length === 1 ? 'was' : 'were'} skipped, because this node has sent ${length === 1 ? 'it' : 'them'} before.${doubt}`;
}

function previewed(requests: number, run: Run): string[] {
	const perMinute = run.account.limits[run.target.api];
	const minutes = minutesAtLimit(requests, perMinute);
	const time = minutes === 0 ? 'less than a minute' : `about ${minutes} min`;
	const warning = longWait(requests, run)?.message;
	return [
		`Preview: ${count(requests, 'request')} in all, to be sent in ${time} at ${perMinute} per minute.`,
		...(warning ? [warning] : []),
	];
}

/** n8n stores and shows all hints, so those about single items are limited. */
function bounded(hints: readonly string[]): string[] {
	const more = hints.length - MAX_HINTS;
	if (more <= 0) return [...hints];
	return [...hints.slice(0, MAX_HINTS), `${count(more, 'more hint')} of this kind`];
}

const MAX_HINTS = 5;

/** Names the items that send the same broadcast to the same people. */
function identicalBroadcasts(deliveries: readonly Delivery[]): string[] {
	const groups = new Map<string, Delivery[]>();
	for (const delivery of deliveries) {
		if (delivery.audience === undefined) continue;
		const { path, body, schedule } = delivery;
		const key = JSON.stringify([path, body, schedule]);
		groups.set(key, [...(groups.get(key) ?? []), delivery]);
	}
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (!first || group.length < 2) return [];
		return [
			`Items ${itemNumbers(group.map(({ itemIndex }) => itemIndex))} are the same broadcast to ${audienceOf(first)}. To send it once, give the node a single item`,
		];
	});
}

/** A web page may come from a proxy that did not forward the request. Spec §4 shows no response body. */
function isAcceptedPage(result: Result): boolean {
	if (result.kind !== 'sent' || result.outcome.outcome !== 'accepted') return false;
	const { response } = result.outcome;
	return typeof response === 'string' && /^\s*<(!doctype|html)/i.test(response);
}

function answeredWithPages(pages: number): string {
	return `${count(pages, 'request')} ${pages === 1 ? 'was' : 'were'} accepted, but answered with a web page. It may come from a proxy or login page instead of the service. Check in the account whether ${pages === 1 ? 'it' : 'they'} arrived.`;
}
