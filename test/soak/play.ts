import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival } from '../../sandbox/index';
import { N8nRefusal } from '../../scripts/n8n/client';
import { messaging } from '../../scripts/n8n/workflows';
import type { Bench } from '../live/bench';
import type { Run } from '../live/run';
import {
	messagesOf,
	nameOf,
	parametersOf,
	pick,
	referencesOf,
	type Random,
	type Story,
} from './story';

const NODE = 'Send';
const MAX_RETRIES = 3;
const LOOK_EVERY_MS = 500;
/** No request leaves later than this after Stop. */
const STOPPED_WITHIN_MS = 1_000;
/** n8n has ended an execution within this time after Stop. */
const ENDED_WITHIN_MS = 30_000;
/** n8n writes the status a moment before the data. A busy machine takes a moment to record a request that has left. */
const RECORDED_WITHIN_MS = 1_000;

/** One execution of a story after its end, and how long after Stop the last request came. */
interface Ended {
	run: Run;
	stopLagMs: number;
}

export interface Stage extends Bench {
	account: ServiceAccount;
	/** Aborted when the time is up. Then everybody presses Stop. */
	timeUp: AbortSignal;
}

/** What the service accepted, by message. The sandbox's own record would grow too large in an hour. */
export class ServiceAccount {
	private readonly accepted = new Map<string, number>();
	/** When the last request of a story came, in epoch milliseconds. */
	readonly lastRequestMs = new Map<number, number>();

	times(message: string): number {
		return this.accepted.get(message) ?? 0;
	}

	take({ rawBody, time, accepted, platform }: Arrival): void {
		for (const reference of new Set(rawBody.match(/k\d+-\d+k/g))) {
			this.lastRequestMs.set(parseInt(reference.slice(1)), time);
			const message = nameOf(reference, platform);
			if (accepted) this.accepted.set(message, this.times(message) + 1);
		}
	}
}

/** Plays a story to its end: the workflow runs, is stopped or retried, and its rows come again. */
export async function play(story: Story, stage: Stage, random: Random): Promise<Ended[]> {
	const { client } = stage;
	const path = `soak-${story.number}`;
	const node = messaging(NODE, parametersOf(story), {
		onError: story.onError,
		...(story.retryOnFail && { retryOnFail: true, maxTries: 2, waitBetweenTries: 1_000 }),
	});
	const stored = await stage.forRows(path, node);
	const rows = referencesOf(story).map((userID, row) => ({ userID, city: `City ${row}` }));
	const ended: Ended[] = [];
	for (let round = 0; round <= story.repeats && !stage.timeUp.aborted; round++) {
		const stopAfterMs = round === 0 ? story.stopAfterMs : Infinity;
		await client.callWebhook(path, { rows });
		ended.push(await theEnd(story, stored.id, ended, stage, stopAfterMs));
	}
	for (let retries = 0; retries < MAX_RETRIES && !stage.timeUp.aborted; retries++) {
		const failed = ended.flatMap(({ run }) => (run.status === 'error' ? run : []));
		if (failed.length === 0 || ended.at(-1)?.run.status === 'success') break;
		// Somebody retries any of the failed executions, not always the newest.
		// n8n 2.8 answers when the retry has ended, which can take longer than `fetch` waits, and Stop must not.
		const refused = client.startRetry(pick(random, failed).id).then(
			async () => await new Promise<never>(() => {}),
			async (error: unknown) => {
				// When a retry is stopped, this call fails too.
				if (error instanceof N8nRefusal && !/cancelled/.test(error.message)) throw error;
				return await new Promise<never>(() => {});
			},
		);
		ended.push(await Promise.race([theEnd(story, stored.id, ended, stage, Infinity), refused]));
	}
	await client.deactivate(stored.id);
	return ended;
}

/** Waits for the end of the execution that is not among those that have ended. */
async function theEnd(
	{ number }: Story,
	workflowId: string,
	earlier: readonly Ended[],
	stage: Stage,
	stopAfterMs: number,
): Promise<Ended> {
	const { client, account, timeUp } = stage;
	const known = new Set(earlier.map(({ run }) => run.id));
	const stopAtMs = Date.now() + stopAfterMs;
	let stoppedAtMs = Infinity;
	for (;;) {
		await sleep(LOOK_EVERY_MS);
		const found = (await client.executions(workflowId)).find(({ id }) => !known.has(id));
		if (!found) continue;
		const { id, status } = found;
		if (!['new', 'running', 'waiting'].includes(status)) {
			await sleep(RECORDED_WITHIN_MS);
			const lagMs = (account.lastRequestMs.get(number) ?? 0) - stoppedAtMs;
			return { run: await stage.execution(id), stopLagMs: Math.max(0, lagMs) };
		}
		if (Date.now() > stoppedAtMs + ENDED_WITHIN_MS)
			throw new Error(`Execution ${id} goes on although it was stopped`);
		if (stoppedAtMs === Infinity && (timeUp.aborted || Date.now() >= stopAtMs)) {
			// It may have ended in the meantime, or not have begun.
			stoppedAtMs = await client.stopExecution(id).then(Date.now, () => Infinity);
		}
	}
}

/** What an execution says of each row and platform. */
function told({ run }: Ended) {
	return (run.data.resultData.runData[NODE] ?? [])
		.flatMap(({ data }) => data?.main.flat() ?? [])
		.flatMap((item) => {
			if (!item) return [];
			const json = { ...item.json, ...(item.json.details as object | undefined) };
			const { outcome, platform, earlierOutcome } = json as unknown as Record<string, string>;
			const { item: row } = item.pairedItem as { item: number };
			// What is skipped ended in an earlier execution.
			return [{ row, platform, outcome: earlierOutcome ?? outcome ?? '' }];
		});
}

/**
 * Compares what the executions of a story say with what the service accepted.
 *
 * @throws AssertionError if an execution says something that is not so, or a message came twice or is lost
 */
export function judge(story: Story, ended: readonly Ended[], account: ServiceAccount) {
	const messages = messagesOf(story);
	const references = referencesOf(story);
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
	for (const { run, stopLagMs } of ended)
		assert.ok(stopLagMs <= STOPPED_WITHIN_MS, `${run.id}: a request ${stopLagMs} ms after Stop`);
	const twice = messages.filter((message) => account.times(message) > 1);
	if (!story.operation.overwrites) assert.deepEqual(twice, [], 'nothing is sent twice');
	// Neither reached nor named, although the execution was not stopped.
	const isLost = (message: string) => !account.times(message) && !outcomes.has(message);
	if (ended.at(-1)?.run.status === 'success')
		assert.deepEqual(messages.filter(isLost), [], 'nothing is lost');
}
