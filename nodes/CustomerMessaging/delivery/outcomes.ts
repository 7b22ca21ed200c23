import type { Delivery, SentRequest } from '../shared/delivery';
import { hasFailed, type SentResult } from '../shared/result';
import type { Outcome } from '../shared/outcome';
import type { ChunkNotes } from './chunkNotes';
import type { ApiRequest } from './requests';
import { recordOf, resultOf, type SentRecords } from './sentRecords';
import type { Earlier } from './sharedLedger';

type Unknown = Extract<Outcome, { outcome: 'unknown' }>;

/** What became of each delivery of a run, and what is remembered of it for later attempts. */
export class Outcomes {
	/** Whether a delivery of this attempt was not accepted. */
	hasFailed = false;
	/** How many batches earlier attempts sent. */
	earlierBatches = 0;
	private readonly results = new Map<Delivery, SentResult>();
	/** Deliveries that may have been made by an earlier attempt, and are sent again all the same. */
	private readonly unsure = new Map<Delivery, Unknown>();

	constructor(
		private readonly records: SentRecords,
		private readonly notes: ChunkNotes | undefined,
		private readonly retryUnknown: boolean,
	) {}

	/** Takes over what this execution did before. False where the delivery is still to be made. */
	recall(delivery: Delivery): boolean {
		const record = this.records.ledger.find(this.records.keyOf(delivery));
		if (!record) return false;
		this.earlierBatches = Math.max(this.earlierBatches, (record.batch?.index ?? -1) + 1);
		return this.takeOver(delivery, resultOf(delivery, record));
	}

	/** Takes over what another attempt did. False where the delivery is still to be made. */
	recallEarlier(delivery: Delivery, earlier: Earlier | undefined): boolean {
		return earlier !== undefined && this.takeOver(delivery, resultOf(delivery, recordOf(earlier)));
	}

	/** To be called before the request leaves. */
	leaving({ deliveries }: ApiRequest): void {
		for (const delivery of deliveries) this.records.ledger.leaving(this.records.keyOf(delivery));
	}

	settle({ deliveries, batch }: ApiRequest, outcome: Outcome, request?: SentRequest): void {
		for (const delivery of deliveries) this.keep(delivery, outcome, { batch, request });
	}

	/** For all that never left, because the run ended before. */
	leaveOut(deliveries: readonly Delivery[], outcome: Outcome): void {
		for (const delivery of deliveries) {
			if (!this.results.has(delivery)) this.keep(delivery, outcome);
		}
	}

	of(deliveries: readonly Delivery[]): SentResult[] {
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

	private keep(delivery: Delivery, outcome: Outcome, rest: Pick<SentResult, 'batch' | 'request'> = {}): void {
		// That it was refused this time does not undo that it may have been delivered before.
		const told = outcome.outcome === 'accepted' ? outcome : (this.unsure.get(delivery) ?? outcome);
		const key = this.records.keyOf(delivery);
		this.records.ledger.record(key, { outcome: told, ...rest });
		this.notes?.note(key, told);
		const result: SentResult = { kind: 'sent', delivery, outcome: told, ...rest };
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
	}
}
