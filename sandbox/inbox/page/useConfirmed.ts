import { useReducer, useRef } from 'preact/hooks';
import { afterEvent, unconfirmed, type AttemptEvent, type Attempts } from './attempts';

/** The server's value, and the number of the newest change that it includes. */
interface Told<Value> {
	value: Value;
	lastChange: number;
}

interface Server<Value, Change> {
	/** The value as it will be once the server has made the change. */
	apply: (value: Value, change: Change) => Value;
	/** Returns the number of the change. Rejects with the reason why it was not made. */
	send: (change: Change) => Promise<number>;
}

/**
 * A value of the server that the user may change. What the user chose is shown at once, and until the
 * server confirms or refuses it; the server's events do not overwrite it in between.
 */
export function useConfirmed<Value, Change>(
	{ value, lastChange }: Told<Value>,
	{ apply, send }: Server<Value, Change>,
) {
	const [{ waiting, reason }, note] = useReducer<Attempts<Change>, AttemptEvent<Change>>(
		afterEvent,
		{ waiting: [], reason: '' },
	);
	const lastId = useRef(0);
	const previous = useRef(Promise.resolve());

	const attempt = (change: Change) => {
		const id = ++lastId.current;
		note({ kind: 'sent', id, change, lastChange });
		// One at a time: requests sent together may reach the server in another order.
		previous.current = previous.current
			.then(async () => await send(change))
			.then(
				(changeNumber) => note({ kind: 'accepted', id, changeNumber }),
				(error: Error) => note({ kind: 'failed', id, reason: error.message }),
			);
	};
	const shown = unconfirmed(waiting, lastChange).reduce(
		(before, { change }) => apply(before, change),
		value,
	);
	return { shown, attempt, reason };
}
