import fc from 'fast-check';

import { type Kind, KINDS } from '../../../simulation/serverLimit';
import { propertyRuns, propertySeed } from '../../propertyRuns';
import {
	deliversExactlyOnce,
	isFastWithFewRefusals,
	needsNoHeader,
	refusals,
	shareOfIdeal,
	sharesAnAccount,
	sharesAProcess,
	smallRunsMs,
	toleratesHeader,
} from './support/bounds';
import {
	alone,
	anything,
	ofAnySize,
	type Scene,
	smallBehindLarge,
	together,
} from './support/worlds';

async function always(scenes: fc.Arbitrary<Scene>, holds: (scene: Scene) => Promise<void>) {
	await fc.assert(fc.asyncProperty(scenes, holds), { numRuns: propertyRuns, seed: propertySeed });
}

const mean = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

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

	it.each(['zero', 'constant', 'daily', 'growing'] as const)(
		'take at most 1.15 of the time that they take without a header if the header is wrong: %s',
		async (header) => {
			await always(alone({ windows, limit: { min: 100, max: 120 }, header }), toleratesHeader);
		},
	);

	it('finish 95 % of the small runs behind a large one within 2 s, whatever the service counts by', async () => {
		const tookMs = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
		await always(smallBehindLarge, async (scene) => {
			tookMs.get(scene.world.kind)?.push(...(await smallRunsMs(scene)));
		});
		for (const all of tookMs.values()) {
			all.sort((a, b) => a - b);
			expect(all[Math.floor(all.length * 0.95)]).toBeLessThan(2_000);
		}
	});

	it.each(['clock', 'sliding', 'first', 'bucket'] as const)(
		'reach 0.97 of the ideal in the mean over runs of 200 to 5,000 requests: %s',
		async (kind) => {
			const shares: number[] = [];
			await always(ofAnySize(kind), async (scene) => {
				shares.push(await shareOfIdeal(scene));
			});
			expect(mean(shares)).toBeGreaterThanOrEqual(0.97);
		},
	);

	it('are refused less than 4 % of the time when four processes share one account', async () => {
		await always(
			together(4, (run) => run, { min: 400, max: 450 }),
			sharesAnAccount,
		);
	});

	it.each([50, 100])(
		'are refused less than 4 % of the time in the mean when four processes share %i requests a minute',
		async (perMinute) => {
			const counts: Array<Awaited<ReturnType<typeof refusals>>> = [];
			await always(
				together(4, (run) => run, { min: perMinute, max: perMinute }, { min: 4, max: 10 }),
				async (scene) => {
					counts.push(await refusals(scene));
				},
			);
			const sum = (key: 'refused' | 'requests') =>
				counts.reduce((total, one) => total + one[key], 0);
			expect(sum('refused') / sum('requests')).toBeLessThan(0.04);
		},
	);

	it('are refused no more for five runs of one process than for one run', async () => {
		await always(
			together(5, () => 0, limit),
			sharesAProcess,
		);
	});
});
