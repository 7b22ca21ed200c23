import { ApplicationError } from 'n8n-workflow';

import { MAX_ENTRIES, type ProcessedStore } from '../n8n/processedStore';
import type { Clock } from '../shared/clock';
import type { Outcome } from '../shared/outcome';
import { type Reservation, reserve } from './messagesInProgress';
import { entriesOf, type OnceOutcome, type SentState, stateOf, toRemove } from './onceEntries';
import { OtherWorkers } from './otherWorkers';

/** How often a claim is made that other workers overwrite. */
const MAX_ATTEMPTS = 20;
/** How many entries are written again with each call. */
const MAX_RECENT = 200;

export interface Claim {
	/** The messages that this run must send now. */
	claimed: ReadonlySet<string>;
	/** What is known of messages. Those that are neither claimed nor known must be claimed again later. */
	known: ReadonlyMap<string, SentState>;
}

/** What the run provides. */
export interface SendOnceDeps {
	/** Whether messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** Whether the execution was stopped. n8n then shows no output, so the next run reports what may have been delivered. */
	stopped: () => boolean;
	clock: Clock;
	/** 0 to 1, to tell claims apart. */
	random: () => number;
	/** Called if n8n's store cannot be written after messages were sent. */
	failed: (error: unknown) => void;
}

interface Group {
	/** Messages that have no outcome yet. */
	left: Set<string>;
	outcomes: Map<string, OnceOutcome>;
}

/**
 * Records in n8n's store which messages were sent, so that no execution sends one twice.
 *
 * Each message has three entries: see `onceEntries.ts`.
 * One group of messages is sent at a time, so a crash leaves only the outcomes of one group open.
 */
export class SendOnce {
	/** What this run knows of messages, so that repeated rows need no call. */
	private readonly finished = new Map<string, SentState>();
	/** The newest entries. Each call writes them again, because another worker may have overwritten them. */
	private readonly recent: string[] = [];
	private readonly others: OtherWorkers;
	/** The marks of claims that are not settled. */
	private readonly marks: string[] = [];
	/** What was removed for the accepted messages of the group before, or of several if there are other workers. */
	private readonly removedBefore: string[] = [];
	private group?: Group;
	private reservation?: Reservation;
	/** Settles when the outcomes of the group are written. */
	private settling: Promise<void> = Promise.resolve();
	private readonly closing: Promise<'cancelled'>;
	/** Ends the waiting for other runs of this process. */
	close!: () => void;

	constructor(
		private readonly store: ProcessedStore,
		private readonly deps: SendOnceDeps,
	) {
		this.others = new OtherWorkers(deps.clock, store.others);
		this.closing = new Promise((resolve) => {
			this.close = () => resolve('cancelled');
		});
	}

	/**
	 * Records messages that are about to be sent, once the outcomes of the group before are recorded.
	 *
	 * @param keys different keys
	 * @param groupSize how many messages may be sent now
	 * @returns undefined if the run has ended
	 * @throws what n8n's store throws; then nothing of the group must be sent
	 */
	async claim(keys: readonly string[], groupSize: number): Promise<Claim | undefined> {
		await this.reservation?.released;
		const asked = keys.filter((key) => !this.finished.has(key));
		const names = asked.map((key) => `${this.store.name} ${key}`);
		this.reservation = await reserve(names, this.closing);
		if (!this.reservation) return undefined;
		const claim = await this.lookUp(asked, groupSize);
		for (const key of keys) {
			const state = this.finished.get(key);
			if (state) claim.known.set(key, state);
		}
		if (claim.claimed.size > 0) this.group = { left: new Set(claim.claimed), outcomes: new Map() };
		else this.reservation.release();
		return claim;
	}

	/** Adds the outcome of a message that was claimed. The last one of a group writes them all. */
	note(key: string, { outcome }: Outcome): void {
		const { group } = this;
		if (!group?.left.delete(key)) return;
		group.outcomes.set(key, outcome === 'unknown' && this.deps.stopped() ? 'inDoubt' : outcome);
		if (group.left.size === 0) this.settling = this.settle(group);
	}

	/** Waits until all outcomes are written. Messages without an outcome stay in doubt. */
	async finish(): Promise<void> {
		this.close();
		await this.settling;
		await this.writeAgain().catch(this.deps.failed);
		this.reservation?.release();
	}

	/**
	 * Does for the last groups what the next call does for the others: another worker may have overwritten
	 * their entries. Where there may be others, only a check after a pause counts.
	 */
	private async writeAgain(): Promise<void> {
		const removed = this.removedBefore.splice(0);
		for (let attempt = 0; this.recent.length > 0 && attempt < MAX_ATTEMPTS; attempt++) {
			const { probes } = this.others;
			const stored = await this.store.add([...this.recent, ...probes], MAX_ENTRIES);
			const isUnchanged = this.others.lookAt(stored, this.recent);
			await this.store.remove([...probes, ...removed]);
			if (!this.others.areLikely || (isUnchanged && attempt > 0)) return;
			await this.others.letFinish();
		}
	}

	/** Claims messages until the store confirms it: another worker may overwrite a claim, and its mark is then missing. */
	private async lookUp(keys: readonly string[], groupSize: number) {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			const mark = `claim ${this.deps.random()}`;
			const claim = await this.ask(keys, groupSize, mark);
			if (claim.claimed.size === 0) return claim;
			this.marks.push(mark);
			await this.others.letFinish();
			if ((await this.store.add([mark], MAX_ENTRIES)).has(mark)) return claim;
			this.others.notice();
		}
		throw new ApplicationError("Other workers keep overwriting n8n's store of processed items");
	}

	/** Adds all entries of the messages in one call, and removes those of messages that are not claimed. */
	private async ask(keys: readonly string[], groupSize: number, mark: string) {
		const claimed = new Set<string>();
		const known = new Map<string, SentState>();
		if (keys.length === 0) return { claimed, known };
		const entries = keys.flatMap((key) => Object.values(entriesOf(key)));
		const { probes } = this.others;
		const all = [...this.recent, ...entries, ...probes, mark];
		const stored = await this.store.add(all, MAX_ENTRIES);
		this.others.lookAt(stored, this.recent);
		if (keys.some((key) => stateOf(key, stored) === 'inDoubt')) this.others.suspect();
		this.marks.push(...probes);
		for (const key of keys) {
			const state = stateOf(key, stored);
			const isToSend = this.isToSend(state);
			if (isToSend && claimed.size < groupSize) claimed.add(key);
			if (state && (!isToSend || claimed.has(key))) known.set(key, state);
			if (state && !isToSend) this.finished.set(key, state);
		}
		const others = keys.filter((key) => !claimed.has(key));
		const added = others.flatMap((key) => Object.values(entriesOf(key)));
		if (claimed.size === 0) added.push(mark);
		await this.store.remove(added.filter((entry) => !stored.has(entry)));
		return { claimed, known };
	}

	/** Whether a message must still be sent, given what is known of it. */
	private isToSend(state: SentState | undefined): boolean {
		if (state === undefined) return true;
		return this.deps.retryUnknown && state !== 'accepted';
	}

	private async settle({ outcomes }: Group): Promise<void> {
		this.group = undefined;
		const marks = this.marks.splice(0);
		this.others.removed(marks[0]);
		// Another worker may have overwritten the list and so brought entries back, even more than once.
		const removed = [...marks, ...this.removedBefore];
		this.removedBefore.splice(0, this.removedBefore.length - this.others.removedAgain);
		for (const [key, outcome] of outcomes) {
			const entries = toRemove(key, outcome);
			removed.push(...entries);
			if (outcome === 'accepted') this.removedBefore.push(...entries);
			if (outcome !== 'accepted' && outcome !== 'unknown') continue;
			this.recent.push(
				...Object.values(entriesOf(key)).filter((entry) => !entries.includes(entry)),
			);
			this.finished.set(key, outcome);
		}
		this.recent.splice(0, this.recent.length - MAX_RECENT);
		await this.store.remove(removed).catch(this.deps.failed);
		this.reservation?.release();
	}
}
