import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';

/**
 * Finds messages of a run that may be the same to the same recipient. It keeps a short hash of each message
 * instead of the message, so what it finds has to be compared in full.
 */
export class SameMessages {
	private readonly firsts = new Map<string, Delivery>();
	private readonly found = new Map<Delivery, Delivery[]>();

	/** @param digest from `hashDelivery` */
	add(delivery: Delivery, digest: string): void {
		const key = digest.slice(0, 12);
		const first = this.firsts.get(key);
		const group = first && this.found.get(first);
		if (!first) this.firsts.set(key, delivery);
		else if (group) group.push(delivery);
		else this.found.set(first, [first, delivery]);
	}

	get groups(): Delivery[][] {
		return [...this.found.values()];
	}
}

/** Whether sending the same to the same recipient is probably a mistake, and nothing keeps it from happening. */
export function mindsSameMessages({
	operation,
	settings,
	isOnceADay,
}: Pick<Run, 'operation' | 'settings' | 'isOnceADay'>) {
	const isKeptOut = settings.sendOnce && !isOnceADay;
	return operation.isMessage === true && operation.waits !== true && !isKeptOut;
}
