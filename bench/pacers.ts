import type { Pacing } from '../nodes/CustomerMessaging/sending/dispatch';
import type { Permission, Ticket, Turn } from '../nodes/CustomerMessaging/sending/gate';
import type { Reply } from '../nodes/CustomerMessaging/sending/types';

const MINUTE_MS = 60_000;

/** What the ways of pacing have in common that are measured beside the gate. */
abstract class Pacer implements Pacing {
	private seq = 0;

	constructor(protected readonly limit: number) {}

	/** When the next request may leave. */
	protected abstract opensAt(nowMs: number): number;
	protected abstract left(nowMs: number): void;
	protected abstract came(ticket: Ticket, reply: Reply, nowMs: number): void;

	join(concurrency: number, wake: () => void = () => {}, size = Infinity): Turn {
		return { concurrency, wake, size, tickets: new Set(), sent: 0, askedAtMs: -Infinity };
	}

	ask(turn: Turn, nowMs: number): Permission {
		if (turn.tickets.size >= turn.concurrency) {
			return { askAgainAtMs: Infinity, reason: 'concurrency' };
		}
		const opensMs = this.opensAt(nowMs);
		if (opensMs > nowMs) return { askAgainAtMs: opensMs, reason: 'limit' };
		const ticket: Ticket = { turn, seq: ++this.seq, sentMs: nowMs, endedBefore: 0 };
		turn.tickets.add(ticket);
		this.left(nowMs);
		return { ticket };
	}

	settle(ticket: Ticket, reply: Reply, nowMs: number): void {
		if (ticket.turn.tickets.delete(ticket)) this.came(ticket, reply, nowMs);
	}

	leave(turn: Turn): void {
		turn.tickets.clear();
	}
}

const isRefusal = (reply: Reply) => reply.kind === 'answer' && reply.statusCode === 429;

/** One request every minute/limit; what is refused goes again. */
export class FixedSpacing extends Pacer {
	private nextMs = -Infinity;

	protected opensAt(): number {
		return this.nextMs;
	}

	protected left(nowMs: number): void {
		this.nextMs = Math.max(nowMs, this.nextMs + MINUTE_MS / this.limit);
	}

	protected came(): void {}
}

/** At most `limit` of our own in any 60 s. */
export class OwnLog extends Pacer {
	private readonly log: number[] = [];
	private first = 0;

	protected opensAt(nowMs: number): number {
		while ((this.log[this.first] ?? Infinity) <= nowMs - MINUTE_MS) this.first++;
		const isFull = this.log.length - this.first >= this.limit;
		return isFull ? (this.log[this.first] ?? nowMs) + MINUTE_MS : nowMs;
	}

	protected left(nowMs: number): void {
		this.log.push(nowMs);
	}

	protected came(): void {}
}

/** As fast as can be until nothing remains, then 60 s of nothing. */
export class BurstAndWait extends Pacer {
	private pausedUntilMs = -Infinity;

	protected opensAt(): number {
		return this.pausedUntilMs;
	}

	protected left(): void {}

	protected came(ticket: Ticket, reply: Reply, nowMs: number): void {
		const remaining = reply.kind === 'answer' ? reply.remaining : undefined;
		if (!isRefusal(reply) && remaining !== 0) return;
		if (ticket.sentMs >= this.pausedUntilMs) this.pausedUntilMs = nowMs + MINUTE_MS;
	}
}

/** Additive increase by an answer, halved by a refusal at most once a second. */
export class Aimd extends Pacer {
	private perMinute = this.limit / 2;
	private nextMs = -Infinity;
	private halvedMs = -Infinity;

	protected opensAt(): number {
		return this.nextMs;
	}

	protected left(nowMs: number): void {
		this.nextMs = Math.max(nowMs, this.nextMs + MINUTE_MS / this.perMinute);
	}

	protected came(_ticket: Ticket, reply: Reply, nowMs: number): void {
		if (!isRefusal(reply)) this.perMinute += 1;
		else if (nowMs - this.halvedMs >= 1_000) {
			this.perMinute = Math.max(this.limit / 20, this.perMinute / 2);
			this.halvedMs = nowMs;
		}
	}
}
