import type { Clock } from '../shared/clock';
import type { NotSentReason } from '../shared/outcome';
import type { Reply } from '../shared/reply';
import type { Permit } from '../rateLimit/rateLimiter';
import type { Alarm } from './alarm';
import type { Job, JobQueue } from './jobQueue';
import type { RequestSource } from './requestSource';
import type { Ending } from './retryPolicy';

/** n8n expects a stopped node to end within about half a second. */
export const STOP_WITHIN_MS = 500;

/** What is needed of a run to end it early. */
export interface EndableRun<T> {
	readonly jobs: JobQueue<T>;
	readonly source: RequestSource<T>;
	readonly alarm: Alarm;
	readonly clock: Clock;
	readonly answerWithinMs: number;
	isStopped(): boolean;
	/** Handles the reply to one attempt. */
	receive(job: Job<T>, permit: Permit, reply: Reply): void;
	/** Reports how a request ended. */
	settle(job: Job<T>, ending: Ending): void;
	/** Like `receive`, but the request is not sent again. */
	receiveLast(job: Job<T>, permit: Permit, reply: Reply, ending: Ending): void;
}

/**
 * Waits briefly for the responses under way, and for a request that is being pulled. Requests still
 * in flight after that are reported as unknown, the others as not sent.
 */
export async function stop<T>(run: EndableRun<T>): Promise<void> {
	const { jobs, source, alarm, clock } = run;
	const untilMs = clock.now() + STOP_WITHIN_MS;
	while ((jobs.hasInFlight || source.isPulling) && clock.now() < untilMs) {
		await alarm.pause(untilMs);
	}
	source.close();
	for (const [job, permit] of jobs.inFlightSince(Infinity)) {
		const failure = { code: 'STOPPED', message: 'The execution ended before the answer came' };
		run.receiveLast(
			job,
			permit,
			{ kind: 'failure', ...failure },
			{ outcome: 'unknown', ...failure },
		);
	}
	abandonWaiting(run, 'stopped');
}

/** Sends nothing more, and waits for all responses under way. */
export async function giveUp<T>(run: EndableRun<T>, reason: NotSentReason): Promise<void> {
	const { jobs, source, alarm } = run;
	abandonWaiting(run, reason);
	while (jobs.hasInFlight || source.isPulling) {
		await alarm.pause(Infinity);
		abandonOverdue(run);
		if (run.isStopped()) return await stop(run);
	}
	source.close();
	abandonWaiting(run, reason);
}

/** Gives up on requests that `send` itself did not end in time. */
export function abandonOverdue<T>(run: EndableRun<T>): void {
	const { jobs, clock, answerWithinMs } = run;
	if (answerWithinMs === Infinity) return;
	for (const [job, permit] of jobs.inFlightSince(clock.now() - answerWithinMs)) {
		const message = `No answer within ${Math.round(answerWithinMs / 1000)} s`;
		run.receive(job, permit, { kind: 'failure', code: 'ETIMEDOUT', message });
	}
}

function abandonWaiting<T>(run: EndableRun<T>, reason: NotSentReason): void {
	for (const job of run.jobs.drain()) run.settle(job, { outcome: 'notSent', reason });
}
