import type { Claim, Known } from './record/journal';
import { recordOf, type Sent } from './record/sent';
import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import { decideWritten } from '../schedule/format';
import type { Delivery, SentRequest } from '../shared/delivery';
import {
	hasFailed,
	internalFailure,
	type Outcome,
	type Result,
	type SentRecord,
	type SentResult,
	type SkippedResult,
} from '../shared/result';
import { inSlices } from '../shared/slices';
import { type ApiRequest, pickPart } from '../send/wire';

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
	private readonly unknown = new Map<Delivery, Outcome>();

	constructor(
		private readonly sent: Sent,
		private readonly run: Run,
		private readonly n8n: Pick<N8n, 'clock' | 'mask'>,
	) {}

	/**
	 * The deliveries of `rows` that are not known to be sent. If one of them is sent, later rows of the same
	 * user have to follow, even if they were accepted. Otherwise the older values would remain.
	 *
	 * @param repeated the users with several rows
	 */
	async unsent(
		rows: readonly Delivery[],
		repeated: ReadonlyMap<string, unknown>,
	): Promise<Delivery[]> {
		const unsent: Delivery[] = [];
		const users = new Set<string>();
		await inSlices(rows, { clock: this.n8n.clock }, (delivery) => {
			const { userID = '' } = delivery;
			this.adoptEarlier(delivery);
			const result = this.results.get(delivery);
			if (result && !users.has(userID)) return;
			// What is known of it counts no more, because it is sent once more.
			this.results.delete(delivery);
			if (result?.kind === 'sent') this.noteUnknown(delivery, result.outcome);
			if (repeated.has(userID)) users.add(userID);
			unsent.push(delivery);
		});
		return unsent;
	}

	/** How many deliveries have an outcome. */
	get count(): number {
		return this.results.size;
	}

	/** Whether a delivery has an outcome. */
	has(delivery: Delivery): boolean {
		return this.results.has(delivery);
	}

	/** Adopts the outcome from an earlier attempt, unless it must be sent again. */
	private adoptEarlier(delivery: Delivery): void {
		const record = this.sent.find(delivery);
		this.earlierBatches = Math.max(this.earlierBatches, (record?.batch?.index ?? -1) + 1);
		if (record) this.takeOver(delivery, record);
	}

	/** Adopts what the journal says of deliveries. Returns those to be sent now. */
	takeClaimed({ claimed, known }: Claim): readonly Delivery[] {
		for (const [delivery, one] of known) this.adoptKnown(delivery, one);
		return claimed;
	}

	/** Adopts what the journal knows of a delivery, unless it must be sent again. */
	private adoptKnown(delivery: Delivery, { state, byKey }: Known): void {
		if (!byKey || (state !== 'accepted' && this.run.settings.retryUnknown))
			return this.takeOver(delivery, recordOf(state));
		const skipped = { kind: 'skipped', reason: 'sentBefore' } as const;
		const earlierOutcome = state === 'accepted' ? state : 'unknown';
		this.results.set(delivery, { ...skipped, delivery, earlierOutcome });
	}

	private takeOver(delivery: Delivery, record: SentRecord): void {
		if (record.outcome.outcome === 'unknown' && this.run.settings.retryUnknown)
			this.noteUnknown(delivery, record.outcome);
		else this.results.set(delivery, this.sent.report(delivery, record));
	}

	private noteUnknown(delivery: Delivery, outcome: Outcome): void {
		if (outcome.outcome === 'unknown') this.unknown.set(delivery, outcome);
	}

	/** Call this before sending a request. */
	begin({ deliveries }: ApiRequest): void {
		for (const delivery of deliveries) {
			this.sent.ledger.begin(delivery);
			this.dispatched.add(delivery);
		}
	}

	settle(request: ApiRequest, outcome: Outcome): void {
		const { deliveries, batch, sentAtMs } = request;
		const { run } = this;
		// All deliveries of a batch share one record, which saves memory.
		const shared: SentRecord = { outcome, batch };
		for (const delivery of deliveries) {
			const { schedule } = delivery;
			let record = shared;
			if (sentAtMs !== undefined && run.settings.includeRequest) {
				const part = pickPart(request, delivery, run, sentAtMs);
				// The execution remembers it.
				record = { ...record, request: this.n8n.mask.value(part) as SentRequest };
			}
			if (sentAtMs !== undefined && schedule) {
				const { operation, account } = run;
				const scheduled = decideWritten(schedule, operation.schedule, account.format, sentAtMs);
				if (scheduled !== schedule) record = { ...record, scheduled };
			}
			this.record(delivery, record);
		}
	}

	/** Sets the outcome of the deliveries that have none because the run ended early. */
	leaveOut(deliveries: readonly Delivery[], outcome: Outcome): void {
		for (const delivery of deliveries) {
			if (this.results.has(delivery)) continue;
			// It was not looked up again.
			const doubt = this.sent.ledger.doubtOf(delivery);
			if (doubt) this.results.set(delivery, this.sent.report(delivery, doubt));
			else this.record(delivery, { outcome });
		}
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
				this.store(delivery, { outcome: result.outcome });
			} catch {
				// The mistake may be in what this needs, too.
			}
			return result;
		});
	}

	/** @param outcome of deliveries that have none yet, because Stop ended the wait for n8n's store */
	resultsOf(deliveries: readonly Delivery[], outcome: Outcome): Result[] {
		return deliveries.map((delivery) => {
			return this.results.get(delivery) ?? { kind: 'sent', delivery, outcome };
		});
	}

	/** It may have been delivered before, even if this attempt was refused or not sent. */
	private record(delivery: Delivery, record: SentRecord): void {
		const before = this.unknown.get(delivery);
		const isUnknown = before !== undefined && record.outcome.outcome !== 'accepted';
		this.store(delivery, isUnknown ? { ...record, outcome: before } : record);
	}

	private store(delivery: Delivery, record: SentRecord): void {
		const result: SentResult = { kind: 'sent', delivery, ...record };
		this.results.set(delivery, result);
		this.hasFailed ||= hasFailed(result);
		this.sent.settle(delivery, record);
	}
}
