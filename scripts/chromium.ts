import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { Problem } from './problem';

const executable = process.env.CHROMIUM || '/usr/bin/chromium';

const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--no-first-run',
];

/** @throws Problem where there is no browser to drive */
export function assertChromium(): void {
	if (existsSync(executable)) return;
	throw new Problem(
		`There is no browser at ${executable}: install Chromium (Debian: apt-get install chromium), or name yours with CHROMIUM=/path/to/chromium.`,
	);
}

export async function openChromium(): Promise<Browser> {
	return await chromium.launch({ executablePath: executable, args: flags });
}
