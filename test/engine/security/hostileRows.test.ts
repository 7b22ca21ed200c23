import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { push } from '../support/mistakes';
import { useNode } from '../support/node';
import { usedMs } from './support/slowness';

const node = useNode();

jest.setTimeout(60_000);

const alike = push({ message: `=${'x'.repeat(200)}{{ $json.id }}`, platforms: ['web'] });
const withOneKey = push({ title: '={{ $json.id }}', sendOnce: true, sendOnceKey: 'the same' });
const columnsOf = (row: number) =>
	Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`column${row}x${at}`, 'x']));

const byId = (id: number) => ({ id });
const misspelt = push({ title: '=Hi {{ $json.colunm }}' });

type Case = [string, n: number, parameters: INodeParameters, rowOf: (row: number) => IDataObject];
/** What compares rows with each other, or with the columns of all, must not compare each with each. */
test.each<Case>([
	['for one user, alike in their beginning', 250, alike, byId],
	['for one user with one key of Send Once', 500, withOneKey, byId],
	['with columns of their own', 75, misspelt, columnsOf],
])('Four times as many rows take about four times as long: %s', async (_, n, parameters, rowOf) => {
	const measure = async (count: number) => {
		const rows = Array.from({ length: count }, (__, row) => rowOf(row));
		node.sandbox.reset();
		const startedMs = usedMs();
		const report = await node.run(parameters, { rows, onError: 'continueErrorOutput' });
		expect(report.output.length + report.failed.length).toBe(count);
		return usedMs() - startedMs;
	};
	// What runs for the first time takes longer.
	await measure(20);
	const isSlow = async () => {
		const few = await measure(n);
		return (await measure(4 * n)) > 8 * few + 200;
	};
	// What grows with the square takes sixteen times as long. Twice, because the collection of garbage falls on any of them.
	expect((await isSlow()) && (await isSlow())).toBe(false);
});
