import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { NodeJson, WorkflowJson } from '../../scripts/n8n/client';
import { temporaryOwner } from '../../scripts/start/account';
import { eventually } from '../eventually';
import type { Stage } from './stage';
import { inLine } from './workflows';

export async function signIn({ page }: Stage): Promise<void> {
	await page.goto('/signin');
	await page.locator('input[name=emailOrLdapLoginId]').fill(temporaryOwner.email);
	await page.locator('input[name=password]').fill(temporaryOwner.password);
	await page.getByTestId('form-submit-button').click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}

/** Stores a workflow, opens it on the canvas, and returns its ID. */
export async function openWorkflow({ page, client }: Stage, workflow: WorkflowJson) {
	const { id } = await client.createWorkflow(workflow);
	await page.goto(`/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
	return id;
}

export function canvasNode(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Name and subtitle below a node on the canvas. */
export async function captionOf(page: Page, name: string): Promise<string[]> {
	const text = await canvasNode(page, name).getByTestId('canvas-default-node').innerText();
	return text.split('\n').filter((line) => line.trim() !== '');
}

export async function openNode(page: Page, name: string): Promise<void> {
	await canvasNode(page, name).getByTestId('canvas-default-node').dblclick();
	await page.getByTestId('ndv').getByTestId('node-parameters').waitFor();
}

/** Stores a workflow of these nodes in line, and opens the last of them. */
export async function openInLine(stage: Stage, name: string, ...nodes: NodeJson[]): Promise<void> {
	await openWorkflow(stage, inLine(stage, name, ...nodes));
	await openNode(stage.page, nodes.at(-1)?.name ?? '');
}

export async function closeNode(page: Page): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Runs the whole workflow and waits until each line says how many items went along it, and all has ended. */
export async function executeWorkflow(page: Page): Promise<void> {
	await page.getByTestId('execute-workflow-button').click();
	await eventually(async () => {
		const lines = await page.getByTestId('edge-label').allInnerTexts();
		assert.ok(
			lines.length > 0 && lines.every((text) => /\d+ items?/.test(text)),
			`the lines say: ${lines.join(', ')}`,
		);
	}, 60_000);
	await page.getByTestId('stop-execution-button').waitFor({ state: 'hidden', timeout: 60_000 });
}

/** Runs the open node and those before it, and waits until its output says how that ended. */
export async function executeStep(page: Page, ending: 'success' | 'danger'): Promise<void> {
	// What ended before is shown until the run has begun.
	await Promise.all([
		page.waitForResponse((response) => response.url().endsWith('/run')),
		page.getByTestId('node-execute-button').click(),
	]);
	const ended = outputPanel(page).getByTestId(`node-run-status-${ending}`);
	await ended.waitFor({ timeout: 120_000 });
}

export function outputPanel(page: Page): Locator {
	return page.getByTestId('output-panel');
}

export async function waitForHint(page: Page, text: string): Promise<void> {
	const hint = outputPanel(page).getByTestId('node-hint').filter({ hasText: text });
	await hint.first().waitFor();
}

/** The rows of the output table, by column, once the editor has drawn it. */
export async function outputTable(page: Page): Promise<Array<Record<string, string>>> {
	await outputPanel(page).getByTestId('radio-button-table').click();
	const table = outputPanel(page).getByTestId('ndv-data-container').locator('table');
	const rows = async () =>
		await Promise.all(
			(await table.locator('tbody tr').all()).map(
				async (row) => await row.locator('td').allInnerTexts(),
			),
		);
	await eventually(async () => {
		for (const cells of await rows()) assert.ok(cells.some((text) => text.trim() !== ''));
		assert.ok((await table.locator('thead th').allInnerTexts()).some(Boolean), 'it has a head');
	});
	const columns = (await table.locator('thead th').allInnerTexts()).map((text) => text.trim());
	return (await rows()).map((cells) => {
		const named = columns.map((column, index) => [column, (cells[index] ?? '').trim()] as const);
		return Object.fromEntries(named.filter(([column]) => column !== ''));
	});
}

/** Moves the form to the left, so that more of the output's columns are seen. */
export async function widenOutput(page: Page): Promise<void> {
	const to = { targetPosition: { x: 335, y: 400 } };
	await page.getByTestId('panel-drag-button').dragTo(page.getByTestId('ndv'), to);
	await eventually(async () => {
		const { width = 0 } = (await outputPanel(page).boundingBox()) ?? {};
		assert.ok(width > 700, 'the output is wide');
	});
}
