import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import { create, output, requestsOf, runByHand, succeeded, valuesOf, type Bench } from '../bench';
import { createExample, example, withNode } from '../examples';
import { fileIn, uploadCsv } from '../formPages';

const header = 'userID,name,email,city';
const good = ['C-1,Asha Rao,asha@example.com,Pune', 'C-2,"Okafor, Ben",ben@example.com,'];
const bad = [',Without an ID,nobody@example.com,Oslo', 'C-4,Dmitri,dmitri at example.com,Berlin'];
const reasons = ['User ID is empty', "Email 'dmitri at example.com' is not an email address"];
const csvOf = (...rows: string[]) => [header, ...rows].join('\r\n');

const CORRECT = 'Say what to correct';
const ALL = 'Say that all were accepted';
const COLUMN = 'Say which column is missing';

export async function csvUsers(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'csv-file-by-form-to-users.json');
	await correctedInFile(bench, workflow);
	await noneAccepted(bench, workflow);
	await asSpreadsheetsSave(bench, workflow);
	await notReadable(bench, workflow);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it without a file'));
	assert.deepEqual(valuesOf(byHand, 'Created', 'userID'), [['C-1001'], ['C-1002']]);
	assert.equal(output(byHand.data, 'Failed rows').length, 2);
}

/** Uploads a file. Returns the page that ends the run, the run, and the users of its only request. */
async function upload(
	bench: Bench,
	workflow: StoredWorkflow,
	csv: string | Uint8Array<ArrayBuffer>,
	lastNode: string,
	prepare: () => unknown = () => {},
) {
	bench.sandbox.reset();
	prepare();
	const { page, run } = await uploadCsv(bench, workflow, 'csv-users', csv, lastNode);
	const users = requestsOf(run).map(({ path, body }) => {
		assert.equal(path, '/api/v1/user/create');
		return (body as { nv: object[] }).nv;
	});
	return { page, run, users };
}

const user = (userID: string, user_attributes: object) => ({ userID, user_attributes });

/** The page gives a file with the bad rows. Its reasons do not become attributes when it is uploaded again. */
async function correctedInFile(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page, run, users } = await upload(bench, workflow, csvOf(...good, ...bad), CORRECT);
	assert.deepEqual(users, [
		[
			user('C-1', { name: 'Asha Rao', email: 'asha@example.com', city: 'Pune' }),
			user('C-2', { name: 'Okafor, Ben', email: 'ben@example.com' }),
		],
	]);
	assert.equal(output(run.data, 'Created').length, 2);
	assert.match(page, /2 users accepted\. 2 rows need a correction/);
	assert.ok(page.includes(`<li>Row 4: ${reasons[0]}</li><li>Row 5: ${reasons[1]}</li>`), page);
	const { name, text, lines } = fileIn(page);
	assert.match(name, /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(lines, [
		`${header},whyNot`,
		...bad.map((row, index) => `${row},${reasons[index]}`),
	]);

	const corrected = text.replace('\n,', '\nC-3,').replace('dmitri at ', 'dmitri@');
	const again = await upload(bench, workflow, corrected, ALL);
	assert.match(again.page, /2 users accepted[^]*That is every row of the file/);
	assert.deepEqual(again.users, [
		[
			user('C-3', { name: 'Without an ID', email: 'nobody@example.com', city: 'Oslo' }),
			user('C-4', { name: 'Dmitri', email: 'dmitri@example.com', city: 'Berlin' }),
		],
	]);
}

/** With semicolons in many countries, and by Excel in Windows-1252. A user ID that is there twice is told. */
async function asSpreadsheetsSave(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const csv = 'userID;name;city\nC-7;"Rao, Asha; Dr.";Pune\nC-8;Ben;\nC-7;Asha Rao;Pune';
	const bySemicolons = await upload(bench, workflow, csv, ALL);
	assert.match(bySemicolons.page, /3 users accepted/);
	assert.match(bySemicolons.page, /A user ID is there more than once[^]*C-7 \(rows 2, 4\)/);
	assert.deepEqual(bySemicolons.users[0]?.slice(0, 2), [
		user('C-7', { name: 'Rao, Asha; Dr.', city: 'Pune' }),
		user('C-8', { name: 'Ben' }),
	]);

	const ofExcel = 'userID;name;note\nC-7;J\xf6rg M\xfcller;\x84 20 \x80 \x93\n';
	const bytes = new Uint8Array(Buffer.from(ofExcel, 'latin1'));
	const { page, users } = await upload(bench, workflow, bytes, ALL);
	assert.match(page, /1 user accepted/);
	assert.deepEqual(users, [[user('C-7', { name: 'Jörg Müller', note: '„ 20 € “' })]]);
}

/** n8n says only that a file is not in the CSV format. The page names the line, or the columns that are there. */
async function notReadable(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const cannot = 'The file cannot be read[^]*Nothing was sent';
	for (const [csv, ...says] of [
		['userID,name\nC-7,A\nC-8,Ben "Benny\nC-9,Cy', cannot, 'line 3: it has a quotation mark'],
		['userID,name\nC-7,"A"" R"\nC-8,5" and 7"', cannot, 'line 3: it has a quotation mark'],
		[
			'userID;name\nC-7;"Rao; Asha"\n\nC-8;Ben;Okafor',
			cannot,
			'line 4: it has 3 cells, and the first line has 2',
		],
		[
			'User-ID;name\nC-7;Asha\nC-8;Ben',
			'The file has no column userID[^]*<li>User-ID</li><li>name</li>',
		],
	] as const) {
		const { page, users } = await upload(bench, workflow, csv, COLUMN);
		for (const words of says) assert.match(page, new RegExp(words));
		assert.deepEqual(users, []);
	}
}

async function noneAccepted(bench: Bench, workflow: StoredWorkflow): Promise<void> {
	const { page } = await upload(bench, workflow, csvOf(...good), CORRECT, () =>
		bench.sandbox.faults.add({ kind: 'status', status: 500 }),
	);
	assert.match(page, /0 users accepted\. 2 rows can be uploaded again as they are/);
	const onlyHeader = await upload(bench, workflow, csvOf(), CORRECT);
	assert.match(onlyHeader.page, /0 users accepted\. 1 row needs a correction/);
}

const people = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `L-${from + index},Person`);
const nobody = Array.from({ length: 10 }, (_, index) => `,Nobody ${index}`);

/** With parts of ten rows: one part has none that can be sent, and a first run had only the first part. */
export async function largeList(bench: Bench): Promise<void> {
	const { sandbox } = bench;
	const parts = { parameters: { batchSize: 10, options: {} } };
	const inParts = withNode(example(bench, 'very-large-list-in-parts.json'), 'Parts', parts);
	const workflow = await create(bench, inParts);
	sandbox.reset();
	const uploadList = async (rows: string[], lastNode: string) => {
		const csv = ['userID,name', ...rows].join('\r\n');
		return await uploadCsv(bench, workflow, 'large-list', csv, lastNode);
	};

	const first = await uploadList(people(1, 10), 'Say that all were reached');
	assert.equal(sandbox.record.length, 30, 'ten users on three platforms');
	assert.match(first.page, /10 users got the push[^]*That is every row of the file/);

	const rows = [...people(1, 10), ...nobody, ...people(11, 15)];
	const { page, run } = await uploadList(rows, CORRECT);
	const reached = sandbox.record.map(
		({ path, body }) => `${path} ${(body as { user_id: string }).user_id}`,
	);
	assert.equal(new Set(reached).size, reached.length, 'nobody twice on a platform');
	assert.equal(reached.length, 45, 'also those after the part without a good row');
	assert.equal(run.data.resultData.runData['Send one part']?.length, 3, 'parts');
	assert.equal(output(run.data, 'Sent').length, 15, 'five users on three platforms');
	assert.deepEqual(
		valuesOf(run, 'Not sent', 'name', 'outcome'),
		nobody.map((_, index) => [`Nobody ${index}`, 'invalid']),
	);
	assert.match(
		page,
		/5 users got the push\. 10 users had it already\. 10 rows need a correction[^]*<li>User ID is empty<\/li>/,
	);
	const file = fileIn(page);
	assert.match(file.name, /^not-sent-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(file.lines, [
		'userID,name,outcome,whyNot',
		...nobody.map((row) => `${row},invalid,User ID is empty`),
	]);

	// A 500 leaves them in doubt, and neither this run nor the next one counts them as reached.
	sandbox.faults.add({ kind: 'status', status: 500 });
	const failing = await uploadList(people(21, 22), CORRECT);
	assert.match(failing.page, /0 users got the push\. 2 rows failed for another reason/);
	sandbox.reset();
	const again = await uploadList(people(21, 22), 'Say that all were reached');
	assert.match(again.page, /0 users got the push\. 2 users may have got it before/);

	const arrived = sandbox.record.length;
	for (const unreadable of [['C-1,Ben "Benny', 'C-2,Cy'], ['C-1,Ben,Okafor']]) {
		const { page: says } = await uploadList(unreadable, 'Say that it cannot be read');
		assert.match(says, /The file cannot be read[^]*Nothing was sent[^]*upload it again/);
	}
	assert.equal(sandbox.record.length, arrived, 'a file that cannot be read sends nothing');

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it without a file'));
	assert.equal(output(byHand.data, 'Sent').length, 15, 'five users of the sample');
	assert.equal(output(byHand.data, 'Not sent').length, 1);
}
