import type { Policy } from '../policy';
import type { RecordMemory } from './ledger';
import type { Marks } from './marks';
import {
	keyEntries,
	listEntries,
	listNames,
	type Names,
	type NamesInUse,
	readState,
	type State,
	stronger,
} from './names';
import type { EntryList, EntryStore } from './store';
import type { Window } from './window';

interface Known {
	state: State;
	/** Only a key says so, so that another execution may have sent it. */
	byKey: boolean;
}

export interface Claim<M> {
	/** Messages that this run must send now. */
	claimed: readonly M[];
	/** Messages that were recorded before. Claimed ones among them may already have been delivered. */
	known: ReadonlyMap<M, Known>;
	/** Messages to ask for again: the window is full, or a message with the same name is being sent. */
	later: readonly M[];
}

interface Decision {
	/** The state of its names, the strongest if they differ; absent if none has one. */
	known?: Known;
	/** The names that it holds until it has ended; absent if the run does not send it. */
	held?: readonly string[];
	/** Entries that stay in the list: those of the names held, or that of a key by which others learn of it. */
	kept: readonly string[];
}

/**
 * Decides whether a run sends a message, from its names. Own keys that the execution itself holds are not among them.
 *
 * | `executionKey` | another key | known, by the key only | claimed |
 * |---|---|---|---|
 * | nothing | nothing | – | yes |
 * | a state | nothing | that state, no | if the policy sends it again |
 * | nothing | a state | that state, yes | the same |
 * | one state | another | the stronger, if it is the key's | the same |
 *
 * With `ignoresKeys`, own keys count for nothing, and those that another execution holds are not held.
 *
 * @param stored the entries of the list that were there before the run asked
 * @param ended by name, how messages of this run ended; undefined if definitely not delivered
 */
export function decide(
	names: Names,
	stored: ReadonlySet<string>,
	ended: ReadonlyMap<string, State | undefined>,
	policy: Pick<Policy, 'sends'>,
): Decision {
	const { executionKey, key, own = [], ignoresKeys = false } = names;
	// An ending of this run counts, even if it could not be written.
	const read = (name?: string) =>
		name === undefined ? undefined : (ended.get(name) ?? readState(name, stored));
	const inExecution = read(executionKey);
	const keys = ignoresKeys ? [key] : [key, ...own];
	const state = keys.map(read).reduce(stronger, inExecution);
	const known = state && { state, byKey: state !== inExecution };
	if (!policy.sends(state)) {
		const kept = known?.byKey ? [] : keyEntries(state, key, stored);
		return { known, kept };
	}
	const isForeign = (name: string) =>
		ignoresKeys && own.includes(name) && readState(name, stored) !== undefined;
	const held = listNames(names).filter((name) => !isForeign(name));
	return { known, held, kept: held.flatMap(listEntries) };
}

/** Enough to tell an execution's own keys apart. It is short, because n8n stores them with the execution. */
const shortKey = (key: string) => key.slice(0, 10);

interface JournalOptions<R> {
	namesOf: (message: R) => Names;
	policy: Pick<Policy, 'sends'>;
	window: Window;
	/** Number of entries that a list of a size may grow to. Each call writes all of them. */
	keeps: (size: number) => number;
	/** Marks to leave before the first message; absent if they are there already, or must not be. */
	marks?: Marks;
	namesInUse: NamesInUse;
	memory: Pick<RecordMemory, 'ownKeys'>;
}

/**
 * Says of each message, under its names, whether it is pending, accepted or unknown; any other was not sent. Messages
 * are recorded as pending before they leave. How they ended is written with the next claim, or once none is left.
 */
export class Journal<R> {
	private inDoubt = 0;
	private writeError?: unknown;
	private isClosed = false;
	private isMarked = false;
	/** Messages that were claimed and have not ended, with the names that they were claimed under. */
	private readonly pending = new Map<R, readonly string[]>();
	/** The names of messages that wait because one is in use. They are not made again for each claim. */
	private readonly waiting = new Map<R, Names>();
	private ended = new Map<string, State | undefined>();
	/** Number of entries that the list keeps. Only other runs make it longer. */
	private keeps = -1;

	constructor(
		private readonly store: Pick<EntryStore, 'exclusively' | 'isLocked'>,
		private readonly options: JournalOptions<R>,
	) {}

	/** Number of messages that may be claimed now. */
	room(messages: number, inFlight: number): number {
		return this.options.window.room(messages, this.pending.size, inFlight);
	}

	/**
	 * Records messages as pending, as many as there is room for.
	 *
	 * @throws the error of n8n's store; then none of the messages may be sent
	 */
	async claim<M extends R>(messages: readonly M[], inFlight: number): Promise<Claim<M>> {
		const free = this.takeFree(messages, this.room(messages.length, inFlight));
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
		const { namesInUse, namesOf } = this.options;
		return namesInUse.otherUserOf(listNames(namesOf(message)));
	}

	/** Notes how a claimed message ended; undefined if it was definitely not delivered. */
	settle(message: R, state: State | undefined): void {
		const names = this.pending.get(message) ?? [];
		for (const name of names) this.ended.set(name, state);
		if (state === undefined)
			for (const name of names) delete this.options.memory.ownKeys?.[shortKey(name)];
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
	 * @returns `inDoubt`: number of names whose endings could not be written; `isLocked`: other processes were kept out
	 */
	async finish(): Promise<{ inDoubt: number; writeError?: unknown; isLocked: boolean }> {
		// Endings that could not be written the first time are tried once more.
		for (let tries = 0; tries < 2; tries++) await this.flush();
		this.options.namesInUse.release([...this.pending.values()].flat());
		const { writeError, store } = this;
		return { inDoubt: this.inDoubt + this.ended.size, writeError, isLocked: store.isLocked };
	}

	/** Takes names of messages into use. Own keys that the execution holds do not keep it from sending. */
	private takeFree<M extends R>(messages: readonly M[], room: number): Map<M, Names> {
		const { namesInUse, namesOf, memory } = this.options;
		const isHeld = (key: string) => Object.hasOwn(memory.ownKeys ?? {}, shortKey(key));
		const free = new Map<M, Names>();
		for (const message of messages) {
			if (free.size === room) break;
			const names = this.waiting.get(message) ?? namesOf(message);
			if (listNames(names).some((name) => namesInUse.has(name))) {
				this.waiting.set(message, names);
				continue;
			}
			this.waiting.delete(message);
			const taken = { ...names, own: names.own?.filter((key) => !isHeld(key)) };
			namesInUse.take(listNames(taken));
			free.set(message, taken);
		}
		return free;
	}

	/** Records messages as pending, and claims those to be sent. Undefined if their names are those of another execution. */
	private async record<M extends R>(
		free: ReadonlyMap<M, Names>,
	): Promise<Omit<Claim<M>, 'later'> | undefined> {
		const { namesInUse, memory } = this.options;
		const marks = this.isMarked ? undefined : this.options.marks;
		const names = [...free.values()].flatMap(listNames);
		const entries = [...new Set(names)].flatMap(listEntries);
		try {
			const decisions = await this.store.exclusively(async (list) => {
				await this.writeEnded(list);
				const stored = await this.add(list, entries, marks);
				const added = entries.filter((entry) => !stored.has(entry));
				if (!(await marks?.areOfTwin(list))) return await this.decideAll(list, free, stored, added);
				await list.remove(added);
				return undefined;
			});
			marks?.trust(!decisions);
			this.isMarked = decisions !== undefined;
			if (!decisions) return undefined;
			const claimed: M[] = [];
			const knownOnes = new Map<M, Known>();
			for (const [message, { known, held }] of decisions) {
				if (known) knownOnes.set(message, known);
				if (!held) continue;
				claimed.push(message);
				this.pending.set(message, held);
				for (const key of free.get(message)?.own ?? [])
					if (held.includes(key)) (memory.ownKeys ??= {})[shortKey(key)] = 1;
			}
			return { claimed, known: knownOnes };
		} finally {
			const held = new Set([...free.keys()].flatMap((message) => this.pending.get(message) ?? []));
			namesInUse.release(names.filter((name) => !held.has(name)));
			this.options.window.noteClaimed(free.size);
		}
	}

	/** Adds entries after the marks of the execution. Returns those that the list held before. */
	private async add(list: EntryList, entries: readonly string[], marks?: Marks) {
		const size = await list.count();
		const left = marks?.leave(size === 0) ?? [];
		if (size > this.keeps) this.keeps = this.options.keeps(size);
		return await list.add([...left, ...entries], size, this.keeps, (stored) => marks?.read(stored));
	}

	/** Decides about messages, unless nothing more may be sent. Entries that were added and are not kept are removed. */
	private async decideAll<M extends R>(
		list: EntryList,
		free: ReadonlyMap<M, Names>,
		stored: ReadonlySet<string>,
		added: readonly string[],
	): Promise<ReadonlyMap<M, Decision>> {
		const decisions = new Map<M, Decision>();
		for (const [message, names] of this.isClosed ? [] : free)
			decisions.set(message, decide(names, stored, this.ended, this.options.policy));
		const kept = new Set([...decisions.values()].flatMap((decision) => decision.kept));
		const gone = added.filter((entry) => !kept.has(entry));
		// Claimed messages are recorded. If this fails, the others only look as if they were pending.
		await list.remove(gone).catch((error: unknown) => {
			this.inDoubt += gone.length;
			this.writeError = error;
		});
		return decisions;
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
}

/** Records nothing for others, so that every message may be sent at once. */
export const noJournal: Pick<Journal<unknown>, keyof Journal<unknown>> = {
	room: (messages) => messages,
	claim: async (messages) => ({ claimed: messages, known: new Map(), later: [] }),
	heldBy: () => undefined,
	settle: () => undefined,
	flush: async () => undefined,
	close: () => undefined,
	finish: async () => ({ inDoubt: 0, isLocked: true }),
};
