import { pause, skewToMinuteEnd } from '../support/clock';
import { inShort, useNode } from '../support/node';
import { push, rowsOf } from '../support/sends';

// On a busy machine, they wait for a whole minute.
jest.setTimeout(90_000);

const node = useNode({ onError: 'continueRegularOutput' }, { isNewEachTest: true });
/** Limits pushes, with so much left of the service's minute. */
const limitTo = (push: number, leftMs: number) =>
	node.sandbox.configure({ limits: { push }, clockSkewMs: skewToMinuteEnd(leftMs) });

test('Five runs at once share one limit: almost no request is refused, and every run gets its share', async () => {
	const limit = 300;
	limitTo(limit, 8_000);
	const prefixes = ['a', 'b', 'c', 'd', 'e'];
	const parameters = push({ concurrency: 20 });
	const said = await Promise.all(
		prefixes.map(async (prefix) => await node.says({ parameters, rows: rowsOf(70, prefix) })),
	);
	expect(said).toEqual(prefixes.map(() => '70 accepted'));
	const accepted = node.sandbox.accepted();
	expect(accepted).toHaveLength(350);
	expect(node.sandbox.record.length - 350).toBeLessThan(5);

	const firstMinute = accepted.slice(0, limit).map(({ rawBody }) => rawBody);
	for (const prefix of prefixes) {
		const share = firstMinute.filter((body) => body.includes(`"user_id":"${prefix}`)).length;
		expect([prefix, share > limit / prefixes.length / 2]).toEqual([prefix, true]);
	}
});

test.each([
	['ahead', 3_600_000],
	['back', -3_600_000],
])(
	'A clock that is set an hour %s neither ends nor delays a run that waits for the limit',
	async (_, byMs) => {
		limitTo(5, 2_500);
		const rightNow = Date.now;
		try {
			const run = node.start({ rows: rowsOf(10) });
			await node.untilArrived(5);
			await pause(500);
			Date.now = () => rightNow() + byMs;
			expect(inShort(await run)).toBe('10 accepted');
		} finally {
			Date.now = rightNow;
		}
	},
);
