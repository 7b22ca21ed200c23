import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repository } from '../../scripts/paths';
import { viewport } from './stage';

const folder = path.join(repository, 'docs', 'images');

// Passing messages and the blinking of a focused field would differ from one picture to the next.
const STILL =
	'.el-notification { display: none !important } * { caret-color: transparent !important }';

/** The smallest part of the page that holds all of these, with a margin. */
export async function picture(page: Page, name: string, parts: Locator[], margin = 12) {
	await page.screenshot({
		path: path.join(folder, `${name}.png`),
		animations: 'disabled',
		style: STILL,
		clip: await around(page, parts, margin),
	});
}

/** The open node with its input and output, or the open credential. */
export async function nodePicture(page: Page, name: string, dialog = page.getByTestId('ndv')) {
	await letGo(page);
	await picture(page, name, [dialog], 0);
}

/** The form of the open node, without input and output. */
export async function formPicture(page: Page, name: string): Promise<void> {
	await page.setViewportSize({ ...viewport, height: 1500 });
	await letGo(page);
	const corners = ['tab-params', 'node-execute-button', 'collection-parameter-add'];
	const parts = corners.map((corner) => page.getByTestId(corner).last());
	await picture(page, name, parts);
	await page.setViewportSize(viewport);
}

async function around(page: Page, parts: Locator[], margin: number) {
	const corners = await Promise.all(
		parts.map(async (part) => {
			const box = await part.boundingBox();
			assert.ok(box, `there is ${part.toString()} to take a picture of`);
			return [box.x, box.y, box.x + box.width, box.y + box.height] as const;
		}),
	);
	const { width = 0, height = 0 } = page.viewportSize() ?? {};
	const x = Math.max(0, Math.min(...corners.map(([left]) => left)) - margin);
	const y = Math.max(0, Math.min(...corners.map(([, top]) => top)) - margin);
	const right = Math.min(width, Math.max(...corners.map(([, , edge]) => edge)) + margin);
	const bottom = Math.min(height, Math.max(...corners.map(([, , , edge]) => edge)) + margin);
	return { x, y, width: right - x, height: bottom - y };
}

/** No field focused, nothing under the pointer. */
export async function letGo(page: Page): Promise<void> {
	await page.evaluate('document.activeElement?.blur()');
	await page.mouse.move(1, 1);
}
