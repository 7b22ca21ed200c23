import assert from 'node:assert/strict';
import { assertSucceeded, create, newExecution, output, runByHand, type Bench } from '../bench';
import { example, withNode } from '../examples';
import { csvFile, fileIn, lastPage, startForm } from '../formPages';

const good = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `L-${from + index},Person`);
const bad = Array.from({ length: 10 }, (_, index) => `,Nobody ${index}`);
const csvOf = (rows: string[]) => ['userID,name', ...rows].join('\r\n');

/** With parts of ten rows: one part has none that can be sent, and a first run had only the first part. */
export async function largeList(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const parts = { parameters: { batchSize: 10, options: {} } };
	const workflow = await create(
		bench,
		withNode(example(bench, 'very-large-list-in-parts.json'), 'Parts', parts),
	);
	sandbox.reset();

	const seen = new Set<string>();
	const upload = async (rows: string[], lastNode: string) => {
		const address = await startForm(bench, 'large-list', [csvFile(csvOf(rows))]);
		const id = await newExecution(client, workflow.id, seen);
		seen.add(id);
		const page = await lastPage(bench, id, address, lastNode);
		const execution = await client.finished(id);
		assertSucceeded({ id, ...execution, arrivals: [...sandbox.record] });
		return { page, data: execution.data };
	};

	const first = await upload(good(1, 10), 'Say that all were reached');
	assert.equal(sandbox.record.length, 30, 'ten users on three platforms');
	assert.match(first.page, /10 users got the push[^]*That is every row of the file/);

	const rows = [...good(1, 10), ...bad, ...good(11, 15)];
	const { page, data } = await upload(rows, 'Say what to correct');
	const reached = sandbox.record.map(({ path, body }) => {
		const { user_id } = body as { user_id: string };
		return `${path} ${user_id}`;
	});
	assert.equal(new Set(reached).size, reached.length, 'nobody twice on a platform');
	assert.equal(reached.length, 45, 'also those after the part without a good row');
	assert.equal(data.resultData.runData['Send one part']?.length, 3, 'parts');
	assert.equal(output(data, 'Sent').length, 15, 'five users on three platforms');
	assert.deepEqual(
		output(data, 'Not sent').map(({ json }) => [json.name, json.outcome]),
		bad.map((_, index) => [`Nobody ${index}`, 'invalid']),
	);
	assert.match(
		page,
		/5 users got the push\. 10 users had it already\. 10 rows need a correction[^]*<li>User ID is empty<\/li>/,
	);
	const file = fileIn(page);
	assert.match(file.name, /^not-sent-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(file.text.replace('\uFEFF', '').trim().split(/\r?\n/), [
		'userID,name,outcome,whyNot',
		...bad.map((row) => `${row},invalid,User ID is empty`),
	]);

	// A 500 leaves them in doubt, and neither this run nor the next one counts them as reached.
	sandbox.faults.add({ kind: 'status', status: 500 });
	const failing = await upload(good(21, 22), 'Say what to correct');
	assert.match(failing.page, /0 users got the push\. 2 rows failed for another reason/);
	sandbox.reset();
	const again = await upload(good(21, 22), 'Say that all were reached');
	assert.match(again.page, /0 users got the push\. 2 users may have got it before/);

	const arrived = sandbox.record.length;
	for (const rows of [['C-1,Ben "Benny', 'C-2,Cy'], ['C-1,Ben,Okafor']]) {
		const unreadable = await upload(rows, 'Say that it cannot be read');
		assert.match(unreadable.page, /The file cannot be read[^]*Nothing was sent[^]*upload it again/);
	}
	assert.equal(sandbox.record.length, arrived, 'a file that cannot be read sends nothing');

	const byHand = await runByHand(bench, workflow, 'Try it without a file');
	assertSucceeded(byHand);
	assert.equal(output(byHand.data, 'Sent').length, 15, 'five users of the sample');
	assert.equal(output(byHand.data, 'Not sent').length, 1);
}
