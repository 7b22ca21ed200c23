import { each, saidBy, useAttempts } from '../support/attempts';
import { untilNodeEnds } from '../support/engine';
import { useLogLines } from '../support/logLines';
import { trackEvent } from '../support/orders';
import { creations, pause, push, rowsOf } from '../support/sends';

const use = useAttempts();
const lines = useLogLines();
const rows = rowsOf(40);
const events = {
	...trackEvent,
	userID: '={{ $json.id }}',
	options: { batchSize: 1, concurrency: 2 },
};

/** An execution that failed before the node, of which a retry was killed, and then another one stopped. */
async function stopLookUp(
	method: 'add' | 'count',
	call: number,
	parameters = push({ concurrency: 2 }),
) {
	const order = use().order(parameters, rows, { onError: 'continueErrorOutput' });
	const first = await use().killRetryAfter(33, order);
	lines.splice(0);
	const { hangs, release } = use().store.hangFrom(method, call);
	let stop = () => {};
	const run = use().list.retry(first, { started: (press) => (stop = press) });
	await hangs;
	stop();
	const stopped = await run;
	await untilNodeEnds();
	release();
	await pause(200);
	return { first, stopped };
}

describe('A retry that is stopped before it knows what other attempts sent', () => {
	test.each([
		['of pushes, by its first question', push({ concurrency: 2 }), 'count', 1],
		['of pushes, by its marks', push({ concurrency: 2 }), 'add', 1],
		['of pushes, by half of its names', push({ concurrency: 2 }), 'add', 3],
		['of events', events, 'add', 2],
		['with Send Once', { ...push({ concurrency: 2 }), sendOnce: true }, 'add', 2],
	] as const)(
		'calls nothing unsent, %s, and the next one sends what is missing',
		async (_, parameters, method, call) => {
			const { first, stopped } = await stopLookUp(method, call, parameters);
			const [[level, text] = [], ...others] = lines;
			expect(others).toEqual([]);
			expect(level).toBe('warn');
			expect(text).toBe(
				`The run was stopped, by hand or by Timeout Workflow. Accepted: 0 of 40.
May have been delivered: 40, items 0–39${parameters === events ? '' : ' on web'}.
What other attempts sent was not looked up yet. Retry the execution again: it sends only what was not sent.`,
			);
			expect(saidBy(stopped)).toEqual(each('unknown stopped', 40));

			const arrived = () =>
				parameters === events
					? rows.map(({ id }) => creations(use().sandbox.record).get(id) ?? 0)
					: use().acceptedRows(40);
			const before = arrived();
			const said = saidBy(await use().list.retry(first));
			const inDoubt = said.filter((words) => words.startsWith('unknown')).length;
			expect(inDoubt).toBeLessThanOrEqual(20);
			expect(said.filter((words) => words === 'accepted before').length).toBeGreaterThanOrEqual(20);
			expect(arrived()).toEqual(
				said.map((words, row) => (words.startsWith('unknown') ? before[row] : 1)),
			);
		},
	);

	test('calls what the execution remembers as it is', async () => {
		use().refuseOnce(rows[30]?.id ?? '');
		const order = use().order(push({ concurrency: 1 }), rows);
		const first = await use().list.start(order);
		lines.splice(0);
		const { hangs, release } = use().store.hangFrom('add', 1);
		let stop = () => {};
		const run = use().list.retry(first, { started: (press) => (stop = press) });
		await hangs;
		stop();
		await run;
		await untilNodeEnds();
		release();
		expect(lines[0]?.[1]).toContain(`Accepted: 30 of 40, 30 of them in an earlier attempt.
May have been delivered: 10, items 30–39 on web.
What other`);
	});
});

test('A first attempt that is stopped before it has sent anything calls nothing doubtful', async () => {
	const { hangs, release } = use().store.hangFrom('count', 1);
	let stop = () => {};
	const order = use().order(push(), rows, { started: (press) => (stop = press) });
	const run = use().list.start(order);
	await hangs;
	stop();
	await run;
	await untilNodeEnds();
	release();
	expect(lines[0]?.[1]).toContain('Not sent: 40, items 0–39 on web.');
});
