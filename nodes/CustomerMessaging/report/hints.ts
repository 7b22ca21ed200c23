import type { NodeExecutionHint } from 'n8n-workflow';

import { longWait, minutesAtLimit } from '../plan/longWait';
import type { Plan } from '../plan/plan';
import type { N8n } from '../n8n/context';
import { findTriggers } from '../run/history';
import type { Run, UnusableRun } from '../run/resolveRun';
import { formatWhen } from '../schedule/formatting';
import { decide } from '../schedule/hours';
import type { Delivery } from '../shared/delivery';
import { count, itemNumbers, listed, formatSpan, nameAudience, quote } from '../shared/formatting';
import { hasFailed, type Result, type RunReport } from '../shared/result';
import { MINUTE_MS } from '../shared/time';
import { repeatedUserHints } from './dataHints';
import { emailHints } from './emailHints';
import { howToSendRest } from './messages';
import { toEditorHtml } from './editorHtml';
import { sameMessageHints } from './sameMessageHints';
import { skippedHints, writeWarnings } from './skippedHints';
import { smsHints } from './smsHints';
import { whatHappened } from './summary';
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
	n8n: N8n,
): Promise<NodeExecutionHint[]> {
	const { clock, now } = n8n;
	const triggers = findTriggers(n8n.nodesBefore());
	const { isTestRun, isPreview, testRecipient, operation } = run;
	const schedule = deliveries.flatMap((delivery) => {
		const decided = delivery.schedule && decide(delivery.schedule, now());
		return decided?.kind === 'at' && decided.hint ? [decided.hint] : [];
	});
	const sms = await smsHints(run, { deliveries, shown }, results, clock);
	const left = remaining === null ? '' : `; ${count(remaining, 'request')} left this minute`;
	const infos = [
		...(isTestRun ? [`Nothing was sent: this is a preview. ${howToSend(triggers)}`] : []),
		...(testRecipient ? testHints(testRecipient, results, triggers) : []),
		...(isPreview && !isTestRun && !testRecipient
			? [
					"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
				]
			: []),
		...onlyShown(shown),
		...sentByHand(run, results),
		...(results.some(({ kind }) => kind === 'preview') ? previewed(requests, run) : []),
		...(warning ? [`${warning}. What is left then is not sent`] : []),
		...skippedHints(results, run),
		...(isUnlocked === true ? [unlocked] : []),
		...bounded([...new Set(schedule)]),
		...bounded(identicalBroadcasts(deliveries)),
		...(await sameMessageHints(sameMessages, clock)),
		...(await repeatedUserHints(run, deliveries, clock)),
		...(await emailHints(operation, isPreview ? deliveries : shown, clock)),
		...sms.filter(({ isLong }) => !isLong).map(({ message }) => message),
		// Shorter waits are normal.
		...(waitedMs >= MINUTE_MS ? [`Waited ${formatSpan(waitedMs)} for the rate limit${left}`] : []),
		...(pausedMs >= MINUTE_MS ? [`Waited ${formatSpan(pausedMs)} while the service was down`] : []),
	];
	return [
		...[
			...writeWarnings(results),
			...sms.filter(({ isLong }) => isLong).map(({ message }) => message),
		].map((message) => ({ message, type: 'warning' as const })),
		...infos.map((message) => ({ message, type: 'info' as const })),
	].map(({ message, type }) => ({ message: toEditorHtml(message), location: 'outputPane', type }));
}

/** @param triggers the names of those that start the workflow without a person */
function howToSend(triggers: readonly string[]): string {
	const byTrigger =
		triggers.length > 0 ? ` Started by ${listed(triggers.map(quote))}, the workflow sends.` : '';
	return `To send, set 'When Run by Hand' to Send, and execute it again.${byTrigger}`;
}

function onlyShown({ length }: readonly Delivery[]): string[] {
	if (length === 0) return [];
	return [
		`Not sent: ${count(length, 'message')} to a campaign, which may reach many people. To send ${length === 1 ? 'it' : 'them'} too, set 'When Run by Hand' to Send.`,
	];
}

/** A broadcast from the editor is easily sent by mistake, so it is named. */
function sentByHand({ history }: Run, results: readonly Result[]): string[] {
	if (history.startedByHand !== true) return [];
	const sent = new Map<string, string[]>();
	for (const result of results) {
		if (result.kind !== 'sent' || hasFailed(result) || !result.delivery.audience) continue;
		const time = result.scheduled ?? result.delivery.schedule;
		const when = time && 'instantMs' in time ? formatWhen(time.instantMs, time.zone) : '';
		sent.set(when, [...(sent.get(when) ?? []), nameAudience(result.delivery)]);
	}
	return [...sent].map(([when, audiences]) => {
		const what = count(audiences.length, 'broadcast');
		const whom = listed([...new Set(audiences)]);
		return when === ''
			? `This run by hand sent ${what} to real people: ${whom}. To try out without sending, set 'When Run by Hand' to Show Only.`
			: `${what} to ${whom} ${audiences.length === 1 ? 'is' : 'are'} scheduled for ${when}. n8n cannot cancel ${audiences.length === 1 ? 'it' : 'them'}.`;
	});
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

/** The first hint of a run in which something was not accepted. With Stop Workflow, the error says it. */
export function failureHints(
	results: readonly Result[],
	run: Run | UnusableRun,
	{ stopsOnFailure, hasErrorOutput, workflowZone }: N8n,
): NodeExecutionHint[] {
	const shows = 'isTestRun' in run && run.isTestRun;
	const happened = stopsOnFailure && !shows ? undefined : whatHappened(results, run);
	if (happened === undefined) return [];
	const where = hasErrorOutput
		? 'They left by the error output.'
		: 'Their items in the output say why.';
	const stops = stopsOnFailure
		? ' With them, a run that sends stops before it sends anything.'
		: '';
	const message = toEditorHtml(
		`${happened}. ${where}${howToGoOn(results, run, workflowZone)}${stops}`,
	);
	return [{ message, type: 'warning', location: 'outputPane' }];
}

/** Where a run ended early: when, and how, to send the rest. */
function howToGoOn(results: readonly Result[], run: Run | UnusableRun, zone: string): string {
	const left = results.flatMap((result) =>
		result.kind === 'sent' && result.outcome.outcome === 'notSent' ? [result.outcome] : [],
	);
	const retryAt = left.find((outcome) => outcome.retryAt !== undefined)?.retryAt;
	if (retryAt !== undefined)
		return ` From ${formatWhen(Date.parse(retryAt), zone)} on, ${howToSendRest(run)}.`;
	return left.some(({ reason }) => reason === 'credentialsRefused' || reason === 'addressRefused')
		? ` Test the credential, then ${howToSendRest(run)}.`
		: '';
}
