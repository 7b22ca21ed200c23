import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import { push, rowsOf } from '../support/sends';
import { keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const times = () => sandbox().record.map(({ time }) => time);

describe('Max per Minute', () => {
	it('sends the platforms of a push together', async () => {
		await run(sandbox(), push({ maxPerMinute: 300 }, ['web', 'ios']), { rows: rowsOf(3) });
		expect(times()).toHaveLength(6);
		expect(Math.max(...times()) - Math.min(...times())).toBeLessThan(700);
	});

	it('keeps the distance between the rounds of a loop', async () => {
		await executeInLoop({
			parameters: push({ maxPerMinute: 120 }),
			rows: rowsOf(3),
			rowsPerRun: 1,
			credential: keyCredential(sandbox()),
		});
		const gaps = times().flatMap((time, round, all) =>
			round > 0 ? [time - Number(all[round - 1])] : [],
		);
		expect(gaps).toHaveLength(2);
		expect(Math.min(...gaps)).toBeGreaterThanOrEqual(400);
	});

	it('does not count towards Max Wait, and a preview tells how long it takes', async () => {
		const parameters = push({ maxPerMinute: 10, previewOnly: true, maxWait: 1 });
		const { hints } = await run(sandbox(), parameters, { rows: rowsOf(31) });
		expect(hints.map(({ message }) => message)).toContain(
			'Preview: 31 requests in all, to be sent in about 3 min at 10 per minute.',
		);
	});
});
