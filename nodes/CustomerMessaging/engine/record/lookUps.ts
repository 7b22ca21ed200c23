import type { Recorded } from '../../shared/ending';
import { groupBy } from '../../shared/slices';
import {
	keyEntries,
	listEntries,
	listNames,
	type Names,
	type NamesInUse,
	readState,
	type State,
} from './names';
import type { EntryList, EntryStore } from './store';
import { atOnce } from './window';

/** Reads the list, for messages that are not about to be sent. */
export class LookUps {
	constructor(
		private readonly store: EntryStore,
		private readonly namesInUse: NamesInUse,
	) {}

	/**
	 * The states of messages, by name, and the names that other runs of this process are using: a claim waits for them.
	 * A look-up makes messages pending for a moment, so it takes a few at a time.
	 *
	 * @param messages those of which others may know more; `remembered`: the state that this execution remembers
	 */
	async find(messages: ReadonlyArray<Names & { remembered?: State }>) {
		const found = new Map<string | undefined, State>();
		const inUse = new Set<string | undefined>();
		for (let from = 0; from < messages.length;) {
			const asked = messages.slice(from, (from += atOnce(from)));
			const names = new Set(asked.flatMap(listNames));
			const read = (stored: ReadonlySet<string>) => {
				for (const name of names) {
					const state = readState(name, stored);
					// A message that has ended is known, even while another run asks for it.
					const hasEnded = state === 'accepted' || state === 'unknown';
					if (!hasEnded && this.namesInUse.has(name)) inUse.add(name);
					else if (state) found.set(name, state);
				}
				return asked.flatMap(({ executionKey, key, remembered }) =>
					keyEntries(remembered ?? found.get(executionKey), key, stored),
				);
			};
			const entries = [...names].flatMap(listEntries);
			await this.store.exclusively(async (list) => await findEntries(list, entries, read));
		}
		return { found, inUse };
	}

	/** Marks that are in the list, and marks that only may be. Looking a mark up adds it for a moment, as with a name. */
	async findMarks(marks: readonly string[]): Promise<{ found: string[]; maybe: string[] }> {
		const entries = marks.flatMap(listEntries);
		const stored = await this.store.exclusively(async (list) => await findEntries(list, entries));
		const which = (state: State) => marks.filter((mark) => readState(mark, stored) === state);
		// If a look-up was interrupted, both entries are left.
		return { found: which('accepted'), maybe: which('pending') };
	}

	/** Nothing was ever recorded. */
	async isEmpty(): Promise<boolean> {
		return (await this.store.exclusively(async (list) => await list.count())) === 0;
	}
}

/**
 * Adds entries to find out which were there, without dropping others, and removes the rest again.
 *
 * @param read called with those that were there; returns others that stay
 */
export async function findEntries(
	list: EntryList,
	entries: readonly string[],
	read: (stored: ReadonlySet<string>) => readonly string[] = () => [],
): Promise<ReadonlySet<string>> {
	const size = await list.count();
	const stored = await list.add(entries, size, size + entries.length);
	const kept = new Set([...stored, ...read(stored)]);
	await list.remove(entries.filter((entry) => !kept.has(entry)));
	return stored;
}

export interface LookUp<A> {
	rows: ReadonlyArray<{
		message: A;
		/** Its key of Send Once, if that may name its outcome. */
		key?: string;
		/** Its outcome, if the execution remembers it. */
		record?: Recorded;
	}>;
	/** To whom other attempts made messages. Rounds of a loop are pieces of one list, so it is kept for all of them. */
	recipients: {
		keyOf(message: A): string;
		/** Number of messages to its recipient that the execution has planned so far. */
		countOf(message: A): number;
		hasOthers(message: A): boolean;
		noteOthers(message: A): void;
	};
}

/** The list's knowledge of messages that the execution does not remember. */
export interface Recalled {
	recalled: ReadonlyMap<object, State>;
	/** Messages that other runs of this process were sending. */
	beingSent: ReadonlySet<object>;
	/** Messages that get other names than their usual ones, because those may be taken. */
	renamed: ReadonlyMap<object, Names>;
}

/**
 * Decides about the messages to one recipient that the execution does not remember.
 *
 * | the list says | and nothing is missing | something may be missing |
 * |---|---|---|
 * | nothing | not sent | in doubt |
 * | the same of all | that | that |
 * | something of some | in doubt | in doubt |
 *
 * Attempts may have had the rows in another order, so nothing tells which message is which.
 *
 * @param states the state of each in the list
 * @param isMissing the list may have dropped a message, or earlier rounds found one of others
 */
export function decideRecipient(
	states: ReadonlyArray<State | undefined>,
	isMissing: boolean,
): State | 'inDoubt' | undefined {
	const [state] = states;
	const areAlike = states.every((one) => one === state);
	if (areAlike && state !== undefined) return state;
	return areAlike && !isMissing ? undefined : 'inDoubt';
}

interface RecallOptions {
	/** The usual name of a message for the attempts of this execution. */
	executionKeyOf: (message: object) => string | undefined;
	/** Messages have keys of Send Once, by which others should know of them. */
	hasKeys: boolean;
	/** The list has dropped nothing of the execution. */
	isIntact: boolean;
}

/** Looks up messages of other attempts that the execution does not remember. */
export async function recall<A extends object>(
	{ rows, recipients }: LookUp<A>,
	lookUps: LookUps,
	{ executionKeyOf, hasKeys, isIntact }: RecallOptions,
): Promise<Recalled> {
	const recalled = new Map<object, State>();
	const beingSent = new Set<object>();
	const renamed = new Map<object, Names>();
	const named = rows.map((row) => ({ ...row, name: executionKeyOf(row.message) }));
	const groups = [...groupBy(named, ({ message }) => recipients.keyOf(message)).values()];
	const isSingle = (message: A) => recipients.countOf(message) === 1;
	const asked = groups.filter((group) => hasKeys || group.some(({ record }) => !record));
	const { found, inUse } = await lookUps.find(
		asked.flat().map(({ message, name, key, record }) => ({
			executionKey: name,
			key: isSingle(message) ? key : undefined,
			remembered: record && (record.ending.kind === 'accepted' ? 'accepted' : 'unknown'),
		})),
	);
	for (const group of asked) {
		const left = group.filter(({ record }) => !record);
		const [first] = left;
		if (!first) continue;
		for (const { message, name } of left) if (inUse.has(name)) beingSent.add(message);
		const free = group.filter(({ name }) => !found.has(name));
		// The list holds no more than the execution remembers, so nobody sent the rest, whatever their numbers are.
		const isUnsent = left.length < group.length && free.length >= left.length;
		const states = left.map(({ name }) => (isUnsent ? undefined : found.get(name)));
		const isOne = isSingle(first.message);
		const isMissing = !isIntact || (!isOne && recipients.hasOthers(first.message));
		if (states.some((state) => state !== undefined)) recipients.noteOthers(first.message);
		const decided = decideRecipient(states, isMissing);
		for (const [index, { message, name, key }] of left.entries()) {
			if (decided) recalled.set(message, decided === 'inDoubt' ? 'pending' : decided);
			// A corrected one may have the number, and so the name, of one that was sent.
			else if (isUnsent) renamed.set(message, { executionKey: free[index]?.name, key });
			// If it is sent again, it must not take the name of another message.
			if (decided === 'inDoubt' && !isOne)
				renamed.set(message, { executionKey: `${name} again`, key });
		}
	}
	return { recalled, beingSent, renamed };
}
