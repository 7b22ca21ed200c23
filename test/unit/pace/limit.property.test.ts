import type { Kind } from '../../../simulation/serverLimit';
import { KINDS } from '../../../simulation/serverLimit';
import { idealMs } from '../../../simulation/idealTime';
import { PLAIN } from '../../../simulation/world';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/apis';
import { sized } from '../../propertyRuns';
import {
	deliversExactlyOnce,
	isFastWithFewRefusals,
	needsNoHeader,
	play,
	toleratesHeader,
} from './support/bounds';
import { alone, always, anything, ofAnySize, smallBehindLarge, together } from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

const windows = { min: 14, max: 15 };
const limit = { min: 50, max: 70 };

describe('In random worlds on a virtual clock, runs at the limit', () => {
	it('respect the concurrency, send nothing twice, lose nothing, send one probe at a time, and end', async () => {
		await always(anything, deliversExactlyOnce);
	});

	it('take at most 1.10 of the ideal time alone, with at most 14 refusals a minute', async () => {
		const ofAnyLimit = { min: 50, max: sized(70, 600) };
		await always(alone({ windows, limit: ofAnyLimit }), isFastWithFewRefusals);
	});

	it('are as fast as a sliding minute allows, and never refused, if the service sends no header', async () => {
		await always(alone({ windows, limit, headerMissing: 1 }), needsNoHeader);
	});

	it.each(['zero', 'constant', 'daily'] as const)(
		'take at most 1.15 of the time that they take without a header if the header is wrong: %s',
		async (header) => {
			await always(alone({ windows, limit: { min: 100, max: 120 }, header }), toleratesHeader);
		},
	);

	it.each(KINDS)(
		'reach 0.97 of the ideal in the mean over 200 to 5,000 requests: %s',
		async (kind) => {
			const shares: number[] = [];
			await always(ofAnySize(kind), async (scene) => {
				const { tookMs } = await play(scene);
				shares.push(idealMs(scene.world, scene.plans, scene.startMs) / tookMs);
			});
			const sum = shares.reduce((a, b) => a + b, 0);
			expect(sum / shares.length).toBeGreaterThanOrEqual(0.97);
		},
	);

	it('take at most 1.05 of the ideal in the mean for 2,000 requests, if the minute follows the clock', async () => {
		const ratios: number[] = [];
		await always(ofAnySize('clock'), async (scene) => {
			const plans = scene.plans.map((plan) => ({ ...plan, requests: 2_000 }));
			const { tookMs } = await play({ ...scene, plans });
			ratios.push(tookMs / idealMs(scene.world, plans, scene.startMs));
		});
		const sum = ratios.reduce((a, b) => a + b, 0);
		expect(sum / ratios.length).toBeLessThanOrEqual(1.05);
	});

	it('finish 95 % of the small runs behind a large one within 2 s, whatever the service counts by', async () => {
		const tookMs = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
		await always(smallBehindLarge, async (scene) => {
			const { runs } = await play(scene);
			const small = runs.slice(1).map((run) => run.endMs - run.startMs);
			tookMs.get(scene.world.kind)?.push(...small);
		});
		for (const all of tookMs.values()) {
			all.sort((a, b) => a - b);
			// With few random worlds, a kind of service may not be among them.
			if (all.length > 0) expect(all[Math.floor(all.length * 0.95)]).toBeLessThan(2_000);
		}
	});

	it.each(KINDS)(
		'leave room for a small run where a long one needs ten whole minutes: %s',
		async (kind) => {
			const common = { concurrency: 10, process: 0 };
			const large = { ...common, startMs: 0, requests: 5_000 };
			const small = { ...common, startMs: 25_000, requests: 1 };
			const world = { ...PLAIN, kind, limit: 500, seed: 1 };
			const { runs } = await play({ world, plans: [large, small], startMs: 1_000_000 * MINUTE_MS });
			expect((runs[1]?.endMs ?? NaN) - (runs[1]?.startMs ?? NaN)).toBeLessThan(2_000);
		},
	);

	it.each([50, 100, 425])(
		'are refused less than 4 % of the time in the mean when four processes share %i requests a minute',
		async (perMinute) => {
			let refused = 0;
			let requests = 0;
			const minutes = { min: 4, max: perMinute > 100 ? 5 : 10 };
			const scenes = together(4, (run) => run, { min: perMinute, max: perMinute }, minutes);
			await always(scenes, async (scene) => {
				const { service, runs } = await play(scene);
				refused += service.refusedAtMs.length;
				requests += runs.reduce((sum, run) => sum + run.requests, 0);
			});
			expect(refused / requests).toBeLessThan(0.04);
		},
	);

	it('are refused no more for five runs of one process than for one run', async () => {
		await always(
			together(5, () => 0, limit),
			async (scene) => {
				expect((await play(scene)).max429PerMinute).toBeLessThanOrEqual(14);
			},
		);
	});
});
