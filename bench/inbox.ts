/**
 * Measures the inbox page with 10,000 messages: how long it takes to show, to filter and to search them,
 * and how much memory they need. Run by `npm run bench:inbox`; prints a Markdown table.
 */
import { cpus } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { max, median, min } from 'simple-statistics';
import { startSandbox, type Sandbox } from '../sandbox/index';
import { pageBundle } from '../sandbox/inbox/bundle';
import { openChromium } from '../scripts/chromium';
import { email, push, send, sms } from '../sandbox/support/sampleRequests';

const MESSAGES = 10_000;
const RUNS = 9;
const AT_ONCE = 20;

type Measured = Record<string, number>;

/** Runs before the page's own script. Records when the newest row is shown and when all rows were received. */
const notes = `
	window.noted = {};
	new MutationObserver(() => {
		const row = document.querySelector('[role=option][aria-posinset="1"]');
		if (row && !noted.newest) noted.newest = performance.now();
		if (row?.getAttribute('aria-setsize') === '${MESSAGES}' && !noted.all) noted.all = performance.now();
	}).observe(document, { childList: true, subtree: true, attributes: true });
`;

/** The time from the event until the list with this many rows is painted. */
const timed = (event: string, rows: number) => `(async () => {
	const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
	await frame();
	const start = performance.now();
	${event}
	do await frame(); while (document.querySelector('[role=option][aria-setsize]')?.getAttribute('aria-setsize') !== '${rows}');
	return performance.now() - start;
})()`;

const choose = (label: string, value: string) =>
	`{ const field = document.querySelector('.filters [aria-label="${label}"]'); field.value = '${value}'; field.dispatchEvent(new Event('change', { bubbles: true })); }`;
const type = (text: string) =>
	`{ const field = document.querySelector('[type=search]'); field.value = '${text}'; field.dispatchEvent(new Event('input', { bubbles: true })); }`;

async function fill(sandbox: Sandbox): Promise<void> {
	const numbers = Array.from({ length: MESSAGES }, (_, index) => index);
	const sendNext = async () => {
		for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
			const user_id = `C-${number}`;
			if (number % 4 === 0)
				await send(sandbox, '/api/v1/sendMessage', { ...email, email: `${user_id}@example.com` });
			else if (number % 4 === 1)
				await send(sandbox, '/api/v1/sendMessage', { ...sms, mobile: undefined, user_id });
			else await send(sandbox, '/api/v1/ios/send', { ...push, user_id });
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
}

async function measure(browser: Browser, url: string): Promise<Measured> {
	const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
	try {
		const page = await context.newPage();
		await page.addInitScript(notes);
		await page.goto(url);
		await page.locator(`[role=option][aria-setsize="${MESSAGES}"]`).first().waitFor();
		const { newest = NaN, all = NaN } = await page.evaluate<{ newest?: number; all?: number }>(
			'noted',
		);
		const paint = await page.evaluate<number>(
			`performance.getEntriesByName('first-contentful-paint')[0].startTime`,
		);
		const ms = async (script: string) => await page.evaluate<number>(script);
		return {
			'First contentful paint (ms)': paint,
			'Newest message in the list (ms)': newest,
			'All 10,000 in the list (ms)': all,
			'Filter by channel (ms)': await ms(timed(choose('Channel', 'sms'), MESSAGES / 4)),
			'Filter taken off (ms)': await ms(timed(choose('Channel', ''), MESSAGES)),
			'Search for one user (ms)': await ms(timed(type('c-9876'), 1)),
			'Search emptied (ms)': await ms(timed(type(''), MESSAGES)),
			'JavaScript heap (MB)': await measureHeap(page),
			'Rows in the document': await page.locator('[role=listbox] [role=option]').count(),
		};
	} finally {
		await context.close();
	}
}

/** The memory in use after a garbage collection, in megabytes. */
async function measureHeap(page: Page): Promise<number> {
	const session = await page.context().newCDPSession(page);
	await session.send('HeapProfiler.collectGarbage');
	const { usedSize } = await session.send('Runtime.getHeapUsage');
	return usedSize / 1e6;
}

async function main(): Promise<void> {
	const sandbox = await startSandbox({
		separateHosts: false,
		limits: { push: MESSAGES, email: MESSAGES, sms: MESSAGES },
	});
	const browser = await openChromium();
	try {
		await fill(sandbox);
		// The first one builds the bundle and warms up the browser.
		await measure(browser, sandbox.url);
		const runs: Measured[] = [];
		for (let run = 0; run < RUNS; run++) runs.push(await measure(browser, sandbox.url));

		console.log(
			`${RUNS} runs, each in a new page; Chromium ${browser.version()}, Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`,
		);
		console.log('| | median | least | most |\n|---|--:|--:|--:|');
		for (const name of Object.keys(runs[0] ?? {})) {
			const values = runs.map((measured) => measured[name] ?? NaN);
			console.log(
				`| ${name} | ${[median(values), min(values), max(values)].map((value) => value.toFixed(0)).join(' | ')} |`,
			);
		}
		console.log('\n| file | bytes | gzipped |\n|---|--:|--:|');
		for (const [name, text] of Object.entries(await pageBundle())) {
			console.log(`| ${name} | ${Buffer.byteLength(text)} | ${gzipSync(text).length} |`);
		}
	} finally {
		await browser.close();
		await sandbox.close();
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
