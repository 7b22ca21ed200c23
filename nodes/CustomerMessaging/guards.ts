import type { Problem } from './problem';
import type { Delivery } from './operations/operation';

/**
 * What keeps a run from sending more broadcasts than the user allowed: 500 input items are not 500
 * broadcasts to the same people. Undefined where all is well.
 */
export function tooManyBroadcasts(
	deliveries: readonly Delivery[],
	maxBroadcasts: number,
): Problem | undefined {
	const counts = new Map<string, number>();
	for (const { audience, platform } of deliveries) {
		const whom = [audience, platform && `on ${platform}`].filter(Boolean).join(' ');
		counts.set(whom, (counts.get(whom) ?? 0) + 1);
	}
	const over = [...counts].find(([, count]) => count > maxBroadcasts);
	if (!over) return undefined;
	const [whom, count] = over;
	return {
		field: 'maxBroadcasts',
		message: `This run would send ${count} broadcasts to ${whom}, one for each input item, and Max Broadcasts allows ${maxBroadcasts}. Nothing was sent. Give the node a single item, for instance with a Limit node before it, or raise Max Broadcasts`,
	};
}
