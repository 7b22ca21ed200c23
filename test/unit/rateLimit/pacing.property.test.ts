import type { Kind } from '../../../simulation/serverLimit';
import { always } from './support/always';
import {
	deliversExactlyOnce,
	isFastWithFewRefusals,
	needsNoHeader,
	smallRunsMs,
} from './support/bounds';
import { alone, anything, smallBehindLarge } from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

const windows = { min: 14, max: 15 };
const limit = { min: 50, max: 70 };

describe('In random worlds on a virtual clock, the limiter and the dispatcher', () => {
	it('respect the concurrency, send nothing twice, lose nothing, send one probe at a time, and end', async () => {
		await always(anything, deliversExactlyOnce);
	});

	it('take at most 1.10 of the ideal time alone, with at most 14 refusals a minute', async () => {
		await always(alone({ windows, limit }), isFastWithFewRefusals);
	});

	it('are as fast as a sliding minute allows, and never refused, if the service sends no header', async () => {
		await always(alone({ windows, limit, headerMissing: 1 }), needsNoHeader);
	});

	it('finish 95 % of the small runs behind a large one within 2 s, whatever the service counts by', async () => {
		const tookMs = new Map<Kind, number[]>();
		await always(smallBehindLarge, async (scene) => {
			const { kind } = scene.world;
			tookMs.set(kind, [...(tookMs.get(kind) ?? []), ...(await smallRunsMs(scene))]);
		});
		for (const all of tookMs.values()) {
			all.sort((a, b) => a - b);
			expect(all[Math.floor(all.length * 0.95)]).toBeLessThan(2_000);
		}
	});
});
