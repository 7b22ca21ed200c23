import type { Addressed, Delivery } from '../../shared/delivery';
import type { N8n } from '../../n8n/context';
import type { SentDelivery, SentRecord, SentResult } from '../../shared/result';
import type { State } from './entries';
import type { Claim, Journal } from './journal';
import { interrupted, type Ledger } from './ledger';

/**
 * What was sent before, as far as the node can know, and what this run sends. The ledger remembers it for this
 * execution and its retries, the journal for other attempts and other executions.
 */
export class Sent {
	/** The items of messages to single people that only the journal knew of. */
	readonly found = new Set<number>();
	/** Whether what was sent earlier today may be missing from the notes. */
	isCutOff = false;

	constructor(
		readonly ledger: Ledger,
		private readonly around: Pick<N8n, 'cancelled' | 'stopsOnFailure'>,
		/** Absent if nothing has to be recorded for others. */
		private readonly journal?: Journal,
		/** What other attempts made of messages that the ledger does not know. */
		private readonly recalled: ReadonlyMap<Addressed, State> = new Map(),
		/** Why nothing can be recorded, so that nothing may be sent. */
		readonly unrecorded?: string,
	) {}

	/** Whether messages have to be claimed before they are sent. */
	get claims(): boolean {
		return this.journal !== undefined;
	}

	/**
	 * What an earlier attempt made of a delivery, or may have made.
	 *
	 * @param message what the journal was asked about
	 */
	find(
		delivery: SentDelivery,
		message = delivery as Addressed | undefined,
	): SentRecord | undefined {
		const state = message && this.recalled.get(message);
		return this.ledger.find(delivery) ?? (state && recordOf(state));
	}

	/** The result of a delivery that an earlier attempt made, which is thereby reported. */
	report(delivery: SentDelivery, record: SentRecord): SentResult {
		const { ledger, around } = this;
		const isRemembered = ledger.find(delivery) !== undefined;
		const doubt = isRemembered ? undefined : ledger.doubtOf(delivery);
		const { wasReported = doubt?.wasReported, ...known } = record;
		const isFound = !isRemembered && !doubt;
		if (isFound && delivery.audience === undefined) this.found.add(delivery.itemIndex);
		if (isRemembered) ledger.record(delivery, record, !around.cancelled());
		else ledger.recordFound(delivery, { ...known, wasReported }, !around.cancelled());
		const isPassed = wasReported && known.outcome.outcome === 'unknown' && around.stopsOnFailure;
		const passes = isPassed ? { wasReported } : {};
		return { kind: 'sent', delivery, ...known, ...passes, sentBefore: true, isFound };
	}

	/** How many claimed messages may wait beyond what is in flight. */
	get maxAhead(): number {
		return this.journal?.maxAhead ?? Infinity;
	}

	hasRoomFor(messages: number, inFlight: number): boolean {
		return this.journal !== undefined && this.journal.roomFor(messages, inFlight) > 0;
	}

	/** See {@link Journal.claim}. */
	async claim(messages: readonly Delivery[], inFlight: number): Promise<Claim> {
		const claim = await this.journal?.claim(messages, inFlight);
		return claim ?? { claimed: messages, known: new Map(), later: [] };
	}

	heldBy(message: Delivery): string | undefined {
		return this.journal?.heldBy(message);
	}

	/** Notes how a delivery ended. */
	settle(delivery: Delivery, record: SentRecord): void {
		// n8n shows no output of a stopped execution, so a later run reports what may have been delivered.
		const isShown = !this.around.cancelled();
		this.ledger.record(delivery, record, isShown);
		const { outcome } = record.outcome;
		const state = outcome === 'accepted' || outcome === 'unknown' ? outcome : undefined;
		this.journal?.settle(delivery, state === 'unknown' && !isShown ? 'pending' : state);
	}

	/** A claimed message that was not sent is not claimed any longer. */
	giveBack(deliveries: readonly Delivery[]): void {
		for (const delivery of deliveries) {
			this.ledger.forget(delivery);
			this.journal?.settle(delivery, undefined);
		}
	}

	async flush(): Promise<void> {
		await this.journal?.flush();
	}

	/** Call it when nothing more may be sent. */
	stopClaiming(): void {
		this.journal?.close();
	}

	/**
	 * Waits until everything is noted that can be.
	 *
	 * @returns how many names stay in doubt because n8n's store failed, how it did, and whether other processes
	 * were kept out
	 */
	async finish(): Promise<{ inDoubt: number; writeError?: unknown; isLocked: boolean }> {
		await this.journal?.finish();
		const { inDoubt = 0, writeError, isLocked = true } = this.journal ?? {};
		return { inDoubt, writeError, isLocked };
	}
}

/** The record of a delivery that another attempt made. */
export function recordOf(state: State): SentRecord {
	return state === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: interrupted;
}
