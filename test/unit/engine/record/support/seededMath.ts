import { seededRandom } from '../../../../../sandbox/random';

const { random } = Math;
let current = random;

// The product draws the pauses of its lock from here, and may keep the function: import this file first.
Math.random = () => current();

/** Lets everything in this process draw from one seed, so that a history can be repeated. */
export async function withSeed<T>(
	seed: number,
	play: (random: () => number) => Promise<T>,
): Promise<T> {
	current = seededRandom(seed);
	try {
		return await play(current);
	} finally {
		current = random;
	}
}
