import { defaultConcurrency } from '../../../nodes/CustomerMessaging/rateLimit/defaultConcurrency';

describe('The default concurrency', () => {
	it('is 10 up to 500 requests a minute, then one for every 50, and at most 100', () => {
		expect([1, 50, 500, 501, 1_000, 3_000, 5_000, 100_000].map(defaultConcurrency)).toEqual([
			10, 10, 10, 11, 20, 60, 100, 100,
		]);
	});
});
