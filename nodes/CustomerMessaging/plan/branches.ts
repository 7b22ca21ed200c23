import type { N8n } from '../n8n/context';
import type { NodeMemory } from '../n8n/memory';
import { isNotLookedUp, mayBeDelivered, type Result } from '../shared/ending';

type Environment = Pick<N8n, 'branch' | 'memory'>;

/**
 * Where several branches of a workflow lead to the node, n8n runs it once for each. A branch must not repeat the
 * messages of another one. Rounds of a loop share a branch, and items that return from a later node are meant.
 *
 * @returns a function that finds the item of another branch whose message has the key; undefined for one branch
 */
export function otherBranches({ branch, memory }: Environment) {
	const own = branch();
	if (own === undefined) return undefined;
	const { branches = {} } = memory().context;
	const others = Object.entries(branches).flatMap(([name, sent]) => (name === own ? [] : [sent]));
	return (key: string): number | undefined =>
		others.find((sent) => Object.hasOwn(sent, key))?.[key];
}

/** Notes the messages that a run sent, or may have sent, for the runs of other branches. */
export function noteBranch(results: readonly Result[], { branch, memory }: Environment): void {
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
