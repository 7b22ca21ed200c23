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

/** A message of which others may know more than this execution. */
interface LookedUp extends Names {
	/** Its state as the execution itself remembers it. */
	remembered?: State;
}

/** Reads the list, for messages that are not about to be sent. */
export class LookUps {
	constructor(
		private readonly store: EntryStore,
		private readonly namesInUse: NamesInUse,
	) {}

	/**
	 * The states of messages, by name, and the names that other runs of this process are using: a claim waits for them.
	 * A look-up makes messages pending for a moment, so it takes a few at a time.
	 */
	async find(messages: readonly LookedUp[]) {
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
