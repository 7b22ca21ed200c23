import type { Delivery, SentRequest } from '../shared/delivery';
import { hasFailed, type SentResult, type SkippedResult } from '../shared/result';
import type { Clock } from '../shared/clock';
import type { Outcome } from '../shared/outcome';
import { inSlices } from '../shared/slices';
import type { ChunkNotes } from './chunkNotes';
import type { Followers } from './repeatedIds';
import type { ApiRequest } from './requests';
import { recordOf, resultOf, type SentRecords } from './sentRecords';
import type { SentState } from './onceEntries';
import type { Earlier } from './sharedLedger';

type Unknown = Extract<Outcome, { outcome: 'unknown' }>;

/** Collects the outcome of each delivery of a run, and stores it for later attempts. */
export class Outcomes {
	/** Whether a delivery of this attempt was not accepted. */
	hasFailed = false;
	/** Number of batches that earlier attempts sent. */
	earlierBatches = 0;
	private readonly results = new Map<Delivery, SentResult | SkippedResult>();
	/** Deliveries that an earlier attempt may have made, and that 'Retry Unknown' sends again. */
	private readonly unsure = new Map<Delivery, Unknown>();

	constructor(
		private readonly records: SentRecords,
		private readonly notes: ChunkNotes | undefined,
		private readonly retryUnknown: boolean,
		private readonly clock: Clock,
	) {}

	/** Adopts the outcome from an earlier attempt of this execution. Returns false if it must still be sent. */
	recall(delivery: Delivery): boolean {
		const record = this.records.ledger.find(this.records.keyOf(delivery));
		if (!record) return false;
		this.earlierBatches = Math.max(this.earlierBatches, (record.batch?.index ?? -1) + 1);
		return this.takeOver(delivery, resultOf(delivery, record));
	}

	/** Adopts the outcome from the shared ledger. Returns false if the delivery must still be sent. */
	recallEarlier(delivery: Delivery, earlier: Earlier | undefined): boolean {
		return earlier !== undefined && this.takeOver(delivery, resultOf(delivery, recordOf(earlier)));
	}

	/** Adopts what Send Once knows of a delivery that is not sent. */
	recallOnce(delivery: Delivery, state: SentState): void {
		const earlierOutcome = state === 'accepted' ? state : 'unknown';
		this.notes?.note(this.records.keyOf(delivery), recordOf(earlierOutcome).outcome);
		this.results.set(
			delivery,
			state === 'inDoubt'
				? resultOf(delivery, recordOf('unknown'))
				: { kind: 'skipped', delivery, reason: 'sentBefore', earlierOutcome },
		);
	}

	/** Notes that a delivery is sent although another execution may have made it. */
	repeat(delivery: Delivery): void {
		const { outcome } = recordOf('unknown');
		if (outcome.outcome === 'unknown') this.unsure.set(delivery, outcome);
	}

	/**
	 * The deliveries of `rows` that are not known to be sent, and those that have to follow them.
	 *
	 * @param recall adopts an outcome; returns false if the delivery must be sent
	 */
	async unsent(
		rows: readonly Delivery[],
		followers: Followers,
		recall: (delivery: Delivery) => boolean,
	): Promise<Delivery[]> {
		const unsent: Delivery[] = [];
		await inSlices(rows, { clock: this.clock }, (delivery) => {
			if (recall(delivery)) {
				if (!followers.includes(delivery)) return;
				this.reopen(delivery);
			}
			followers.add(delivery);
			unsent.push(delivery);
		});
		return unsent;
	}

	/** Drops the outcome that was adopted for a delivery, because it is sent once more. */
	private reopen(delivery: Delivery): void {
		const result = this.results.get(delivery);
		this.results.delete(delivery);
		if (result?.kind === 'sent' && result.outcome.outcome === 'unknown')
			this.unsure.set(delivery, result.outcome);
	}

	/** Call this before sending a request. */
	leaving({ deliveries }: ApiRequest): void {
		for (const delivery of deliveries) this.records.ledger.leaving(this.records.keyOf(delivery));
	}

	/** @param sent the part of the request that concerns a delivery, for 'Include Request' */
	settle(
		{ deliveries, batch }: ApiRequest,
		outcome: Outcome,
		sent?: (delivery: Delivery) => SentRequest,
	): void {
		for (const delivery of deliveries) {
			this.record(delivery, outcome, { batch, request: sent?.(delivery) });
		}
	}

	/** The deliveries that have no outcome because the run ended early. */
	without(deliveries: Iterable<Delivery>): Delivery[] {
		return [...deliveries].filter((delivery) => !this.results.has(delivery));
	}

	/** Sets the outcome of deliveries that have none because the run ended early. */
	leaveOut(deliveries: readonly Delivery[], outcome: Outcome): void {
		for (const delivery of deliveries) this.record(delivery, outcome);
	}

	of(deliveries: readonly Delivery[]): Array<SentResult | SkippedResult> {
		return deliveries.flatMap((delivery) => this.results.get(delivery) ?? []);
	}

	private takeOver(delivery: Delivery, result: SentResult): boolean {
		const { outcome } = result;
		if (outcome.outcome === 'unknown' && this.retryUnknown) {
			this.unsure.set(delivery, outcome);
			return false;
		}
		this.results.set(delivery, result);
		return true;
	}

	private record(
		delivery: Delivery,
		outcome: Outcome,
		rest: Pick<SentResult, 'batch' | 'request'> = {},
	): void {
		// It may have been delivered before, even if this attempt was refused or not sent.
		const reported =
			outcome.outcome === 'accepted' ? outcome : (this.unsure.get(delivery) ?? outcome);
		const key = this.records.keyOf(delivery);
		this.records.ledger.record(key, { outcome: reported, ...rest });
		this.notes?.note(key, reported);
		if (delivery.onceKey !== undefined) this.records.once?.note(delivery.onceKey, reported);
		const result: SentResult = { kind: 'sent', delivery, outcome: reported, ...rest };
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
	}
}
