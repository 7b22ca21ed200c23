import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../../scripts/n8n/client';
import type { Bench } from '../bench';
import { playSteps } from '../examplePlay';
import { fileIn, FilledIn } from '../formPages';
import { withNode } from '../nodes';
import { nightly } from '../scenario';

const CORRECT = 'Say what to correct';
type Csv = string | Uint8Array<ArrayBuffer>;

async function upload(
	bench: Bench,
	stored: StoredWorkflow,
	path: string,
	csv: Csv,
	lastNode: string,
) {
	const file = new File([csv], 'rows.csv', { type: 'text/csv' });
	const { page, run } = await (await FilledIn.at(bench, stored, path, [file])).lastPage(lastNode);
	return { page, run: run.succeeded() };
}

const user = (userID: string, user_attributes: object) => ({ userID, user_attributes });
const header = 'userID,name,email,city';
const good = ['C-1,Asha Rao,asha@example.com,Pune', 'C-2,"Okafor, Ben",ben@example.com,'];
const bad = [',Without an ID,nobody@example.com,Oslo', 'C-4,Dmitri,dmitri at example.com,Berlin'];
const reasons = ['User ID is empty', "Email 'dmitri at example.com' is not an email address"];
const csvOf = (...rows: string[]) => [header, ...rows].join('\r\n');

/** What the page says of a file that cannot be read; n8n says only that it is not in the CSV format. */
const cannot = 'The file cannot be read[^]*Nothing was sent';
const unreadable: Array<[csv: string, ...says: string[]]> = [
	['userID,name\nC-7,A\nC-8,Ben "Benny\nC-9,Cy', cannot, 'line 3: it has a quotation mark'],
	['userID,name\nC-7,"A"" R"\nC-8,5" and 7"', cannot, 'line 3: it has a quotation mark'],
	['userID;name\nC-7;"R; A"\n\nC-8;B;O', cannot, 'line 4: it has 3 cells'],
	['User-ID;name\nC-7;A', 'The file has no column userID[^]*<li>User-ID</li><li>name</li>'],
];

nightly('Each row of a CSV file becomes a user, and bad ones end in a file', async (bench) => {
	const workflow = await bench.create(bench.example('csv-file-by-form-to-users'));
	/** Uploads a file. Returns the page that ends the run, and the users of each request. */
	const uploaded = async (csv: Csv, lastNode: string, isDown = false) => {
		bench.sandbox.reset();
		if (isDown) bench.sandbox.faults.add({ kind: 'status', status: 500 });
		const { page, run } = await upload(bench, workflow, 'csv-users', csv, lastNode);
		for (const path of run.paths) assert.equal(path, 'user/create');
		return { page, users: run.bodies.map((body) => (body as { nv: object[] }).nv) };
	};
	const ALL = 'Say that all were accepted';
	const { page, users } = await uploaded(csvOf(...good, ...bad), CORRECT);
	assert.deepEqual(users, [
		[
			user('C-1', { name: 'Asha Rao', email: 'asha@example.com', city: 'Pune' }),
			user('C-2', { name: 'Okafor, Ben', email: 'ben@example.com' }),
		],
	]);
	assert.match(page, /2 users accepted\. 2 rows need a correction/);
	assert.ok(page.includes(`<li>Row 4: ${reasons[0]}</li><li>Row 5: ${reasons[1]}</li>`), page);
	const { name, text, lines } = fileIn(page);
	assert.match(name, /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);
	assert.deepEqual(lines, [`${header},whyNot`, ...bad.map((row, at) => `${row},${reasons[at]}`)]);

	// The reasons do not become attributes when the file is uploaded again.
	const corrected = text.replace('\n,', '\nC-3,').replace('dmitri at ', 'dmitri@');
	const again = await uploaded(corrected, ALL);
	assert.match(again.page, /2 users accepted[^]*That is every row of the file/);
	assert.deepEqual(again.users, [
		[
			user('C-3', { name: 'Without an ID', email: 'nobody@example.com', city: 'Oslo' }),
			user('C-4', { name: 'Dmitri', email: 'dmitri@example.com', city: 'Berlin' }),
		],
	]);
	const down = await uploaded(csvOf(...good), CORRECT, true);
	assert.match(down.page, /0 users accepted\. 2 rows can be uploaded again as they are/);

	// With semicolons in many countries, and by Excel in Windows-1252. A user ID that is there twice is told.
	const semicolons = 'userID;name;city\nC-7;"Rao, Asha; Dr.";Pune\nC-8;Ben;\nC-7;Asha Rao;Pune';
	const twice = await uploaded(semicolons, ALL);
	assert.match(twice.page, /3 users accepted/);
	assert.match(twice.page, /A user ID is there more than once[^]*C-7 \(rows 2, 4\)/);
	assert.deepEqual(twice.users[0]?.slice(0, 2), [
		user('C-7', { name: 'Rao, Asha; Dr.', city: 'Pune' }),
		user('C-8', { name: 'Ben' }),
	]);
	const written = 'userID;name;note\nC-7;J\xf6rg M\xfcller;\x84 20 \x80 \x93\n';
	const ofExcel = await uploaded(new Uint8Array(Buffer.from(written, 'latin1')), ALL);
	assert.match(ofExcel.page, /1 user accepted/);
	assert.deepEqual(ofExcel.users, [[user('C-7', { name: 'Jörg Müller', note: '„ 20 € “' })]]);

	for (const [csv, ...says] of unreadable) {
		const refused = await uploaded(csv, 'Say which column is missing');
		for (const words of says) assert.match(refused.page, new RegExp(words));
		assert.deepEqual(refused.users, []);
	}
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
	const uploaded = async (rows: string[], lastNode = CORRECT) => {
		const csv = ['userID,name', ...rows].join('\r\n');
		return await upload(bench, workflow, 'large-list', csv, lastNode);
	};
	const REACHED = 'Say that all were reached';
	const first = await uploaded(people(1, 10), REACHED);
	assert.equal(sandbox.record.length, 30, 'ten users on three platforms');
	assert.match(first.page, /10 users got the push[^]*That is every row of the file/);

	const { page, run } = await uploaded([...people(1, 10), ...nobody, ...people(11, 15)]);
	const reached = sandbox.record.map(
		({ path, body }) => `${path} ${(body as { user_id: string }).user_id}`,
	);
	assert.equal(new Set(reached).size, reached.length, 'nobody twice on a platform');
	assert.equal(reached.length, 45, 'also those after the part without a good row');
	assert.equal(run.data.resultData.runData['Send one part']?.length, 3, 'parts');
	assert.equal(run.items('Sent').length, 15, 'five users on three platforms');
	assert.deepEqual(
		run.values('Not sent', 'name', 'outcome'),
		nobody.map((_, index) => [`Nobody ${index}`, 'invalid']),
	);
	assert.match(page, /5 users got the push\. 10 users had it already\. 10 rows need a correction/);
	assert.match(page, /<li>{{ \$json.userID }} in User ID is empty<\/li>/);
	const file = fileIn(page);
	assert.match(file.name, /^not-sent-\d{4}-\d\d-\d\d\.csv$/);
	const left = nobody.map((row) => `${row},invalid,{{ $json.userID }} in User ID is empty`);
	assert.deepEqual(file.lines, ['userID,name,outcome,whyNot', ...left]);

	// A 500 leaves them in doubt, and neither this run nor the next one counts them as reached.
	sandbox.faults.add({ kind: 'status', status: 500 });
	const failing = await uploaded(people(21, 22));
	assert.match(failing.page, /0 users got the push\. 2 rows failed for another reason/);
	sandbox.reset();
	const again = await uploaded(people(21, 22), REACHED);
	assert.match(again.page, /0 users got the push\. 2 users may have got it before/);
	const refused = await uploaded(['C-1,Ben,Okafor'], 'Say that it cannot be read');
	assert.match(refused.page, /The file cannot be read[^]*Nothing was sent[^]*upload it again/);
	assert.deepEqual(sandbox.record, [], 'a file that cannot be read sends nothing');

	const byHand = (await bench.byHand(workflow, 'Try it without a file')).succeeded();
	assert.equal(byHand.items('Sent').length, 15, 'five users of the sample');
	assert.equal(byHand.items('Not sent').length, 1);
});
