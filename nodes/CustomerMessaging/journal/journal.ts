import { ApplicationError } from 'n8n-workflow';

import type { Delivery } from '../shared/delivery';
import { type EntryList, type EntryStore, MAX_TRIES } from './store';

/** What the journal knows of a message. It knows nothing of one that was surely not delivered. */
export type State =
	/** It was about to be sent, and how that ended was not recorded: it may have been delivered. */
	| 'pending'
	| 'accepted'
	/** It was sent and may have been delivered, and a run has reported so. */
	| 'unknown';

/** Which of the messages that a run asked for it may send. */
export interface Claim {
	/** The messages that this run must send now. */
	claimed: readonly Delivery[];
	/** What was recorded before. Claimed messages that it names may have been delivered already. */
	known: ReadonlyMap<Delivery, State>;
	/** Messages to ask for again: the window is full, or a message with the same name is being sent. */
	later: readonly Delivery[];
}

/** The names that runs of a process are sending, each with the run that sends it. */
export type NamesInUse = Map<string, { readonly execution: string }>;

export interface JournalOptions {
	/** The name that a message is recorded under. */
	nameOf: (message: Delivery) => string;
	/** Whether no other attempt and no other run can have used any of the names. */
	areNamesNew: boolean;
	/** Whether messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** How many messages may be pending, by how many were claimed before. */
	windowAfter: (claimed: number) => number;
	/** Messages are claimed in multiples of this number, such as the size of a batch. */
	unit: number;
	/** How many entries the list keeps. It drops the oldest. */
	keep: number;
	/** Entries that are added with the first claim. */
	marks: readonly string[];
	/** Once it is stored, nothing more may be claimed. */
	stopMark?: string;
	namesInUse: NamesInUse;
	/** The ID of this execution. */
	execution: string;
}

/**
 * Says of each message, under its name, whether it is pending, accepted or unknown. A message that it does
 * not name was not sent.
 *
 * Messages are recorded as pending before they are sent. How they ended is written together with the
 * next claim, or once none is left. So a crash leaves no more of them pending than the window allows.
 */
export class Journal {
	/** How many messages stay in doubt, because how they ended could not be written. */
	inDoubt = 0;
	/** What kept the journal from writing how messages ended, the last time. */
	writeError?: unknown;
	private isClosed = false;
	/** Messages that were claimed and have not ended. */
	private readonly pending = new Set<Delivery>();
	/** By name, how messages ended that the store still calls pending; undefined if surely not delivered. */
	private ended = new Map<string, State | undefined>();
	private claimedCount = 0;

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions,
	) {}

	/** Whether other processes are kept out while the journal is written. */
	get isLocked(): boolean {
		return this.store.isLocked;
	}

	/** How many of a number of messages may be claimed now. Few large writes are better than many small ones. */
	roomFor(messages: number): number {
		const { unit, windowAfter } = this.options;
		const window = windowAfter(this.claimedCount);
		const left = window - this.pending.size;
		const room = left - (left % unit);
		return room >= Math.min(messages, Math.max(unit, window / 2)) ? room : 0;
	}

	/**
	 * Records messages as pending, as many as there is room for.
	 *
	 * @throws what n8n's store throws; then none of the messages may be sent
	 */
	async claim(messages: readonly Delivery[]): Promise<Claim> {
		const { namesInUse, nameOf } = this.options;
		const room = this.roomFor(messages.length);
		const free = new Set<Delivery>();
		for (const message of messages) {
			if (free.size === room) break;
			const name = this.inUse(nameOf(message));
			if (namesInUse.has(name)) continue;
			namesInUse.set(name, this.options);
			free.add(message);
		}
		const decided = free.size > 0 ? await this.record([...free]) : nothing;
		return { ...decided, later: messages.filter((message) => !free.has(message)) };
	}

	/** The execution of another run of this process that is sending a message with the same name. */
	heldBy(message: Delivery): string | undefined {
		const holder = this.options.namesInUse.get(this.inUse(this.options.nameOf(message)));
		return holder === this.options ? undefined : holder?.execution;
	}

	/** Notes how a claimed message ended; undefined if it was surely not delivered. */
	settle(message: Delivery, state: State | undefined): void {
		if (this.pending.delete(message)) this.ended.set(this.options.nameOf(message), state);
	}

	/**
	 * Says what is known of names that are not about to be sent. A crash makes those pending that are being
	 * looked up, so they are looked up a few at a time.
	 */
	async lookUp(names: readonly string[]): Promise<Map<string, State>> {
		const found = new Map<string, State>();
		for (let next = 0; next < names.length;) {
			const some = names.slice(next, next + this.options.windowAfter(next));
			next += some.length;
			const entries = some.flatMap(listEntries);
			const stored = await this.store.exclusively(async (list) => {
				const before = await this.add(list, entries);
				await list.remove(entries.filter((entry) => !before.has(entry)));
				return before;
			});
			for (const name of some) {
				const state = readState(name, stored);
				if (state) found.set(name, state);
			}
		}
		return found;
	}

	/** Writes how messages ended, so that others need not wait for the next claim. */
	async flush(): Promise<void> {
		if (this.ended.size === 0) return;
		try {
			await this.store.exclusively(async (list) => await this.writeEnded(list));
		} catch (error) {
			this.writeError = error;
			// Nobody may wait for it any longer.
			this.release(this.ended.keys());
		}
	}

	/** Gives back what is still being claimed. Call it when nothing more may be sent. */
	close(): void {
		this.isClosed = true;
	}

	/** Waits until everything is written that can be. Messages without an outcome stay pending. */
	async finish(): Promise<void> {
		for (let tries = 0; tries < MAX_TRIES; tries++) await this.flush();
		this.inDoubt += this.ended.size;
		this.release([...this.pending].map(this.options.nameOf));
	}

	private async record(free: readonly Delivery[]): Promise<Decided> {
		const { nameOf, marks, stopMark } = this.options;
		try {
			return await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const entries = [
					...(this.claimedCount > 0 ? [] : marks),
					...(stopMark ? [stopMark] : []),
					...free.map(nameOf).flatMap(listEntries),
				];
				const stored = await this.add(list, entries);
				const isStopped = stopMark !== undefined && stored.has(stopMark);
				const decided = this.isClosed || isStopped ? nothing : this.decide(free, stored);
				const kept = new Set([...decided.claimed.map(nameOf).flatMap(listEntries), ...marks]);
				const gone = entries.filter((entry) => !kept.has(entry) && !stored.has(entry));
				// What is claimed is recorded. If this fails, the others only look as if they were pending.
				await list.remove(gone).catch((error: unknown) => {
					this.inDoubt += gone.length;
					this.writeError = error;
				});
				if (isStopped) throw new ApplicationError('another retry has begun with Send Once');
				for (const message of decided.claimed) this.pending.add(message);
				this.claimedCount += decided.claimed.length;
				return decided;
			});
		} finally {
			this.release(free.filter((message) => !this.pending.has(message)).map(nameOf));
		}
	}

	private decide(free: readonly Delivery[], stored: ReadonlySet<string>): Decided {
		const { nameOf, retryUnknown } = this.options;
		const known = new Map<Delivery, State>();
		const claimed = free.filter((message) => {
			const name = nameOf(message);
			// What has ended here counts, even if it could not be written.
			const state = this.ended.get(name) ?? readState(name, stored);
			if (state) known.set(message, state);
			return !state || (retryUnknown && state !== 'accepted');
		});
		return { claimed, known };
	}

	/**
	 * Adds entries, and finds out whether they were added where n8n does not say.
	 *
	 * @returns those that were there before; none of names that are new
	 */
	private async add(list: EntryList, entries: string[]): Promise<Set<string>> {
		const { areNamesNew, keep } = this.options;
		const before = areNamesNew ? 0 : await list.count();
		for (let tries = 1; ; tries++) {
			const adding = list.add(entries, keep);
			const added = await adding.catch(() => undefined);
			if (added) return areNamesNew ? new Set() : added;
			if (tries === MAX_TRIES) return await adding;
			if (areNamesNew) continue;
			const grownBy = (await list.count()) - before;
			if (grownBy === entries.length) return new Set();
			// Otherwise, entries that were there before can no longer be told from those that were added.
			if (grownBy !== 0 || before + entries.length > keep) return await adding;
		}
	}

	/**
	 * Writes how messages ended. Only that a message was accepted may be written later: another run may claim
	 * a pending message meanwhile, and a later removal would delete its entries.
	 */
	private async writeEnded(list: EntryList): Promise<void> {
		const { ended } = this;
		this.ended = new Map();
		const gone = [...ended].flatMap(([name, state]) => {
			const [first, second] = listEntries(name);
			if (state === undefined) return [first, second];
			return state === 'pending' ? [] : [state === 'accepted' ? second : first];
		});
		try {
			await list.remove(gone);
		} catch (error) {
			this.writeError = error;
			for (const [name, state] of ended)
				if (state === 'accepted') this.ended.set(name, state);
				else if (state !== 'pending') this.inDoubt++;
		} finally {
			this.release(ended.keys());
		}
	}

	/** Names that another run has come to use meanwhile stay in use. */
	private release(names: Iterable<string>): void {
		const { namesInUse } = this.options;
		for (const name of names)
			if (namesInUse.get(this.inUse(name)) === this.options) namesInUse.delete(this.inUse(name));
	}

	private inUse(name: string): string {
		return `${this.store.name} ${name}`;
	}
}

type Decided = Omit<Claim, 'later'>;

const nothing: Decided = { claimed: [], known: new Map() };

/**
 * The entries that n8n's store holds for a name: both while it is pending, the first once it was accepted, the
 * second if it is unknown.
 *
 * The store cannot look up an entry without adding it, so looking a name up makes it pending for a
 * moment. A crash at that moment leaves a name that may have been delivered, and never one that was not.
 */
function listEntries(name: string): [first: string, second: string] {
	return [name, `${name} ?`];
}

function readState(name: string, stored: ReadonlySet<string>): State | undefined {
	const [first, second] = listEntries(name);
	if (stored.has(first)) return stored.has(second) ? 'pending' : 'accepted';
	return stored.has(second) ? 'unknown' : undefined;
}
