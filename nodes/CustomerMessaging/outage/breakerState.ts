import type { Departure } from './failureStreak';

/**
 * What the end of a request says about the service. `works`: it processed the request, or refused it
 * for its content. `refuses`: it answered, but it may refuse every request. `fails`: it is at fault,
 * or cannot be reached. `nothing`: for example 429, or a request that was not sent.
 */
export type Sign = 'works' | 'refuses' | 'fails' | 'nothing';

/** One run that sends messages to the service. */
export interface Member {
	readonly concurrency: number;
	/** Called when it is worth asking again. */
	readonly wake: () => void;
	readonly inFlight: Set<Flight>;
	/** How many times in a row its messages failed right after the service had seemed to be back. */
	setbacks: number;
}

/** One message in flight. It must be ended exactly once. */
export interface Flight extends Departure {
	readonly member: Member;
}

/** What a run may do now: send a message, ask whether the service is back, wait, or end. */
export type Leave = { kind: 'send' | 'ask' | 'end' } | { kind: 'wait'; untilMs: number };

export type State =
	| { kind: 'closed' }
	/** Nothing is sent. From `askAtMs` on, one run at a time asks whether the service is back. */
	| { kind: 'open'; askAtMs: number; asker?: Member }
	| HalfOpen;

/** The service seems to be back. One message may be in flight, and one more for each that works. */
export interface HalfOpen {
	readonly kind: 'halfOpen';
	/** How the question was answered. */
	readonly answer: Sign;
	readonly trials: Set<Flight>;
	readonly failedBy: Set<Member>;
	worked: number;
}
