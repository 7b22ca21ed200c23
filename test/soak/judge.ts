import assert from 'node:assert/strict';
import { STOPPED_WITHIN_MS, told, type Ended } from './play';
import { messagesOf, nameOf, referencesOf, type Story } from './story';
import type { ServiceAccount, Verdict } from './totals';

/**
 * Compares what the executions of a story say with what the service accepted.
 *
 * @throws AssertionError if an execution says something that is not so
 */
export function judge(story: Story, ended: readonly Ended[], account: ServiceAccount): Verdict {
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
	const reached = messages.filter((message) => account.times(message) > 0);
	const last = ended.at(-1)?.run;
	const isLost = (message: string) =>
		last?.status === 'success' && !account.times(message) && !outcomes.has(message);
	return {
		items: ended.length * story.rows,
		reached: reached.length,
		twice: story.operation.overwrites ? [] : messages.filter((one) => account.times(one) > 1),
		lost: messages.filter(isLost),
	};
}
