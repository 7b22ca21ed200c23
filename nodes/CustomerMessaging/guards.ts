import type { Delivery, Operation } from './operations/operation';
import type { Problem } from './problem';
import { ranges } from './results/summary';

/**
 * What keeps a run from sending more broadcasts than the user allowed: 500 input items are not 500
 * broadcasts to the same people. Undefined where all is well.
 */
export function tooManyBroadcasts(
	deliveries: readonly Delivery[],
	maxBroadcasts: number,
): Problem | undefined {
	const counts = new Map<string, number>();
	for (const delivery of deliveries) counts.set(whomOf(delivery), (counts.get(whomOf(delivery)) ?? 0) + 1);
	const over = [...counts].find(([, count]) => count > maxBroadcasts);
	if (!over) return undefined;
	const [whom, count] = over;
	return {
		field: 'maxBroadcasts',
		message: `This run would send ${count} broadcasts to ${whom}, one for each input item, and Max Broadcasts allows ${maxBroadcasts}. Give the node a single item, for instance with a Limit node before it, or raise Max Broadcasts`,
	};
}

/** Names the items that send the very same broadcast to the same people. */
export function identicalBroadcasts(deliveries: readonly Delivery[]): string[] {
	const groups = new Map<string, Delivery[]>();
	for (const delivery of deliveries) {
		if (delivery.audience === undefined) continue;
		const { path, body, schedule } = delivery;
		const key = JSON.stringify([path, body, schedule]);
		groups.set(key, [...(groups.get(key) ?? []), delivery]);
	}
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (!first || group.length < 2) return [];
		return [`Items ${ranges(group.map(({ itemIndex }) => itemIndex))} are the same broadcast to ${whomOf(first)}`];
	});
}

/**
 * Parameters that decide whom a message reaches and that were left to a model, where the node is a
 * tool of an AI agent. They are a person's to set.
 */
export function leftToModel(
	{ form, isBroadcast }: Operation,
	raw: (name: string) => unknown,
): Problem[] {
	const personal = [
		...['resource', 'operation', 'testRuns', 'maxBroadcasts', 'host', 'api', 'path'],
		...['segment_id', 'extraBodyFields'],
		...(isBroadcast ? ['platforms'] : []),
	];
	const names = new Set([...form.map(({ name }) => name), 'resource', 'operation', 'testRuns', 'maxBroadcasts']);
	const entries = [...names].flatMap((name) =>
		name === 'additionalFields' ? Object.entries(raw(name) ?? {}) : [[name, raw(name)] as const],
	);
	return entries
		.filter(([name, value]) => personal.includes(name) && /\$fromai/i.test(JSON.stringify(value ?? null)))
		.map(([name]) => ({
			field: name,
			message: `${name} is left to the model, but it decides whom a message reaches. Set it to a fixed value`,
		}));
}

function whomOf({ audience, platform }: Delivery): string {
	return [audience, platform && `on ${platform}`].filter(Boolean).join(' ');
}
