import { strict as assert } from 'node:assert';
import { eventually } from '../../eventually';
import { expectTitles, expectWords, message, openMessage } from '../reading';
import { push, send } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

/** The nodes of a workflow as n8n's clipboard holds it. */
function nodesOf(workflow: string) {
	return (
		JSON.parse(workflow) as {
			nodes: Array<{ name: string; parameters: Record<string, unknown> }>;
		}
	).nodes;
}

export async function copyAsWorkflow({ page, sandbox }: Stage): Promise<void> {
	await send(sandbox, '/api/v1/ios/send', { ...push, title: '=Hello', tag: 'news' });
	await send(sandbox, '/api/v1/user/create', {
		nv: [
			{ userID: 'C-1', user_attributes: {} },
			{ userID: 'C-2', user_attributes: {} },
		],
	});
	const event = { event_name: 'Order Placed', event_time: '2026-11-21 09:30:00' };
	await send(sandbox, '/api/v1/event/create', {
		nv: [
			{ userID: 'C-1', ...event },
			{ userID: 'C-2', ...event },
		],
	});
	await send(sandbox, '/api/v1/web/send', 'no object');
	await expectTitles(page, ['Without a title', '2 events', '2 users', '=Hello']);

	const copied = async (name = 'Copy node') => {
		await message(page).getByRole('button', { name }).click();
		await eventually(async () =>
			assert.notEqual(await message(page).locator('.copied').innerText(), ''),
		);
		return await page.evaluate<string>('navigator.clipboard.readText()');
	};
	await openMessage(page, '=Hello');
	const nodes = nodesOf(await copied());
	assert.equal(nodes.length, 1);
	assert.equal(nodes[0]?.parameters.title, '={{ "=Hello" }}');

	await openMessage(page, '2 users');
	assert.deepEqual(
		nodesOf(await copied('Copy as workflow')).map(({ name }) => name),
		['Users', 'Customer Messaging'],
	);
	await expectWords(message(page).locator('.copied'), 'The 2 users are in a Code node before it');

	await openMessage(page, '2 events');
	assert.deepEqual(
		nodesOf(await copied('Copy as workflow')).map(({ name }) => name),
		['Events', 'Customer Messaging'],
	);
	await expectWords(message(page).locator('.copied'), 'The 2 events are in a Code node before it');

	await openMessage(page, 'Without a title');
	await copied();
	await expectWords(message(page).locator('.copied'), 'no node can send it');
}

/** Where the browser keeps its clipboard to itself, the workflow is shown to be copied by hand. */
export async function withoutClipboard({ page, sandbox }: Stage): Promise<void> {
	await page.evaluate(
		'navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"))',
	);
	await send(sandbox, '/api/v1/web/send', push);
	await expectTitles(page, ['Hello']);
	await message(page).getByRole('button', { name: 'Copy node' }).click();
	const json = await page.getByRole('dialog').getByLabel('Workflow as JSON').inputValue();
	assert.equal(nodesOf(json)[0]?.parameters.title, 'Hello');
	await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
}
