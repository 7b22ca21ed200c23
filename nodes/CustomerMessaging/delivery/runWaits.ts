import type { DispatchDeps, DispatchOptions } from './dispatchOptions';

/** Shorter waits are normal and are not logged. */
const MIN_ANNOUNCED_WAIT_MS = 1_000;

type Handlers = Pick<DispatchDeps<unknown>, 'waiting' | 'paused' | 'resumed'>;

/** The waits of one run, for the rate limit and for a failing service. They count against the same maximum. */
export class RunWaits {
	private readonly limit: Wait;
	private readonly outage: Wait;

	constructor(
		private readonly handlers: Handlers,
		private readonly options: Pick<DispatchOptions, 'maxWaitMs' | 'maxOutageWaitMs'>,
	) {
		this.limit = new Wait((wait) => handlers.waiting?.(wait));
		this.outage = new Wait(() => handlers.paused?.());
	}

	limitMs(nowMs: number): number {
		return this.limit.totalMs(nowMs);
	}

	outageMs(nowMs: number): number {
		return this.outage.totalMs(nowMs);
	}

	/**
	 * @param isCertain whether the wait cannot end before `untilMs`
	 * @returns until when the run may wait for that; undefined if that takes too long
	 */
	waitForLimit(untilMs: number, isCertain: boolean, nowMs: number): number | undefined {
		this.limit.continueUntil(untilMs, nowMs);
		const leftMs = this.options.maxWaitMs - this.totalMs(isCertain ? untilMs : nowMs);
		return chooseEnd(untilMs, isCertain, leftMs, nowMs);
	}

	/**
	 * @param untilMs when the next question may be asked; infinite while it is being asked
	 * @returns until when the run may wait for that; undefined if that takes too long
	 */
	waitForService(untilMs: number, nowMs: number): number | undefined {
		this.limit.end(nowMs);
		this.outage.continueUntil(untilMs, nowMs);
		const { maxWaitMs, maxOutageWaitMs = Infinity } = this.options;
		const isCertain = untilMs < Infinity;
		const atMs = isCertain ? Math.max(untilMs, nowMs) : nowMs;
		const leftMs = Math.min(
			maxWaitMs - this.totalMs(atMs),
			maxOutageWaitMs - this.outage.totalMs(atMs),
		);
		return chooseEnd(untilMs, isCertain, leftMs, nowMs);
	}

	/** The next message leaves. */
	end(nowMs: number): void {
		const wasPaused = this.outage.isAnnounced;
		this.stop(nowMs);
		if (wasPaused) this.handlers.resumed?.(this.outageMs(nowMs));
	}

	/** The run ends, so the waits do. */
	stop(nowMs: number): void {
		this.limit.end(nowMs);
		this.outage.end(nowMs);
	}

	private totalMs(nowMs: number): number {
		return this.limit.totalMs(nowMs) + this.outage.totalMs(nowMs);
	}
}

function chooseEnd(
	untilMs: number,
	isCertain: boolean,
	leftMs: number,
	nowMs: number,
): number | undefined {
	if (leftMs < 0) return undefined;
	return isCertain ? untilMs : Math.min(untilMs, nowMs + leftMs + 1);
}

/** Measures the time in which a run had a request ready that it could not send for one reason. */
export class Wait {
	private finishedMs = 0;
	private sinceMs?: number;
	private announced = false;

	constructor(private readonly announce: (wait: { untilMs: number; waitedMs: number }) => void) {}

	/** Whether the current wait was announced. */
	get isAnnounced(): boolean {
		return this.announced;
	}

	/** Starts the wait, or continues it. Announces it if at least a second remains. */
	continueUntil(untilMs: number, nowMs: number): void {
		this.sinceMs ??= nowMs;
		if (this.announced || untilMs - nowMs < MIN_ANNOUNCED_WAIT_MS) return;
		this.announced = true;
		this.announce({ untilMs, waitedMs: this.totalMs(nowMs) });
	}

	end(nowMs: number): void {
		this.finishedMs = this.totalMs(nowMs);
		this.sinceMs = undefined;
		this.announced = false;
	}

	totalMs(nowMs: number): number {
		return this.finishedMs + nowMs - (this.sinceMs ?? nowMs);
	}
}
