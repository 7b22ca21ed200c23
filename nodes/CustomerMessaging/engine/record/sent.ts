import type { Recorded, SentResult } from '../../shared/result';
import type { Message, Surroundings } from '../message';
import type { State } from './entries';
import type { Claim, Journal } from './journal';
import { type Identity, interrupted, Ledger, type Scope } from './ledger';
import type { ExecutionMemory } from './memory';
import type { Recalled } from './recall';

/** What the record needs of the execution. */
interface Remembering extends Pick<Surroundings, 'cancelled' | 'stopsOnFailure'> {
	memory(): ExecutionMemory;
	isTool: boolean;
	/** How many times n8n may call the node for one run of it in one execution. */
	maxTries: number;
}

/** What n8n's store knows beyond the execution's memory. */
interface Stored<R> extends Partial<Recalled> {
	/** Absent if nothing can be recorded for others. */
	journal?: Journal<R>;
	/** Whether what other executions sent may be missing. */
	isCutOff?: boolean;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
}

/**
 * What was sent before, as far as the node can know, and what this run sends. The ledger remembers it for this
 * execution and its retries, the journal for other attempts and other executions.
 */
export class Sent<R extends Message> {
	/** The items of messages to single people that only the journal knew of. */
	readonly found = new Set<number>();
	private readonly ledger: Ledger<R>;
	private stored: Stored<R> = {};

	/** @param call the item that a tool is called with */
	constructor(
		private readonly around: Remembering,
		scope: Scope,
		private readonly identity: Identity<R>,
		call?: object,
	) {
		this.ledger = new Ledger(around, scope, identity, call);
	}

	/** Whether n8n has called the node before for a run of it. */
	static wasTried({ context, runIndex }: ExecutionMemory): boolean {
		return context.sent?.runIndex === runIndex;
	}

	/** From now on, n8n's store counts too. */
	use(stored: Stored<R>): void {
		this.stored = stored;
	}

	/** Whether no attempt has run this run of the node before, as far as the execution remembers. */
	get isNew(): boolean {
		return this.ledger.isNew;
	}

	/** Whether a message goes to a single person and is no test. */
	counts(message: R): boolean {
		return this.identity.counts(message);
	}

	/** Whether what other executions sent may be missing from the notes. */
	get isCutOff(): boolean {
		return this.stored.isCutOff === true;
	}

	/** Why nothing can be recorded, so that nothing may be sent. */
	get unrecorded(): string | undefined {
		return this.stored.unrecorded;
	}

	/** Whether messages have to be claimed before they are sent. */
	get claims(): boolean {
		return this.stored.journal !== undefined;
	}

	/**
	 * What an earlier attempt made of a message, or may have made.
	 *
	 * @param asked what the store was asked about, if that is not the message itself
	 */
	find(message: R, asked: object = message): Recorded | undefined {
		const { recalled, beingSent } = this.stored;
		// What is not to be sent is not claimed.
		const isDoubtful = asked !== message && beingSent?.has(asked);
		const state = isDoubtful ? 'pending' : recalled?.get(asked);
		return this.remembered(message) ?? (state && recordOf(state));
	}

	/** The same, as far as the execution remembers it. */
	remembered(message: R): Recorded | undefined {
		return this.ledger.find(message);
	}

	/** What the notes said of a message when they were read last, of which a later attempt may know more. */
	doubtOf(message: R): Recorded | undefined {
		const isBeingSent = this.stored.beingSent?.has(message);
		return this.ledger.doubtOf(message) ?? (isBeingSent ? interrupted : undefined);
	}

	/** The result of a message that an earlier attempt made, which is thereby reported. */
	report<M extends R>(delivery: M, record: Recorded): SentResult<M> {
		const { ledger, around } = this;
		const isRemembered = ledger.find(delivery) !== undefined;
		const doubt = isRemembered ? undefined : ledger.doubtOf(delivery);
		const { wasReported = doubt?.wasReported, ...known } = record;
		const isFound = !isRemembered && !doubt;
		if (isFound && this.counts(delivery)) this.found.add(delivery.itemIndex);
		if (isRemembered) ledger.record(delivery, record, !around.cancelled());
		else ledger.recordFound(delivery, { ...known, wasReported }, !around.cancelled());
		const isPassed = wasReported && known.ending.kind === 'unknown' && around.stopsOnFailure;
		const passes = isPassed ? { wasReported } : {};
		return { delivery, ...known, ...passes, sentBefore: true, isFound };
	}

	/** Waits for other calls of a tool that send the same messages at the same time. */
	async joinEqualCalls(messages: readonly R[]): Promise<void> {
		await this.ledger.joinEqualCalls(messages);
	}

	/** Answers the calls that wait for this one. */
	leaveEqualCalls(): void {
		this.ledger.leaveEqualCalls();
	}

	/** Whether there is room to claim some of so many messages. */
	hasRoomFor(messages: number, inFlight: number): boolean {
		return (this.stored.journal?.room(messages, inFlight) ?? 0) > 0;
	}

	/** Of what was claimed and waits, what should be given back. */
	beyondWindow<Job>(waiting: readonly Job[], sizeOf: (job: Job) => number): Job[] {
		return this.stored.journal?.window.beyond(waiting, sizeOf) ?? [];
	}

	/** See {@link Journal.claim}. */
	async claim<M extends R>(messages: readonly M[], inFlight: number): Promise<Claim<M>> {
		const claim = await this.stored.journal?.claim(messages, inFlight);
		for (const message of claim?.claimed ?? []) this.stored.beingSent?.delete(message);
		return claim ?? { claimed: messages, known: new Map(), later: [] };
	}

	/** The execution of another run of this process that is sending a message. */
	heldBy(message: R): string | undefined {
		return this.stored.journal?.heldBy(message);
	}

	/** Call this before sending: if n8n then ends the execution, the outcome is unknown. */
	begin(message: R): void {
		this.ledger.begin(message);
	}

	/** Notes how a message ended. */
	settle(message: R, record: Recorded): void {
		// n8n shows no output of a stopped execution, so a later run reports what may have been delivered.
		const isShown = !this.around.cancelled();
		this.ledger.record(message, record, isShown);
		const { kind } = record.ending;
		const state = kind === 'accepted' || kind === 'unknown' ? kind : undefined;
		this.stored.journal?.settle(message, state === 'unknown' && !isShown ? 'pending' : state);
	}

	/** Claimed messages that were not sent are not claimed any longer. */
	giveBack(messages: readonly R[]): void {
		for (const message of messages) {
			this.ledger.forget(message);
			this.stored.journal?.settle(message, undefined);
		}
	}

	/** Writes how messages ended, so that others need not wait for the next claim. */
	async flush(): Promise<void> {
		await this.stored.journal?.flush();
	}

	/** Call it when nothing more may be sent. */
	stopClaiming(): void {
		this.stored.journal?.close();
	}

	/**
	 * Waits until everything is noted that can be.
	 *
	 * @returns how many names stay in doubt because n8n's store failed, how it did, and whether other processes
	 * were kept out
	 */
	async finish(): Promise<{ inDoubt: number; writeError?: unknown; isLocked: boolean }> {
		const { journal } = this.stored;
		const unwritten = (await journal?.finish()) ?? { inDoubt: 0 };
		return { ...unwritten, isLocked: journal?.isLocked ?? true };
	}

	/** See {@link Ledger.close}. */
	close(firstItemFailed: boolean): void {
		this.ledger.close(firstItemFailed, this.around.maxTries);
	}
}

/** The record of a delivery that another attempt made. */
export function recordOf(state: State): Recorded {
	return state === 'accepted'
		? {
				ending: { kind: 'accepted', values: { response: null, rateLimitRemaining: null } },
				attempts: 1,
			}
		: interrupted;
}
