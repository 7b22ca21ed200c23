import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually';
import type { Stage } from '../stage';
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
	await openForm(stage, 'announcement-with-preview-and-approval', 'announcement');
	const Message = 'Hello {{ name }}, "you" & <b>me</b>';
	const mistaken = { ...words, Title: 'T'.repeat(71), Message, Link: 'shop.example.com/autumn' };
	await fillIn(page, mistaken);
	const mistakes = await page.getByText('• Title has 71 characters').first().innerText();
	assert.match(mistakes, /• Title has 71 .* at most 70\s+• Link/);
	assert.match(mistakes, /Did you mean https:\/\/shop\.example\.com\/autumn\?/);
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

async function openForm(stage: Stage, example: string, path: string): Promise<void> {
	const { page } = stage;
	await stage.create(stage.example(example));
	// Newer n8n registers a form a moment after activation.
	await eventually(async () =>
		assert.equal((await page.goto(`/form/${path}`))?.status(), 200, 'the form opens'),
	);
}

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

/** On the page at the end, a person reads what became of the rows, and finds the others in the downloads. */
inEachVersion('A CSV file is uploaded, and rows to correct come back as a file', async (stage) => {
	const { page } = stage;
	await openForm(stage, 'csv-file-by-form-to-users', 'csv-users');
	const csv = 'userID,name,email\nC-1,Asha,asha@example.com\nC-2,Jürgen,at example.com\n';
	const rows = { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
	await page.locator('input[type=file]').setInputFiles(rows);
	const downloading = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Upload' }).click();
	await page.getByText('1 user accepted. 1 row needs a correction').waitFor();
	const reason = "Email 'at example.com' is not an email address";
	await page.getByText(`Row 3: ${reason}`).waitFor();
	const file = await downloading;
	assert.match(file.suggestedFilename(), /^failed-rows-[\d-]+\.csv$/);
	await page.getByText(file.suggestedFilename()).waitFor();
	const written = readFileSync(await file.path(), 'utf8').replace('\uFEFF', '');
	assert.equal(written.trim(), `userID,name,email,whyNot\nC-2,Jürgen,at example.com,${reason}`);
});
