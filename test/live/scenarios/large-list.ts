import assert from 'node:assert/strict';
import { assertSucceeded, create, newExecution, output, runByHand, type Bench } from '../bench';
import { example, withNode } from '../examples';
import { uploadCsv } from '../uploads';

const file = 'very-large-list-in-parts.json';
const good = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `L-${from + index},Person`);
const bad = Array.from({ length: 10 }, (_, index) => `,Nobody ${index}`);
const csvOf = (rows: string[]) => ['userID,name', ...rows].join('\r\n');

/** With parts of ten rows: one part has none that can be sent, and a first run had only the first part. */
export async function largeList(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const parts = { parameters: { batchSize: 10, options: {} } };
	const workflow = await create(bench, withNode(example(bench, file), 'Parts', parts));
	sandbox.reset();

	const seen = new Set<string>();
	const upload = async (rows: string[]) => {
		await uploadCsv(`${client.url}/form/large-list`, csvOf(rows));
		const id = await newExecution(client, workflow.id, seen);
		seen.add(id);
		const execution = await client.finished(id);
		assertSucceeded({ id, ...execution, arrivals: [...sandbox.record] });
		return execution;
	};

	await upload(good(1, 10));
	assert.equal(sandbox.record.length, 30, 'ten users on three platforms');

	const { data } = await upload([...good(1, 10), ...bad, ...good(11, 15)]);
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
	const [log] = output(data, 'Log');
	assert.match(log?.binary?.data?.fileName ?? '', /^not-sent-\d{4}-\d\d-\d\d\.csv$/);

	const byHand = await runByHand(bench, workflow, 'Try it without a file');
	assertSucceeded(byHand);
	assert.equal(output(byHand.data, 'Sent').length, 15, 'five users of the sample');
	assert.equal(output(byHand.data, 'Not sent').length, 1);
}
