import assert from 'node:assert/strict';
import { assertSucceeded, create, newExecution, output, runByHand, type Bench } from '../bench';
import { example } from '../examples';
import { uploadCsv } from '../uploads';

const csv = [
	'userID,name,email,city',
	'C-1,Asha Rao,asha@example.com,Pune',
	'C-2,"Okafor, Ben",ben@example.com,',
	',Without an ID,nobody@example.com,Oslo',
	'C-4,Dmitri,dmitri at example.com,Berlin',
].join('\r\n');

export async function csvUsers(bench: Bench): Promise<void> {
	const { client, sandbox } = bench;
	const workflow = await create(bench, example(bench, 'csv-file-by-form-to-users.json'));
	sandbox.reset();
	await uploadCsv(`${client.url}/form/csv-users`, csv);
	const id = await newExecution(client, workflow.id, new Set());
	const execution = await client.finished(id);
	assertSucceeded({ id, ...execution, arrivals: [...sandbox.record] });

	assert.deepEqual(
		sandbox.record.map(({ path, body }) => ({ path, body })),
		[
			{
				path: '/api/v1/user/create',
				body: {
					nv: [
						{
							userID: 'C-1',
							user_attributes: { name: 'Asha Rao', email: 'asha@example.com', city: 'Pune' },
						},
						{ userID: 'C-2', user_attributes: { name: 'Okafor, Ben', email: 'ben@example.com' } },
					],
				},
			},
		],
	);
	assert.deepEqual(
		output(execution.data, 'Failed rows').map(({ json }) => [json.name, json.outcome]),
		[
			['Without an ID', 'invalid'],
			['Dmitri', 'invalid'],
		],
	);
	const [file] = output(execution.data, 'Log');
	assert.match(file?.binary?.data?.fileName ?? '', /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);

	const byHand = await runByHand(bench, workflow, 'Try it without a file');
	assertSucceeded(byHand);
	assert.deepEqual(
		output(byHand.data, 'Created').map(({ json }) => json.userID),
		['C-1001', 'C-1002'],
	);
	assert.equal(output(byHand.data, 'Failed rows').length, 2);
}
