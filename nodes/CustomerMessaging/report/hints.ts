import type { NodeExecutionHint } from 'n8n-workflow';

import type { Operation } from '../operations/operation';
import { longWait, minutesAtLimit } from '../plan/longWait';
import type { Plan } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import { decide } from '../schedule/hours';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, itemNumbers, listed, formatSpan, nameAudience } from '../shared/formatting';
import { hasFailed, type Result, type RunReport } from '../shared/result';
import { MINUTE_MS } from '../shared/time';
import { dataHints } from './dataHints';
import { emailHints } from './emailHints';
import { howToSendRest } from './messages';
import { toEditorHtml } from './editorHtml';
import { sameMessageHints } from './sameMessageHints';
import { skippedHints, writeWarnings } from './skippedHints';
import { smsHints } from './smsHints';
import { testHints } from './testHints';

/** The hints to show with a run's output: what the user should know in addition to the items. */
export async function writeHints(
	run: Run,
	{
		deliveries,
		shown = [],
		sameMessages = [],
	}: Pick<Plan, 'deliveries' | 'shown' | 'sameMessages'>,
	{ results, requests, waitedMs, pausedMs = 0, remaining, warning, isUnlocked }: RunReport,
	clock: Clock,
): Promise<NodeExecutionHint[]> {
	const { isTestRun, isPreview, testRecipient, operation } = run;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, clock.now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const left = remaining === null ? '' : `; ${count(remaining, 'call')} left this minute`;
	const infos = [
		...(isTestRun ? [testRun(operation)] : []),
		...(testRecipient ? testHints(testRecipient, results) : []),
		...(isPreview && !isTestRun && !testRecipient
			? ["Nothing was sent: 'Preview Only' is on."]
			: []),
		...onlyShown(shown),
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		...(warning ? [`${warning}. What is left then is not sent`] : []),
		...skippedHints(results),
		...(isUnlocked === true ? [unlocked] : []),
		...bounded([...new Set(schedule)]),
		...bounded(identicalBroadcasts(deliveries)),
		...(await sameMessageHints(sameMessages, clock)),
		...(await dataHints(run, deliveries, clock)),
		...(await emailHints(operation, isPreview ? deliveries : shown, clock)),
		...(await smsHints(run, { deliveries, shown }, results, clock)),
		// Shorter waits are normal.
		...(waitedMs >= MINUTE_MS ? [`Waited ${formatSpan(waitedMs)} for the rate limit${left}`] : []),
		...(pausedMs >= MINUTE_MS
			? [`Waited ${formatSpan(pausedMs)} for the service, which failed`]
			: []),
		...leftOver(results, run),
	];
	return [
		...writeWarnings(results).map((message) => ({ message, type: 'warning' as const })),
		...infos.map((message) => ({ message, type: 'info' as const })),
	].map(({ message, type }) => ({ message: toEditorHtml(message), location: 'outputPane', type }));
}

function testRun({ isBroadcast }: Operation): string {
	const what = isBroadcast ? 'a broadcast' : 'a message';
	return `Nothing was sent: ${what} that is started by hand in the editor only shows what it would send. Started by its trigger, the workflow sends. To send from the editor too, set 'When Run by Hand' to Send.`;
}

function onlyShown({ length }: readonly Delivery[]): string[] {
	if (length === 0) return [];
	return [
		`Not sent: ${count(length, 'message')} to a campaign, which may reach many people. A run that is started by hand in the editor only shows ${length === 1 ? 'it' : 'them'}. To send from the editor too, set 'When Run by Hand' to Send.`,
	];
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ history }: Run, results: readonly Result[]): string[] {
	if (history.startedByHand !== true) return [];
	const sent = results.filter(
		(result) =>
			result.kind === 'sent' && !hasFailed(result) && result.delivery.audience !== undefined,
	);
	const audiences = new Set(
		sent.map((result) => (result.kind === 'sent' ? nameAudience(result.delivery) : '')),
	);
	if (sent.length === 0) return [];
	return [
		`This run by hand sent ${count(sent.length, 'broadcast')} to real people: ${listed([...audiences])}. To try out without sending, set 'When Run by Hand' to Show Only.`,
	];
}

const unlocked =
	"Send Once cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.";

function previewed(requests: number, run: Run): string[] {
	const perMinute = run.account.limits[run.target.api];
	const minutes = minutesAtLimit(requests, perMinute);
	const time =
		minutes === 0 ? '' : `, to be sent in about ${minutes} min at ${perMinute} per minute`;
	const warning = longWait(requests, run)?.message;
	return [
		...(requests === 1 ? [] : [`Preview: ${count(requests, 'request')} in all${time}.`]),
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
		const { path, buildBody, schedule } = delivery;
		const key = JSON.stringify([path, buildBody(), schedule]);
		groups.set(key, [...(groups.get(key) ?? []), delivery]);
	}
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (!first || group.length < 2) return [];
		return [
			`Items ${itemNumbers(group.map(({ itemIndex }) => itemIndex))} are the same broadcast to ${nameAudience(first)}. To send it once, give the node a single item`,
		];
	});
}

/** Why the run ended early, and when the rest is worth another try. */
function leftOver(results: readonly Result[], run: Run): string[] {
	const left = results.flatMap((result) =>
		result.kind === 'sent' && result.outcome.outcome === 'notSent' ? [result.outcome] : [],
	);
	const withTime = left.filter(({ retryAt }) => retryAt !== undefined);
	const refused = left.filter(
		({ reason }) => reason === 'credentialsRefused' || reason === 'addressRefused',
	);
	const wereNotSent = ({ length }: readonly unknown[]) =>
		`${count(length, 'item')} ${length === 1 ? 'was' : 'were'} not sent`;
	const rest = howToSendRest(run);
	return [
		...(withTime.length > 0
			? [
					`${wereNotSent(withTime)}. It is worth trying again at ${withTime[0]?.retryAt}. Then ${rest}`,
				]
			: []),
		...(refused.length > 0
			? [
					`${wereNotSent(refused)}, because the service refuses the credentials or the address. Test the credential, then ${rest}`,
				]
			: []),
	];
}
