import { selectors, type Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/index';
import { openChromium } from '../../scripts/chromium';
import { findHost } from '../../scripts/n8n/hosts';
import type { Bench } from '../live/bench';
import { startBench } from '../live/crashable';

/** One running n8n with a sandbox, both credentials, and its editor in a browser. */
export interface Stage extends Bench {
	page: Page;
	/** Whether the documentation's pictures are taken here. */
	takesPictures: boolean;
	close(): Promise<void>;
}

export const viewport = { width: 1400, height: 900 };
const PATIENCE_MS = 90_000;

/** `close` ends everything that was started, and deletes the folder. */
export async function openStage(
	version: string,
	tarball: string,
	takesPictures: boolean,
	env?: NodeJS.ProcessEnv,
): Promise<Stage> {
	// Pictures show the addresses, so they must be the same each time.
	const sandbox = startSandbox({ port: 18_787 }).catch(async () => await startSandbox());
	const bench = await startBench(findHost(version), tarball, env, sandbox);
	try {
		const browser = await openChromium();
		const page = await openPage(browser, bench.client.url);
		const close = async () => {
			await browser.close();
			await bench.stop();
		};
		return Object.assign(bench, { page, takesPictures, close });
	} catch (error) {
		await bench.stop();
		throw error;
	}
}

async function openPage(browser: Awaited<ReturnType<typeof openChromium>>, baseURL: string) {
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({
		...{ baseURL, viewport, deviceScaleFactor: 1, locale: 'en-GB', timezoneId: 'Etc/UTC' },
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	// The editor asks before it discards changes.
	page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
	return page;
}
