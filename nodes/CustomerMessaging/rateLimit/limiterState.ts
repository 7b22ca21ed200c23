import type { Permit } from './clientQueue';
import type { ResetHeuristic } from './resetHeuristics';

/** Why a probe leaves when it does. */
export type Reason = ResetHeuristic | 'backOff' | 'retryAfter';

export type State =
	| { kind: 'open' }
	/** Nothing leaves before `probeAtMs`; then one request does. `refusals`: probes refused so far. */
	| { kind: 'exhausted'; probeAtMs: number; reason: Reason; refusals: number }
	/** One request has left to find out what remains. Nothing else leaves until it is back. */
	| { kind: 'probing'; permit: Permit; reason: Reason; refusals: number };
