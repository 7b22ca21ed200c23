/**
 * Messages that runs of this process are sending with Send Once, each with a promise that settles when
 * its outcome is recorded.
 */
const inProgress = new Map<string, Promise<void>>();

/** Messages that one run has reserved. */
export interface Reservation {
	release: () => void;
	/** Settles when the messages are released. */
	released: Promise<void>;
}

/**
 * Reserves messages for a run. Waits for other runs that are sending one of them, for example because
 * a shop called a webhook twice within a second.
 *
 * @param names identify the messages within the process
 * @param cancelled ends the waiting when it settles
 * @returns undefined if the waiting was cancelled
 */
export async function reserve(
	names: readonly string[],
	cancelled: Promise<'cancelled'>,
): Promise<Reservation | undefined> {
	for (;;) {
		const others = names.flatMap((name) => inProgress.get(name) ?? []);
		if (others.length === 0) break;
		if ((await Promise.race([Promise.all(others), cancelled])) === 'cancelled') return undefined;
	}
	let settle = () => {};
	const released = new Promise<void>((resolve) => {
		settle = resolve;
	});
	for (const name of names) inProgress.set(name, released);
	return {
		released,
		release: () => {
			for (const name of names) if (inProgress.get(name) === released) inProgress.delete(name);
			settle();
		},
	};
}
