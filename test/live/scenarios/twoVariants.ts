import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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

const users = Array.from({ length: 40 }, (_, index) => `V-${index}`);

const variantOf = (userID: string) =>
	createHash('sha256').update(`autumn:${userID}`).digest().readUInt8(0) < 128 ? 'a' : 'b';

/** Which variant each user got, on all platforms. */
function sent({ arrivals }: Run): Map<string, Set<string>> {
	const variants = new Map<string, Set<string>>();
	for (const { body } of arrivals) {
		const { user_id, url } = body as { user_id: string; url: string };
		const variant = new URL(url).searchParams.get('variant') ?? '';
		variants.set(user_id, (variants.get(user_id) ?? new Set()).add(variant));
	}
	return variants;
}

const expected = (ids: string[]) => new Map(ids.map((id) => [id, new Set([variantOf(id)])]));
const byUser = (variants: Map<string, Set<string>>) =>
	[...variants].sort(([a], [b]) => a.localeCompare(b));

export async function twoVariants(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'two-variants-by-user-id.json'));
	const rows = [...users, ''].map((userID) => ({ userID }));
	const run = await runByWebhook(bench, workflow, 'two-variants', { rows });
	assertSucceeded(run);
	assert.deepEqual(byUser(sent(run)), byUser(expected(users)), 'each user gets one variant');
	assert.equal(run.arrivals.length, 3 * users.length, 'once on each platform');
	assert.deepEqual(new Set(users.map(variantOf)), new Set(['a', 'b']), 'both variants occur');
	assert.deepEqual(
		output(run.data, 'Not sent').map(({ json }) => [json.userID, json.outcome]),
		[['', 'invalid']],
		'a row without a user keeps its place',
	);

	const again = await runByWebhook(bench, workflow, 'two-variants', { rows: rows.slice(0, 5) });
	assert.deepEqual(byUser(sent(again)), byUser(expected(users.slice(0, 5))), 'the same again');

	const byHand = await runByHand(bench, workflow, 'Try it by hand');
	assertSucceeded(byHand);
	const sample = ['U-1001', 'U-1002', 'U-1003', 'U-1004', 'U-1005', 'U-1006'];
	assert.deepEqual(byUser(sent(byHand)), byUser(expected(sample)));
}
