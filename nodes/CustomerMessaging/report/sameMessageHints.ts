import { createHash } from 'node:crypto';

import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, listed, nameItems, quote } from '../shared/formatting';
import { inSlices } from '../shared/slices';

/**
 * Says which recipients get the same message more than once.
 *
 * @param candidates groups of messages that may be the same; they are compared here
 */
export async function sameMessageHints(
	candidates: ReadonlyArray<readonly Delivery[]>,
	clock: Clock,
): Promise<string[]> {
	const byContent = new Map<string, Delivery[]>();
	await inSlices(candidates.flat(), { clock }, (delivery) => {
		const content = hashWhole(delivery);
		const group = byContent.get(content);
		if (group) group.push(delivery);
		else byContent.set(content, [delivery]);
	});
	const groups = [...byContent.values()].filter(({ length }) => length > 1);
	if (groups.length === 0) return [];
	const repeats = groups.reduce((sum, { length }) => sum + length - 1, 0);
	const one = repeats === 1;
	return [
		`${count(repeats, 'message')} ${one ? 'is' : 'are'} the same as an earlier one of this run to the same recipient: ${listed([...new Set(groups.map(nameGroup))])}. To send ${one ? 'it' : 'each of them'} only once, turn on 'Send Once', or place a Remove Duplicates node before this one`,
	];
}

function hashWhole({ path, buildBody, envelope, schedule }: Delivery): string {
	const whole = JSON.stringify([path, buildBody(), envelope, schedule]);
	return createHash('sha256').update(whole).digest('base64');
}

/** The recipient and the items: the same on each platform of a push. */
function nameGroup(group: readonly Delivery[]): string {
	const recipient = Object.values(group[0]?.to ?? {}).map(quote);
	const items = group.map(({ itemIndex }) => itemIndex);
	return `${recipient.join(', ')} (${nameItems(items)})`;
}
