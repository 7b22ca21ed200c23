import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import { inEachVersion } from '../scenario';

const words = {
	Title: 'New season',
	Message: 'The autumn collection is here.',
	Link: 'https://shop.example.com/autumn',
	'Campaign name': 'Autumn',
	'Your user ID': 'me-1001',
};

/** The form as a person fills it in: a mistake, a no, and a yes. */
inEachVersion('The form of the announcement comes back filled in', async (stage) => {
	const { page, sandbox } = stage;
	await stage.create(stage.example('announcement-with-preview-and-approval'));
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
	await decide(page, 'Do not send');
	await page.getByText('You chose not to send it. Only the test went out.').waitFor();
	await page.getByRole('link', { name: 'Change it' }).click();
	await page.getByText('The button sends the message to you alone.').waitFor();
	assert.deepEqual(await entered(page), words);

	await page.getByRole('button', { name: 'Send me a test' }).click();
	await decide(page, 'Send it to everyone');
	await page.getByText('It was sent to everyone').waitFor();
	const broadcasts = sandbox.record.filter(({ path }) => path.endsWith('/broadcast/all'));
	assert.equal(broadcasts.length, 3, 'only the yes reaches everyone');
});

async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
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

async function decide(page: Page, decision: string): Promise<void> {
	await page.getByText('This is how it looks').waitFor();
	await page.getByRole('heading', { name: words.Title }).waitFor();
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
