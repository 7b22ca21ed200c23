import { strict as assert } from 'node:assert';
import type { Page, Request, Route } from 'playwright-core';
import type { Sandbox } from '../../../sandbox/index';
import { expectWords, gauge } from './reading';

export interface Held {
	/** The requests so far, in the order in which the page sent them. */
	requests: Request[];
	/** Releases the waiting requests and all later ones. */
	release: () => void;
}

/** Holds the requests to a path back until they are released. Then `answer` answers them, or else the sandbox. */
export async function hold(
	page: Page,
	path: string,
	answer?: Parameters<Route['fulfill']>[0],
): Promise<Held> {
	const requests: Request[] = [];
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	await page.route(`**${path}*`, async (route) => {
		requests.push(route.request());
		await released;
		await (answer ? route.fulfill(answer) : route.continue());
	});
	return { requests, release };
}

/** Has the sandbox send its state, and waits until the page shows it. The limit must differ from the one before. */
export async function update(
	{ page, sandbox }: { page: Page; sandbox: Sandbox },
	smsLimit: number,
): Promise<void> {
	sandbox.configure({ limits: { sms: smsLimit } });
	await expectWords(gauge(page, 'SMS'), `of ${smsLimit}`);
}

/** Clears the errors of the console. They may only be the refused requests, which the browser itself logs. */
export function expectOnlyFailedRequests(errors: string[]): void {
	assert.deepEqual(
		errors.filter((text) => !text.includes('Failed to load resource')),
		[],
	);
	errors.length = 0;
}
