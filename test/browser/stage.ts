import { selectors, type Page } from 'playwright-core';
import { startSandbox } from '../../sandbox/index';
import { openChromium } from '../../scripts/chromium';
import { findHost } from '../../scripts/n8n/hosts';
import { startBench, type CrashableBench } from '../live/crashable';

/** One running n8n with a sandbox, both credentials, and its editor in a browser. */
export interface Stage extends CrashableBench {
	page: Page;
	/** Whether the documentation's pictures are taken here. */
	takesPictures: boolean;
}

export const viewport = { width: 1400, height: 900 };
const PATIENCE_MS = 90_000;

export async function openStage(
	version: string,
	tarball: string,
	takesPictures: boolean,
	env?: NodeJS.ProcessEnv,
): Promise<Stage> {
	// Pictures show the addresses, so they must be the same each time.
	const sandbox = await startSandbox({ port: 18_787 }).catch(async () => await startSandbox());
	const bench = await startBench(findHost(version), tarball, { env, sandbox });
	const browser = await openChromium();
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({
		...{ baseURL: bench.client.url, viewport, deviceScaleFactor: 1, locale: 'en-GB' },
		...{ timezoneId: 'Etc/UTC', reducedMotion: 'reduce' },
	});
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	// The editor asks before it discards changes.
	page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
	const stopBench = bench.stop;
	const stop = async () => {
		await browser.close();
		await stopBench();
	};
	return Object.assign(bench, { page, takesPictures, stop });
}
