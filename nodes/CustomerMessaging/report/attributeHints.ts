import { isRecord } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { listed, quote } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { nameItem } from './itemNames';

/** Public descriptions of the API say that names are shorter than this, and event names too. */
const NAME_LIMIT = 50;
/** Public descriptions of the API say that texts are shorter than this. */
const TEXT_LIMIT = 1_000;

/** The types of values that an attribute should not mix, and how they are called. */
const typeNames: Readonly<Record<string, string>> = { string: 'text', number: 'a number' };

/**
 * Hints about attributes that the service may not accept or store as expected. They are only hints,
 * because the service's reference has no such rules.
 */
export async function attributeHints(
	{ attributesKey }: Pick<Operation, 'attributesKey'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	if (attributesKey === undefined) return [];
	const longNames = new Set<string>();
	const longEvents = new Set<string>();
	const longTexts = new Map<string, Delivery>();
	const types = new Map<string, Map<string, Delivery>>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const { event_name: event, [attributesKey]: attributes } = delivery.buildBody() as Record<
			string,
			unknown
		>;
		if (typeof event === 'string' && event.length >= NAME_LIMIT) longEvents.add(event);
		for (const [name, value] of Object.entries(isRecord(attributes) ? attributes : {})) {
			if (name.length >= NAME_LIMIT) longNames.add(name);
			if (typeof value === 'string' && value.length >= TEXT_LIMIT)
				remember(longTexts, name, delivery);
			const ofName = types.get(name) ?? new Map<string, Delivery>();
			types.set(name, remember(ofName, typeof value, delivery));
		}
	});
	return [
		...hint(
			[...longEvents].map(quote),
			(names) =>
				`Public descriptions of the API say that the name of an event has fewer than ${NAME_LIMIT} characters. These have ${NAME_LIMIT} or more: ${names}`,
		),
		...hint(
			[...longNames].map(quote),
			(names) =>
				`Public descriptions of the API say that the name of an attribute has fewer than ${NAME_LIMIT} characters. These have ${NAME_LIMIT} or more: ${names}`,
		),
		...hint(
			[...longTexts].map(([name, first]) => `${quote(name)} (${nameItem(first)})`),
			(names) =>
				`Public descriptions of the API say that the text of an attribute has fewer than 1,000 characters. These have 1,000 or more: ${names}`,
		),
		...hint(
			mixedTypes(types),
			(names) =>
				`An attribute should have the same type in all rows, or the service may not store it. These differ: ${names}. Choose one type for each, or correct the input`,
		),
	];
}

/** Keeps the first delivery for each key. */
function remember(
	firsts: Map<string, Delivery>,
	key: string,
	delivery: Delivery,
): Map<string, Delivery> {
	return firsts.has(key) ? firsts : firsts.set(key, delivery);
}

/** `'zip' (text in item 0, C-1; a number in item 3, C-4)` for each attribute that is text in one row and a number in another. */
function mixedTypes(types: ReadonlyMap<string, ReadonlyMap<string, Delivery>>): string[] {
	return [...types].flatMap(([name, firsts]) => {
		const found = [...firsts].filter(([type]) => type in typeNames);
		const where = found.map(([type, first]) => `${typeNames[type]} in ${nameItem(first)}`);
		return found.length > 1 ? [`${quote(name)} (${where.join('; ')})`] : [];
	});
}

function hint(names: readonly string[], message: (names: string) => string): string[] {
	return names.length > 0 ? [message(listed(names))] : [];
}
