import type { Recorded, SentResult } from '../../shared/ending';
import type { Message } from '../interfaces';
import { type Claim, type Journal, noJournal } from './journal';
import {
	type ExecutionMemory,
	type Identity,
	interrupted,
	Ledger,
	type Remembering,
	type Scope,
} from './ledger';
import type { Recalled } from './lookUps';
import type { State } from './names';

/** The record of an accepted message that only the list knows. */
const accepted: Recorded = {
	ending: { kind: 'accepted', values: { response: null, rateLimitRemaining: null } },
	attempts: 1,
};

/** Knowledge of n8n's store beyond the execution's memory. */
interface Stored<R> extends Partial<Omit<Recalled, 'renamed'>> {
	journal: Pick<Journal<R>, keyof Journal<R>>;
	/** Messages of other executions may be missing. */
	isCutOff: boolean;
}

/**
 * Remembers messages that were sent before, as far as the node can know, and those of this run. The ledger keeps them
 * for this execution and its retries, the journal for other attempts and other executions.
 */
export class Sent<R extends Message> {
	/** The items of messages to single people that only the journal knew of. */
	readonly found = new Set<number>();
	readonly ledger: Ledger<R>;
	private stored: Stored<R> = { journal: noJournal, isCutOff: false };
	/** Messages that other runs of this process were sending, and that were not claimed since. */
	private beingSent = new Set<object>();

	constructor(
		private readonly environment: Remembering,
		scope: Scope,
		readonly identity: Identity<R>,
		call?: object,
	) {
		this.ledger = new Ledger(environment, scope, identity, call);
	}

	/** n8n has called the node before for a run of it. */
	static wasTried({ context, runIndex }: ExecutionMemory): boolean {
		return context.sent?.runIndex === runIndex;
	}

	/** From now on, n8n's store counts too. */
	openStore(stored: Stored<R>): void {
		this.stored = stored;
		this.beingSent = new Set(stored.beingSent);
	}

	get isCutOff(): boolean {
		return this.stored.isCutOff;
	}

	get journal(): Stored<R>['journal'] {
		return this.stored.journal;
	}

	/**
	 * The outcome of a message in an earlier attempt; undefined if none has sent it.
	 *
	 * @param asked the object that the store was asked about, if that is not the message itself
	 */
	find(message: R, asked: object = message): Recorded | undefined {
		// A message that is not to be sent is not claimed.
		const isDoubtful = asked !== message && this.beingSent.has(asked);
		const state = isDoubtful ? 'pending' : this.stored.recalled?.get(asked);
		return this.ledger.find(message) ?? (state && recordOf(state));
	}

	/** The outcome that the list named when it was read last, of which a later attempt may know more. */
	doubtOf(message: R): Recorded | undefined {
		return this.ledger.doubtOf(message) ?? (this.beingSent.has(message) ? interrupted : undefined);
	}

	report<M extends R>(delivery: M, record: Recorded): SentResult<M> {
		const { ledger, environment, identity } = this;
		const isRemembered = ledger.find(delivery) !== undefined;
		const doubt = isRemembered ? undefined : ledger.doubtOf(delivery);
		const { wasReported = doubt?.wasReported, ...known } = record;
		const isFound = !isRemembered && !doubt;
		if (isFound && identity.counts(delivery)) this.found.add(delivery.itemIndex);
		if (isRemembered) ledger.record(delivery, record);
		else ledger.recordFound(delivery, { ...known, wasReported });
		const isPassed = wasReported && known.ending.kind === 'unknown' && environment.stopsOnFailure;
		const passes = isPassed ? { wasReported } : {};
		return { delivery, ...known, ...passes, sentBefore: true, isFound };
	}

	async claim<M extends R>(messages: readonly M[], inFlight: number): Promise<Claim<M>> {
		const claim = await this.journal.claim(messages, inFlight);
		for (const message of claim.claimed) this.beingSent.delete(message);
		return claim;
	}

	/** Notes how a message ended; undefined if it was claimed and will be claimed again. */
	settle(message: R, record: Recorded | undefined): void {
		this.ledger.record(message, record);
		const kind = record?.ending.kind;
		const state = kind === 'accepted' || kind === 'unknown' ? kind : undefined;
		// n8n shows no output of a stopped execution, so a later run reports what may have been delivered.
		const isShown = state !== 'unknown' || !this.environment.cancelled();
		this.journal.settle(message, isShown ? state : 'pending');
	}
}

export function recordOf(state: State): Recorded {
	return state === 'accepted' ? accepted : interrupted;
}
