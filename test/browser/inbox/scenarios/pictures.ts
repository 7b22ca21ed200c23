import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { repository } from '../../../../scripts/paths';
import { letGo } from '../../pictures';
import { sendExamples } from '../examples';
import { expectWords, openMessage } from '../reading';
import type { Stage } from '../stage';

/** The clock of the picture. */
export const frozenAt = '2026-11-21T09:30:00Z';

const folder = path.join(repository, 'docs', 'images');

/** Opens one of the examples and takes a picture of the page around it. */
export async function inboxPicture({ page, sandbox }: Stage): Promise<void> {
	await sendExamples(sandbox, new Date(frozenAt));
	await expectWords(page.locator('.totals'), '11 arrivals');
	await openMessage(page, 'Your order is on its way');
	mkdirSync(folder, { recursive: true });
	await letGo(page);
	const png = await page.screenshot({ animations: 'disabled' });
	await writeIfOther(page.context(), path.join(folder, 'inbox-light.png'), png);
}

/** Chromium draws rounded corners slightly differently in each run. Some dozen pixels differ. */
const MOST_PIXELS = 200;

/** Writes a picture, unless the one that is there looks the same. */
async function writeIfOther(context: BrowserContext, file: string, png: Buffer): Promise<void> {
	if (existsSync(file) && (await differingPixels(context, readFileSync(file), png)) <= MOST_PIXELS)
		return;
	writeFileSync(file, png);
}

async function differingPixels(
	context: BrowserContext,
	one: Buffer,
	other: Buffer,
): Promise<number> {
	const page = await context.newPage();
	try {
		const [first, second] = [one, other].map(
			(png) => `data:image/png;base64,${png.toString('base64')}`,
		);
		return await page.evaluate(`(async () => {
			const pixels = async (address) => {
				const image = new Image();
				image.src = address;
				await image.decode();
				const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
				canvas.drawImage(image, 0, 0);
				return new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
			};
			const [one, other] = [await pixels('${first}'), await pixels('${second}')];
			return one.length === other.length ? one.filter((pixel, index) => pixel !== other[index]).length : Infinity;
		})()`);
	} finally {
		await page.close();
	}
}
