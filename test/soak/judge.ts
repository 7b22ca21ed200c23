import assert from 'node:assert/strict';
import type { ServiceAccount } from './account';
import { assertStopped, failureOf, told, type Ended } from './play';
import { messagesOf, nameOf, referencesOf, type Story } from './story';

export interface Verdict {
	items: number;
	reached: number;
	twice: string[];
	/** Neither reached nor named, although the execution was not stopped. */
	lost: string[];
	unknown: number;
	notSent: number;
	rejected: number;
}

/** Outcomes that say that it does not. */
const NOT_REACHED = ['notSent', 'rejected', 'invalid'];

/**
 * Compares what the executions of a story say with what the service accepted.
 *
 * @throws AssertionError if an execution says something that is not so
 */
export function judge(story: Story, ended: readonly Ended[], account: ServiceAccount): Verdict {
	const messages = messagesOf(story);
	const references = referencesOf(story);
	const last = ended.at(-1);
	const outcomes = new Map<string, string>();
	for (const execution of ended) {
		for (const { row, platform, outcome } of told(execution)) {
			const message = nameOf(references[row] ?? '', platform);
			outcomes.set(message, outcome);
		}
	}
	// What one execution did not send, a later one may have sent.
	for (const [message, outcome] of outcomes) assertTrue(message, outcome, account.times(message));
	assertStopped(ended);
	const reached = messages.filter((message) => account.times(message) > 0);
	const counts = last?.status === 'error' ? countsIn(last, messages.length, reached.length) : {};
	const isNamed = (message: string) => last?.status !== 'success' || outcomes.has(message);
	const say = (outcome: string) =>
		counts[outcome] ?? [...outcomes.values()].filter((one) => one === outcome).length;
	return {
		items: ended.length * story.rows,
		reached: reached.length,
		twice: story.operation.overwrites ? [] : messages.filter((one) => account.times(one) > 1),
		lost: messages.filter((message) => account.times(message) === 0 && !isNamed(message)),
		unknown: say('unknown'),
		notSent: say('notSent'),
		rejected: say('rejected'),
	};
}

function assertTrue(message: string, outcome: string, times: number): void {
	if (outcome === 'accepted') assert.ok(times > 0, `${message} is accepted, but never came`);
	if (NOT_REACHED.includes(outcome)) assert.equal(times, 0, `${message} is ${outcome}, but came`);
}

/** What the message says of a single item, of which nothing is counted. */
const saysOfOne: Readonly<Record<string, RegExp>> = {
	'May have been delivered': /Check in the account whether it arrived/,
	'Not sent': /\b[Ii]t was not sent\b/,
	Refused:
		/^The service (refused|did not accept)|has nothing at this address|does not permit|redirects to /,
};

/** The numbers in the message of an execution that ended with an error, which must account for all. */
function countsIn(execution: Ended, messages: number, reached: number): Record<string, number> {
	const text = failureOf(execution);
	const count = (heading: string) =>
		messages === 1 && !text.includes('Accepted: ')
			? Number(saysOfOne[heading]?.test(text) ?? false)
			: Number(new RegExp(`${heading}: (\\d+)`).exec(text)?.[1] ?? 0);
	const accepted = count('Accepted');
	// By an earlier execution, which may have called them unknown.
	const skipped =
		count('Sent before, so skipped') + count('May have been delivered before, so skipped');
	const counts = {
		unknown: count('May have been delivered'),
		notSent: count('Not sent'),
		rejected: count('Refused'),
	};
	const named = accepted + skipped + counts.unknown + counts.notSent + counts.rejected;
	assert.equal(named, messages, `the message does not account for all ${messages}:\n${text}`);
	assert.ok(
		accepted <= reached && reached <= accepted + skipped + counts.unknown,
		`${reached} came, but the message says otherwise:\n${text}`,
	);
	return counts;
}
