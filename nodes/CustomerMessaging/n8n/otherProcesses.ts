/** Executions often begin together, so a run confirms so many of its first entries in any case. */
export const CONFIRMED_AT_FIRST = 3;

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 2_000;
/** How much of a long call is still remembered after the next one. */
const REMEMBERED = 0.7;

/**
 * What this process knows of others that write to n8n's lists. Each list is read and written as a whole,
 * so what another process adds during a call is lost, and what it removes comes back.
 */
export class OtherProcesses {
	/** Once noticed, another process may be writing at any time. */
	areNoticed = false;
	private callMs = 0;

	/** @param ms how long a call of this process took; those of others take about as long, but for a locked database */
	took(ms: number): void {
		this.callMs = Math.max(Math.min(ms, MAX_PAUSE_MS / 3), REMEMBERED * this.callMs);
	}

	/** How long another process gets to finish a call that it has begun. */
	get pauseMs(): number {
		return Math.max(MIN_PAUSE_MS, Math.round(3 * this.callMs));
	}
}
