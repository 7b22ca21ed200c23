import { isSmall, Queue, type Ticket, type Turn } from './queue';
import { mayHaveArrived } from './retry';
import type { Reply } from './types';
import { Window, type Guess } from './window';

export type { Ticket, Turn } from './queue';

/** Kept back from large runs, for others and for the small runs of this process. */
const RESERVED_SHARE = 0.05;
/** The reserve is given free when the next window is this near. */
const RELEASE_MS = 2_000;
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 15_000;
/** When to ask again where it depends on an answer, which wakes the turn anyway. */
const ASK_AGAIN_MS = 500;

export type Permission =
	| { ticket: Ticket }
	/** `scout`: one request has gone ahead after a lull to see what is left. */
	| { askAgainAtMs: number; reason: 'limit' | 'scout' | 'concurrency' };

/**
 * Lets requests through as fast as one limit (spec §8) allows, for all runs of the process that
 * share it. No clock and no timers inside: times are epoch milliseconds, passed in.
 */
export class Gate {
	private readonly queue = new Queue();
	private inFlight = 0;
	private seq = 0;
	/** Set while the window is exhausted: when the next probe is due, and what speaks for it. */
	private shut?: { atMs: number; guess: Guess; refusals: number };
	/** The one request that may be out while the window is exhausted, or after a lull. */
	private scout?: Ticket;

	/** @param random jitter of the back-off, 0 to 1 */
	constructor(
		limitPerMinute: number,
		private readonly random: () => number = Math.random,
		private readonly window = new Window(limitPerMinute),
	) {}

	get limitPerMinute(): number {
		return this.window.limitPerMinute;
	}

	set limitPerMinute(limitPerMinute: number) {
		this.window.limitPerMinute = limitPerMinute;
	}

	/** Whether a run has joined and not left. */
	get inUse(): boolean {
		return this.queue.inUse;
	}

	/** What the service last said is left in the current minute; null where it has not said. */
	remaining(nowMs: number): number | null {
		return this.window.remaining(nowMs);
	}

	/**
	 * A run takes its place.
	 *
	 * @param wake called when it should ask again earlier than it was told
	 * @param size how many requests it will send, where that is known
	 */
	join(concurrency: number, wake: () => void = () => {}, size = Infinity): Turn {
		return this.queue.join(concurrency, wake, size);
	}

	/** Whether one request may be sent now, and if not, when to ask again. */
	ask(turn: Turn, nowMs: number): Permission {
		turn.askedAtMs = nowMs;
		if (turn.tickets.size >= turn.concurrency) {
			this.queue.stopWaiting(turn);
			return { askAgainAtMs: nowMs + ASK_AGAIN_MS, reason: 'concurrency' };
		}
		const lets = (other: Turn) => this.lets(other, nowMs);
		if (!lets(turn) || this.queue.isBehind(turn, this.reserved, nowMs, lets)) {
			this.queue.wait(turn, nowMs);
			const reason = this.scout && !this.shut ? 'scout' : 'limit';
			return { askAgainAtMs: this.askAgainAt(nowMs), reason };
		}
		this.queue.stopWaiting(turn);
		const ticket: Ticket = { turn, ...this.window.depart(++this.seq, nowMs) };
		if (this.shut || this.isLull(nowMs)) this.scout = ticket;
		turn.tickets.add(ticket);
		turn.sent++;
		this.inFlight++;
		this.queue.wakeNext(this.reserved);
		return { ticket };
	}

	/** Takes in what came back for a ticket. */
	settle(ticket: Ticket, reply: Reply, nowMs: number): void {
		if (!this.giveBack(ticket)) return;
		const isNewest = this.window.isNewest(ticket);
		const wasScout = this.scout === ticket;
		const wasProbe = wasScout && this.shut !== undefined;
		if (wasScout) this.scout = undefined;
		if (reply.kind === 'answer' && reply.dateMs !== undefined) {
			this.window.setClock(reply.dateMs, nowMs);
		}
		if (reply.kind === 'answer' && reply.statusCode === 429) {
			ticket.turn.sent--;
			this.window.refuse(ticket, nowMs);
			if (isNewest) this.refused(wasProbe, nowMs);
		} else if (mayHaveArrived(reply)) {
			this.window.count(nowMs);
			const remaining = reply.kind === 'answer' ? reply.remaining : undefined;
			if (remaining !== undefined) {
				if (wasScout && !wasProbe) this.window.lookedAgain(remaining, ticket);
				this.window.see(Math.max(0, remaining), ticket, nowMs);
				if (isNewest) this.passed(remaining, wasProbe, nowMs);
			} else {
				this.window.miss();
				if (wasProbe && reply.kind === 'answer') this.passedSilently(ticket, nowMs);
			}
		}
		this.queue.wakeNext(this.reserved);
	}

	/** The run is over; what it still holds counts as sent. */
	leave(turn: Turn): void {
		for (const ticket of turn.tickets) {
			this.giveBack(ticket);
			this.window.miss();
			if (this.scout === ticket) this.scout = undefined;
		}
		this.queue.leave(turn);
		this.queue.wakeNext(this.reserved);
	}

	private giveBack(ticket: Ticket): boolean {
		if (!ticket.turn.tickets.delete(ticket)) return false;
		this.inFlight--;
		return true;
	}

	private refused(wasProbe: boolean, nowMs: number): void {
		if (!this.shut) {
			this.window.wasOvertaken();
			return this.close(nowMs);
		}
		if (!wasProbe) return;
		this.window.wasWrong(this.shut.guess);
		const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** this.shut.refusals, LONGEST_BACKOFF_MS);
		const backoff = { atMs: nowMs + backoffMs * (0.75 + this.random() / 4), guess: 'backoff' as const };
		const next = this.window.opening(nowMs);
		const refusals = this.shut.refusals + 1;
		this.shut = { ...(next.atMs < backoff.atMs ? next : backoff), refusals };
	}

	private passed(remaining: number, wasProbe: boolean, nowMs: number): void {
		if (wasProbe) this.window.opened();
		this.shut = undefined;
		if (remaining <= 0) this.close(nowMs);
	}

	/** A probe passed, but its answer did not say how much is left. */
	private passedSilently(ticket: Ticket, nowMs: number): void {
		if (this.window.expectsHeaders) {
			this.shut = { atMs: nowMs, guess: 'backoff', refusals: 0 };
			return;
		}
		this.window.opened();
		this.window.goByLog(ticket);
		this.shut = undefined;
	}

	private close(nowMs: number): void {
		this.shut = { ...this.window.opening(nowMs), refusals: 0 };
	}

	private lets(turn: Turn, nowMs: number): boolean {
		if (this.scout) return false;
		if (this.shut) return nowMs >= this.shut.atMs;
		if (this.window.room(this.inFlight, this.reserve(turn, nowMs), nowMs) >= 1) return true;
		return this.isLull(nowMs) && nowMs >= this.window.outdated(nowMs).atMs;
	}

	private isLull(nowMs: number): boolean {
		return this.inFlight === 0 && this.remaining(nowMs) !== null && this.window.isLull(nowMs);
	}

	private get reserved(): number {
		return Math.floor(this.window.capacity * RESERVED_SHARE);
	}

	/** What this turn must leave to others; nothing when the next places are at hand. */
	private reserve(turn: Turn, nowMs: number): number {
		if (isSmall(turn, this.reserved)) return 0;
		return nowMs >= this.releaseAt(nowMs) ? 0 : this.reserved;
	}

	private releaseAt(nowMs: number): number {
		return this.window.wideOpening(this.reserved, nowMs) - RELEASE_MS;
	}

	private askAgainAt(nowMs: number): number {
		let atMs = -Infinity;
		if (this.scout === undefined) {
			if (this.shut) atMs = this.shut.atMs;
			else if (this.inFlight === 0) {
				atMs = Math.min(this.releaseAt(nowMs), this.window.outdated(nowMs).atMs);
			}
		}
		// What is due already depends on an answer or on another turn, and either wakes this one.
		return atMs > nowMs ? atMs : nowMs + ASK_AGAIN_MS;
	}
}
