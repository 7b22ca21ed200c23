import { formatSpan } from '../shared/formatting';
import { MINUTE_MS } from '../shared/time';

/** Says once a minute how far a long run is. n8n shows nothing of a node until it ends. */
export class Progress {
	private done = 0;
	private toldAtMs: number;

	/** @param total number of deliveries */
	constructor(
		private readonly total: number,
		private readonly startedAtMs: number,
		private readonly tell: (message: string) => void,
	) {
		this.toldAtMs = startedAtMs;
	}

	/** Call this whenever deliveries have ended. */
	ended(deliveries: number, nowMs: number): void {
		this.done += deliveries;
		const remaining = this.total - this.done;
		if (nowMs - this.toldAtMs < MINUTE_MS || remaining <= 0) return;
		this.toldAtMs = nowMs;
		const leftMs = ((nowMs - this.startedAtMs) * remaining) / this.done;
		this.tell(
			`${this.done} of ${this.total} items done. The remaining ${remaining} take about ${formatSpan(leftMs)}`,
		);
	}
}
