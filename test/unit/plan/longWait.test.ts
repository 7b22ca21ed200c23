import { longWait, minutesAtLimit } from '../../../nodes/CustomerMessaging/plan/plan';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/apis';
import { batchRun } from '../send/support/batchRun';

test.each([
	[0, 0],
	[500, 0],
	[501, 1],
	[100_000, 199],
])('%i requests at 500 per minute wait for %i minutes', (requests, minutes) => {
	expect(minutesAtLimit(requests, 500)).toBe(minutes);
});

describe('A run that would wait too long', () => {
	const run = batchRun({ maxWaitMs: 60 * MINUTE_MS });
	run.account.limits.user = 500;

	it('is told how long it would wait, and what to do', () => {
		expect(longWait(100_000, run)).toEqual({
			field: 'maxWait',
			message:
				"100000 requests at 500 per minute wait for the rate limit for at least 198 min, but 'Max Wait' allows 60 min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items",
		});
	});

	it('is only one that surely does, wherever in a minute of the service it begins', () => {
		expect(longWait(62 * 500, run)).toBeUndefined();
		expect(longWait(62 * 500 + 1, run)).toBeDefined();
		expect(
			longWait(100_000, { ...run, settings: { ...run.settings, maxWaitMs: 198 * MINUTE_MS } }),
		).toBeUndefined();
	});
});
