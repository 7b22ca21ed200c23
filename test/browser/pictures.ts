import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repository } from '../../scripts/paths';
import { canvasNode } from './editor';
import { viewport } from './stage';

const folder = path.join(repository, 'docs', 'images');

// The captions are outside of the element that is the node.
const CAPTION_MARGIN = 100;

// Passing messages and the blinking of a focused field would differ from one picture to the next.
const STILL =
	'.el-notification { display: none !important } * { caret-color: transparent !important }';

/** The smallest part of the page that holds all of these, with a margin. */
export async function picture(page: Page, name: string, parts: Locator[], margin = 12) {
	mkdirSync(folder, { recursive: true });
	await page.screenshot({
		path: path.join(folder, `${name}.png`),
		animations: 'disabled',
		style: STILL,
		clip: await around(page, parts, margin),
	});
}

/** The open node with its input and output, or the open credential. */
export async function nodePicture(page: Page, name: string, dialog = 'ndv'): Promise<void> {
	await letGo(page);
	await picture(page, name, [page.getByTestId(dialog)], 0);
}

/** These nodes of the canvas, with their captions. */
export async function canvasPicture(page: Page, name: string, nodes: string[]): Promise<void> {
	await letGo(page);
	const parts = nodes.map((node) => canvasNode(page, node));
	await picture(page, name, parts, CAPTION_MARGIN);
}

/** The form of the open node, without input and output. */
export async function formPicture(page: Page, name: string): Promise<void> {
	await page.setViewportSize({ ...viewport, height: 1500 });
	try {
		await letGo(page);
		const corners = ['tab-params', 'node-execute-button', 'collection-parameter-add'];
		const parts = corners.map((corner) => page.getByTestId(corner).last());
		await picture(page, name, parts);
	} finally {
		await page.setViewportSize(viewport);
	}
}

async function around(page: Page, parts: Locator[], margin: number) {
	const boxes = await Promise.all(
		parts.map(async (part) => {
			const box = await part.boundingBox();
			if (!box) throw new Error(`Nothing to take a picture of: ${part.toString()}`);
			return box;
		}),
	);
	const { width = 0, height = 0 } = page.viewportSize() ?? {};
	const x = Math.max(0, Math.min(...boxes.map((box) => box.x)) - margin);
	const y = Math.max(0, Math.min(...boxes.map((box) => box.y)) - margin);
	const right = Math.min(width, Math.max(...boxes.map((box) => box.x + box.width)) + margin);
	const bottom = Math.min(height, Math.max(...boxes.map((box) => box.y + box.height)) + margin);
	return { x, y, width: right - x, height: bottom - y };
}

/** No field focused, nothing under the pointer. */
export async function letGo(page: Page): Promise<void> {
	await page.evaluate('document.activeElement?.blur()');
	await page.mouse.move(1, 1);
}
