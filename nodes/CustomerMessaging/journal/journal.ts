import { ApplicationError } from 'n8n-workflow';

import { type EntryList, type EntryStore, MAX_TRIES } from './store';

/** What the journal knows of a message. It knows nothing of one that was surely not delivered. */
export type State =
	/** It was about to be sent, and how that ended was not recorded: it may have been delivered. */
	| 'pending'
	| 'accepted'
	/** It was sent and may have been delivered, and a run has reported so. */
	| 'unknown';

/** Which of the messages that a run asked for it may send. */
export interface Claim<M> {
	/** The messages that this run must send now. */
	claimed: M[];
	/** Claimed messages that may already have been delivered. */
	repeated: ReadonlySet<M>;
	/** What is known of messages that are not to be sent. */
	known: ReadonlyMap<M, State>;
	/** Messages to ask for again, because a message with the same name is being sent. */
	later: M[];
}

export interface JournalOptions<M> {
	/** The name that a message is recorded under. */
	nameOf: (message: M) => string;
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
	/** The names that runs of this process are sending. */
	namesInUse: NamesInUse;
	/** What sends, for runs that wait for it. */
	execution: string;
}

/**
 * Says of each message, under its name, whether it is pending, accepted or unknown. A message that it does
 * not name was not sent.
 *
 * Messages are recorded as pending before they are sent. How they ended is written together with the
 * next claim, or once none is left. So a crash leaves no more of them pending than the window allows.
 */
export class Journal<M> {
	/** How many messages stay in doubt, because how they ended could not be written. */
	inDoubt = 0;
	/** What kept the journal from writing how messages ended, the last time. */
	writeError?: unknown;
	/** Messages that were claimed and have not ended. */
	private readonly pending = new Map<M, string>();
	private ended: Array<{ name: string; state: State | undefined }> = [];
	/** Entries of accepted messages that could not be removed yet. */
	private readonly late = new Set<string>();
	private claimedCount = 0;
	private isMarked = false;
	private isClaiming = false;
	/** Whether nothing more can be claimed. */
	isClosed = false;
	private writing: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions<M>,
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
	async claim(messages: readonly M[]): Promise<Claim<M>> {
		this.isClaiming = true;
		try {
			const room = await this.roomFor(messages.length);
			const free = this.take(messages.slice(0, room));
			const claim = free.length > 0 ? await this.record(free) : nothing<M>();
			const isFree = new Set(free);
			return { ...claim, later: messages.filter((message) => !isFree.has(message)) };
		} finally {
			this.isClaiming = false;
		}
	}

	/** The execution of another run of this process that is sending a message with the same name. */
	heldBy(message: M): string | undefined {
		const { namesInUse, nameOf } = this.options;
		const holder = namesInUse.holderOf(this.inUse(nameOf(message)));
		return holder === this.options ? undefined : holder?.execution;
	}

	/** Resolves after a message of this run has ended, or another run has ended one. */
	async change(): Promise<void> {
		// Another run may wait for what has ended here.
		if (this.ended.length > 0) await this.flush();
		else if (!this.isClosed) await this.options.namesInUse.change();
	}

	/** Notes how a claimed message ended; undefined if it was surely not delivered. */
	settle(message: M, state: State | undefined): void {
		const name = this.pending.get(message);
		if (name === undefined) return;
		this.pending.delete(message);
		this.ended.push({ name, state });
		this.options.namesInUse.wake();
		if (this.pending.size > 0 || this.isClaiming) return;
		this.writing = this.writing.then(async () => await this.flush());
	}

	/**
	 * Says what is known of names that are not about to be sent. A crash makes those pending that were being
	 * looked up, so they are looked up a few at a time.
	 */
	async lookUp(names: readonly string[]): Promise<Map<string, State>> {
		const found = new Map<string, State>();
		for (let next = 0; next < names.length && !this.isClosed;) {
			const some = names.slice(next, next + this.options.windowAfter(next));
			next += some.length;
			const stored = await this.store.exclusively(async (list) => {
				const before = await this.add(list, some.flatMap(listEntries));
				await list.remove(some.flatMap(listEntries).filter((entry) => !before.has(entry)));
				return before;
			});
			for (const name of some) {
				const state = readState(name, stored);
				if (state) found.set(name, state);
			}
		}
		return found;
	}

	/** Ends all waiting. What is still being claimed is given back. */
	close(): void {
		this.isClosed = true;
		this.options.namesInUse.wake();
	}

	/** Waits until everything is written that can be. Messages without an outcome stay pending. */
	async finish(): Promise<void> {
		this.close();
		await this.writing;
		for (let tries = 0; tries < MAX_TRIES && this.hasToWrite; tries++) await this.flush();
		this.inDoubt += this.ended.length + this.late.size;
		this.release([...this.pending.values()]);
	}

	private get hasToWrite(): boolean {
		return this.ended.length > 0 || this.late.size > 0;
	}

	/** How many of a number of messages may be claimed now. Few large writes are better than many small ones. */
	private async roomFor(messages: number): Promise<number> {
		const { unit, windowAfter, namesInUse } = this.options;
		while (!this.isClosed) {
			const window = windowAfter(this.claimedCount);
			const left = window - this.pending.size;
			const room = left - (left % unit);
			if (room > 0 && room >= Math.min(messages, Math.max(unit, window / 2))) return room;
			await namesInUse.change();
		}
		return 0;
	}

	/** Takes the messages whose names nobody in this process is sending, at once, so that no other run takes them too. */
	private take(messages: readonly M[]): M[] {
		const { namesInUse, nameOf } = this.options;
		return messages.filter((message) =>
			namesInUse.take(this.inUse(nameOf(message)), this.options),
		);
	}

	private async record(free: readonly M[]): Promise<Claim<M>> {
		const { nameOf, marks, stopMark } = this.options;
		const kept = new Set<string>();
		try {
			const claim = await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const entries = free.flatMap((message) => listEntries(nameOf(message)));
				const others = [...(this.isMarked ? [] : marks), ...(stopMark ? [stopMark] : [])];
				const stored = await this.add(list, [...others, ...entries]);
				this.isMarked = true;
				const isStopped = stopMark !== undefined && stored.has(stopMark);
				const decided = this.isClosed || isStopped ? nothing<M>() : this.decide(free, stored);
				for (const message of decided.claimed) kept.add(nameOf(message));
				const lookedUp = free.map(nameOf).filter((name) => !kept.has(name));
				const added = [...lookedUp.flatMap(listEntries), ...(stopMark ? [stopMark] : [])];
				// What is claimed is recorded. If this fails, the others only look as if they were pending.
				await list
					.remove(added.filter((entry) => !stored.has(entry)))
					.catch((error: unknown) => this.fail(lookedUp.length, error));
				if (isStopped) throw new ApplicationError('another retry has begun with Send Once');
				return decided;
			});
			for (const message of claim.claimed) this.pending.set(message, nameOf(message));
			this.claimedCount += claim.claimed.length;
			return claim;
		} catch (error) {
			kept.clear();
			throw error;
		} finally {
			this.release(free.map(nameOf).filter((name) => !kept.has(name)));
		}
	}

	private decide(free: readonly M[], stored: ReadonlySet<string>): Claim<M> {
		const { nameOf, areNamesNew, retryUnknown } = this.options;
		if (areNamesNew) return { ...nothing<M>(), claimed: [...free] };
		const claimed: M[] = [];
		const repeated = new Set<M>();
		const known = new Map<M, State>();
		for (const message of free) {
			const state = readState(nameOf(message), stored, this.late);
			if (state && (state === 'accepted' || !retryUnknown)) known.set(message, state);
			else claimed.push(message);
			if (state && !known.has(message)) repeated.add(message);
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
			try {
				return await list.add(entries, keep);
			} catch (error) {
				if (tries === MAX_TRIES) throw error;
				if (areNamesNew) continue;
				const grownBy = (await list.count()) - before;
				if (grownBy === entries.length) return new Set();
				// Otherwise, entries that were there before can no longer be told from those that were added.
				if (grownBy !== 0 || before + entries.length > keep) throw error;
			}
		}
	}

	private async flush(): Promise<void> {
		try {
			await this.store.exclusively(async (list) => await this.writeEnded(list));
		} catch (error) {
			this.writeError = error;
			// Nobody may wait for it any longer.
			this.release(this.ended.map(({ name }) => name));
		}
	}

	/**
	 * Writes how messages ended. Only that a message was accepted may be written later: another run may claim
	 * a pending message meanwhile, and a later removal would delete its entries.
	 */
	private async writeEnded(list: EntryList): Promise<void> {
		const ended = this.ended.splice(0);
		const accepted = ended.filter(({ state }) => state === 'accepted');
		const gone = ended.flatMap(({ name, state }) => entriesWithout(name, state));
		try {
			await list.remove([...this.late, ...gone]);
			this.late.clear();
		} catch (error) {
			for (const { name } of accepted) this.late.add(listEntries(name)[1]);
			this.fail(ended.filter(({ state }) => state !== 'pending').length - accepted.length, error);
		} finally {
			this.release(ended.map(({ name }) => name));
		}
	}

	private fail(messages: number, error: unknown): void {
		this.inDoubt += messages;
		this.writeError = error;
	}

	private release(names: readonly string[]): void {
		this.options.namesInUse.release(names.map((name) => this.inUse(name)));
	}

	private inUse(name: string): string {
		return `${this.store.name} ${name}`;
	}
}

function nothing<M>(): Claim<M> {
	return { claimed: [], repeated: new Set(), known: new Map(), later: [] };
}

/** A run that sends. */
type Holder = Readonly<{ execution: string }>;

/** The names of messages that runs of this process are sending, and who sends them. */
export class NamesInUse {
	private readonly holders = new Map<string, Holder>();
	private waiting: Array<() => void> = [];

	holderOf(name: string): Holder | undefined {
		return this.holders.get(name);
	}

	/** Returns whether the name was free. */
	take(name: string, holder: Holder): boolean {
		if (this.holders.has(name)) return false;
		this.holders.set(name, holder);
		return true;
	}

	release(names: readonly string[]): void {
		for (const name of names) this.holders.delete(name);
		this.wake();
	}

	/** Resolves at the next release, or when somebody is woken. */
	async change(): Promise<void> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	wake(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}

/**
 * The entries that n8n's store holds for a name.
 *
 * | entries | state |
 * |---|---|
 * | both | pending |
 * | the first | accepted |
 * | the second | unknown |
 *
 * The store cannot look up an entry without adding it, so looking a name up makes it pending for a
 * moment. A crash at that moment leaves a name that may have been delivered, and never one that was not.
 */
export function listEntries(name: string): [first: string, second: string] {
	return [name, `${name} ?`];
}

/**
 * @param stored the entries that were stored
 * @param late entries that are stored only because they could not be removed yet
 */
export function readState(
	name: string,
	stored: ReadonlySet<string>,
	late: ReadonlySet<string> = new Set(),
): State | undefined {
	const [first, second] = listEntries(name);
	const hasSecond = stored.has(second) && !late.has(second);
	if (stored.has(first)) return hasSecond ? 'pending' : 'accepted';
	return hasSecond ? 'unknown' : undefined;
}

/** The entries that a pending name loses when it gets a state. */
function entriesWithout(name: string, state: State | undefined): string[] {
	const [first, second] = listEntries(name);
	switch (state) {
		case 'pending':
			return [];
		case 'accepted':
			return [second];
		case 'unknown':
			return [first];
		case undefined:
			return [first, second];
	}
}
