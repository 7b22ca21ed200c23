/** A run that is sending. */
interface User {
	/** The ID of its execution. */
	readonly execution: string;
}

/** The runs of a process that are sending, by list, and there by name. */
export type UsersOfNames = Map<string, Map<string, User>>;

/** The names that runs of this process are sending, as one of these runs sees them. */
export class NamesInUse {
	private readonly users: Map<string, User>;

	/** @param list identifies the list of entries */
	constructor(
		lists: UsersOfNames,
		list: string,
		private readonly own: User,
	) {
		this.users = lists.get(list) ?? new Map<string, User>();
		lists.set(list, this.users);
	}

	userOf(name: string): User | undefined {
		return this.users.get(name);
	}

	/** Another run that is sending one of the names. */
	otherUserOf(names: readonly string[]): User | undefined {
		return names.map((name) => this.userOf(name)).find((user) => user && user !== this.own);
	}

	take(names: readonly string[]): void {
		for (const name of names) this.users.set(name, this.own);
	}

	/** Names that another run has come to use meanwhile stay in use. */
	release(names: Iterable<string>): void {
		for (const name of names) if (this.userOf(name) === this.own) this.users.delete(name);
	}
}
