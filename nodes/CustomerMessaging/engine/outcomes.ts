import {
	hasFailed,
	internalFailure,
	isSent,
	type Recorded,
	type SentEnding,
	type SentResult,
	type UnsentResult,
} from '../shared/ending';
import { inSlices } from '../shared/slices';
import type { Message, Request, Environment, Wire } from './interfaces';
import type { Policy } from './policy';
import type { Claim } from './record/journal';
import { recordOf, type Sent } from './record/sent';

type Made = Pick<Recorded, 'ending' | 'attempts'>;

type Result<M> = SentResult<M> | UnsentResult<'skipped', M>;

/** Collects the outcome of each message of a run, and records it for later attempts. */
export class Outcomes<R extends Message, M extends R> {
	private failed = false;
	private batchesBefore = 0;
	/** Messages whose requests may have reached the service. */
	private readonly dispatched = new Set<M>();
	private readonly results = new Map<M, Result<M>>();
	/** Messages that an earlier attempt may have made, and that 'Resend Unconfirmed' sends again. */
	private readonly unknown = new Map<M, Made>();

	constructor(
		private readonly sent: Sent<R>,
		private readonly wire: Wire<M>,
		private readonly policy: Policy,
		private readonly clock: Environment['clock'],
	) {}

	/**
	 * Returns the messages that are not known to be sent. If one of them is sent, later ones of its lane have to follow,
	 * even if they were accepted. Otherwise the older values would remain.
	 */
	async unsent(messages: readonly M[], lanes: ReadonlyMap<string, unknown>): Promise<M[]> {
		const unsent: M[] = [];
		const following = new Set<string>();
		await inSlices(messages, { clock: this.clock }, (delivery) => {
			const lane = this.wire.laneOf(delivery) ?? '';
			const record = this.sent.find(delivery);
			this.batchesBefore = Math.max(this.batchesBefore, (record?.batch?.index ?? -1) + 1);
			if (record) this.keep(delivery, record);
			const result = this.results.get(delivery);
			if (result && !following.has(lane)) return;
			// Its outcome counts no more, because it is sent once more.
			this.results.delete(delivery);
			if (result && isSent(result)) this.noteUnknown(delivery, result);
			if (lanes.has(lane)) following.add(lane);
			unsent.push(delivery);
		});
		return unsent;
	}

	/** A message of this attempt was not accepted. */
	get hasFailed(): boolean {
		return this.failed;
	}

	get earlierBatches(): number {
		return this.batchesBefore;
	}

	/** Number of messages that have ended. */
	get count(): number {
		return this.results.size;
	}

	has(delivery: M): boolean {
		return this.results.has(delivery);
	}

	/** Keeps the outcomes that the record knows of messages. Returns those to be sent now. */
	takeClaimed({ claimed, known }: Claim<M>): readonly M[] {
		for (const [delivery, { state, byKey }] of known) {
			if (!byKey || this.policy.sends(state)) {
				this.keep(delivery, recordOf(state));
				continue;
			}
			const values = { earlierOutcome: state === 'accepted' ? state : 'unknown' } as const;
			const ending = { kind: 'skipped', code: 'sentBefore', values } as const;
			this.results.set(delivery, { delivery, ending });
		}
		return claimed;
	}

	/** Keeps the outcome of an earlier attempt, unless the message must be sent again. */
	private keep(delivery: M, record: Recorded): void {
		const { kind } = record.ending;
		if (kind === 'unknown' && this.policy.sends(kind)) this.noteUnknown(delivery, record);
		else this.results.set(delivery, this.sent.report(delivery, record));
	}

	private noteUnknown(delivery: M, { ending, attempts }: Made): void {
		if (ending.kind === 'unknown') this.unknown.set(delivery, { ending, attempts });
	}

	/** Call this before sending a request. */
	begin({ messages }: Request<M>): void {
		for (const delivery of messages) {
			this.sent.ledger.begin(delivery);
			this.dispatched.add(delivery);
		}
	}

	settle({ messages, batch, sentAtMs }: Request<M>, made: Made): void {
		// All messages of a batch share one record, which saves memory.
		const shared: Recorded = { ...made, batch };
		for (const message of messages) {
			const scheduled =
				sentAtMs === undefined ? undefined : this.wire.decidedTime(message, sentAtMs);
			this.record(message, scheduled ? { ...shared, scheduled } : shared);
		}
	}

	/** Sets the outcome of the messages that have none because the run ended early. */
	leaveOut(messages: readonly M[], ending: SentEnding): void {
		for (const delivery of messages) {
			if (this.results.has(delivery)) continue;
			// It was not looked up again.
			const doubt = this.sent.doubtOf(delivery);
			if (doubt) this.results.set(delivery, this.sent.report(delivery, doubt));
			else this.record(delivery, { ending, attempts: 0 });
		}
	}

	/** The results after a mistake of this node. Messages without an outcome that may have left are unknown. */
	afterInternalError(messages: readonly M[], message: string): Array<Result<M>> {
		return messages.map((delivery) => {
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

	/** @param rest the ending of messages that have none yet, because Stop ended the wait for n8n's store */
	resultsOf(messages: readonly M[], rest: SentEnding): Array<Result<M>> {
		const made = { ending: rest, attempts: 0 };
		return messages.map((delivery) => this.results.get(delivery) ?? { delivery, ...made });
	}

	/** It may have been delivered before, even if in this attempt it was rejected or not sent. */
	private record(delivery: M, record: Recorded): void {
		const before = this.unknown.get(delivery);
		const isUnknown = before !== undefined && record.ending.kind !== 'accepted';
		this.store(delivery, isUnknown ? { ...record, ...before } : record);
	}

	private store(delivery: M, record: Recorded): void {
		const result: SentResult<M> = { delivery, ...record };
		this.results.set(delivery, result);
		this.failed ||= hasFailed(result);
		this.sent.settle(delivery, record);
	}
}
