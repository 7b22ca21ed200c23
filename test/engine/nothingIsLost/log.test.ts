import { useLogLines } from '../support/logLines';
import { useNode } from '../support/node';
import { oddValues } from '../support/oddValues';
import { push, rowsOf } from '../support/sends';

const node = useNode();
const lines = useLogLines();

describe('In the log, a run that is stopped', () => {
	it.each([
		[
			'is a warning with its numbers, the items that are missing, and what to do',
			false,
			`The run was stopped, by hand or by Timeout Workflow. Accepted: 11 of 30.
May have been delivered: 1 (item 11 on web).
Not sent: 18, items 12–29 on web.
n8n keeps no items of this run. Start the workflow again with the items that were not sent, and no others.`,
		],
		[
			'with Send Once is to be started again with all its items',
			true,
			expect.stringMatching(
				/\nn8n keeps no items of this run\. Start the workflow again with the same items: Send Once skips what was sent\.$/,
			) as unknown,
		],
	])('%s', async (_, sendOnce, text) => {
		node.sandbox.faults.add({ kind: 'delay', delayMs: 100, after: 11 });
		const parameters = { ...push({ concurrency: 1 }), sendOnce };
		const start = async (course: object) =>
			await node.start({ parameters, rows: rowsOf(30), ...course });
		await node.stopAt(node.untilArrived(12), start);
		expect(node.sandbox.record).toHaveLength(12);
		expect(lines).toEqual([['warn', text]]);
	});
});

test('In the log, messages to people that the credential does not allow are counted in a warning', async () => {
	const account = { limitRecipients: true, onlyRecipients: '' };
	await node.start({ rows: rowsOf(2), account });
	expect(lines).toEqual([
		['warn', expect.stringMatching(/^2 messages were skipped .*'Only These Recipients' /)],
	]);
});

test('In the log, a mistake of the node is an error', async () => {
	const rows = [{ userID: 'a', odd: oddValues.at(-1) }];
	const parameters = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	await node.run(parameters, { rows: rows as never, onError: 'continueRegularOutput' });
	expect(lines).toEqual([['error', expect.stringMatching(/^Item 0 could not be checked: /)]]);
});
