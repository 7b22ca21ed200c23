import type { Operation } from '../operations/operation';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { inSlices } from '../shared/slices';

/**
 * The deliveries by `userID`, where several have the same one and the operation makes the last one
 * count.
 */
export async function repeatedIds<D extends Pick<Delivery, 'userID'>>(
	deliveries: readonly D[],
	{ overwrites }: Pick<Operation, 'overwrites'>,
	clock: Clock,
): Promise<Map<string, D[]>> {
	const repeated = new Map<string, D[]>();
	if (!overwrites) return repeated;
	const firsts = new Map<string, D>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const { userID } = delivery;
		if (userID === undefined) return;
		const first = firsts.get(userID);
		const known = repeated.get(userID);
		if (known) known.push(delivery);
		else if (first) repeated.set(userID, [first, delivery]);
		else firsts.set(userID, delivery);
	});
	return repeated;
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
