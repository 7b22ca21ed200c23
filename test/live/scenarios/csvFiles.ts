import assert from 'node:assert/strict';
import { playSteps } from '../examplePlay';
import { type Csv, fileIn, upload } from '../formPages';
import { withNode } from '../nodes';
import { nightly } from '../scenario';

const CORRECT = 'Say what to correct';
const ALL = 'Say that all were accepted';
const MISSING = 'Say which column is missing';
const user = (userID: string, user_attributes: object) => ({ userID, user_attributes });
const header = 'userID,name,email,city';
const good = ['C-1,Asha Rao,asha@example.com,Pune', 'C-2,"Okafor, Ben",ben@example.com,'];
const bad = [',Without an ID,nobody@example.com,Oslo', 'C-4,Dmitri,dmitri at example.com,Berlin'];
const reasons = ['User ID is empty', "Email 'dmitri at example.com' is not an email address"];
const windows1252 = 'userID;name;note\nC-7;J\xf6rg M\xfcller;\x84 20 \x80 \x93\n';

nightly('Each row of a CSV file becomes a user, and bad ones end in a file', async (bench) => {
	const workflow = await bench.create(bench.example('csv-file-by-form-to-users'));
	/** Uploads a file, and compares the page that ends the run, and the users of its one request or none. */
	const uploading = async (csv: Csv, lastNode: string, says: RegExp, users: object[]) => {
		bench.sandbox.reset();
		const { page, run } = await upload(bench, workflow, 'csv-users', csv, lastNode);
		assert.match(page, says);
		assert.deepEqual(run.paths, users.length > 0 ? ['user/create'] : []);
		assert.deepEqual(run.bodies, users.length > 0 ? [{ nv: users }] : []);
		return page;
	};
	const first = [header, ...good, ...bad].join('\r\n');
	const page = await uploading(first, CORRECT, /2 users accepted\. 2 rows need a correction/, [
		user('C-1', { name: 'Asha Rao', email: 'asha@example.com', city: 'Pune' }),
		user('C-2', { name: 'Okafor, Ben', email: 'ben@example.com' }),
	]);
	assert.ok(page.includes(`<li>Row 4: ${reasons[0]}</li><li>Row 5: ${reasons[1]}</li>`), page);
	const { name, text, lines } = fileIn(page);
	assert.match(name, /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(lines, [`${header},whyNot`, ...bad.map((row, at) => `${row},${reasons[at]}`)]);

	// The reasons do not become attributes when the file is uploaded again.
	const corrected = text.replace('\n,', '\nC-3,').replace('dmitri at ', 'dmitri@');
	await uploading(corrected, ALL, /2 users accepted[^]*That is every row of the file/, [
		user('C-3', { name: 'Without an ID', email: 'nobody@example.com', city: 'Oslo' }),
		user('C-4', { name: 'Dmitri', email: 'dmitri@example.com', city: 'Berlin' }),
	]);
	// With semicolons in many countries, and by Excel in Windows-1252. A user ID that is there twice is told.
	const twice = /2 users accepted[^]*A user ID is there more than once[^]*C-7 \(rows 2, 3\)/;
	await uploading('userID;name\nC-7;"Rao; Dr."\nC-7;Asha Rao', ALL, twice, [
		user('C-7', { name: 'Rao; Dr.' }),
		user('C-7', { name: 'Asha Rao' }),
	]);
	await uploading(new Uint8Array(Buffer.from(windows1252, 'latin1')), ALL, /1 user accepted/, [
		user('C-7', { name: 'Jörg Müller', note: '„ 20 € “' }),
	]);
	// What the page says of a file that cannot be read; n8n says only that it is not in the CSV format.
	const cannot = String.raw`The file cannot be read[^]*Nothing was sent[^]*`;
	for (const [csv, says] of [
		['userID,name\nC-7,A\nC-8,Ben "Benny\nC-9,Cy', `${cannot}line 3: it has a quotation mark`],
		['userID;name\nC-7;"R; A"\n\nC-8;B;O', `${cannot}line 4: it has 3 cells`],
		['User-ID;name\nC-7;A', 'no column userID[^]*<li>User-ID</li><li>name</li>'],
	] as const)
		await uploading(csv, MISSING, new RegExp(says), []);
	const gives = { 'Created: userID': [['C-1001'], ['C-1002']], 'Failed rows': 2 };
	const byHand = { byHand: 'Try it without a file', sends: ['user/create'], gives };
	await playSteps(bench, workflow, [byHand]);
});

const people = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => `L-${from + index},Person`);
const nobody = Array.from({ length: 10 }, (_, index) => `,Nobody ${index}`);

/** With parts of ten rows: one part has none that can be sent, and a first run had only the first part. */
nightly('A very large list goes on after bad rows, and reaches nobody twice', async (bench) => {
	const { sandbox } = bench;
	const parts = { parameters: { batchSize: 10, options: {} } };
	const inParts = withNode(bench.example('very-large-list-in-parts'), 'Parts', parts);
	const workflow = await bench.create(inParts);
	sandbox.reset();
	const uploaded = async (rows: string[], lastNode: string) => {
		const csv = ['userID,name', ...rows].join('\r\n');
		return await upload(bench, workflow, 'large-list', csv, lastNode);
	};
	const first = await uploaded(people(1, 10), 'Say that all were reached');
	assert.equal(sandbox.record.length, 30, 'ten users on three platforms');
	assert.match(first.page, /10 users got the push[^]*That is every row of the file/);

	const all = [...people(1, 10), ...nobody, ...people(11, 15)];
	const { page, run } = await uploaded(all, CORRECT);
	const reached = sandbox.record.map(
		({ path, body }) => `${path} ${(body as { user_id: string }).user_id}`,
	);
	assert.equal(new Set(reached).size, reached.length, 'nobody twice on a platform');
	assert.equal(reached.length, 45, 'also those after the part without a good row');
	assert.equal(run.data.resultData.runData['Send one part']?.length, 3, 'parts');
	assert.equal(run.items('Sent').length, 15, 'five users on three platforms');
	assert.match(page, /5 users got the push\. 10 users had it already\. 10 rows need a correction/);
	assert.match(page, /<li>{{ \$json.userID }} in User ID is empty<\/li>/);
	const file = fileIn(page);
	assert.match(file.name, /^not-sent-\d{4}-\d\d-\d\d\.csv$/);
	const left = nobody.map((row) => `${row},invalid,{{ $json.userID }} in User ID is empty`);
	assert.deepEqual(file.lines, ['userID,name,outcome,whyNot', ...left]);

	sandbox.reset();
	const byHand = (await bench.byHand(workflow, 'Try it without a file')).succeeded();
	assert.equal(byHand.items('Sent').length, 15, 'five users of the sample');
	assert.equal(byHand.items('Not sent').length, 1);
});
