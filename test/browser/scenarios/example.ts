import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../../eventually';
import { inEachVersion } from '../scenario';

const words = {
	Title: 'New season',
	Message: 'The autumn collection is here.',
	Link: 'https://shop.example.com/autumn',
	'Campaign name': 'Autumn',
	'Your user ID': 'me-1001',
};

/** The form as a person fills it in: a mistake, another title, a no, a yes, a name used before, and a refusal. */
inEachVersion('The form of the announcement comes back filled in', async (stage) => {
	const { page, sandbox } = stage;
	const { id } = await stage.create(stage.example('announcement-with-preview-and-approval'));
	// Newer n8n registers a form a moment after activation.
	await eventually(async () =>
		assert.equal((await page.goto('/form/announcement'))?.status(), 200, 'the form opens'),
	);
	const Message = 'Hello {{ name }}, "you" & <b>me</b>';
	const mistaken = { ...words, Title: 'T'.repeat(71), Message, Link: 'shop.example.com/autumn' };
	await fillIn(page, mistaken);
	const mistakes = await page.getByText('• Title has 71 characters').first().innerText();
	assert.match(mistakes, /• Link .* is not a link\s+• Title has 71 .* at most 70/);
	assert.doesNotMatch(mistakes, /Skip Text Check|n8n did not|• URL/);
	assert.deepEqual(await entered(page), mistaken);
	assert.equal(sandbox.record.length, 0, 'a mistake is not sent as a test either');

	await fillIn(page, words);
	await decide(page, words.Title, 'Change the text');
	await page.getByText('Only the test went out. You get a new one.').waitFor();
	assert.deepEqual(await entered(page), words);
	const Title = 'Newest season';
	await fillIn(page, { Title });
	await decide(page, Title, 'Do not send');
	await page.getByText('You chose not to send it. Only the test went out.').waitFor();
	await page.getByRole('link', { name: 'Change it' }).click();
	await page.getByText('The button sends the message to you alone.').waitFor();
	assert.deepEqual(await entered(page), { ...words, Title });

	await fillIn(page, {});
	await decide(page, Title, 'Send it to everyone');
	await page.getByText('It was sent to everyone').waitFor();
	const toMe = { title: Title, message: words.Message, url: words.Link, user_id: 'me-1001' };
	const { user_id: _, ...toAll } = toMe;
	assert.deepEqual(
		sandbox.record.slice(3).map(({ body }) => body),
		[toMe, toMe, toMe, toMe, toMe, toMe, toAll, toAll, toAll],
		'each text is tested, and only the yes reaches everyone',
	);

	const requests = sandbox.record.length;
	await page.goto('/form/announcement');
	await fillIn(page, { ...words, Title: 'Newer season' });
	await page.getByText("name 'Autumn' was used already, and each name goes out once").waitFor();
	assert.equal(sandbox.record.length, requests, 'no test either');

	await fillIn(page, { ...words, 'Campaign name': 'Winter' });
	await page.getByText('This is how it looks').waitFor();
	sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	await decide(page, words.Title, 'Send it to everyone');
	await page.getByText('It did not go out everywhere').waitFor();
	await page
		.getByText(/Web: sent[^]*iOS: The service refused/)
		.first()
		.waitFor();
	const [last] = await stage.client.executions(id);
	const run = await stage.ended(last?.id ?? '');
	assert.equal(run.status, 'error');
	assert.match(run.failure, /^ios, rejected: /);
	assert.deepEqual(run.outcomes('Broadcast to everyone'), ['accepted', 'accepted', 'rejected']);
	assert.equal(sandbox.record.length, requests + 6, 'nothing is sent again');
});

async function fillIn(page: Page, values: Partial<typeof words>): Promise<void> {
	for (const [label, value] of Object.entries(values))
		await page.getByLabel(label).first().fill(value);
	await page.getByRole('button', { name: 'Send me a test' }).click();
}

async function entered(page: Page): Promise<Record<string, string>> {
	const values: Record<string, string> = {};
	for (const label of Object.keys(words))
		values[label] = await page.getByLabel(label).first().inputValue();
	return values;
}

async function decide(page: Page, title: string, decision: string): Promise<void> {
	await page.getByText('This is how it looks').waitFor();
	await page.getByRole('heading', { name: title }).waitFor();
	await page.getByText('Customers have not received anything yet.').waitFor();
	await page.getByRole('button', { name: 'Continue' }).click();
	await page.getByText('Send to everyone?').waitFor();
	await page.getByText('Everyone', { exact: true }).waitFor();
	await page.getByLabel('Decision').selectOption(decision);
	const answered = page.waitForResponse((response) => response.request().method() === 'POST');
	await page.getByRole('button', { name: 'Submit' }).click();
	await answered;
	// n8n 1 may lead on before it has saved the answer, and so show the question once more.
	await page
		.getByText('Send to everyone?')
		.waitFor({ state: 'hidden', timeout: 5_000 })
		.catch(async () => void (await page.reload()));
}
