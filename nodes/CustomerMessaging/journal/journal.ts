import type { Delivery } from '../shared/delivery';
import {
	best,
	FIRST_MESSAGES,
	keyEntries,
	listEntries,
	listNames,
	MAX_PENDING,
	type Names,
	onceUsed,
	readState,
	type State,
	toldEntry,
} from './entries';
import { findEntries } from './lookUps';
import type { Marks } from './marks';
import type { NamesInUse } from './namesInUse';
import { type EntryList, type EntryStore, MAX_ENTRIES } from './store';

/** What is known of a message. */
export interface Known {
	state: State;
	/** Whether only its key of Send Once says so, so that another execution may have sent it. */
	byKey: boolean;
	/** Whether an execution has reported before that the key is in doubt. */
	wasTold?: boolean;
}

/** Which of the messages that a run asked for it may send. */
export interface Claim {
	/** The messages that this run must send now. */
	claimed: readonly Delivery[];
	/** What was recorded before. Claimed messages that it names may already have been delivered. */
	known: ReadonlyMap<Delivery, Known>;
	/** Messages to ask for again: the window is full, or a message with the same name is being sent. */
	later: readonly Delivery[];
}

export interface JournalOptions {
	namesOf: (message: Delivery) => Names;
	/** Whether messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** Messages are claimed in multiples of this number, such as the size of a batch. */
	unit: number;
	/** How many requests may be in flight. */
	concurrency: number;
	/** Whether it has keys of Send Once. A node that ever had some keeps many entries. */
	usesOnce: boolean;
	/** Whether a look-up has shown that the node has used Send Once; undefined if none was made. */
	usedOnce?: boolean;
	/** How many entries the list should keep without Send Once, because each call writes all of them. */
	fewEntries: number;
	/** What is left before the first message; absent if it is there already, or must not be. */
	marks?: Marks;
	/** Called before the marks are left. Returns whether a call that failed may have left them. */
	onMarking: () => boolean;
	/**
	 * Called with the marks that the list had before.
	 *
	 * @param mayBeOwn whether a call that failed may have left them
	 * @param wasRetried whether a retry of the execution has begun
	 * @returns whether another execution has the same names, so that {@link namesOf} gives others from now on
	 * @throws if the run must not send anything
	 */
	onMarked: (found: ReadonlySet<string>, mayBeOwn: boolean, wasRetried: boolean) => boolean;
	namesInUse: NamesInUse;
}

/**
 * Says of each message, under its names, whether it is pending, accepted or unknown. A message that it does
 * not name was not sent.
 *
 * Messages are recorded as pending before they are sent. How they ended is written together with the
 * next claim, or once none is left.
 */
export class Journal {
	/** How many names stay in doubt, because how their messages ended could not be written. */
	inDoubt = 0;
	/** What kept the journal from writing how messages ended, the last time. */
	writeError?: unknown;
	private isClosed = false;
	private isMarked = false;
	/** Messages that were claimed and have not ended, with the names that they were claimed under. */
	private readonly pending = new Map<Delivery, string[]>();
	/** By name, how messages ended that the store still calls pending; undefined if definitely not delivered. */
	private ended = new Map<string, State | undefined>();
	/** Entries that say that this run reports doubts about keys, so that later executions skip them. */
	private toTell: string[] = [];
	private askedFor = 0;
	/** How many entries the list should keep; undefined until it is known. */
	private wants?: number;

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions,
	) {
		const { usesOnce, usedOnce, fewEntries } = options;
		if (usesOnce || usedOnce !== undefined)
			this.wants = usesOnce || usedOnce ? MAX_ENTRIES : fewEntries;
	}

	/** Whether other processes are kept out while the journal is written. */
	get isLocked(): boolean {
		return this.store.isLocked;
	}

	/** How many messages may be claimed beyond what is in flight. */
	get maxAhead(): number {
		const { unit, concurrency } = this.options;
		const { first, later } = MAX_PENDING;
		if (unit > 1) return unit;
		// Where many may be in flight, a few more in doubt matter less.
		return this.askedFor < (concurrency > first ? first : FIRST_MESSAGES) ? first : later;
	}

	/** How many of a number of messages may be claimed now. */
	roomFor(messages: number, inFlight: number): number {
		const { unit, concurrency } = this.options;
		const { maxAhead } = this;
		// A batch waits beside those in flight. So may single messages if many may be in flight, and half as many if few may.
		const isWide = unit > 1 || concurrency >= MAX_PENDING.later;
		const beside = isWide ? maxAhead : maxAhead / 2;
		const free = beside - (this.pending.size - inFlight);
		// What waits for its next try keeps nothing else from being claimed.
		const few = unit > 1 ? 0 : maxAhead - this.pending.size;
		const room = Math.max(few, free);
		const isEnough = free >= Math.min(messages, beside) || few >= Math.min(messages, maxAhead / 2);
		return isEnough ? room - (room % unit) : 0;
	}

	/**
	 * Records messages as pending, as many as there is room for.
	 *
	 * @throws what n8n's store throws; then none of the messages may be sent
	 */
	async claim(messages: readonly Delivery[], inFlight: number): Promise<Claim> {
		const { namesInUse } = this.options;
		const room = this.roomFor(messages.length, inFlight);
		const free = new Map<Delivery, string[]>();
		for (const message of messages) {
			if (free.size === room) break;
			const names = this.namesOf(message);
			if (names.some((name) => namesInUse.userOf(name))) continue;
			namesInUse.take(names);
			free.set(message, names);
		}
		const decided = free.size > 0 ? await this.record(free) : nothing;
		return { ...decided, later: messages.filter((message) => !free.has(message)) };
	}

	/** The execution of another run of this process that is sending a message with the same name. */
	heldBy(message: Delivery): string | undefined {
		return this.options.namesInUse.otherUserOf(this.namesOf(message))?.execution;
	}

	/** Notes how a claimed message ended; undefined if it was definitely not delivered. */
	settle(message: Delivery, state: State | undefined): void {
		for (const name of this.pending.get(message) ?? []) this.ended.set(name, state);
		this.pending.delete(message);
	}

	/** Writes how messages ended, so that others need not wait for the next claim. */
	async flush(): Promise<void> {
		if (this.ended.size === 0) return;
		try {
			await this.store.exclusively(async (list) => await this.writeEnded(list));
		} catch (error) {
			this.writeError = error;
			// Nobody may wait for it any longer.
			this.options.namesInUse.release(this.ended.keys());
		}
	}

	/** Gives back what is still being claimed. Call it when nothing more may be sent. */
	close(): void {
		this.isClosed = true;
	}

	/**
	 * Waits until everything is written that can be. Messages without an outcome stay pending.
	 *
	 * @param isShown whether the execution shows what this run reports
	 */
	async finish(isShown: () => boolean): Promise<void> {
		const told = this.toTell.splice(0);
		if (told.length > 0 && isShown())
			await this.store
				.exclusively(async (list) => await this.add(list, told, await list.count()))
				// Then the next execution reports them too.
				.catch((error: unknown) => (this.writeError = error));
		// What could not be written the first time is tried once more.
		for (let tries = 0; tries < 2; tries++) await this.flush();
		this.inDoubt += this.ended.size;
		this.options.namesInUse.release([...this.pending.values()].flat());
	}

	private async record(free: Map<Delivery, string[]>): Promise<Decided> {
		try {
			return await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const decided = await this.addNames(list, free);
				for (const message of decided.claimed) this.pending.set(message, free.get(message) ?? []);
				return decided;
			});
		} finally {
			const unsent = [...free].filter(([message]) => !this.pending.has(message));
			this.options.namesInUse.release(unsent.flatMap(([, names]) => names));
			this.askedFor += free.size;
		}
	}

	/** Adds the names of messages, and decides which of them this run sends. */
	private async addNames(
		list: EntryList,
		free: Map<Delivery, string[]>,
		more: readonly string[] = [],
	): Promise<Decided> {
		const size = await list.count();
		const { usesOnce } = this.options;
		const isFirst = !this.isMarked;
		const marks = isFirst ? this.options.marks : undefined;
		const mayBeOwn = marks !== undefined && this.options.onMarking();
		const toAdd = [
			...(marks?.toAdd(size === 0) ?? []),
			...(isFirst && (usesOnce || this.wants === undefined) ? [onceUsed] : []),
			...more,
		];
		const entries = [...new Set([...free.values()].flat())].flatMap(listEntries);
		const stored = await this.add(list, [...toAdd, ...entries], size);
		this.isMarked = true;
		const wasRetried =
			marks !== undefined &&
			stored.has(marks.established) &&
			(await findEntries(list, marks.ofRetry)).size > 0;
		if (marks && this.options.onMarked(stored, mayBeOwn, wasRetried)) {
			await list.remove(entries.filter((entry) => !stored.has(entry)));
			this.options.namesInUse.release([...free.values()].flat());
			for (const message of free.keys()) {
				const names = this.namesOf(message);
				this.options.namesInUse.take(names);
				free.set(message, names);
			}
			return await this.addNames(list, free, [marks.twins]);
		}
		const decided = this.isClosed ? nothing : this.decide([...free.keys()], stored);
		const told = await this.tell(list, decided);
		const kept = new Set(
			decided.claimed.flatMap((one) => (free.get(one) ?? []).flatMap(listEntries)),
		);
		for (const [message, { state, byKey }] of decided.known)
			if (!byKey)
				for (const entry of keyEntries(state, this.options.namesOf(message).key, stored))
					kept.add(entry);
		const isNewMark = toAdd.includes(onceUsed) && !usesOnce && !stored.has(onceUsed);
		const gone = [
			...entries.filter((entry) => !kept.has(entry) && !stored.has(entry)),
			...told,
			...(isNewMark ? [onceUsed] : []),
		];
		// What is claimed is recorded. If this fails, the others only look as if they were pending.
		await list.remove(gone).catch((error: unknown) => {
			this.inDoubt += gone.length;
			this.writeError = error;
		});
		if (this.wants === undefined) {
			this.wants = stored.has(onceUsed) ? MAX_ENTRIES : this.options.fewEntries;
			// Nothing was dropped yet.
			const longer = size + toAdd.length + entries.length - gone.length;
			if (longer > this.wants) await this.add(list, [], longer, toAdd.length + entries.length);
		}
		return decided;
	}

	private decide(free: readonly Delivery[], stored: ReadonlySet<string>): Decided {
		const { namesOf, retryUnknown } = this.options;
		const known = new Map<Delivery, Known>();
		const claimed = free.filter((message) => {
			const names = namesOf(message);
			// What has ended here counts, even if it could not be written.
			const read = (name?: string) =>
				name === undefined ? undefined : (this.ended.get(name) ?? readState(name, stored));
			const here = read(names.here);
			const state = best(here, read(names.key));
			if (state) known.set(message, { state, byKey: state !== here });
			return !state || (retryUnknown && state !== 'accepted');
		});
		return { claimed, known };
	}

	/**
	 * Finds out which doubts about keys were reported before. This run reports the others, unless it is killed first.
	 *
	 * @returns entries to remove, because the keys are sent again
	 */
	private async tell(list: EntryList, { claimed, known }: Decided): Promise<string[]> {
		const inDoubt = [...known].flatMap(([message, one]) => {
			const { key } = this.options.namesOf(message);
			return one.byKey && one.state === 'pending' && key !== undefined
				? [{ message, one, key }]
				: [];
		});
		if (inDoubt.length === 0) return [];
		const isSent = new Set(claimed);
		const sent = inDoubt.filter(({ message }) => isSent.has(message));
		const left = inDoubt.filter(({ message }) => !isSent.has(message));
		if (left.length > 0) {
			const entries = [...new Set(left.map(({ key }) => toldEntry(key)))];
			const stored = await findEntries(list, entries);
			this.toTell.push(...entries.filter((entry) => !stored.has(entry)));
			for (const { one, key } of left) one.wasTold = stored.has(toldEntry(key));
		}
		return sent.map(({ key }) => toldEntry(key));
	}

	/** Adds entries for good. The list never shrinks by more than it has grown. */
	private async add(
		list: EntryList,
		entries: readonly string[],
		size: number,
		grown = entries.length,
	): Promise<ReadonlySet<string>> {
		const { wants = size + grown } = this;
		return await list.add(entries, size, Math.min(MAX_ENTRIES, Math.max(wants, size - grown)));
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
			if (state === undefined) return [first, second, toldEntry(name)];
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
			this.options.namesInUse.release(ended.keys());
		}
	}

	private namesOf(message: Delivery): string[] {
		return listNames(this.options.namesOf(message));
	}
}

type Decided = Omit<Claim, 'later'>;

const nothing: Decided = { claimed: [], known: new Map() };
