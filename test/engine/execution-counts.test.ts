import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { everythingIn } from './support/everything';
import type { Report } from './support/engine';
import { ExecutionList } from './support/executionList';
import { executeInLoop } from './support/loop';
import * as order from './support/orders';
import { push, rowsOf } from './support/sends';
import { keyCredential, run, useSandbox } from './support/service';

const sandbox = useSandbox();

const valuesOf = ({ run: { data } }: Pick<Report, 'run'>) => data.resultData.metadata;
const goOn = { onError: 'continueErrorOutput' } as const;

function fail(status: number, row: string): void {
	sandbox().faults.add({ kind: 'status', status, match: { bodyText: row } });
}

test('An execution can be filtered by what happened to its messages', async () => {
	fail(400, 'u000001');
	fail(500, 'u000002');
	const rows = [...rowsOf(5), { id: '' }];
	const report = await run(sandbox(), push(), { rows, ...goOn });
	expect(valuesOf(report)).toEqual({
		messaging_operation: 'push send',
		messaging_accepted: '3',
		messaging_unknown: '1',
		messaging_not_sent: '2',
	});
	expect(everythingIn(valuesOf(report))).not.toMatch(/u00000|Hello|There/);
});

test('A run that is refused as a whole counts what was wrong', async () => {
	const report = await run(sandbox(), push(), { rows: [{ id: 'a' }, { id: '' }] });
	expect(report.error).toBeDefined();
	expect(valuesOf(report)).toMatchObject({ messaging_accepted: '0', messaging_not_sent: '1' });
});

test.each<[string, INodeParameters, IDataObject]>([
	['a preview', { ...order.pushSend, options: { previewOnly: true } }, {}],
	['a test', { ...order.pushToAll, testRuns: 'testRecipient' }, { testUserId: 'me-1' }],
])('%s counts nothing', async (_, parameters, recipient) => {
	const credential = { ...keyCredential(sandbox()), testRecipient: true, ...recipient };
	const report = await run(sandbox(), parameters, { mode: 'manual', credential });
	expect(report.error).toBeUndefined();
	expect(valuesOf(report)).toBeUndefined();
});

test('The rounds of a loop are summed', async () => {
	const report = await executeInLoop({
		parameters: push(),
		rows: rowsOf(7),
		rowsPerRun: 3,
		credential: keyCredential(sandbox()),
	});
	expect(valuesOf(report)).toMatchObject({ messaging_accepted: '7', messaging_not_sent: '0' });
});

test('Another try replaces the numbers of the try before', async () => {
	sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u000002' }, first: 1 });
	const rows = rowsOf(4);
	const options = { concurrency: 1 };
	const retried = await run(sandbox(), push(options), { rows, retryOnFail: true, maxTries: 2 });
	expect(retried.error).toBeUndefined();
	expect(valuesOf(retried)).toMatchObject({ messaging_accepted: '4', messaging_not_sent: '0' });
});

test('A retry from the list tells of all that its execution and the first one sent', async () => {
	const list = new ExecutionList();
	sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u000002' }, first: 1 });
	const first = await list.start({
		parameters: push({ concurrency: 1 }),
		rows: rowsOf(4),
		credential: keyCredential(sandbox()),
	});
	expect(first.error).toBeDefined();
	const second = await list.retry(first);
	expect(second.error).toBeUndefined();
	expect(valuesOf(second)).toMatchObject({ messaging_accepted: '4', messaging_not_sent: '0' });
});
