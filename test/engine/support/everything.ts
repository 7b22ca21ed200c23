import { inspect } from 'node:util';

/** All that a run left behind, errors and what is nested in them included, as one text. */
export function everythingIn(value: unknown): string {
	return inspect(value, {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	});
}
