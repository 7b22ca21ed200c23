import { isRecord } from '../fields/field';
import { findTypographic, replaceTypographic } from '../fields/smsText';
import { smsParts } from '../operations/smsParts';
import type { Plan } from '../plan/plan';
import type { Run } from '../run/resolveRun';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, nameItems } from '../shared/formatting';
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
		const description = describeCostly(message);
		if (description === undefined) return;
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
					`${listed(named)}.${named.some((one) => one.startsWith(typographic)) ? " 'Replace Typographic Characters' under Options sends plain characters instead." : ''}`,
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

const typographic = 'Typographic characters';

/** An emoji, or a flag. */
const emoji =
	/\p{Extended_Pictographic}(?:[\ufe0f\p{EMod}]|\u200d\p{Extended_Pictographic})*|\p{RI}{2}/gu;

/**
 * Says which characters cost parts: `Typographic characters (“ ”) make it 5 parts instead of 3`, or
 * `😀 makes it 2 parts instead of 1`. Undefined if the text is no longer with them.
 */
export function describeCostly(message: string): string | undefined {
	const parts = smsParts(message)?.parts ?? 0;
	if (parts <= 1) return undefined;
	const characters = findTypographic(message).map((one) =>
		/\s/.test(one) ? 'special space' : one,
	);
	const named = `${typographic} (${characters.join(' ')})`;
	const emojis = [...new Set(message.match(emoji))];
	const withoutEmoji = message.replace(emoji, '');
	const causes: Array<[what: string, verb: string, without: string]> = [
		[named, 'make', replaceTypographic(message)],
		[emojis.join(' '), emojis.length === 1 ? 'makes' : 'make', withoutEmoji],
		[`${named} and ${emojis.join(' ')}`, 'make', replaceTypographic(withoutEmoji)],
	];
	for (const [what, verb, without] of causes) {
		const partsWithout = without === message ? parts : (smsParts(without)?.parts ?? parts);
		if (partsWithout < parts)
			return `${what} ${verb} it ${count(parts, 'part')} instead of ${partsWithout}`;
	}
	return undefined;
}
