import { useLogLines } from '../support/logLines';
import { oddValues } from '../support/oddValues';
import { push, rowsOf } from '../support/sends';
import { bodies, keyCredential, run, useSandbox } from '../support/service';
import { untilNodeEnds } from '../support/engine';

const sandbox = useSandbox();
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
		sandbox().faults.add({ kind: 'delay', delayMs: 100, after: 11 });
		const parameters = { ...push({ concurrency: 1 }), sendOnce };
		await run(sandbox(), parameters, {
			rows: rowsOf(30),
			started: (stop) => void sandbox().subscribe(() => sandbox().record.length === 12 && stop()),
		});
		await untilNodeEnds();
		expect(bodies(sandbox())).toHaveLength(12);
		expect(lines).toEqual([['warn', text]]);
	});
});

test('In the log, what Send Once skips and may never have arrived is a warning', async () => {
	const parameters = { ...push(), sendOnce: true };
	const order = { rows: rowsOf(1), onError: 'continueRegularOutput' } as const;
	sandbox().faults.add({ kind: 'statusAfterAccept', status: 503, first: 1 });
	await run(sandbox(), parameters, order);
	await run(sandbox(), parameters, order);
	expect(lines).toEqual([['warn', expect.stringContaining('skipped that may never have arrived')]]);
});

test('In the log, messages to people that the credential does not allow are counted in a warning', async () => {
	const credential = { ...keyCredential(sandbox()), limitRecipients: true, onlyRecipients: '' };
	await run(sandbox(), push(), { rows: rowsOf(2), credential });
	expect(lines).toEqual([
		['warn', expect.stringMatching(/^2 messages were skipped .*'Only These Recipients' /)],
	]);
});

test('In the log, a mistake of the node is an error', async () => {
	const rows = [{ userID: 'a', odd: oddValues.at(-1) }];
	await run(
		sandbox(),
		{ resource: 'user', operation: 'create', dataMode: 'autoMapInputData' },
		{ rows: rows as never, onError: 'continueRegularOutput' },
	);
	expect(lines).toEqual([['error', expect.stringMatching(/^Item 0 could not be checked: /)]]);
});
