import type { Policy } from '../policy';
import {
	best,
	keyEntries,
	listEntries,
	listNames,
	type Names,
	readState,
	type State,
} from './entries';
import type { Marks } from './marks';
import type { NamesInUse } from './namesInUse';
import type { OwnKeys } from './ownKeys';
import type { EntryList, EntryStore } from './store';
import type { Window } from './window';

/** What is known of a message. */
export interface Known {
	state: State;
	/** Whether only its key of Send Once says so, so that another execution may have sent it. */
	byKey: boolean;
}

/** Which of the messages that a run asked for it may send. */
export interface Claim<M> {
	/** The messages that this run must send now. */
	claimed: readonly M[];
	/** What was recorded before. Claimed messages that it names may already have been delivered. */
	known: ReadonlyMap<M, Known>;
	/** Messages to ask for again: the window is full, or a message with the same name is being sent. */
	later: readonly M[];
}

interface JournalOptions<R> {
	namesOf: (message: R) => Names;
	policy: Policy;
	window: Window;
	/** How many entries a list of a size may grow to. Each call writes all of them. */
	keeps: (size: number) => number;
	/** What is left before the first message; absent if it is there already, or must not be. */
	marks?: Marks;
	namesInUse: NamesInUse;
	ownKeys: OwnKeys;
}

/**
 * Says of each message, under its names, whether it is pending, accepted or unknown. A message that it does
 * not name was not sent.
 *
 * Messages are recorded as pending before they are sent. How they ended is written together with the
 * next claim, or once none is left.
 */
export class Journal<R> {
	/** How many names stay in doubt, because how their messages ended could not be written. */
	inDoubt = 0;
	/** What kept the journal from writing how messages ended, the last time. */
	writeError?: unknown;
	private isClosed = false;
	private isMarked = false;
	/** Messages that were claimed and have not ended, with the names that they were claimed under. */
	private readonly pending = new Map<R, string[]>();
	/** The names of messages that wait because one is in use, so that they are not made for each claim. */
	private readonly waiting = new Map<R, string[]>();
	/** By name, how messages ended that the store still calls pending; undefined if definitely not delivered. */
	private ended = new Map<string, State | undefined>();
	/** How many entries the list keeps. Only other runs make it longer. */
	private keeps = -1;

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions<R>,
	) {}

	/** Whether other processes are kept out while the journal is written. */
	get isLocked(): boolean {
		return this.store.isLocked;
	}

	get window(): Window {
		return this.options.window;
	}

	/** How many of a number of messages may be claimed now. */
	room(messages: number, inFlight: number): number {
		return this.window.room(messages, this.pending.size, inFlight);
	}

	/**
	 * Records messages as pending, as many as there is room for.
	 *
	 * @throws what n8n's store throws; then none of the messages may be sent
	 */
	async claim<M extends R>(messages: readonly M[], inFlight: number): Promise<Claim<M>> {
		const { namesInUse, ownKeys } = this.options;
		const room = this.room(messages.length, inFlight);
		const free = new Map<M, string[]>();
		for (const message of messages) {
			if (free.size === room) break;
			const all = this.waiting.get(message) ?? this.namesOf(message);
			if (all.some((name) => namesInUse.userOf(name))) {
				this.waiting.set(message, all);
				continue;
			}
			this.waiting.delete(message);
			const names = all.filter((name) => !ownKeys.has(name));
			namesInUse.take(names);
			free.set(message, names);
		}
		const decided =
			free.size > 0 ? await this.record(free) : { claimed: [], known: new Map<M, Known>() };
		// Another execution has the same names. From now on, those of this one differ.
		if (!decided) {
			this.waiting.clear();
			return await this.claim(messages, inFlight);
		}
		return { ...decided, later: messages.filter((message) => !free.has(message)) };
	}

	/** The execution of another run of this process that is sending a message with the same name. */
	heldBy(message: R): string | undefined {
		return this.options.namesInUse.otherUserOf(this.namesOf(message))?.execution;
	}

	/** Notes how a claimed message ended; undefined if it was definitely not delivered. */
	settle(message: R, state: State | undefined): void {
		const names = this.pending.get(message) ?? [];
		for (const name of names) this.ended.set(name, state);
		if (state === undefined) this.options.ownKeys.forget(names);
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

	/** Waits until everything is written that can be. Messages without an outcome stay pending. */
	async finish(): Promise<void> {
		// What could not be written the first time is tried once more.
		for (let tries = 0; tries < 2; tries++) await this.flush();
		this.inDoubt += this.ended.size;
		this.options.namesInUse.release([...this.pending.values()].flat());
	}

	/** Records messages as pending, and decides which of them this run sends. Undefined if their names are those of another execution. */
	private async record<M extends R>(
		free: ReadonlyMap<M, string[]>,
	): Promise<Decision<M> | undefined> {
		const { namesInUse, namesOf, ownKeys } = this.options;
		const marks = this.isMarked ? undefined : this.options.marks;
		try {
			const decided = await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const entries = [...new Set([...free.values()].flat())].flatMap(listEntries);
				const stored = await this.add(list, entries, marks);
				if (!(await marks?.areOfTwin(list))) return await this.claimed(list, free, stored);
				await list.remove(entries.filter((entry) => !stored.has(entry)));
				return undefined;
			});
			marks?.trust(!decided);
			this.isMarked = decided !== undefined;
			for (const message of decided?.claimed ?? []) {
				const names = decided?.held.get(message) ?? [];
				const { own = [] } = namesOf(message);
				ownKeys.note(own.filter((key) => names.includes(key)));
				this.pending.set(message, names);
			}
			return decided;
		} finally {
			for (const [message, names] of free) {
				const held = this.pending.get(message) ?? [];
				namesInUse.release(names.filter((name) => !held.includes(name)));
			}
			this.window.noteClaimed(free.size);
		}
	}

	/** Adds entries, and before the first ones the marks of the execution. Returns those that the list held before. */
	private async add(
		list: EntryList,
		entries: readonly string[],
		marks?: Marks,
	): Promise<ReadonlySet<string>> {
		const size = await list.count();
		const left = marks?.leave(size === 0) ?? [];
		if (size > this.keeps) this.keeps = this.options.keeps(size);
		return await list.add([...left, ...entries], size, this.keeps, (stored) => marks?.read(stored));
	}

	/** Which of the messages this run sends. The entries of all others are removed again. */
	private async claimed<M extends R>(
		list: EntryList,
		free: ReadonlyMap<M, string[]>,
		stored: ReadonlySet<string>,
	): Promise<Decision<M>> {
		const decided = this.decide(this.isClosed ? [] : [...free.keys()], stored);
		for (const one of decided.claimed) decided.held.set(one, this.held(one, free, stored));
		const kept = new Set([...decided.held.values()].flat().flatMap(listEntries));
		for (const [message, { state, byKey }] of decided.known)
			if (!byKey)
				for (const entry of keyEntries(state, this.options.namesOf(message).key, stored))
					kept.add(entry);
		const entries = [...free.values()].flat().flatMap(listEntries);
		const gone = entries.filter((entry) => !kept.has(entry) && !stored.has(entry));
		// What is claimed is recorded. If this fails, the others only look as if they were pending.
		await list.remove(gone).catch((error: unknown) => {
			this.inDoubt += gone.length;
			this.writeError = error;
		});
		return decided;
	}

	/** The names that a claimed message holds. A key that another execution holds stays as it is. */
	private held<M extends R>(
		message: M,
		free: ReadonlyMap<M, string[]>,
		stored: ReadonlySet<string>,
	): string[] {
		const { own = [], isSentAnyway } = this.options.namesOf(message);
		return (free.get(message) ?? []).filter(
			(name) => !isSentAnyway || !own.includes(name) || !readState(name, stored),
		);
	}

	private decide<M extends R>(free: readonly M[], stored: ReadonlySet<string>): Decision<M> {
		const { namesOf, policy, ownKeys } = this.options;
		const known = new Map<M, Known>();
		const claimed = free.filter((message) => {
			const names = namesOf(message);
			const others = names.isSentAnyway ? [] : (names.own ?? []).filter((key) => !ownKeys.has(key));
			// What has ended here counts, even if it could not be written.
			const read = (name?: string) =>
				name === undefined ? undefined : (this.ended.get(name) ?? readState(name, stored));
			const here = read(names.here);
			const state = [names.key, ...others].map(read).reduce(best, here);
			if (state) known.set(message, { state, byKey: state !== here });
			return policy.sends(state);
		});
		return { claimed, known, held: new Map() };
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
			this.options.namesInUse.release(ended.keys());
		}
	}

	private namesOf(message: R): string[] {
		return listNames(this.options.namesOf(message));
	}
}

interface Decision<M> extends Omit<Claim<M>, 'later'> {
	/** The names that each claimed message holds until it has ended. */
	held: Map<M, string[]>;
}
