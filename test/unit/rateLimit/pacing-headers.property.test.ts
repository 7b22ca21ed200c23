import { always } from './support/always';
import { toleratesHeader } from './support/bounds';
import { alone } from './support/worlds';

/** Simulations take long on a crowded machine. */
jest.setTimeout(1_800_000);

const windows = { min: 14, max: 15 };

describe('In random worlds on a virtual clock, the limiter and the dispatcher', () => {
	it.each(['zero', 'constant', 'daily', 'growing'] as const)(
		'take at most 1.15 of the time that they take without a header if the header is wrong: %s',
		async (header) => {
			await always(alone({ windows, limit: { min: 100, max: 120 }, header }), toleratesHeader);
		},
	);
});
