/** The state of a message in the journal. A message that was definitely not delivered has none. */
export type State =
	/** It was about to be sent, and how that ended was not recorded: it may have been delivered. */
	| 'pending'
	| 'accepted'
	/** It was sent and may have been delivered, and a run has reported so. */
	| 'unknown';

/** The names of a message. A message without one is not recorded. */
export interface Names {
	/** Its name for the attempts of this execution. */
	executionKey?: string;
	/** Its key of Send Once, for all executions. */
	key?: string;
	/** Keys of the node's own, for other executions. */
	own?: readonly string[];
	/** True if it is sent although others have sent under its own keys. */
	ignoresKeys?: boolean;
}

export function listNames({ executionKey, key, own = [] }: Names): string[] {
	return [executionKey, key, ...own].filter((name) => name !== undefined);
}

/**
 * The entries that n8n's store holds for a name: both while it is pending, the first once it was accepted, the
 * second if it is unknown.
 *
 * The store cannot look up an entry without adding it, so looking a name up makes it pending for a
 * moment. A crash at that moment leaves a name that may have been delivered, and never one that was not.
 */
export function listEntries(name: string): [first: string, second: string] {
	return [name, `${name} ?`];
}

export function readState(name: string, stored: ReadonlySet<string>): State | undefined {
	const [first, second] = listEntries(name);
	if (stored.has(first)) return stored.has(second) ? 'pending' : 'accepted';
	return stored.has(second) ? 'unknown' : undefined;
}

/** Entries by which other executions learn the state of a message from its key, if the key is missing. */
export function keyEntries(
	state: State | undefined,
	key: string | undefined,
	stored: ReadonlySet<string>,
): string[] {
	if (state === undefined || key === undefined || readState(key, stored)) return [];
	const [first, second] = listEntries(key);
	return [state === 'accepted' ? first : second];
}

export function stronger(one: State | undefined, other: State | undefined): State | undefined {
	return (['accepted', 'unknown', 'pending'] as const).find(
		(state) => one === state || other === state,
	);
}

/** A run that is sending, with the ID of its execution. */
interface User {
	readonly execution: string;
}

/** The runs of this process that are sending, by list, and there by name. */
const lists = new Map<string, Map<string, User>>();

/** The names that runs of this process are sending, as one of these runs sees them. */
export class NamesInUse {
	private readonly users: Map<string, User>;

	/** @param list identifies the list of entries */
	constructor(
		list: string,
		private readonly own: User,
	) {
		this.users = lists.get(list) ?? new Map<string, User>();
		lists.set(list, this.users);
	}

	has(name: string): boolean {
		return this.users.has(name);
	}

	/** The execution of another run that is sending one of the names. */
	otherUserOf(names: readonly string[]): string | undefined {
		const users = names.map((name) => this.users.get(name));
		return users.find((user) => user && user !== this.own)?.execution;
	}

	take(names: readonly string[]): void {
		for (const name of names) this.users.set(name, this.own);
	}

	/** Names that another run has come to use meanwhile stay in use. */
	release(names: Iterable<string>): void {
		for (const name of names) if (this.users.get(name) === this.own) this.users.delete(name);
	}
}
