import { hintsIn, useNode } from '../support/node';
import { push, rowsOf } from '../support/sends';

const node = useNode({ rows: rowsOf(3) });
const times = () => node.sandbox.record.map(({ time }) => time);

describe('Max per Minute', () => {
	it('sends the platforms of a push together', async () => {
		await node.start({ parameters: push({ maxPerMinute: 300 }, ['web', 'ios']) });
		expect(times()).toHaveLength(6);
		expect(Math.max(...times()) - Math.min(...times())).toBeLessThan(700);
	});

	it('keeps the distance between the rounds of a loop', async () => {
		await node.start({ parameters: push({ maxPerMinute: 120 }), rowsPerRun: 1 });
		const gaps = times().flatMap((time, round, all) =>
			round > 0 ? [time - Number(all[round - 1])] : [],
		);
		expect(gaps).toHaveLength(2);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400);
	});

	it('does not count towards Max Wait, and a preview tells how long it takes', async () => {
		const parameters = push({ maxPerMinute: 10, previewOnly: true, maxWait: 1 });
		expect(hintsIn(await node.start({ parameters, rows: rowsOf(31) }))).toContain(
			'Preview: 31 requests in all, to be sent in about 3 min at 10 per minute.',
		);
	});
});
