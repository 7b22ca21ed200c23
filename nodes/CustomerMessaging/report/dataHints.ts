import { repeatedIds } from '../plan/repeatedIds';
import { internationalAddresses } from '../fields/email';
import { isRecord } from '../fields/field';
import { declaredFields, type Operation } from '../operations/operation';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, nameItems, quote } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { attributeHints } from './attributeHints';
import { timeHints } from './timeHints';

/** Hints about input that can be sent, but may not have the effect that the user expects. */
export async function dataHints(
	{ operation, settings, account }: Pick<Run, 'operation' | 'settings' | 'account'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	return [
		...repeated(await repeatedIds(deliveries, operation, clock)),
		...(await attributeHints(operation, deliveries, clock)),
		...(await timeHints(operation, account.format, deliveries, clock)),
		...(await internationalAddressHints(operation, deliveries, clock)),
		...largeBatches(settings.batchSize, operation.batchSize?.advised, deliveries.length),
	];
}

function repeated(rows: ReadonlyMap<string, readonly Delivery[]>): string[] {
	if (rows.size === 0) return [];
	const named = [...rows].map(
		([id, deliveries]) =>
			`${quote(id)} (${nameItems(deliveries.map(({ itemIndex }) => itemIndex))})`,
	);
	return [
		`${count(rows.size, 'user ID')} ${rows.size === 1 ? 'occurs' : 'occur'} more than once: ${listed(named)}. Their rows are sent in the order of the input, so the values of the last row remain`,
	];
}

/** Mail systems without RFC 6531 refuse addresses with letters beyond ASCII before the @. */
async function internationalAddressHints(
	operation: Operation,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	const keys = Object.entries(declaredFields(operation))
		.filter(([, { holdsAddresses }]) => holdsAddresses)
		.map(([key]) => key);
	if (keys.length === 0) return [];
	const firsts = new Map<string, Delivery>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const built = delivery.buildBody();
		const body = isRecord(built) ? built : {};
		const attributes = body[operation.attributesKey ?? ''];
		const values = keys.flatMap((key) => [body[key], isRecord(attributes) && attributes[key]]);
		const lists = values.filter((value) => typeof value === 'string');
		for (const address of lists.flatMap(internationalAddresses))
			if (!firsts.has(address)) firsts.set(address, delivery);
	});
	if (firsts.size === 0) return [];
	const named = [...firsts].map(
		([address, first]) => `${quote(address)} (item ${first.itemIndex})`,
	);
	return [
		`Some mail systems do not accept letters beyond ASCII before the @: ${listed(named)}. Check in the account whether these emails arrive`,
	];
}

function largeBatches(size: number, advised: number | undefined, rows: number): string[] {
	if (advised === undefined || Math.min(size, rows) <= advised) return [];
	return [
		`'Batch Size' is ${size}. Public descriptions of the API name ${advised} users as the maximum for one request. If the service refuses a batch, the node sends it again in halves`,
	];
}
