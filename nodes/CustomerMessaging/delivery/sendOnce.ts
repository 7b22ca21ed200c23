import { MAX_ENTRIES, type ProcessedStore } from '../n8n/processedStore';
import type { Outcome } from '../shared/outcome';
import { type Reservation, reserve } from './messagesInProgress';

/** What is known of a message that must not be sent. */
export type SentState =
	/** An earlier run sent it, and it was accepted. */
	| 'accepted'
	/** An earlier run sent it and reported that it may have been delivered. */
	| 'unknown'
	/** A run recorded that it was about to be sent, but not how it ended. */
	| 'inDoubt';

interface Group {
	/** Messages that have no outcome yet. */
	left: Set<string>;
	outcomes: Map<string, Outcome['outcome'] | 'inDoubt'>;
}

/**
 * Records in n8n's store which messages were sent, so that no execution sends one twice.
 *
 * The store cannot look up a key without adding it, and a crash can happen between any two calls.
 * Three entries are therefore added for each message before it is sent: `sent`, `open` and `unsure`.
 * The outcome decides which of them remain.
 *
 * | entries that remain | meaning |
 * |---|---|
 * | all three | the run ended before it could report the outcome |
 * | `sent`, `unsure` | no response, or 5xx: it may have been delivered |
 * | `sent` | accepted |
 * | none | surely not delivered |
 *
 * One group of messages is sent at a time, so a crash leaves only the outcomes of one group open.
 */
export class SendOnce {
	/** What this run knows of messages, so that repeated rows need no call. */
	private readonly finished = new Map<string, SentState>();
	/** Entries of the group before. They are written again, because another worker may have overwritten them. */
	private recent: string[] = [];
	private group?: Group;
	private reservation?: Reservation;
	/** Settles when the outcomes of the group are written. */
	private settling: Promise<void> = Promise.resolve();
	private readonly closing: Promise<'cancelled'>;
	/** Ends the waiting for other runs of this process. */
	close!: () => void;

	/**
	 * @param retryUnknown whether messages that may have been delivered are sent again
	 * @param stopped whether the execution was stopped. n8n then shows no output, so the next run reports
	 * what may have been delivered.
	 * @param failed called if n8n's store cannot be written after messages were sent
	 */
	constructor(
		private readonly store: ProcessedStore,
		private readonly retryUnknown: boolean,
		private readonly stopped: () => boolean,
		private readonly failed: (error: unknown) => void,
	) {
		this.closing = new Promise((resolve) => {
			this.close = () => resolve('cancelled');
		});
	}

	/**
	 * Records messages that are about to be sent, once the outcomes of the group before are recorded.
	 *
	 * @param keys different keys
	 * @returns the messages that must not be sent, or undefined if the run has ended
	 * @throws what n8n's store throws; then nothing of the group must be sent
	 */
	async claim(keys: readonly string[]): Promise<Map<string, SentState> | undefined> {
		await this.reservation?.released;
		const states = new Map<string, SentState>();
		for (const key of keys) {
			const state = this.finished.get(key);
			if (state) states.set(key, state);
		}
		const asked = keys.filter((key) => !states.has(key));
		if (asked.length === 0) return states;
		const names = asked.map((key) => `${this.store.name} ${key}`);
		this.reservation = await reserve(names, this.closing);
		if (!this.reservation) return undefined;
		for (const [key, state] of await this.lookUp(asked)) states.set(key, state);
		const left = new Set(asked.filter((key) => this.isToSend(states.get(key))));
		if (left.size > 0) this.group = { left, outcomes: new Map() };
		else this.reservation.release();
		return states;
	}

	/** Adds the outcome of a message that was claimed. The last one of a group writes them all. */
	note(key: string, { outcome }: Outcome): void {
		const { group } = this;
		if (!group?.left.delete(key)) return;
		group.outcomes.set(key, outcome === 'unknown' && this.stopped() ? 'inDoubt' : outcome);
		if (group.left.size === 0) this.settling = this.settle(group);
	}

	/** Waits until all outcomes are written. Messages without an outcome stay in doubt. */
	async finish(): Promise<void> {
		this.close();
		await this.settling;
		this.reservation?.release();
	}

	private async lookUp(keys: readonly string[]): Promise<Map<string, SentState>> {
		const states = new Map<string, SentState>();
		const entries = keys.flatMap((key) => Object.values(entriesOf(key)));
		const known = await this.store.add([...this.recent, ...entries], MAX_ENTRIES);
		this.recent = [];
		const added: string[] = [];
		for (const key of keys) {
			const { sent, open, unsure } = entriesOf(key);
			if (known.has(open)) states.set(key, 'inDoubt');
			else if (known.has(unsure)) states.set(key, 'unknown');
			else if (known.has(sent)) states.set(key, 'accepted');
			const state = states.get(key);
			if (this.isToSend(state) || !state || state === 'inDoubt') continue;
			this.finished.set(key, state);
			// Asking has added these.
			added.push(open, ...(state === 'accepted' ? [unsure] : []));
		}
		await this.store.remove(added);
		return states;
	}

	/** Whether a message is sent in spite of what is known of it. */
	private isToSend(state: SentState | undefined): boolean {
		return state === undefined || (this.retryUnknown && state !== 'accepted');
	}

	private async settle({ outcomes }: Group): Promise<void> {
		this.group = undefined;
		const removed: string[] = [];
		for (const [key, outcome] of outcomes) {
			const { sent, open, unsure } = entriesOf(key);
			if (outcome === 'inDoubt') continue;
			if (outcome !== 'accepted' && outcome !== 'unknown') {
				removed.push(sent, open, unsure);
				continue;
			}
			const rest = outcome === 'accepted' ? [sent] : [sent, unsure];
			removed.push(open, ...(outcome === 'accepted' ? [unsure] : []));
			this.recent.push(...rest);
			this.finished.set(key, outcome);
		}
		await this.store.remove(removed).catch(this.failed);
		this.reservation?.release();
	}
}

function entriesOf(key: string) {
	return { sent: key, open: `${key} open`, unsure: `${key} unsure` };
}
