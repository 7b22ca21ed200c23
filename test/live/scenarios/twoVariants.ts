import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { runByHand, runByWebhook, succeeded, valuesOf, type Bench, type Run } from '../bench';
import { createExample } from '../examples';

const users = Array.from({ length: 40 }, (_, index) => `V-${index}`);

const variantOf = (userID: string) =>
	createHash('sha256').update(`autumn:${userID}`).digest().readUInt8(0) < 128 ? 'a' : 'b';

/** Each user gets one variant, once on each platform. */
function assertSent({ arrivals }: Run, ids: string[]): void {
	const sent = arrivals.map(({ body }) => {
		const { user_id, url } = body as { user_id: string; url: string };
		return `${user_id} ${new URL(url).searchParams.get('variant')}`;
	});
	const expected = ids.flatMap((id) => Array<string>(3).fill(`${id} ${variantOf(id)}`));
	assert.deepEqual(sent.sort(), expected.sort());
}

export async function twoVariants(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'two-variants-by-user-id.json');
	const rows = [...users, ''].map((userID) => ({ userID }));
	const run = await succeeded(runByWebhook(bench, workflow, { rows }));
	assertSent(run, users);
	assert.deepEqual(new Set(users.map(variantOf)), new Set(['a', 'b']), 'both variants occur');
	assert.deepEqual(
		valuesOf(run, 'Not sent', 'userID', 'outcome'),
		[['', 'invalid']],
		'a row without a user keeps its place',
	);

	const again = await runByWebhook(bench, workflow, { rows: rows.slice(0, 5) });
	assertSent(again, users.slice(0, 5));

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assertSent(byHand, ['U-1001', 'U-1002', 'U-1003', 'U-1004', 'U-1005', 'U-1006']);
}
