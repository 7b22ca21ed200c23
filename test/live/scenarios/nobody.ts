import assert from 'node:assert/strict';
import type { NodeJson } from '../../../scripts/n8n/client';
import { messaging } from '../../../scripts/n8n/workflows';
import { hintsOf, output, runByWebhook, usersReached, type Bench } from '../bench';
import { createWithErrorOutput, pushNode } from '../rows';

/** Values as spreadsheets and databases leave them: who is nobody gets nothing, and who left is not written to. */
export async function nobodyIsReached(bench: Bench): Promise<void> {
	await onlyWhoStayed(bench);
	await attributesOfNobody(bench);
}

async function onlyWhoStayed(bench: Bench): Promise<void> {
	const parameters = { title: "=Hi {{ $json.first + ' ' + $json.last }}", options: {} };
	const onError = { onError: 'continueErrorOutput' };
	const push = (consent: string, message = '=On {{ new Date($json.at) }}') =>
		pushNode({ ...parameters, message, additionalFields: { consent } }, onError);
	const ana = { first: 'Ana', last: 'Null', left: false, at: '2030-05-06T07:08:09Z' };
	const rows = [
		{ ...ana, userID: 'C-1' },
		{ ...ana, userID: 'C-2', left: 'yes' },
		{ ...ana, userID: '0' },
		{ ...ana, userID: 'NULL' },
		{ ...ana, userID: '1001.0' },
		{ ...ana, userID: 'C-3', first: '#REF!' },
		{ ...ana, userID: 'C-4', last: null },
		{ ...ana, userID: 'C-5', last: 'M\ufffdller' },
	];
	const runWith = async (path: string, node: NodeJson) =>
		await runByWebhook(bench, await createWithErrorOutput(bench, path, node), path, { rows });
	const refused = await runWith('opted-out', push('={{ $json.left_opt_out }}'));
	assert.deepEqual(refused.arrivals, []);
	const [{ json } = { json: {} }] = output(refused.data, 'Failed');
	const [, negation = ''] = /Write (\{\{ .* \}\})$/.exec(String(json.error)) ?? [];
	assert.match(negation, /^\{\{ 'left_opt_out' in \$json && /);

	const consent = `=${negation.replaceAll('left_opt_out', 'left')}`;
	const withoutFormat = await runWith('without-format', push(consent));
	assert.deepEqual(withoutFormat.arrivals, []);
	const told = output(withoutFormat.data, 'Failed').map((item) => String(item.json.error));
	const [, format = ''] = /Give it one: \{\{ (.*?) \}\}/.exec(told[0] ?? '') ?? [];

	const formats = ['$json.at', 'new Date($json.at)'].map((date) =>
		format.replace('$json.date', date),
	);
	const message = `=On {{ ${formats.join(' }} {{ ')} }}`;
	const run = await runWith('nobody', push(consent, message));
	assert.deepEqual(usersReached(run), ['C-1']);
	const [{ body } = { body: {} }] = run.arrivals;
	const { title, message: sent } = body as Record<string, string>;
	assert.equal(title, 'Hi Ana Null');
	assert.match(sent ?? '', /^On (2030-05-0\d \d\d:\d\d) \1$/);
	assert.deepEqual(
		output(run.data, 'Sent').map((item) => [item.json.outcome, item.json.user_id]),
		[
			['accepted', 'C-1'],
			['skipped', 'C-2'],
		],
	);
	const why = [
		/'0', which stands for a missing value/,
		/'NULL', which stands for a missing value/,
		/If the ID is 1001, remove/,
		/contains '#REF!', because \$json\.first/,
		/contains 'null', because \$json\.last is empty/,
		/read in the wrong encoding/,
	];
	const failed = output(run.data, 'Failed').map((item) => String(item.json.error));
	assert.equal(failed.length, why.length);
	for (const [index, pattern] of why.entries()) assert.match(failed[index] ?? '', pattern);
}

async function attributesOfNobody(bench: Bench): Promise<void> {
	const path = 'nobody-attributes';
	const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	const stored = await createWithErrorOutput(bench, path, messaging('Users', mapped));
	const rows = [
		{ userID: 'C-1', name: 'NULL', city: '#N/A', country: 'NA' },
		{ userID: 'C-2', name: 'Null', city: 'KÃ¶ln', country: '(blank)' },
	];
	const run = await runByWebhook(bench, stored, path, { rows });
	assert.deepEqual(
		run.arrivals.map(({ body }) => body),
		[
			{
				nv: [
					{ userID: 'C-1', user_attributes: { country: 'NA' } },
					{ userID: 'C-2', user_attributes: { name: 'Null', city: 'KÃ¶ln' } },
				],
			},
		],
	);
	const hints = hintsOf(run, 'Users').map(({ message }) => message);
	assert.match(hints.join('\n'), /3 values were taken as empty/);
	assert.match(hints.join('\n'), /'KÃ¶ln' looks as if it was read in the wrong encoding/);
}
