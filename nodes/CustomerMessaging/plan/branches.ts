import type { N8n } from '../n8n/context';
import type { NodeMemory } from '../n8n/memory';
import { isNotLookedUp, mayBeDelivered, type Result } from '../shared/result';

type Around = Pick<N8n, 'branch' | 'memory'>;

/**
 * Several branches of a workflow that lead to the node make it run once for each, in one execution. What one of
 * them has sent, another one must not send again. Rounds of a loop come by one branch, and what comes back from
 * a later node is meant.
 *
 * @returns a function that finds the item of another branch whose message has the key; undefined for one branch
 */
export function otherBranches({ branch, memory }: Around) {
	const own = branch();
	if (own === undefined) return undefined;
	const { branches = {} } = memory().context;
	const others = Object.entries(branches).flatMap(([name, sent]) => (name === own ? [] : [sent]));
	return (key: string): number | undefined =>
		others.find((sent) => Object.hasOwn(sent, key))?.[key];
}

/** Notes what a run sent, or may have sent, for the runs of other branches. */
export function noteBranch(results: readonly Result[], { branch, memory }: Around): void {
	const sent = results.flatMap((result) =>
		mayBeDelivered(result) && !isNotLookedUp(result) ? [result.delivery] : [],
	);
	const keyed = sent.flatMap(({ sameKey, itemIndex }): Array<[string, number]> =>
		sameKey === undefined ? [] : [[sameKey, itemIndex]],
	);
	const own = keyed.length > 0 ? branch() : undefined;
	if (own === undefined) return;
	const branches: NonNullable<NodeMemory['branches']> = (memory().context.branches ??= {});
	branches[own] = { ...branches[own], ...Object.fromEntries(keyed) };
}
