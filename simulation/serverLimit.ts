import { MINUTE_MS } from '../nodes/CustomerMessaging/shared/slices';

/** How a service can count: by the minutes of its clock, from the first request, in a sliding minute, or with a token bucket. */
export const KINDS = ['clock', 'first', 'sliding', 'bucket'] as const;
export type Kind = (typeof KINDS)[number];

/** The limit as the service itself counts it. */
export class ServerLimit {
	accepted = 0;
	refused = 0;
	private startMs = -Infinity;
	private count = 0;
	private log: number[] = [];
	private first = 0;
	private tokens: number;
	private filledMs?: number;

	constructor(
		private readonly kind: Kind,
		private readonly limit: number,
	) {
		this.tokens = limit;
	}

	/** Takes a token if there is one. Times must not decrease. */
	take(nowMs: number): boolean {
		if (this.left(nowMs) < 1) {
			this.refused++;
			return false;
		}
		this.accepted++;
		if (this.kind === 'first' && this.count === 0) this.startMs = nowMs;
		if (this.kind === 'sliding') this.log.push(nowMs);
		this.count++;
		this.tokens--;
		return true;
	}

	left(nowMs: number): number {
		if (this.kind === 'sliding') {
			while ((this.log[this.first] ?? Infinity) <= nowMs - MINUTE_MS) this.first++;
			return this.limit - (this.log.length - this.first);
		}
		if (this.kind === 'bucket') {
			const filled = this.tokens + ((nowMs - (this.filledMs ?? nowMs)) * this.limit) / MINUTE_MS;
			this.tokens = Math.min(this.limit, filled);
			this.filledMs = nowMs;
			return Math.floor(this.tokens + 1e-9);
		}
		const startMs = this.kind === 'clock' ? nowMs - (nowMs % MINUTE_MS) : this.startMs;
		if (this.kind === 'clock' ? startMs !== this.startMs : nowMs >= startMs + MINUTE_MS) {
			this.startMs = startMs;
			this.count = 0;
		}
		return this.limit - this.count;
	}

	/** The time at which the next token can be taken. */
	opensAt(nowMs: number): number {
		if (this.left(nowMs) >= 1) return nowMs;
		if (this.kind === 'sliding') return (this.log[this.first] ?? nowMs) + MINUTE_MS;
		if (this.kind === 'bucket') {
			return nowMs + Math.ceil(((1 - this.tokens) * MINUTE_MS) / this.limit);
		}
		return this.startMs + MINUTE_MS;
	}
}
