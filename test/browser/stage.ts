import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { selectors, type Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../sandbox/index';
import { N8nClient } from '../../scripts/n8n/client';
import { findHost } from '../../scripts/n8n/hosts';
import { installHost } from '../../scripts/n8n/installHost';
import { installTarball } from '../../scripts/n8n/package';
import { freePort } from '../../scripts/n8n/ports';
import { startServer } from '../../scripts/n8n/server';
import { signInAsOwner } from '../../scripts/start/account';
import { sandboxCredentials } from '../../scripts/start/sandboxCredentials';
import type { Bench } from '../live/bench';
import { openChromium } from '../../scripts/chromium';

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
	env: NodeJS.ProcessEnv = {},
): Promise<Stage> {
	const userFolder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-browser-'));
	const parts: Array<() => Promise<unknown> | void> = [
		() => rmSync(userFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
	];
	const close = async () => {
		for (const end of parts.splice(0).reverse()) await end();
	};
	try {
		const sandbox = await sandboxAtSteadyPorts();
		parts.push(sandbox.close);
		const host = findHost(version);
		await installHost(host);
		await installTarball(tarball, userFolder);
		const server = await startServer(host, { userFolder, port: await freePort(), env });
		parts.push(server.stop);

		const client = new N8nClient(server.url);
		await signInAsOwner(client);
		const credentialIds: Record<string, string> = {};
		for (const { id, ...credential } of sandboxCredentials(sandbox.urls)) {
			credentialIds[id] = (await client.createCredential(credential)).id;
		}

		const browser = await openChromium();
		parts.push(async () => await browser.close());
		const page = await openPage(browser, server.url);
		return { version, client, sandbox, credentialIds, page, takesPictures, close };
	} catch (error) {
		await close();
		throw error;
	}
}

// Pictures show the addresses, so they must be the same each time.
async function sandboxAtSteadyPorts(): Promise<Sandbox> {
	return await startSandbox({ port: 18_787 }).catch(async () => await startSandbox());
}

async function openPage(
	browser: Awaited<ReturnType<typeof openChromium>>,
	baseURL: string,
): Promise<Page> {
	selectors.setTestIdAttribute('data-test-id');
	const context = await browser.newContext({
		baseURL,
		viewport,
		deviceScaleFactor: 1,
		locale: 'en-GB',
		timezoneId: 'Etc/UTC',
		reducedMotion: 'reduce',
	});
	context.setDefaultTimeout(PATIENCE_MS);
	const page = await context.newPage();
	// The editor asks before it discards changes.
	page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
	return page;
}
