import { errorMessage, placeOfMistake } from '../shared/formatting';
import { inGroups, lanesOf } from './batches';
import type { Message } from './message';
import { Outcomes, type Result } from './outcomes';
import { type Ended, Sending, type SendOptions } from './sending';

interface Delivered<M> extends Ended {
	/** One for each message, in the same order. */
	results: ReadonlyArray<Result<M>>;
}

/**
 * Delivers each message that was not sent before, as fast as the limit allows, and says how each ended. Never throws:
 * if a mistake of this node ends the run, what was sent is still reported.
 *
 * @param starts called before the first request, with how many there will be about
 */
export async function deliver<R extends Message, M extends R>(
	messages: readonly M[],
	options: SendOptions<R, M>,
	starts: (requests: number) => void = () => undefined,
): Promise<Delivered<M>> {
	const { sent, wire, policy, clock, untilStopped, log } = options;
	const outcomes = new Outcomes(sent, wire, policy, clock);
	try {
		await untilStopped(sent.ledger.joinEqualCalls(messages));
		const lanes = await lanesOf(messages, wire.laneOf, clock);
		const toSend = inGroups(await outcomes.unsent(messages, lanes), lanes, wire);
		starts(policy.countRequests(toSend.length));
		const ended = await new Sending(toSend, lanes, options, outcomes).run();
		const results = outcomes.resultsOf(messages, { ending: ended.rest, attempts: 0 });
		return { ...ended, results };
	} catch (error) {
		const message = errorMessage(error);
		log(`Internal error in this node ended the run: ${placeOfMistake(error)}`, 'error');
		const results = outcomes.afterInternalError(messages, message);
		// The mistake may be in what this needs, too.
		await untilStopped(sent.journal.finish()).catch(() => undefined);
		return { ...endedByMistake, results };
	} finally {
		sent.ledger.leaveEqualCalls();
	}
}

const endedByMistake: Ended = {
	rest: { kind: 'notSent', code: 'stopped' },
	requests: 0,
	waitedMs: 0,
	pausedMs: 0,
	remaining: null,
	isLocked: true,
	ranAgain: false,
};
