import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { each, inShort, useNode, wordsOf } from '../support/node';
import * as order from '../support/orders';
import { createUsers, idOf, push, rowsOf } from '../support/sends';

const node = useNode({ parameters: push({ concurrency: 1 }), rows: rowsOf(9), rowsPerRun: 3 });

test('A later run of a loop that is tried again sends only what was not accepted in it', async () => {
	for (let times = 0; times < 2; times++) node.refuseOnce(idOf(4));
	const { runs, error } = await node.start({ retryOnFail: true });
	expect(error).toBeUndefined();
	const middle = '1 accepted before, 2 accepted';
	expect(runs.map(inShort)).toEqual(['3 accepted', middle, '3 accepted']);
	expect(node.acceptedRows(9)).toEqual(each(1, 9));
	expect(node.sandbox.record).toHaveLength(11);
});

describe('A round of a loop that is refused says what earlier rounds sent:', () => {
	const five = rowsOf(5);
	const nextFive = rowsOf(5, 'v');
	test.each<[string, INodeParameters, IDataObject[], string]>([
		['a bad row', push(), [...five, ...nextFive.slice(1), { id: '' }], 'User ID is empty'],
		[
			'Max Messages',
			push({ maxMessages: 9 }),
			[...five, ...nextFive],
			'With this run, the execution would send 10 messages',
		],
		['a user without an ID', createUsers(), [...five, { id: '' }], ''],
	])('%s', async (_, parameters, rows, words) => {
		const { error, runs } = await node.start({ parameters, rows, rowsPerRun: 5 });
		expect(error?.message).toContain(
			`Nothing more was sent. Earlier in this execution: 5 accepted. ${words}`,
		);
		expect(error?.message).not.toContain('Nothing was sent');
		expect(runs).toHaveLength(2);
	});

	test('Max Broadcasts', async () => {
		const { error } = await node.start({ parameters: order.pushToAll, rowsPerRun: 1 });
		expect(error?.message).toMatch(
			/^Nothing more was sent\. Earlier in this execution: 1 accepted\. This would make 2 broadcasts to everyone/,
		);
		expect(node.sandbox.accepted()).toHaveLength(1);
	});

	test('in a retry too, with what may have been delivered', async () => {
		node.loseOnce(idOf(3));
		const first = await node.start({ rows: [...rowsOf(8), { id: '' }], rowsPerRun: 4 });
		expect(wordsOf(first)).toContain('3 accepted');
		let retried = first;
		for (let retries = 0; retries < 2; retries++) {
			retried = await node.retry(retried);
			expect(retried.error?.message).toMatch(
				/^Nothing more was sent\. Earlier in this execution: 7 accepted, 1 may have been delivered\. User ID is empty/,
			);
		}
		expect(node.sandbox.accepted()).toHaveLength(8);
	});

	test('and nothing where no round sent anything', async () => {
		const parameters = push({ previewOnly: true });
		const { error } = await node.start({ parameters, rows: [...rowsOf(3), { id: '' }] });
		expect(error?.message).toMatch(/^Nothing was sent: User ID is empty/);
	});
});
