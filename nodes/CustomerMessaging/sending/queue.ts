import type { Departure } from './window';

/** The first sends of a run may use what is kept back: a welcome message passes a campaign. */
const SMALL_RUN = 20;
/** A small run may pass a large one that has waited less than this. */
const PASSED_FOR_MS = 2_000;
/** A waiting turn that has not asked for so long is passed over. */
const STALE_MS = 1_000;

/** One run's place at the gate. */
export interface Turn {
	readonly concurrency: number;
	/** Called when asking again may be worth it. */
	readonly wake: () => void;
	/** How many requests the run will send. */
	readonly size: number;
	readonly tickets: Set<Ticket>;
	sent: number;
	askedAtMs: number;
	waitsSinceMs?: number;
}

/** The permission to send one request; to be settled once. */
export interface Ticket extends Departure {
	readonly turn: Turn;
}

/** Whether what the run has begun, or what is left of it, is small next to the `reserve`. */
export function isSmall({ sent, size }: Turn, reserve: number): boolean {
	return sent < SMALL_RUN || size - sent <= reserve;
}

/** Who waits: one request of each run at a time, in the order in which they began to. */
export class Queue {
	private readonly turns = new Set<Turn>();
	private readonly waiting = new Set<Turn>();

	/** Whether a run has joined and not left. */
	get inUse(): boolean {
		return this.turns.size > 0;
	}

	join(concurrency: number, wake: () => void, size: number): Turn {
		const tickets = new Set<Ticket>();
		const turn = { concurrency, wake, size, tickets, sent: 0, askedAtMs: -Infinity };
		this.turns.add(turn);
		return turn;
	}

	leave(turn: Turn): void {
		this.turns.delete(turn);
		this.waiting.delete(turn);
	}

	wait(turn: Turn, nowMs: number): void {
		turn.waitsSinceMs ??= nowMs;
		this.waiting.add(turn);
	}

	stopWaiting(turn: Turn): void {
		turn.waitsSinceMs = undefined;
		this.waiting.delete(turn);
	}

	/** Whether another turn that could go now comes first; if so, wakes it. */
	isBehind(turn: Turn, reserve: number, nowMs: number, lets: (other: Turn) => boolean): boolean {
		let isEarlier = true;
		for (const other of this.waiting) {
			if (other === turn) isEarlier = false;
			else if (comesFirst(other, turn, isEarlier, reserve, nowMs)) {
				if (nowMs - other.askedAtMs > STALE_MS || !lets(other)) continue;
				other.wake();
				return true;
			}
		}
		return false;
	}

	/** Wakes the longest waiting, and the longest waiting that may use the reserve. */
	wakeNext(reserve: number): void {
		let woken = false;
		for (const turn of this.waiting) {
			const small = isSmall(turn, reserve);
			if (woken && !small) continue;
			turn.wake();
			if (small) return;
			woken = true;
		}
	}
}

/** In order of waiting, save that small runs pass large ones for a while. */
function comesFirst(
	other: Turn,
	turn: Turn,
	isEarlier: boolean,
	reserve: number,
	nowMs: number,
): boolean {
	const isOtherSmall = isSmall(other, reserve);
	if (isOtherSmall === isSmall(turn, reserve)) return isEarlier;
	const large = isOtherSmall ? turn : other;
	const isPassed = nowMs - (large.waitsSinceMs ?? nowMs) < PASSED_FOR_MS;
	return isPassed ? isOtherSmall : isEarlier;
}
