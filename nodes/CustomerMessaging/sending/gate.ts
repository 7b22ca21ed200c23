import { mayHaveArrived } from './retry';
import type { Reply } from './types';
import { Window, type Guess } from './window';

/** The first sends of a run may use what is kept back: a welcome message passes a campaign. */
const SMALL_RUN = 20;
const RESERVED_SHARE = 0.05;
/** The reserve is given free when the next window is this near. */
const RELEASE_MS = 3_000;
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 15_000;
/** When to ask again where it depends on an answer, which wakes the turn anyway. */
const ASK_AGAIN_MS = 500;
/** A waiting turn that has not asked for so long is passed over. */
const STALE_MS = 1_000;

/** One run's place at the gate. */
export interface Turn {
	readonly concurrency: number;
	/** Called when asking again may be worth it. */
	readonly wake: () => void;
	readonly tickets: Set<Ticket>;
	sent: number;
	askedAtMs: number;
}

/** The permission to send one request; to be settled once. */
export interface Ticket {
	readonly turn: Turn;
	/** Order of sending, over all runs. */
	readonly seq: number;
	readonly sentMs: number;
	readonly ended: number;
	/** Set on the one request that tries an exhausted window. */
	readonly probe?: Guess;
}

export type Permission =
	| { ticket: Ticket }
	| { askAgainAtMs: number; reason: 'limit' | 'concurrency' };

/**
 * Lets requests through as fast as one limit (spec §8) allows, for all runs of the process that
 * share it. No clock and no timers inside: times are epoch milliseconds, passed in.
 */
export class Gate {
	private readonly window: Window;
	/** Turns that were told to wait, in the order in which they began to. */
	private readonly waiting = new Set<Turn>();
	private readonly turns = new Set<Turn>();
	private inFlight = 0;
	private seq = 0;
	private ended = 0;
	/** Set while the window is exhausted: when the next probe is due, and what speaks for it. */
	private shut?: { atMs: number; guess: Guess; refusals: number };
	private probe?: Ticket;

	/** @param random jitter of the back-off, 0 to 1 */
	constructor(
		limitPerMinute: number,
		private readonly random: () => number = Math.random,
	) {
		this.window = new Window(limitPerMinute);
	}

	get limitPerMinute(): number {
		return this.window.limitPerMinute;
	}

	set limitPerMinute(limitPerMinute: number) {
		this.window.limitPerMinute = limitPerMinute;
	}

	/** Whether a run has joined and not left. */
	get inUse(): boolean {
		return this.turns.size > 0;
	}

	/** What the service last said is left in the current minute; null where it has not said. */
	remaining(nowMs: number): number | null {
		return this.window.remaining(nowMs);
	}

	/** A run takes its place; `wake` is called when it should ask again earlier than it was told. */
	join(concurrency: number, wake: () => void = () => {}): Turn {
		const turn: Turn = { concurrency, wake, tickets: new Set(), sent: 0, askedAtMs: -Infinity };
		this.turns.add(turn);
		return turn;
	}

	/** Whether one request may be sent now, and if not, when to ask again. */
	ask(turn: Turn, nowMs: number): Permission {
		turn.askedAtMs = nowMs;
		if (turn.tickets.size >= turn.concurrency) {
			this.waiting.delete(turn);
			return { askAgainAtMs: nowMs + ASK_AGAIN_MS, reason: 'concurrency' };
		}
		if (!this.lets(turn, nowMs) || this.isBehind(turn, nowMs)) {
			this.waiting.add(turn);
			return { askAgainAtMs: this.askAgainAt(turn, nowMs), reason: 'limit' };
		}
		this.waiting.delete(turn);
		const ticket: Ticket = { turn, seq: ++this.seq, sentMs: nowMs, ended: this.ended, probe: this.shut?.guess };
		if (this.shut) this.probe = ticket;
		turn.tickets.add(ticket);
		turn.sent++;
		this.inFlight++;
		this.wakeNext();
		return { ticket };
	}

	/** Takes in what came back for a ticket. */
	settle(ticket: Ticket, reply: Reply, nowMs: number): void {
		if (!ticket.turn.tickets.delete(ticket)) return;
		this.inFlight--;
		const wasProbe = this.probe === ticket;
		if (wasProbe) this.probe = undefined;
		if (reply.kind === 'answer' && reply.dateMs !== undefined) {
			this.window.setClock(reply.dateMs, nowMs);
		}
		if (reply.kind === 'answer' && reply.statusCode === 429) this.refused(ticket, nowMs);
		else if (mayHaveArrived(reply)) {
			this.window.count(nowMs);
			const remaining = reply.kind === 'answer' ? reply.remaining : undefined;
			this.passed(ticket, remaining, reply.kind === 'answer' && wasProbe, nowMs);
		}
		this.ended++;
		this.wakeNext();
	}

	/** The run is over; what it still holds counts as sent. */
	leave(turn: Turn): void {
		this.turns.delete(turn);
		this.waiting.delete(turn);
		for (const ticket of turn.tickets) {
			if (this.probe === ticket) this.probe = undefined;
			this.window.passUnseen();
			this.inFlight--;
		}
		turn.tickets.clear();
		this.wakeNext();
	}

	private refused(ticket: Ticket, nowMs: number): void {
		ticket.turn.sent--;
		if (!this.window.isNewer(ticket.seq)) return;
		this.window.see(0, ticket.seq, 0, nowMs);
		if (!this.shut) this.close(nowMs);
		else if (ticket.probe) {
			const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** this.shut.refusals, LONGEST_BACKOFF_MS);
			this.window.wasWrong(ticket.probe);
			const next = this.window.opening(nowMs, nowMs);
			const atMs = nowMs + backoffMs * (0.75 + this.random() / 4);
			this.shut = {
				...(next.atMs < atMs && next.atMs > nowMs ? next : { atMs, guess: 'backoff' }),
				refusals: this.shut.refusals + 1,
			};
		}
	}

	private passed(ticket: Ticket, remaining: number | undefined, opens: boolean, nowMs: number): void {
		if (!this.window.isNewer(ticket.seq)) return this.window.passUnseen();
		if (remaining === undefined) {
			this.window.passUnseen();
			if (!opens) return;
			this.window.forgetSeen(ticket.seq);
		} else this.window.see(remaining, ticket.seq, this.ended - ticket.ended, nowMs);
		if (opens) this.window.opened(nowMs);
		this.shut = undefined;
		if (remaining !== undefined && remaining <= 0) this.close(nowMs);
	}

	private close(nowMs: number): void {
		this.shut = { ...this.window.opening(nowMs, nowMs), refusals: 0 };
	}

	private lets(turn: Turn, nowMs: number): boolean {
		if (this.shut) return this.probe === undefined && nowMs >= this.shut.atMs;
		return this.window.room(this.inFlight, this.reserve(turn, nowMs), nowMs) >= 1;
	}

	private reserve(turn: Turn, nowMs: number): number {
		if (turn.sent < SMALL_RUN || this.window.fullOpening(nowMs) - nowMs <= RELEASE_MS) return 0;
		return Math.ceil(this.limitPerMinute * RESERVED_SHARE);
	}

	/** Whether another turn that could go now has waited longer. */
	private isBehind(turn: Turn, nowMs: number): boolean {
		for (const other of this.waiting) {
			if (other === turn) return false;
			if (nowMs - other.askedAtMs > STALE_MS || !this.lets(other, nowMs)) continue;
			other.wake();
			return true;
		}
		return false;
	}

	private askAgainAt(turn: Turn, nowMs: number): number {
		if (this.shut && this.probe === undefined && this.shut.atMs > nowMs) return this.shut.atMs;
		if (this.shut || this.inFlight > 0) return nowMs + ASK_AGAIN_MS;
		const openingMs = this.window.fullOpening(nowMs);
		const releaseMs = this.reserve(turn, nowMs) > 0 ? openingMs - RELEASE_MS : openingMs;
		return Math.max(releaseMs, nowMs + 1);
	}

	/** The longest waiting, and, as the reserve may be all there is, the longest waiting that may use it. */
	private wakeNext(): void {
		let first: Turn | undefined;
		for (const turn of this.waiting) {
			if (first !== undefined && turn.sent >= SMALL_RUN) continue;
			turn.wake();
			if (turn.sent < SMALL_RUN) return;
			first = turn;
		}
	}
}
