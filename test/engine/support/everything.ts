import { inspect } from 'node:util';

/** Everything that a run left behind as one text, including errors and what is nested in them. */
export function everythingIn(value: unknown): string {
	return inspect(value, {
		depth: Infinity,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
		showHidden: true,
	});
}
