/** A change that the user has made, shown until the server's own state includes it. */
interface Attempt<Change> {
	id: number;
	change: Change;
	/** Undefined until the server has answered. */
	changeNumber?: number;
}

export interface Attempts<Change> {
	/** Oldest first. */
	waiting: ReadonlyArray<Attempt<Change>>;
	/** Why the latest one failed. Empty once the user tries again. */
	reason: string;
}

export type AttemptEvent<Change> =
	| { kind: 'sent'; id: number; change: Change; lastChange: number }
	| { kind: 'accepted'; id: number; changeNumber: number }
	| { kind: 'failed'; id: number; reason: string };

export function afterEvent<Change>(
	{ waiting, reason }: Attempts<Change>,
	event: AttemptEvent<Change>,
): Attempts<Change> {
	switch (event.kind) {
		case 'sent':
			return {
				waiting: [
					...unconfirmed(waiting, event.lastChange),
					{ id: event.id, change: event.change },
				],
				reason: '',
			};
		case 'accepted':
			return {
				waiting: waiting.map((one) =>
					one.id === event.id ? { ...one, changeNumber: event.changeNumber } : one,
				),
				reason,
			};
		case 'failed':
			return { waiting: waiting.filter(({ id }) => id !== event.id), reason: event.reason };
	}
}

/**
 * Those that the server's state does not include for certain. A state can be sent before a change and
 * arrive after the answer to it, so only the number of the change tells which of the two is newer.
 *
 * @param lastChange number of the newest change that the state includes
 */
export function unconfirmed<Change>(
	waiting: ReadonlyArray<Attempt<Change>>,
	lastChange: number,
): Array<Attempt<Change>> {
	return waiting.filter(({ changeNumber = Infinity }) => changeNumber > lastChange);
}
