import { isRecord } from '../fields/field';
import { type Costly, findCostly } from '../operations/costlyCharacters';
import { smsParts } from '../operations/smsParts';
import type { Plan } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, nameItems, quote } from '../shared/formatting';
import { hasFailed, type Result, type SentDelivery } from '../shared/result';
import { inSlices } from '../shared/slices';
import { nameItem } from './itemNames';

/** From so many parts on, an SMS is rarely meant to be that long. */
const MANY_PARTS = 4;

interface SmsHint {
	message: string;
	/** Whether one of the SMS has that many parts. */
	isLong: boolean;
}

/** Hints about the parts of SMS, because each part is charged: of those that are shown, or were sent. */
export async function smsHints(
	{ resource, isPreview }: Pick<Run, 'resource' | 'isPreview'>,
	{ deliveries, shown = [] }: Pick<Plan, 'deliveries' | 'shown'>,
	results: readonly Result[],
	clock: Clock,
): Promise<SmsHint[]> {
	if (resource !== 'sms') return [];
	if (isPreview) return await partsHints(deliveries, 'previewed', clock);
	const accepted = new Set<SentDelivery>(
		results.flatMap((result) =>
			result.kind === 'sent' && !hasFailed(result) ? [result.delivery] : [],
		),
	);
	const sent = deliveries.filter((delivery) => accepted.has(delivery));
	return [
		...(await partsHints(sent, 'sent', clock)),
		...(await partsHints(shown, 'notSent', clock)),
	];
}

const headings = { previewed: '', sent: 'Sent: ', notSent: 'Not sent: ' };

async function partsHints(
	deliveries: readonly Delivery[],
	kind: keyof typeof headings,
	clock: Clock,
): Promise<SmsHint[]> {
	if (deliveries.length === 0) return [];
	let parts = 0;
	let most = 0;
	const costly = new Map<string, Delivery[]>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const body = delivery.buildBody();
		const message = isRecord(body) ? String(body.message) : '';
		const own = smsParts(message)?.parts;
		parts += own ?? 0;
		most = Math.max(most, own ?? MANY_PARTS);
		const found = findCostly(message);
		if (!found) return;
		const description = describeCostly(found);
		const same = costly.get(description) ?? [];
		same.push(delivery);
		costly.set(description, same);
	});
	// A single message in one part is what everybody expects.
	if (kind === 'sent' && parts === 1) return [];
	const each = deliveries.some(({ audience }) => audience !== undefined)
		? ' for each recipient'
		: '';
	const named = [...costly].map(([description, same]) => `${description} (${nameAll(same)})`);
	const lines = [
		`${headings[kind]}${count(deliveries.length, 'SMS').replace(/s$/, '')} in ${count(parts, 'part')}${each}. Each part is charged.`,
		...(named.length > 0
			? [
					`${listed(named)}. 'Replace Typographic Characters' under Options sends plain characters instead.`,
				]
			: []),
	];
	return lines.map((message) => ({ message, isLong: most >= MANY_PARTS }));
}

function nameAll(deliveries: readonly Delivery[]): string {
	const [first] = deliveries;
	return first && deliveries.length === 1
		? nameItem(first)
		: nameItems(deliveries.map(({ itemIndex }) => itemIndex));
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
