import type { Checked } from '../operations/operation';
import type { Delivery } from '../shared/delivery';

/**
 * Replaces bodies by bodies that are built each time they are read, so that the texts of thousands of
 * emails are not in memory at once. Short bodies are replaced too: while most bodies live long, V8 puts
 * new ones directly among its old objects, and one that is dropped there keeps its text in memory until
 * the next full garbage collection.
 *
 * @param check checks the row again; must give the same deliveries each time
 */
export function withDeferredBodies(
	deliveries: readonly Delivery[],
	check: () => Checked,
): Delivery[] {
	return deliveries.map((delivery, index) => new DeferredDelivery(delivery, check, index));
}

/** The compiler asks for every field of a delivery, so that none is forgotten. */
class DeferredDelivery implements Delivery, Record<keyof Delivery, unknown> {
	readonly itemIndex: number;
	readonly platform: Delivery['platform'];
	readonly userID: Delivery['userID'];
	readonly to: Delivery['to'];
	readonly path: string;
	readonly envelope: Delivery['envelope'];
	readonly schedule: Delivery['schedule'];
	readonly audience: Delivery['audience'];
	readonly onceKey: Delivery['onceKey'];
	readonly test: Delivery['test'];
	readonly #check: () => Checked;
	readonly #index: number;

	constructor(delivery: Delivery, check: () => Checked, index: number) {
		this.itemIndex = delivery.itemIndex;
		this.platform = delivery.platform;
		this.userID = delivery.userID;
		this.to = delivery.to;
		this.path = delivery.path;
		this.envelope = delivery.envelope;
		this.schedule = delivery.schedule;
		this.audience = delivery.audience;
		this.onceKey = delivery.onceKey;
		this.test = delivery.test;
		this.#check = check;
		this.#index = index;
	}

	get body(): Delivery['body'] {
		const checked = this.#check();
		const again = 'deliveries' in checked ? checked.deliveries[this.#index] : undefined;
		// Input items do not change during a run.
		if (!again) throw new Error(`Item ${this.itemIndex} has changed since it was checked`);
		return again.body;
	}
}
