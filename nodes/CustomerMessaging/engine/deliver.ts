import { errorMessage, placeOfMistake } from '../shared/formatting';
import type { SentEnding } from '../shared/ending';
import { inGroups, lanesOf } from './batches';
import type { Message } from './message';
import { Outcomes, type Result } from './outcomes';
import { type Around, Sending, type Spent } from './sending';

interface Delivered<M> extends Spent {
	/** One for each message, in the same order. */
	results: ReadonlyArray<Result<M>>;
	/** How the messages ended that had no outcome when the run ended. */
	rest: SentEnding;
	/** Whether other processes of n8n were kept out. */
	isLocked: boolean;
	/** Whether n8n runs an interrupted execution again from its start, so that nothing was sent. */
	ranAgain: boolean;
}

/**
 * Delivers each message that was not sent before, as fast as the limit allows, and says how each ended. Never throws:
 * if a mistake of this node ends the run, what was sent is still reported.
 *
 * @param starts called before the first request, with how many there will be about
 */
export async function deliver<R extends Message, M extends R>(
	messages: readonly M[],
	around: Around<R, M>,
	starts: (requests: number) => void = () => undefined,
): Promise<Delivered<M>> {
	const { sent, wire, policy, clock, untilStopped, log } = around;
	const outcomes = new Outcomes(sent, wire, policy, clock);
	const done: Delivered<M> = {
		results: [],
		rest: { kind: 'notSent', code: 'stopped' },
		...{ requests: 0, waitedMs: 0, pausedMs: 0, remaining: null },
		isLocked: true,
		ranAgain: false,
	};
	try {
		await untilStopped(sent.joinEqualCalls(messages));
		const lanes = await lanesOf(messages, wire.laneOf, clock);
		const toSend = inGroups(await outcomes.unsent(messages, lanes), lanes, wire);
		starts(policy.countRequests(toSend.length));
		const sending = new Sending(toSend, lanes, around, outcomes);
		done.rest = await sending.toEnd();
		done.ranAgain = sending.ranAgain;
		Object.assign(done, sending.spent);
		const finished = await untilStopped(sending.finish(done.rest));
		done.isLocked = finished?.isLocked ?? true;
		done.results = outcomes.resultsOf(messages, { ending: done.rest, attempts: 0 });
	} catch (error) {
		const message = errorMessage(error);
		log(`Internal error in this node ended the run: ${placeOfMistake(error)}`, 'error');
		done.results = outcomes.afterInternalError(messages, message);
		// The mistake may be in what this needs, too.
		await untilStopped(sent.journal.finish()).catch(() => undefined);
	} finally {
		sent.leaveEqualCalls();
	}
	return done;
}
