import type { Addressed, Delivery, SentRequest } from '../shared/delivery';
import {
	hasFailed,
	internalFailure,
	type Result,
	type SentResult,
	type SkippedResult,
} from '../shared/result';
import { decide } from '../schedule/hours';
import type { Clock } from '../shared/clock';
import type { Outcome } from '../shared/outcome';
import { inSlices } from '../shared/slices';
import type { Claim, State } from '../journal/journal';
import type { Known } from '../journal/open';
import type { Followers } from './repeatedIds';
import type { ApiRequest } from './requests';
import { makeRecord, makeResult, type SentRecords } from './sentRecords';

type Unknown = Extract<Outcome, { outcome: 'unknown' }>;

/** Collects the outcome of each delivery of a run, and stores it for later attempts. */
export class Outcomes {
	/** Whether a delivery of this attempt was not accepted. */
	hasFailed = false;
	/** Number of batches that earlier attempts sent. */
	earlierBatches = 0;
	/** Deliveries whose requests may have reached the service. */
	private readonly dispatched = new Set<Delivery>();
	private readonly results = new Map<Delivery, SentResult | SkippedResult>();
	/** Deliveries that an earlier attempt may have made, and that 'Retry Unknown' sends again. */
	private readonly unknown = new Map<Delivery, Unknown>();
	/** What the journal has claimed for this run. */
	private readonly claimed = new Set<Delivery>();

	constructor(
		private readonly records: SentRecords,
		private readonly retryUnknown: boolean,
		private readonly clock: Clock,
		/** Whether the execution was stopped. n8n then shows no output, so a later run reports what may have been delivered. */
		private readonly stopped: () => boolean,
	) {}

	/** Adopts the outcome from an earlier attempt of this execution. Returns false if it must still be sent. */
	recall(delivery: Delivery): boolean {
		const { ledger, keyOf, opened } = this.records;
		const record = ledger.find(keyOf(delivery));
		const known = opened?.recalled.get(delivery as Addressed);
		if (!record) return known !== undefined && this.recallKnown(delivery, known);
		this.earlierBatches = Math.max(this.earlierBatches, (record.batch?.index ?? -1) + 1);
		return this.takeOver(delivery, makeResult(delivery, record));
	}

	/** Adopts what the journal says of deliveries. Returns those that are to be sent now. */
	adopt({ claimed, repeated, known }: Claim<Delivery>): Delivery[] {
		for (const [delivery, state] of known)
			this.recallKnown(delivery, { state, byKey: delivery.onceKey !== undefined });
		for (const delivery of claimed) {
			this.claimed.add(delivery);
			const { outcome } = makeRecord('unknown');
			if (repeated.has(delivery) && outcome.outcome === 'unknown')
				this.unknown.set(delivery, outcome);
		}
		return claimed;
	}

	/** Adopts what the journal knows of a delivery. Returns false if it must still be sent. */
	private recallKnown(delivery: Delivery, { state, byKey }: Known): boolean {
		if (!byKey || state === 'pending' || (state === 'unknown' && this.retryUnknown))
			return this.takeOver(delivery, makeResult(delivery, makeRecord(state)));
		this.results.set(delivery, {
			kind: 'skipped',
			delivery,
			reason: 'sentBefore',
			earlierOutcome: state,
		});
		return true;
	}

	/** Leaves out a delivery whose key of Send Once another run holds. */
	keyInUse(delivery: Delivery, execution: string | undefined): void {
		const message = `execution ${execution} is sending it`;
		this.record(delivery, { outcome: 'notSent', reason: 'keyInUse', message, attempts: 0 });
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
			this.unknown.set(delivery, result.outcome);
	}

	/** Call this before sending a request. */
	begin({ deliveries }: ApiRequest): void {
		for (const delivery of deliveries) {
			this.records.ledger.begin(this.records.keyOf(delivery));
			this.dispatched.add(delivery);
		}
	}

	/** @param sent the part of the request that concerns a delivery, for 'Include Request' */
	settle(
		{ deliveries, batch, sentAtMs }: ApiRequest,
		outcome: Outcome,
		sent?: (delivery: Delivery) => SentRequest,
	): void {
		for (const delivery of deliveries) {
			const { schedule } = delivery;
			const decided =
				schedule?.kind === 'within' && sentAtMs !== undefined
					? { scheduled: decide(schedule, sentAtMs) }
					: {};
			this.record(delivery, outcome, { batch, request: sent?.(delivery), ...decided });
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

	/**
	 * The results after a mistake of this node ended the run. What has an outcome keeps it. What left, or
	 * may have left in an earlier attempt, is unknown.
	 */
	afterInternalError(deliveries: readonly Delivery[], message: string): Result[] {
		return deliveries.map((delivery) => {
			const mayHaveLeft = this.dispatched.has(delivery) || this.unknown.has(delivery);
			return this.results.get(delivery) ?? internalFailure(delivery, message, mayHaveLeft);
		});
	}

	/** @param rest the outcome of deliveries that have none yet, because Stop ended the wait for n8n's store */
	of(deliveries: readonly Delivery[], rest: Outcome): Array<SentResult | SkippedResult> {
		return deliveries.map(
			(delivery) => this.results.get(delivery) ?? { kind: 'sent', delivery, outcome: rest },
		);
	}

	private takeOver(delivery: Delivery, result: SentResult): boolean {
		const { outcome } = result;
		if (outcome.outcome === 'unknown' && this.retryUnknown) {
			this.unknown.set(delivery, outcome);
			return false;
		}
		this.results.set(delivery, result);
		return true;
	}

	private record(
		delivery: Delivery,
		outcome: Outcome,
		rest: Pick<SentResult, 'batch' | 'request' | 'scheduled'> = {},
	): void {
		// It may have been delivered before, even if this attempt was refused or not sent.
		const reported =
			outcome.outcome === 'accepted' ? outcome : (this.unknown.get(delivery) ?? outcome);
		const result: SentResult = { kind: 'sent', delivery, outcome: reported, ...rest };
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
		const key = this.records.keyOf(delivery);
		this.records.ledger.record(key, { outcome: reported, ...rest });
		if (this.claimed.has(delivery))
			this.records.opened?.journal.settle(delivery, this.stateAfter(reported));
	}

	private stateAfter({ outcome }: Outcome): State | undefined {
		if (outcome === 'unknown') return this.stopped() ? 'pending' : 'unknown';
		return outcome === 'accepted' ? 'accepted' : undefined;
	}
}
