import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../../sandbox/index';
import { messaging, pushToRow } from '../../scripts/n8n/workflows';
import type { Bench } from '../live/bench';
import type { Run } from '../live/run';

const NODE = 'Send';
const MAX_BROADCASTS = 5;
const MAX_RETRIES = 3;
const LOOK_EVERY_MS = 500;
/** No request leaves later than this after Stop. */
const STOPPED_WITHIN_MS = 1_000;
/** n8n lists an execution, and has ended it after Stop, within this time. */
const PATIENCE_MS = 30_000;
/** n8n writes the status a moment before the data. A busy machine takes a moment to record a request that has left. */
const RECORDED_WITHIN_MS = 1_000;

/** The column with the reference. */
const REFERENCE = 'userID';
const reference = `{{ $json.${REFERENCE} }}`;

const push = { title: `=Sale ${reference}`, message: 'Today', url: pushToRow.url };
const campaign = { campaign_name: `=Sale ${reference}` };
const email = { ...campaign, subject: 'Sale', content: '<p>Today</p>' };
const sms = { ...campaign, message: 'Sale today' };
const toUser = { recipientBy: 'user_id', user_id: `=${reference}` };
const segment = { segment_id: 42 };
const request = {
	...{ host: 'baseUrl', api: 'campaign', path: '/api/v1/campaign/update' },
	body: `={{ JSON.stringify({ reference: $json.${REFERENCE} }) }}`,
};
const mapped = { dataMode: 'autoMapInputData', userIdField: REFERENCE };

/** The operations of the node, with parameters that carry the row's reference to the service. */
const operations: Array<[resource: string, operation: string, parameters: object]> = [
	['user', 'create', mapped],
	['event', 'track', { ...mapped, event_name: 'Bought' }],
	['push', 'send', { ...toUser, ...push }],
	['push', 'broadcastAll', push],
	['push', 'broadcastSegment', { ...push, ...segment }],
	['email', 'send', { ...toUser, ...email }],
	['email', 'broadcast', { ...email, ...segment }],
	['email', 'broadcastAll', email],
	['email', 'broadcastSegment', { ...email, ...segment }],
	['sms', 'send', { ...toUser, ...sms }],
	['sms', 'broadcast', { ...sms, ...segment }],
	['sms', 'broadcastAll', { ...sms, ...segment }],
	['sms', 'broadcastSegment', { ...sms, ...segment }],
	['customRequest', 'post', request],
];

export type Random = () => number;

export const pick = <T>(random: Random, values: readonly T[]): T =>
	values[Math.floor(random() * values.length)] as T;

/** What one workflow does, and what is done to it. */
type Story = ReturnType<typeof randomStory>;

/** A story of the random numbers that come next. Small ones are as frequent as large ones. */
export function randomStory(number: number, maxRows: number, random: Random) {
	const [resource, operation, parameters] = pick(random, operations);
	// It goes to many, so a run sends few of them.
	const isBroadcast = operation.startsWith('broadcast');
	const most = isBroadcast ? MAX_BROADCASTS : maxRows;
	const rows = Math.round(Math.exp(random() * Math.log(most)));
	const some = pick(random, [['web'], ['web'], ['android', 'ios'], ['web', 'android', 'ios']]);
	const platforms = resource === 'push' ? some : undefined;
	const chosen = platforms && { platforms };
	const onError = pick(random, ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']);
	const retryOnFail = random() < 0.2 && { retryOnFail: true, maxTries: 2, waitBetweenTries: 1_000 };
	const sendOnce = random() < 0.3;
	const limits = isBroadcast && { maxBroadcasts: MAX_BROADCASTS };
	const options = { requestTimeout: 5 };
	const all = { resource, operation, ...parameters, ...chosen, ...limits, sendOnce, options };
	const settings = [onError, retryOnFail && 'Retry On Fail', sendOnce && 'Send Once'];
	const mark = `k${number}-`;
	const references = Array.from({ length: rows }, (_, row) => `${mark}${row}k`);
	return {
		title: [`${number}. ${resource}: ${operation}, ${rows} rows`, ...settings.filter(Boolean)].join(
			', ',
		),
		path: `soak-${number}`,
		node: messaging(NODE, all, { onError, ...retryOnFail }),
		mark,
		/** One of each row. They are found in any request, and begin with the mark. */
		references,
		/** All that is to be sent. */
		messages: references.flatMap((each) =>
			(platforms ?? [null]).map((platform) => nameOf(each, platform)),
		),
		/** Creating a user again changes nothing, so it is not "sent twice". */
		overwrites: resource === 'user',
		/** When somebody presses Stop, if the execution has not ended before. */
		stopAfterMs: random() < 0.15 ? 500 + random() * 15_000 : Infinity,
		/** How often the same rows come again in another execution. Only with Send Once. */
		repeats: sendOnce ? Math.floor(random() * 3) : 0,
	};
}

const nameOf = (each: string, platform: string | null | undefined): string =>
	platform ? `${each} ${platform}` : each;

/** How often the service accepted each message. The sandbox's own record would grow too large in an hour. */
export class ServiceAccount {
	private readonly accepted = new Map<string, number>();

	times(message: string): number {
		return this.accepted.get(message) ?? 0;
	}

	take({ rawBody, accepted, platform }: Arrival): void {
		if (!accepted) return;
		for (const each of new Set(rawBody.match(/k\d+-\d+k/g))) {
			const message = nameOf(each, platform);
			this.accepted.set(message, this.times(message) + 1);
		}
	}
}

/**
 * Plays a story to its end: the workflow runs, is stopped or retried, and its rows come again.
 *
 * @param timeUp aborted when everybody presses Stop
 */
export async function play(story: Story, bench: Bench, timeUp: AbortSignal, random: Random) {
	const { client } = bench;
	const stored = await bench.forRows(story.path, story.node);
	const rows = story.references.map((userID, row) => ({ userID, city: `City ${row}` }));
	const ended: Run[] = [];
	const end = async (stopAfterMs = Infinity) =>
		void ended.push(await theEnd(story, stored.id, ended, bench, timeUp, stopAfterMs));
	for (let round = 0; round <= story.repeats && !timeUp.aborted; round++) {
		await client.callWebhook(story.path, { rows });
		await end(round === 0 ? story.stopAfterMs : Infinity);
	}
	for (let retries = 0; retries < MAX_RETRIES && !timeUp.aborted; retries++) {
		const failed = ended.filter(({ status }) => status === 'error');
		if (failed.length === 0 || ended.at(-1)?.status === 'success') break;
		// Somebody retries any of the failed executions, not always the newest. n8n 2.8 answers when the retry has ended,
		// which can take longer than `fetch` waits, and Stop must not.
		void client.startRetry(pick(random, failed).id).catch(() => undefined);
		await end();
	}
	await client.deactivate(stored.id);
	return ended;
}

/** Waits for the end of the execution that is not among those that have ended. */
async function theEnd(
	{ mark }: Story,
	workflowId: string,
	earlier: readonly Run[],
	bench: Bench,
	timeUp: AbortSignal,
	stopAfterMs: number,
): Promise<Run> {
	const startedAtMs = Date.now();
	let stoppedAtMs = Infinity;
	for (;;) {
		await sleep(LOOK_EVERY_MS);
		const listed = await bench.client.executions(workflowId);
		const found = listed.find(({ id }) => earlier.every((run) => run.id !== id));
		if (found && !['new', 'running', 'waiting'].includes(found.status)) {
			await sleep(RECORDED_WITHIN_MS);
			const late = bench.sandbox.record.filter(
				({ time }) => time > stoppedAtMs + STOPPED_WITHIN_MS,
			);
			const isOwn = ({ rawBody }: Arrival) => rawBody.includes(mark);
			assert.ok(!late.some(isOwn), `${found.id}: a request came long after Stop`);
			return await bench.execution(found.id);
		}
		const waitingSinceMs = found ? stoppedAtMs : startedAtMs;
		const problem = found ? `Execution ${found.id} goes on after Stop` : 'No execution begins';
		assert.ok(Date.now() < waitingSinceMs + PATIENCE_MS, problem);
		const isToStop = timeUp.aborted || Date.now() >= startedAtMs + stopAfterMs;
		if (found && stoppedAtMs === Infinity && isToStop)
			// It may have ended in the meantime, or not have begun.
			stoppedAtMs = await bench.client.stopExecution(found.id).then(Date.now, () => Infinity);
	}
}

/** What an execution says of each row and platform. */
const told = (run: Run) =>
	(run.data.resultData.runData[NODE] ?? [])
		.flatMap(({ data }) => data?.main.flat() ?? [])
		.flatMap((item) => {
			if (!item) return [];
			const json = { ...item.json, ...(item.json.details as object | undefined) };
			const { outcome, platform, earlierOutcome } = json as unknown as Record<string, string>;
			const { item: row } = item.pairedItem as { item: number };
			// What is skipped ended in an earlier execution.
			return [{ row, platform, outcome: earlierOutcome ?? outcome ?? '' }];
		});

/**
 * Compares what the executions of a story say with what the service accepted.
 *
 * @throws AssertionError if an execution says something that is not so, or a message came twice or is lost
 */
export function judge(story: Story, ended: readonly Run[], account: ServiceAccount) {
	const { messages, references } = story;
	// What one execution did not send, a later one may have sent.
	const outcomes = new Map<string, string>();
	for (const { row, platform, outcome } of ended.flatMap(told))
		outcomes.set(nameOf(references[row] ?? '', platform), outcome);
	for (const [message, outcome] of outcomes) {
		const times = account.times(message);
		if (outcome === 'accepted') assert.ok(times > 0, `${message} is accepted, but never came`);
		if (['notSent', 'rejected', 'invalid'].includes(outcome))
			assert.equal(times, 0, `${message} is ${outcome}, but came`);
	}
	const twice = messages.filter((message) => account.times(message) > 1);
	if (!story.overwrites) assert.deepEqual(twice, [], 'nothing is sent twice');
	// Neither reached nor named, although the execution was not stopped.
	const isLost = (message: string) => !account.times(message) && !outcomes.has(message);
	if (ended.at(-1)?.status === 'success')
		assert.deepEqual(messages.filter(isLost), [], 'nothing is lost');
}
