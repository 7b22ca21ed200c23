import assert from 'node:assert/strict';
import {
	output,
	runByHand,
	runByWebhook,
	succeeded,
	usersOf,
	valuesOf,
	type Bench,
	type Run,
} from '../bench';
import { createExample } from '../examples';

const BAD = [17, 205];

const rows = Array.from({ length: 250 }, (_, index) => ({
	row_number: index + 2,
	userID: `S-${index}`,
	name: `Row ${index}`,
	email: BAD.includes(index) ? 'not an address' : `row${index}@example.com`,
}));

/** The users of each request, in the order of the rows: several requests are under way at once. */
function batches({ arrivals }: Run): Array<Array<{ userID: string }>> {
	const order = usersOf(rows);
	const firstRow = ([user]: Array<{ userID: string }>) => order.indexOf(user?.userID ?? '');
	return arrivals
		.map(({ body }) => (body as { nv: Array<{ userID: string }> }).nv)
		.sort((one, other) => firstRow(one) - firstRow(other));
}

export async function sheetRows(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'sheet-rows-to-users-in-batches.json');
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	const good = rows.filter((_, index) => !BAD.includes(index));
	assert.deepEqual(
		batches(run).map((users) => users.length),
		[100, 100, 48],
	);
	assert.deepEqual(
		batches(run).flat(),
		good.map(({ userID, name, email }) => ({ userID, user_attributes: { name, email } })),
		'each good row once, without its row number',
	);
	assert.deepEqual(valuesOf(run, 'Created', 'userID').flat(), usersOf(good));

	const failed = output(run.data, 'Failed rows').map(({ json: { whatHappened, ...row } }) => {
		assert.match(String(whatHappened), /email/i);
		return row;
	});
	assert.deepEqual(
		failed,
		BAD.map((index) => ({ ...rows[index], outcome: 'invalid' })),
		'the failed rows, with their columns',
	);
	const [file, ...others] = output(run.data, 'Log');
	assert.deepEqual(others, [], 'one file for all of them');
	assert.match(file?.binary?.data?.fileName ?? '', /^failed-rows-\d{4}-\d\d-\d\d\.csv$/);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.deepEqual(batches(byHand).map(usersOf), [['S-1001', 'S-1002', 'S-1004', 'S-1006']]);
	assert.deepEqual(valuesOf(byHand, 'Failed rows', 'name'), [['Carla Diaz'], ['Emi Sato']]);
}
