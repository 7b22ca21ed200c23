import { repeatedIds } from '../plan/repeatedIds';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, nameItems, quote } from '../shared/formatting';

/** Of several rows for one user, only the values of the last one remain. */
export async function repeatedUserHints(
	{ operation }: Pick<Run, 'operation'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	const rows = await repeatedIds(deliveries, operation, clock);
	if (rows.size === 0) return [];
	const named = [...rows].map(
		([id, repeated]) => `${quote(id)} (${nameItems(repeated.map(({ itemIndex }) => itemIndex))})`,
	);
	return [
		`${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their rows are sent in the order of the input, so the values of the last row remain`,
	];
}
