import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { assertSucceeded, create, newExecution, output, runByHand, type Bench } from '../bench';
import { example } from '../examples';
import { csvFile, fileIn, lastPage, startForm } from '../formPages';

const header = 'userID,name,email,city';
const good = ['C-1,Asha Rao,asha@example.com,Pune', 'C-2,"Okafor, Ben",ben@example.com,'];
const bad = [',Without an ID,nobody@example.com,Oslo', 'C-4,Dmitri,dmitri at example.com,Berlin'];
const reasons = ['User ID is empty', "Email 'dmitri at example.com' is not an email address"];
const csvOf = (...rows: string[]) => [header, ...rows].join('\r\n');

export async function csvUsers(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'csv-file-by-form-to-users.json'));
	const file = await someToCorrect(bench, workflow);
	await correctedFile(bench, workflow, file);
	await noneAccepted(bench, workflow);
	await bySemicolons(bench, workflow);
	await asExcelSaves(bench, workflow);
	await withoutUserIDs(bench, workflow);
	await notReadable(bench, workflow);

	const byHand = await runByHand(bench, workflow, 'Try it without a file');
	assertSucceeded(byHand);
	assert.deepEqual(
		output(byHand.data, 'Created').map(({ json }) => json.userID),
		['C-1001', 'C-1002'],
	);
	assert.equal(output(byHand.data, 'Failed rows').length, 2);
}

/** Returns the text of the file that the last page gives. */
async function someToCorrect(bench: Bench, workflow: StoredWorkflow): Promise<string> {
	const { page, data } = await upload(
		bench,
		workflow,
		csvOf(...good, ...bad),
		'Say what to correct',
	);
	assert.deepEqual(
		bench.sandbox.record.map(({ path, body }) => ({ path, body })),
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
	assert.equal(output(data, 'Created').length, 2);
	assert.match(page, /2 users accepted\. 2 rows need a correction/);
	assert.ok(page.includes(`<li>Row 4: ${reasons[0]}</li><li>Row 5: ${reasons[1]}</li>`), page);
	const { name, text } = fileIn(page);
	assert.match(name, /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(text.replace('\uFEFF', '').trim().split(/\r?\n/), [
		`${header},whyNot`,
		...bad.map((row, index) => `${row},${reasons[index]}`),
	]);
	return text;
}

/** The reasons of the file do not become attributes. */
async function correctedFile(bench: Bench, workflow: StoredWorkflow, file: string): Promise<void> {
	const corrected = file.replace('\n,', '\nC-3,').replace('dmitri at ', 'dmitri@');
	const { page } = await upload(bench, workflow, corrected, 'Say that all were accepted');
	assert.match(page, /2 users accepted[^]*That is every row of the file/);
	assert.deepEqual(
		bench.sandbox.record.map(({ body }) => body),
		[
			{
				nv: [
					{
						userID: 'C-3',
						user_attributes: {
							name: 'Without an ID',
							email: 'nobody@example.com',
							city: 'Oslo',
						},
					},
					{
						userID: 'C-4',
						user_attributes: { name: 'Dmitri', email: 'dmitri@example.com', city: 'Berlin' },
					},
				],
			},
		],
	);
}

/** As spreadsheets write it in many countries. A user ID that is there twice is told. */
async function bySemicolons(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const csv = 'userID;name;city\nC-7;"Rao, Asha; Dr.";Pune\nC-8;Ben;\nC-7;Asha Rao;Pune';
	const { page } = await upload(bench, workflow, csv, 'Say that all were accepted');
	assert.match(page, /3 users accepted/);
	assert.match(page, /A user ID is there more than once[^]*C-7 \(rows 2, 4\)/);
	const [{ body } = { body: undefined }] = bench.sandbox.record;
	const { nv } = body as { nv: unknown[] };
	assert.deepEqual(nv.slice(0, 2), [
		{ userID: 'C-7', user_attributes: { name: 'Rao, Asha; Dr.', city: 'Pune' } },
		{ userID: 'C-8', user_attributes: { name: 'Ben' } },
	]);
}

/** Excel's plain CSV is Windows-1252, where one byte is ö, and others are the euro and quotation marks. */
async function asExcelSaves(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const csv = Buffer.from('userID;name;note\nC-7;J\xf6rg M\xfcller;\x84 20 \x80 \x93\n', 'latin1');
	const { page } = await upload(bench, workflow, new Uint8Array(csv), 'Say that all were accepted');
	assert.match(page, /1 user accepted/);
	assert.deepEqual(
		bench.sandbox.record.map(({ body }) => body),
		[{ nv: [{ userID: 'C-7', user_attributes: { name: 'Jörg Müller', note: '„ 20 € “' } }] }],
	);
}

/** One message names the columns that are there, in place of one for each row. */
async function withoutUserIDs(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const csv = 'User-ID;name\nC-7;Asha\nC-8;Ben';
	const { page } = await upload(bench, workflow, csv, 'Say which column is missing');
	assert.match(page, /The file has no column userID[^]*<li>User-ID<\/li><li>name<\/li>/);
	assert.deepEqual(bench.sandbox.record, []);
}

/** n8n says only that the file is not in the CSV format. The page names the line. */
async function notReadable(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const files: Array<[csv: string, says: RegExp]> = [
		['userID,name\nC-7,Asha\nC-8,Ben "Benny\nC-9,Cy', /line 3: it has a quotation mark/],
		['userID,name\nC-7,"Asha"" Rao"\nC-8,5" screen, 7" tablet', /line 3: it has a quotation mark/],
		[
			'userID;name\nC-7;"Rao; Asha"\n\nC-8;Ben;Okafor',
			/line 4: it has 3 cells, and the first line has 2/,
		],
	];
	for (const [csv, says] of files) {
		const { page } = await upload(bench, workflow, csv, 'Say which column is missing');
		assert.match(page, /The file cannot be read[^]*Nothing was sent/);
		assert.match(page, says);
		assert.deepEqual(bench.sandbox.record, []);
	}
}

async function noneAccepted(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const down = () => void bench.sandbox.faults.add({ kind: 'status', status: 500 });
	const { page } = await upload(bench, workflow, csvOf(...good), 'Say what to correct', down);
	assert.match(page, /0 users accepted\. 2 rows can be uploaded again as they are/);
	const onlyHeader = await upload(bench, workflow, csvOf(), 'Say what to correct');
	assert.match(onlyHeader.page, /0 users accepted\. 1 row needs a correction/);
}

/** Uploads a file and reads the page that ends the run. */
async function upload(
	bench: Bench,
	{ id: workflowId }: StoredWorkflow,
	csv: string | Uint8Array<ArrayBuffer>,
	lastNode: string,
	prepare: () => void = () => {},
) {
	const { client, sandbox } = bench;
	const earlier = new Set((await client.executions(workflowId)).map(({ id }) => id));
	sandbox.reset();
	prepare();
	const address = await startForm(bench, 'csv-users', [csvFile(csv)]);
	const id = await newExecution(client, workflowId, earlier);
	const page = await lastPage(bench, id, address, lastNode);
	const execution = await client.finished(id);
	assertSucceeded({ id, ...execution, arrivals: [...sandbox.record] });
	return { page, data: execution.data };
}
