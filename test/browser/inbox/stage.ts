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
	width?: number;
	height?: number;
	colorScheme?: 'light' | 'dark';
	/** Of the browser; British English by default. */
	locale?: string;
	/** Of the sandbox and the browser; a clock that stands still leaves the same pictures. */
	frozenAt?: string;
	options?: SandboxOptions;
}

/** Far from UTC, so that times in the wrong zone are noticed. */
export const viewerZone = 'Asia/Tokyo';
const PATIENCE_MS = 60_000;

/** Opens the page, lets the scenario play, and closes all of it. */
export async function onStage(
	browser: Browser,
	setting: Setting,
	play: (stage: Stage) => Promise<void>,
): Promise<void> {
	const {
		width = 1400,
		height = 900,
		colorScheme = 'light',
		locale = 'en-GB',
		frozenAt,
		options,
	} = setting;
	const started: { sandbox?: Sandbox } = {};
	// Three seconds from one message to the next.
	const stillNow = () => Date.parse(frozenAt ?? '') + 3000 * (started.sandbox?.record.length ?? 0);
	const now = frozenAt === undefined ? Date.now : stillNow;
	const sandbox = await startSandbox({ separateHosts: false, now, ...options });
	started.sandbox = sandbox;
	const context = await browser.newContext({
		baseURL: sandbox.url,
		viewport: { width, height },
		colorScheme,
		locale,
		timezoneId: viewerZone,
		reducedMotion: 'reduce',
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	try {
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		if (frozenAt !== undefined) await page.clock.setFixedTime(frozenAt);
		const stage: Stage = { sandbox, page, context, outside: [], errors: [], dialogs: [] };
		watch(stage);
		await page.goto('/');
		await play(stage);
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
	page.on('console', (message) => {
		if (message.type() === 'error') errors.push(message.text());
	});
	page.on('pageerror', (error) => errors.push(String(error)));
	page.on('dialog', (dialog) => {
		dialogs.push(dialog.message());
		void dialog.dismiss();
	});
}
