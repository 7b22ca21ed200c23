import type { OnError } from 'n8n-workflow';

import type { Fault, Sandbox } from '../../../sandbox';
import { execute, type Order, type Report } from '../support/engine';
import {
	accountOf,
	arrivalsByPush,
	createUsers,
	idOf,
	listedAs,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
} from '../support/sends';

const rows = rowsOf(6);
const positions = { first: 0, middle: 3, last: 5 };
const onErrors: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
const cases = [false, true].flatMap((retryOnFail) =>
	onErrors.flatMap((onError) =>
		Object.entries(positions).map(([position, bad]) => ({ retryOnFail, onError, position, bad })),
	),
);

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await roomySandbox();
});

afterEach(() => sandbox.close());

function run(order: Partial<Order>): Promise<Report> {
	const credential = accountOf(sandbox);
	return execute({ parameters: push({ concurrency: 2 }), rows, credential, ...order });
}

function arrivalsOf(row: number) {
	return arrivalsByPush(sandbox.record).get(`web ${idOf(row)}`) ?? [];
}

/** Expects that the bad item has its outcome, and that all others were accepted as the output says. */
function honest(report: Report, badOutcome: string, bad: number) {
	for (const { item, outcome, details } of toldBy(report)) {
		const [arrival] = arrivalsOf(item);
		if (item === bad) expect([item, outcome]).toEqual([bad, badOutcome]);
		else
			expect(details).toMatchObject({
				outcome: 'accepted',
				response: { id: String(arrival?.seq) },
			});
	}
}

describe.each([
	{
		what: 'is refused',
		fault: { kind: 'status', status: 400 } satisfies Fault,
		outcome: 'rejected',
		heading: 'Refused',
	},
	{
		what: 'gets no answer',
		fault: { kind: 'resetAfterAccept' } satisfies Fault,
		outcome: 'unknown',
		heading: 'May have been delivered',
	},
])('An item that $what', ({ fault, outcome, heading }) => {
	test.each(cases)(
		'$position, On Error $onError, Retry On Fail $retryOnFail: nothing is sent twice',
		async ({ retryOnFail, onError, bad }) => {
			sandbox.faults.add({ ...fault, match: { bodyText: idOf(bad) } });
			const report = await run({ onError, retryOnFail });

			for (const [row] of rows.entries()) {
				if (row !== bad) expect([row, arrivalsOf(row).length <= 1]).toEqual([row, true]);
			}
			const retries =
				retryOnFail && outcome === 'rejected' && (onError === 'stopWorkflow' || bad === 0);
			expect(arrivalsOf(bad)).toHaveLength(retries ? 3 : 1);

			if (onError === 'stopWorkflow') {
				const notSent = listedAs('Not sent', report.error);
				expect(listedAs(heading, report.error)).toEqual([bad]);
				expect(rows.map((_, row) => row).filter((row) => arrivalsOf(row).length === 0)).toEqual(
					notSent,
				);
			} else {
				expect(toldBy(report)).toHaveLength(6);
				honest(report, outcome, bad);
			}
		},
	);
});

test.each(onErrors)('On Error %s: the second try sends what the first did not', async (onError) => {
	sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(0) }, first: 1 });
	const report = await run({ onError, retryOnFail: true });

	expect(report.error).toBeUndefined();
	expect(report.output).toHaveLength(6);
	for (const { item, outcome, details } of toldBy(report)) {
		const taken = arrivalsOf(item).filter(({ accepted }) => accepted);
		expect(taken).toHaveLength(1);
		expect(outcome).toBe('accepted');
		expect(details.response).toMatchObject({ id: String(taken[0]?.seq) });
	}
	expect(sandbox.record).toHaveLength(7);
});

test('An item accepted by an earlier try is output again with the batch that it was sent in', async () => {
	sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(4) }, first: 1 });
	const parameters = createUsers({ batchSize: 2, concurrency: 1 });
	const { output } = await run({ parameters, retryOnFail: true });

	expect(output.map(({ json }) => json.userID)).toEqual(rows.map(({ id }) => id));
	expect(output.map(({ json }) => json.batch)).toEqual(
		rows.map(() => ({ index: expect.any(Number) as number, size: 2 })),
	);
});

test('When a refused item ends the run, responses still on their way are counted', async () => {
	sandbox.faults.add({ kind: 'status', status: 404, match: { bodyText: idOf(0) } });
	sandbox.faults.add({ kind: 'delay', delayMs: 800 });
	const { error } = await run({ parameters: push({ concurrency: 6 }) });

	expect(sandbox.accepted()).toHaveLength(5);
	expect(error?.message).toContain('. 5 accepted, ');
});
