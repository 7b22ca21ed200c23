import type { Addressed, Delivery } from '../shared/delivery';
import {
	hasFailed,
	internalFailure,
	type Result,
	type SentResult,
	type SkippedResult,
} from '../shared/result';
import { decide } from '../schedule/hours';
import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import type { Outcome } from '../shared/outcome';
import { inSlices } from '../shared/slices';
import type { Claim, State } from '../journal/journal';
import type { Known } from '../journal/open';
import { makeRecord, makeResult, type SentRecords } from '../journal/sentRecords';
import type { Followers } from '../plan/repeatedIds';
import { type ApiRequest, pickPart } from './requests';

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
		private readonly run: Run,
		private readonly n8n: Pick<N8n, 'clock' | 'cancelled'>,
	) {}

	/** Adopts the outcome from an earlier attempt of this execution. Returns false if it must still be sent. */
	private recall(delivery: Delivery): boolean {
		const { ledger, keyOf, opened } = this.records;
		const record = ledger.find(keyOf(delivery));
		const known = opened?.recalled.get(delivery as Addressed);
		if (!record) return known !== undefined && this.recallKnown(delivery, known);
		this.earlierBatches = Math.max(this.earlierBatches, (record.batch?.index ?? -1) + 1);
		return this.takeOver(delivery, makeResult(delivery, record));
	}

	/** Adopts what the journal says of deliveries. Returns those to be sent now. */
	takeClaimed({ claimed, repeated, known }: Claim<Delivery>): Delivery[] {
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
		if (!byKey || state === 'pending' || (state === 'unknown' && this.run.settings.retryUnknown))
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

	/** The deliveries of `rows` that are not known to be sent, and those that have to follow them. */
	async unsent(rows: readonly Delivery[], followers: Followers): Promise<Delivery[]> {
		const unsent: Delivery[] = [];
		await inSlices(rows, { clock: this.n8n.clock }, (delivery) => {
			if (this.recall(delivery)) {
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

	settle(request: ApiRequest, outcome: Outcome): void {
		const { deliveries, batch, sentAtMs } = request;
		const { run } = this;
		for (const delivery of deliveries) {
			const { schedule } = delivery;
			const hasLeft = sentAtMs !== undefined;
			this.record(delivery, outcome, {
				batch,
				request:
					hasLeft && run.settings.includeRequest
						? pickPart(request, delivery, run, sentAtMs)
						: undefined,
				...(hasLeft && schedule?.kind === 'within' && { scheduled: decide(schedule, sentAtMs) }),
			});
		}
	}

	/** Sets the outcome of the deliveries that have none because the run ended early. */
	leaveOut(deliveries: readonly Delivery[], outcome: Outcome): void {
		for (const delivery of deliveries)
			if (!this.results.has(delivery)) this.record(delivery, outcome);
	}

	/**
	 * The results after a mistake of this node ended the run. What has an outcome keeps it. What left, or
	 * may have left in an earlier attempt, is unknown.
	 */
	afterInternalError(deliveries: readonly Delivery[], message: string): Result[] {
		return deliveries.map((delivery) => {
			const known = this.results.get(delivery);
			if (known) return known;
			const mayHaveLeft = this.dispatched.has(delivery) || this.unknown.has(delivery);
			const result = internalFailure(delivery, message, mayHaveLeft);
			try {
				this.store(delivery, result);
			} catch {
				// The mistake may be in what this needs, too.
			}
			return result;
		});
	}

	/** @param rest the outcome of deliveries that have none yet, because Stop ended the wait for n8n's store */
	resultsOf(deliveries: readonly Delivery[], rest: Outcome): Array<SentResult | SkippedResult> {
		return deliveries.map(
			(delivery) => this.results.get(delivery) ?? { kind: 'sent', delivery, outcome: rest },
		);
	}

	private takeOver(delivery: Delivery, result: SentResult): boolean {
		const { outcome } = result;
		if (outcome.outcome === 'unknown' && this.run.settings.retryUnknown) {
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
		this.store(delivery, { kind: 'sent', delivery, outcome: reported, ...rest });
	}

	private store(delivery: Delivery, result: SentResult): void {
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
		this.records.ledger.record(this.records.keyOf(delivery), result);
		if (this.claimed.has(delivery))
			this.records.opened?.journal.settle(delivery, this.stateAfter(result.outcome));
	}

	private stateAfter({ outcome }: Outcome): State | undefined {
		// n8n shows no output of a stopped execution, so a later run reports what may have been delivered.
		if (outcome === 'unknown') return this.n8n.cancelled() ? 'pending' : 'unknown';
		return outcome === 'accepted' ? 'accepted' : undefined;
	}
}
