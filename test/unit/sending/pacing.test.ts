import fc from 'fast-check';

import {
	isAsFastAsAllowed,
	keepsItsWord,
	needsNoHeader,
	sharesAKey,
	sharesAProcess,
	smallRunsMs,
} from './bounds';
import { type Kind, KINDS } from './simulation';
import { alone, anything, type Scene, smallBehindLarge, together } from './worlds';

/** Holds in so many random worlds; the seed is fixed so that a red run can be run again. */
async function always(
	scenes: fc.Arbitrary<Scene>,
	holds: (scene: Scene) => Promise<void>,
	numRuns = 500,
) {
	await fc.assert(fc.asyncProperty(scenes, holds), { numRuns, seed: 20_260_101 });
}

const manyWindows = { min: 14, max: 15 };
const limit = { min: 50, max: 70 };

describe('pacing, on a virtual clock against simulated services', () => {
	it('keeps to its concurrency, sends nothing twice, loses nothing, tries an exhausted window with one request, and ends', async () => {
		await always(anything, keepsItsWord);
	});

	it('takes at most 1.10 of the ideal time alone, with at most 14 refusals a minute', async () => {
		await always(alone({ windows: manyWindows, limit }), isAsFastAsAllowed);
	});

	it('needs no header: without one it is as fast as a sliding minute allows, and never refused', async () => {
		await always(alone({ windows: manyWindows, limit, headerMissing: 1 }), needsNoHeader);
	});

	it('sends a small run behind a large one within 2 s, 19 times in 20, whatever the service', async () => {
		const tookMs = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
		await always(smallBehindLarge, async (scene) => {
			tookMs.get(scene.world.kind)?.push(...(await smallRunsMs(scene)));
		});
		for (const all of tookMs.values()) {
			all.sort((a, b) => a - b);
			expect(all[Math.floor(all.length * 0.95)]).toBeLessThan(2_000);
		}
	});

	it('is refused less than 4 % of the time when four processes use one key', async () => {
		await always(together(4, (run) => run, { min: 400, max: 450 }), sharesAKey);
	});

	it('is refused no more for five runs of one process than for one', async () => {
		await always(together(5, () => 0, limit), sharesAProcess, 200);
	});
});
