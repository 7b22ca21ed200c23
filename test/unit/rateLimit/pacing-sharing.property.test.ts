import { always } from './support/always';
import { refusals, sharesAnAccount, sharesAProcess } from './support/bounds';
import { together } from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

const limit = { min: 50, max: 70 };

describe('In random worlds on a virtual clock, the limiter and the dispatcher', () => {
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
