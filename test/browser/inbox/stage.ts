import { strict as assert } from 'node:assert';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../../sandbox/index';
import { eventually } from '../../eventually';

/** The inbox of a sandbox of its own in a browser, and what happened that must not. */
export interface Stage {
	sandbox: Sandbox;
	page: Page;
	context: BrowserContext;
	/** Requests to any other server, on this machine or elsewhere. */
	outside: string[];
	/** Errors of the page and its console, including refusals by its policy. */
	errors: string[];
	/** Dialogs that scripts opened. */
	dialogs: string[];
	colorScheme: 'light' | 'dark';
}

export const editor = 'http://localhost:5678';

/** The clock of the sandbox and the browser stands still, and leaves the same pictures. */
const frozenAt = '2026-11-21T09:30:00Z';

/** Opens the page, lets the scenario play, and closes all of it. There must be no error, dialog or request elsewhere. */
export async function onStage(
	browser: Browser,
	colorScheme: Stage['colorScheme'],
	play: (stage: Stage) => Promise<void>,
): Promise<void> {
	let messages = 0;
	// Three seconds from one message to the next.
	const now = () => Date.parse(frozenAt) + 3000 * messages;
	const sandbox = await startSandbox({ separateHosts: false, now, editor });
	sandbox.subscribe(() => messages++);
	const context = await browser.newContext({
		...{ baseURL: sandbox.url, colorScheme, locale: 'en-GB' },
		viewport: { width: 1400, height: 900 },
		// Far from UTC, so that times in the wrong zone are noticed.
		timezoneId: 'Asia/Tokyo',
		reducedMotion: 'reduce',
	});
	try {
		context.setDefaultTimeout(60_000);
		const page = await context.newPage();
		await page.clock.setFixedTime(frozenAt);
		const found = { outside: [], errors: [], dialogs: [] };
		const stage: Stage = { sandbox, page, context, colorScheme, ...found };
		watch(stage);
		await page.goto('/');
		await play(stage);
		assert.deepEqual(found, { outside: [], errors: [], dialogs: [] });
	} finally {
		await context.close();
		await sandbox.close();
	}
}

function watch({ sandbox, page, context, outside, errors, dialogs }: Stage): void {
	const note = (request: Request) => {
		const url = request.url();
		const isRefused = request.failure()?.errorText === 'csp';
		if (!isRefused && !url.startsWith(`${sandbox.url}/`) && !url.startsWith('data:'))
			outside.push(url);
	};
	context.on('requestfinished', note);
	context.on('requestfailed', note);
	page.on('console', (said) => {
		// The browser's clock is a script of its own in each frame, and frames of emails run none.
		const isOfClock = said.text().startsWith('Blocked script execution');
		if (said.type() === 'error' && !isOfClock) errors.push(said.text());
	});
	page.on('pageerror', (error) => errors.push(String(error)));
	page.on('dialog', (dialog) => {
		dialogs.push(dialog.message());
		void dialog.dismiss();
	});
}

export const rows = (page: Page): Locator => page.getByRole('listbox').getByRole('option');
export const message = (page: Page): Locator =>
	page.getByRole('region', { name: 'Message', exact: true });
export const panel = (page: Page): Locator =>
	page.getByRole('complementary', { name: 'Faults and scenes' });

/** Waits until the list has these titles, from the top. */
export async function expectTitles(page: Page, expected: readonly string[]): Promise<void> {
	const titles = rows(page).locator('.row-title');
	await eventually(async () => assert.deepEqual(await titles.allInnerTexts(), expected));
}

/** Opens the one row with this title, and waits until it is shown. */
export async function openMessage(page: Page, title: string): Promise<Locator> {
	await rows(page).filter({ hasText: title }).first().click();
	const shown = message(page).getByRole('article');
	await expectWords(shown.locator('.detail-title'), title.slice(0, 40));
	return shown;
}

/** Waits until an element has these words, with white space collapsed. */
export async function expectWords(place: Locator, ...words: string[]): Promise<void> {
	await eventually(async () => {
		const text = (await place.innerText()).replace(/\s+/g, ' ').trim();
		for (const word of words)
			assert.ok(text.includes(word), `"${word}" is not in: ${text.slice(0, 1500)}`);
	});
}
