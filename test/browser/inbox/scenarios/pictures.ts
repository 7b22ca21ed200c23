import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { repository } from '../../../../scripts/paths';
import { letGo } from '../../pictures';
import { sendExamples } from '../examples';
import { expectWords, openMessage } from '../reading';
import type { Stage } from '../stage';
import { writeIfOther } from '../steadyPicture';

/** The clock of the pictures. */
export const frozenAt = '2026-11-21T09:30:00Z';

const folder = path.join(repository, 'docs', 'images');

async function take(page: Page, name: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await letGo(page);
	const png = await page.screenshot({ animations: 'disabled' });
	await writeIfOther(page.context(), path.join(folder, `${name}.png`), png);
}

/** Opens one of the examples and takes a picture of the page around it. */
const pictureOf =
	(name: string, title: string) =>
	async ({ page, sandbox, errors }: Stage): Promise<void> => {
		await sendExamples(sandbox, new Date(frozenAt));
		await expectWords(page.locator('.totals'), '11 arrivals');
		const shown = await openMessage(page, title);
		const frame = shown.locator('iframe');
		if (await frame.count()) await frame.contentFrame().locator('body').waitFor();
		await take(page, name);
		// The fixed clock is injected into every frame, which the frame of an email refuses.
		const refusals = errors.filter((text) =>
			text.includes("frame is sandboxed and the 'allow-scripts'"),
		);
		if (refusals.length === errors.length) errors.length = 0;
	};

export const inboxLight = pictureOf('inbox-light', 'Your order is on its way');
export const inboxDark = pictureOf('inbox-dark', 'Free delivery this weekend');
export const inboxEmail = pictureOf('inbox-email', 'Warm colours, soft wool');
export const inboxPhone = pictureOf('inbox-phone', 'Your order is on its way');
