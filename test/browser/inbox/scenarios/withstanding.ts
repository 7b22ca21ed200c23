import { strict as assert } from 'node:assert';
import { push, send, sendMany } from '../../../../sandbox/support/sampleRequests';
import { expectTitles, expectWords, message, openMessage, rows } from '../reading';
import type { Stage } from '../stage';

const oneRow = {
	...{ channel: 'push', platform: 'web', outcome: 'accepted', accepted: true, status: 200 },
	...{ audience: 'person', to: 'C-1', text: '', schedule: { kind: 'now' }, search: '' },
};

/** A message that the page cannot show leaves everything else as it was. */
export async function brokenMessage({ page, sandbox }: Stage): Promise<void> {
	await page.route('**/sandbox/inbox/arrivals/2', (route) =>
		route.fulfill({ json: { seq: 2, rawBody: '{}', problems: null, headers: null, time: 'x' } }),
	);
	await sendMany(sandbox, 3);
	await expectWords(page.locator('.totals'), '3 arrivals');
	await page.locator('#row-2').click();
	await expectWords(message(page).getByRole('alert'), 'This part of the page failed');
	await page.locator('#row-3').click();
	await message(page).getByRole('article').waitFor();
	assert.equal(await rows(page).count(), 3);
	await send(sandbox, '/api/v1/web/send', { ...push, title: 'Afterwards' });
	await openMessage(page, 'Afterwards');
}

/** The same for a row of the list. */
export async function brokenRow({ page }: Stage): Promise<void> {
	const told = {
		rows: [
			{ ...oneRow, seq: 1, time: 0, title: 'Before' },
			{ ...oneRow, seq: 2, time: 9e15, title: 'A time that is none' },
			{ ...oneRow, seq: 3, time: 0, title: 'After' },
		],
		total: 3,
		isLast: true,
	};
	await page.route('**/sandbox/inbox/arrivals/*', (route) => route.fulfill({ json: {} }));
	await page.route('**/sandbox/inbox/events', (route) =>
		route.fulfill({
			contentType: 'text/event-stream',
			body: `retry: 100000\nevent: hello\ndata: {"resumed":false,"total":3}\n\nevent: rows\ndata: ${JSON.stringify(told)}\n\n`,
		}),
	);
	await page.reload();
	await expectTitles(page, ['After', 'Before']);
	await expectWords(rows(page).nth(1), 'Message 2 cannot be shown here.');
}

/** Digits and keys that JavaScript would read differently are shown as they were sent. */
export async function rawRequest({ page, sandbox }: Stage): Promise<void> {
	const rawBody = `{"user_id":"C-1","user_id":"C-2","notification_id":9223372036854775807,${JSON.stringify(push).slice(1)}`;
	await fetch(`${sandbox.url}/api/v1/web/send`, {
		method: 'POST',
		headers: { 'x-brand-id': 'sandbox-brand', 'x-api-key': 'sandbox-key' },
		body: rawBody,
	});
	const shown = await openMessage(page, 'Hello');
	await shown.locator('summary').filter({ hasText: 'Request' }).click();
	const body = shown.getByRole('region', { name: 'Body of the request' });
	await expectWords(
		body,
		'"user_id": "C-1", "user_id": "C-2", "notification_id": 9223372036854775807,',
	);
	await expectWords(
		shown.locator('.exchange'),
		'n8n rounds these numbers unless they are text: 9223372036854775807',
		'These keys are repeated, and only the last value of each counts: user_id',
	);
	await shown.getByRole('button', { name: 'Copy node' }).click();
	await expectWords(shown.locator('.copied'), 'Check these numbers', 'Of repeated keys');
	const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as {
		nodes: Array<{ parameters: { additionalFields: object } }>;
	};
	assert.deepEqual(copied.nodes[0]?.parameters.additionalFields, {
		notification_id: '9223372036854775807',
	});
}
