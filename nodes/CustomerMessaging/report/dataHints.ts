import { repeatedIds } from '../delivery/repeatedIds';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, itemNumbers, listed, quote } from '../shared/formatting';
import { attributeHints } from './attributeHints';

/** Hints about input that can be sent, but may not have the effect that the user expects. */
export async function dataHints(
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	return [
		...repeated(await repeatedIds(deliveries, operation, clock)),
		...(await attributeHints(operation, deliveries, clock)),
		...largeBatches(settings.batchSize, operation.batchSize?.advised, deliveries.length),
	];
}

function repeated(rows: ReadonlyMap<string, readonly Delivery[]>): string[] {
	if (rows.size === 0) return [];
	const named = [...rows].map(
		([id, deliveries]) =>
			`${quote(id)} (items ${itemNumbers(deliveries.map(({ itemIndex }) => itemIndex))})`,
	);
	return [
		`${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their rows are sent in the order of the input, so the values of the last row remain`,
	];
}

function largeBatches(size: number, advised: number | undefined, rows: number): string[] {
	if (advised === undefined || Math.min(size, rows) <= advised) return [];
	return [
		`'Batch Size' is ${size}. Public descriptions of the API name ${advised} users as the maximum for one request. If the service refuses a batch, the node sends it again in halves`,
	];
}
