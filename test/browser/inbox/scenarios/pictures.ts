import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../../../scripts/paths';
import { letGo } from '../../pictures';
import { sendExamples } from '../examples';
import { expectWords, openMessage } from '../reading';
import type { Stage } from '../stage';
import { writeIfOther } from '../steadyPicture';

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
