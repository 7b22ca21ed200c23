import { strict as assert } from 'node:assert';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index';

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
}

export interface Setting {
	colorScheme?: 'light' | 'dark';
	/** Of the sandbox and the browser; a clock that stands still leaves the same pictures. */
	frozenAt?: string;
	options?: SandboxOptions;
}

const PATIENCE_MS = 60_000;

/** Opens the page, lets the scenario play, and closes all of it. There must be no error, dialog or request elsewhere. */
export async function onStage(
	browser: Browser,
	{ colorScheme, frozenAt, options }: Setting,
	play: (stage: Stage) => Promise<void>,
): Promise<void> {
	let messages = 0;
	// Three seconds from one message to the next.
	const stillNow = () => Date.parse(frozenAt ?? '') + 3000 * messages;
	const now = frozenAt === undefined ? Date.now : stillNow;
	const sandbox = await startSandbox({ separateHosts: false, now, ...options });
	sandbox.subscribe(() => messages++);
	const context = await browser.newContext({
		...{ baseURL: sandbox.url, colorScheme, locale: 'en-GB' },
		viewport: { width: 1400, height: 900 },
		// Far from UTC, so that times in the wrong zone are noticed.
		timezoneId: 'Asia/Tokyo',
		reducedMotion: 'reduce',
	});
	try {
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		if (frozenAt !== undefined) await page.clock.setFixedTime(frozenAt);
		const stage: Stage = { sandbox, page, context, outside: [], errors: [], dialogs: [] };
		watch(stage, frozenAt !== undefined);
		await page.goto('/');
		await play(stage);
		const { errors, dialogs, outside } = stage;
		assert.deepEqual({ errors, dialogs, outside }, { errors: [], dialogs: [], outside: [] });
	} finally {
		await context.close();
		await sandbox.close();
	}
}

function watch(
	{ sandbox, page, context, outside, errors, dialogs }: Stage,
	hasClock: boolean,
): void {
	const note = (request: Request) => {
		const url = request.url();
		const isRefused = request.failure()?.errorText === 'csp';
		if (!isRefused && !url.startsWith(`${sandbox.url}/`) && !url.startsWith('data:'))
			outside.push(url);
	};
	context.on('requestfinished', note);
	context.on('requestfailed', note);
	page.on('console', (message) => {
		// The browser's clock is a script of its own in each frame, and frames of emails run none.
		const isOfClock = hasClock && message.text().startsWith('Blocked script execution');
		if (message.type() === 'error' && !isOfClock) errors.push(message.text());
	});
	page.on('pageerror', (error) => errors.push(String(error)));
	page.on('dialog', (dialog) => {
		dialogs.push(dialog.message());
		void dialog.dismiss();
	});
}
