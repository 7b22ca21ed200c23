import assert from 'node:assert/strict';
import { STOPPED_WITHIN_MS, told, type Ended } from './play';
import { messagesOf, nameOf, referencesOf, type Story } from './story';
import type { Run } from '../live/run';
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
	if (last?.status === 'error') assertAllCounted(last, messages.length, reached.length);
	const isLost = (message: string) =>
		last?.status === 'success' && !account.times(message) && !outcomes.has(message);
	return {
		items: ended.length * story.rows,
		reached: reached.length,
		twice: story.operation.overwrites ? [] : messages.filter((one) => account.times(one) > 1),
		lost: messages.filter(isLost),
	};
}

/** What the message says of a single item, of which nothing is counted. */
const saysOfOne: Readonly<Record<string, RegExp>> = {
	'May have been delivered': /Check in the account whether it arrived/,
	'Not sent': /\b[Ii]t was not sent\b/,
	Refused:
		/^The service (refused|did not accept)|has nothing at this address|does not permit|redirects to /,
};

/** The message of an execution that ended with an error must account for all. */
function assertAllCounted({ failure: text }: Run, messages: number, reached: number): void {
	const count = (heading: string) =>
		messages === 1 && !text.includes('Accepted: ')
			? Number(saysOfOne[heading]?.test(text) ?? false)
			: Number(new RegExp(`${heading}: (\\d+)`).exec(text)?.[1] ?? 0);
	const accepted = count('Accepted');
	// By an earlier execution, which may have called them unknown.
	const skipped =
		count('Sent before, so skipped') + count('May have been delivered before, so skipped');
	const unknown = count('May have been delivered');
	const named = accepted + skipped + unknown + count('Not sent') + count('Refused');
	assert.equal(named, messages, `the message does not account for all ${messages}:\n${text}`);
	assert.ok(
		accepted <= reached && reached <= accepted + skipped + unknown,
		`${reached} came, but the message says otherwise:\n${text}`,
	);
}
