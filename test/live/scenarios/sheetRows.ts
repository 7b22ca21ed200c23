import assert from 'node:assert/strict';
import {
	assertSucceeded,
	create,
	output,
	runByHand,
	runByWebhook,
	type Bench,
	type Run,
} from '../bench';
import { example } from '../examples';

const BAD = [17, 205];

const rows = Array.from({ length: 250 }, (_, index) => ({
	row_number: index + 2,
	userID: `S-${index}`,
	name: `Row ${index}`,
	email: BAD.includes(index) ? 'not an address' : `row${index}@example.com`,
}));

interface UserJson {
	userID: string;
	user_attributes: Record<string, unknown>;
}

/** The users of each request, in the order of the rows: several requests are under way at once. */
function batches({ arrivals }: Run): UserJson[][] {
	const firstRow = ([user]: UserJson[]) => rows.findIndex(({ userID }) => userID === user?.userID);
	return arrivals
		.map(({ body }) => (body as { nv: UserJson[] }).nv)
		.sort((a, b) => firstRow(a) - firstRow(b));
}

export async function sheetRows(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'sheet-rows-to-users-in-batches.json'));
	const run = await runByWebhook(bench, workflow, 'sheet-rows', { rows });
	assertSucceeded(run);
	const good = rows.filter((_, index) => !BAD.includes(index));
	assert.deepEqual(
		batches(run).map((users) => users.length),
		[100, 100, 48],
	);
	const users = good.map(({ userID, name, email }) => ({
		userID,
		user_attributes: { name, email },
	}));
	assert.deepEqual(batches(run).flat(), users, 'each good row once, without its row number');
	assert.deepEqual(
		output(run.data, 'Created').map(({ json }) => json.userID),
		good.map(({ userID }) => userID),
	);

	const failed = output(run.data, 'Failed rows').map(({ json }) => json);
	const kept = failed.map(({ whatHappened: _text, ...row }) => row);
	assert.deepEqual(
		kept,
		BAD.map((index) => ({ ...rows[index], outcome: 'invalid' })),
		'the failed rows, with their columns',
	);
	for (const { whatHappened } of failed) assert.match(String(whatHappened), /email/i);
	const [file, ...others] = output(run.data, 'Log');
	assert.deepEqual(others, [], 'one file for all of them');
	assert.match(file?.binary?.data?.fileName ?? '', /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);

	const byHand = await runByHand(bench, workflow, 'Try it by hand');
	assertSucceeded(byHand);
	assert.deepEqual(
		batches(byHand).map((sample) => sample.map(({ userID }) => userID)),
		[['S-1001', 'S-1002', 'S-1004', 'S-1006']],
	);
	assert.deepEqual(
		output(byHand.data, 'Failed rows').map(({ json }) => json.name),
		['Carla Diaz', 'Emi Sato'],
	);
}
