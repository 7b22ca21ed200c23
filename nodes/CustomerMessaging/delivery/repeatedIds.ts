import type { Operation } from '../operations/operation';
import type { Delivery } from '../shared/delivery';

/**
 * The deliveries by `userID`, where several have the same one and the operation makes the last one
 * count.
 */
export function repeatedIds<D extends Pick<Delivery, 'userID'>>(
	deliveries: readonly D[],
	{ overwrites }: Pick<Operation, 'overwrites'>,
): Map<string, D[]> {
	const byId = new Map<string, D[]>();
	if (!overwrites) return byId;
	for (const delivery of deliveries) {
		if (delivery.userID === undefined) continue;
		const others = byId.get(delivery.userID);
		if (others) others.push(delivery);
		else byId.set(delivery.userID, [delivery]);
	}
	return new Map([...byId].filter(([, { length }]) => length > 1));
}

/**
 * Notes which repeated IDs an attempt sends, going through its rows in order. If it sends a row that
 * failed before, later rows with the same ID have to follow once more, even if they were accepted.
 * Otherwise the older values would remain.
 */
export class Followers {
	private readonly sent = new Set<string>();

	constructor(private readonly repeated: ReadonlyMap<string, unknown>) {}

	/** Whether an earlier row with the same ID is sent. */
	includes({ userID }: Delivery): boolean {
		return userID !== undefined && this.sent.has(userID);
	}

	/** Call this for each row that is sent. */
	add({ userID }: Delivery): void {
		if (userID !== undefined && this.repeated.has(userID)) this.sent.add(userID);
	}
}
