import { isRecord } from '../fields/field';
import { type Costly, findCostly } from '../operations/costlyCharacters';
import { smsParts } from '../operations/smsParts';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, quote } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { nameItem } from './itemNames';

/** Hints about the parts of SMS that are previewed, because each part is charged. */
export async function smsHints(
	resource: string,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	if (resource !== 'sms' || deliveries.length === 0) return [];
	let parts = 0;
	const costly: string[] = [];
	await inSlices(deliveries, { clock }, (delivery) => {
		const body = delivery.buildBody();
		const message = isRecord(body) ? String(body.message) : '';
		parts += smsParts(message)?.parts ?? 0;
		const found = findCostly(message);
		if (found) costly.push(`${describeCostly(found)} (${nameItem(delivery)})`);
	});
	const each = deliveries.some(({ audience }) => audience !== undefined)
		? ' for each recipient'
		: '';
	return [
		`${count(deliveries.length, 'SMS').replace(/s$/, '')} in ${count(parts, 'part')}${each}. Each part is charged.`,
		...(costly.length > 0
			? [
					`${listed(costly)}. 'Replace Typographic Characters' under Options sends plain characters instead.`,
				]
			: []),
	];
}

/** `'–' costs a second part; with '-' it is one`. */
export function describeCostly({ replacements, parts, partsWithout }: Costly): string {
	const characters = replacements.map(([typographic]) => name(typographic)).join(', ');
	const plain = [...new Set(replacements.map(([, one]) => name(one)))].join(', ');
	const costs = replacements.length === 1 ? 'costs' : 'cost';
	return parts === 2
		? `${characters} ${costs} a second part; with ${plain} it is one`
		: `${characters} ${costs} parts: ${parts} now, ${partsWithout} with ${plain}`;
}

function name(character: string): string {
	return /^\s$/.test(character) && character !== ' ' ? 'a non-breaking space' : quote(character);
}
