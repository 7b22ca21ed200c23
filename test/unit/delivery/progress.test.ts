import { Progress } from '../../../nodes/CustomerMessaging/delivery/progress';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/time';

const START_MS = Date.parse('2026-11-22T14:00:00Z');

/** What a run of 2,000 deliveries says, by what has ended so many minutes after the start. */
function told(...ended: Array<[deliveries: number, minute: number]>): string[] {
	const lines: string[] = [];
	const progress = new Progress(2_000, START_MS, (line) => lines.push(line));
	for (const [deliveries, minute] of ended) {
		progress.ended(deliveries, START_MS + minute * MINUTE_MS);
	}
	return lines;
}

describe('The progress of a long run', () => {
	it('is told once a minute, with what remains and how long it takes', () => {
		expect(told([400, 0.5], [100, 1], [400, 1.5], [100, 2])).toEqual([
			'500 of 2000 items done. The remaining 1500 take about 3 min 0 s',
			'1000 of 2000 items done. The remaining 1000 take about 2 min 0 s',
		]);
	});

	it('is not told by a run of less than a minute, nor at the end', () => {
		expect(told([1_000, 0.1], [1_000, 0.9])).toEqual([]);
		expect(told([2_000, 5])).toEqual([]);
	});
});
