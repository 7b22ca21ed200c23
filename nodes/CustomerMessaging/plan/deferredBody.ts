import type { IDataObject } from 'n8n-workflow';

import type { Checked } from '../operations/operation';
import type { Delivery } from '../shared/delivery';

/** Characters that a body may add to what the input item holds. Building it again saves more memory above. */
const MAX_KEPT_CHARACTERS = 10_000;

/**
 * Replaces bodies with long texts by bodies that are built each time they are read. So the texts of
 * thousands of emails are not in memory at once. A text that is a column of the item needs no additional
 * memory, so it stays.
 *
 * @param check checks the row again; must give the same deliveries each time
 */
export function withDeferredBodies(
	deliveries: readonly Delivery[],
	json: IDataObject,
	check: () => Checked,
): Delivery[] {
	const columns: unknown[] = Object.values(json);
	return deliveries.map((delivery, index) => {
		const { body, ...rest } = delivery;
		if (addedCharacters(body, columns) <= MAX_KEPT_CHARACTERS) return delivery;
		return {
			...rest,
			get body() {
				const checked = check();
				const again = 'deliveries' in checked ? checked.deliveries[index] : undefined;
				// Input items do not change during a run.
				if (!again) throw new Error(`Item ${rest.itemIndex} has changed since it was checked`);
				return again.body;
			},
		};
	});
}

function addedCharacters(body: object, columns: readonly unknown[]): number {
	return Object.values(body)
		.filter((value): value is string => typeof value === 'string' && value.length > 100)
		.filter((text) => !columns.includes(text))
		.reduce((sum, { length }) => sum + length, 0);
}
