import type { Clock } from '../shared/slices';
import type { Schedule } from '../shared/delivery';
import type { Recorded } from '../shared/ending';
import type { Reply } from './replies';

/** A message to deliver. Only its {@link Wire} reads whatever else it holds. */
export interface Message {
	readonly itemIndex: number;
}

/** Makes requests of messages. Times are wall-clock: a schedule is decided when the request leaves. */
export interface Wire<M> {
	/** Messages of one lane leave one after another, in their order; undefined if the order does not matter. */
	laneOf: (message: M) => string | undefined;
	/** Messages of one group may share a request. */
	groupOf: (message: M) => string;
	/** The size of the body, and of one message more in it. */
	bodyBytes(messages: readonly M[]): number;
	elementBytes(message: M): number;
	/** The time that a message is scheduled for has passed. */
	hasPassed(message: M, wallMs: number): boolean;
	/** The body. Throws if it cannot be written. */
	write(messages: readonly M[], wallMs: number): Buffer;
	/** Sends the request once. Never throws. */
	post(message: M, body: Buffer): Promise<Reply>;
	/** The time decided for a message that was written at `wallMs`; undefined if it was known before. */
	decidedTime(message: M, wallMs: number): Schedule | undefined;
	/**
	 * A request that reaches nobody, to the address of a message, to learn whether the service is back.
	 * `isOfLimit`: its answer tells of the limit of this run's API.
	 */
	checkHealth(message: M | undefined): { reply: Promise<Reply>; isOfLimit: boolean };
}

export interface Request<M> {
	messages: readonly M[];
	/** Present if requests are batches. */
	batch?: Recorded['batch'];
	/** When it was last sent, in epoch milliseconds. */
	sentAtMs?: number;
}

export interface Environment {
	/** For durations only: it runs evenly even if the clock of this machine is set. */
	clock: Clock;
	/** This machine's clock in epoch milliseconds, for times that people read, such as hours and schedules. */
	now: () => number;
	/** 0 to 1, for waits that should differ. */
	random: () => number;
	/** Aborted when the execution is stopped or times out. */
	stop?: AbortSignal;
	/** True once that has happened. */
	cancelled: () => boolean;
	/** True if On Error is Stop Workflow. The first failure ends the run. */
	stopsOnFailure: boolean;
	/** Waits for work, but only until shortly after Stop. Returns undefined then; the work goes on. */
	untilStopped: <T>(work: Promise<T>) => Promise<T | undefined>;
	/** Writes a line to n8n's log: a mistake of this node as `error`, a possible loss of messages as `warn`. */
	log: (message: string, level?: 'info' | 'warn' | 'error') => void;
}
