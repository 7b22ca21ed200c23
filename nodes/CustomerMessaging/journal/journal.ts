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
	/** Claimed messages that may already have been delivered. */
	repeated: ReadonlySet<Delivery>;
	/** What is known of messages that are not to be sent. */
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
	/** How many messages may be pending, given how many were claimed before. */
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
	/** Whether nothing more can be claimed. */
	private isClosed = false;
	/** Messages that were claimed and have not ended. */
	private readonly pending = new Map<Delivery, string>();
	private ended: Array<{ name: string; state: State | undefined }> = [];
	/** Entries of accepted messages that could not be removed yet. */
	private readonly late = new Set<string>();
	private claimedCount = 0;
	private isMarked = false;
	private isClaiming = false;
	private writing: Promise<unknown> = Promise.resolve();
	/** Ends the waiting for room. */
	private wake: () => void = () => undefined;

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions,
	) {}

	/** Whether other processes are kept out while the journal is written. */
	get isLocked(): boolean {
		return this.store.isLocked;
	}

	/**
	 * Records messages as pending, as many as the window allows. Waits until some of them may be pending.
	 *
	 * @throws what n8n's store throws; then none of the messages may be sent
	 */
	async claim(messages: readonly Delivery[]): Promise<Claim> {
		const { namesInUse } = this.options;
		this.isClaiming = true;
		try {
			const room = await this.roomFor(messages.length);
			const free = new Set<Delivery>();
			for (const message of messages) {
				const name = this.inUse(this.options.nameOf(message));
				if (free.size === room) break;
				if (namesInUse.has(name)) continue;
				namesInUse.set(name, this.options);
				free.add(message);
			}
			const claim = free.size > 0 ? await this.record([...free]) : nothing;
			return { ...claim, later: messages.filter((message) => !free.has(message)) };
		} finally {
			this.isClaiming = false;
		}
	}

	/** The execution of another run of this process that is sending a message with the same name. */
	heldBy(message: Delivery): string | undefined {
		const holder = this.options.namesInUse.get(this.inUse(this.options.nameOf(message)));
		return holder === this.options ? undefined : holder?.execution;
	}

	/** Notes how a claimed message ended; undefined if it was surely not delivered. */
	settle(message: Delivery, state: State | undefined): void {
		const name = this.pending.get(message);
		if (name === undefined) return;
		this.pending.delete(message);
		this.ended.push({ name, state });
		this.wake();
		if (this.pending.size > 0 || this.isClaiming) return;
		this.writing = this.writing.then(async () => await this.flush());
	}

	/**
	 * Says what is known of names that are not about to be sent. A crash makes those pending that are being
	 * looked up, so they are looked up a few at a time.
	 */
	async lookUp(names: readonly string[]): Promise<Map<string, State>> {
		const found = new Map<string, State>();
		for (let next = 0; next < names.length && !this.isClosed;) {
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
		if (this.ended.length === 0 && this.late.size === 0) return;
		try {
			await this.store.exclusively(async (list) => await this.writeEnded(list));
		} catch (error) {
			this.writeError = error;
			// Nobody may wait for it any longer.
			this.release(this.ended.map(({ name }) => name));
		}
	}

	/** Ends all waiting. What is still being claimed is given back. */
	close(): void {
		this.isClosed = true;
		this.wake();
	}

	/** Waits until everything is written that can be. Messages without an outcome stay pending. */
	async finish(): Promise<void> {
		this.close();
		await this.writing;
		for (let tries = 0; tries < MAX_TRIES; tries++) await this.flush();
		this.inDoubt += this.ended.length + this.late.size;
		this.release(this.pending.values());
	}

	/** How many of a number of messages may be claimed now. Few large writes are better than many small ones. */
	private async roomFor(messages: number): Promise<number> {
		const { unit, windowAfter } = this.options;
		while (!this.isClosed) {
			const window = windowAfter(this.claimedCount);
			const left = window - this.pending.size;
			const room = left - (left % unit);
			if (room > 0 && room >= Math.min(messages, Math.max(unit, window / 2))) return room;
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		return 0;
	}

	private async record(free: readonly Delivery[]): Promise<Claim> {
		const { nameOf, marks, stopMark } = this.options;
		try {
			const claim = await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const entries = free.flatMap((message) => listEntries(nameOf(message)));
				const others = [...(this.isMarked ? [] : marks), ...(stopMark ? [stopMark] : [])];
				const stored = await this.add(list, [...others, ...entries]);
				this.isMarked = true;
				const isStopped = stopMark !== undefined && stored.has(stopMark);
				const decided = this.isClosed || isStopped ? nothing : this.decide(free, stored);
				const kept = new Set([...decided.claimed.map(nameOf).flatMap(listEntries), ...marks]);
				const gone = [...others, ...entries].filter(
					(entry) => !kept.has(entry) && !stored.has(entry),
				);
				// What is claimed is recorded. If this fails, the others only look as if they were pending.
				await list.remove(gone).catch((error: unknown) => {
					this.inDoubt += gone.length;
					this.writeError = error;
				});
				if (isStopped) throw new ApplicationError('another retry has begun with Send Once');
				return decided;
			});
			for (const message of claim.claimed) this.pending.set(message, nameOf(message));
			this.claimedCount += claim.claimed.length;
			return claim;
		} finally {
			this.release(free.filter((message) => !this.pending.has(message)).map(nameOf));
		}
	}

	private decide(free: readonly Delivery[], stored: ReadonlySet<string>): Claim {
		const { nameOf, areNamesNew, retryUnknown } = this.options;
		if (areNamesNew) return { ...nothing, claimed: [...free] };
		const claimed: Delivery[] = [];
		const repeated = new Set<Delivery>();
		const known = new Map<Delivery, State>();
		for (const message of free) {
			const state = readState(nameOf(message), stored, this.late);
			if (state && (state === 'accepted' || !retryUnknown)) {
				known.set(message, state);
				continue;
			}
			claimed.push(message);
			if (state) repeated.add(message);
		}
		return { claimed, repeated, known, later: [] };
	}

	/**
	 * Adds entries, and finds out whether they were added where n8n does not say.
	 *
	 * @returns those that were there before
	 */
	private async add(list: EntryList, entries: string[]): Promise<Set<string>> {
		const { areNamesNew, keep } = this.options;
		const before = areNamesNew ? 0 : await list.count();
		for (let tries = 1; ; tries++) {
			const adding = list.add(entries, keep);
			const added = await adding.catch(() => undefined);
			if (added || tries === MAX_TRIES) return await adding;
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
		const ended = this.ended.splice(0);
		const gone = ended.flatMap(({ name, state }) => {
			const [first, second] = listEntries(name);
			if (state === undefined) return [first, second];
			return state === 'pending' ? [] : [state === 'accepted' ? second : first];
		});
		try {
			await list.remove([...this.late, ...gone]);
			this.late.clear();
		} catch (error) {
			for (const { name, state } of ended)
				if (state === 'accepted') this.late.add(listEntries(name)[1]);
				else if (state !== 'pending') this.inDoubt++;
			this.writeError = error;
		} finally {
			this.release(ended.map(({ name }) => name));
		}
	}

	private release(names: Iterable<string>): void {
		for (const name of names) this.options.namesInUse.delete(this.inUse(name));
	}

	private inUse(name: string): string {
		return `${this.store.name} ${name}`;
	}
}

const nothing: Claim = { claimed: [], repeated: new Set(), known: new Map(), later: [] };

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

/** @param late entries that are stored only because they could not be removed yet */
function readState(
	name: string,
	stored: ReadonlySet<string>,
	late: ReadonlySet<string> = new Set(),
): State | undefined {
	const [first, second] = listEntries(name);
	const hasSecond = stored.has(second) && !late.has(second);
	if (stored.has(first)) return hasSecond ? 'pending' : 'accepted';
	return hasSecond ? 'unknown' : undefined;
}
