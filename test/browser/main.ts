import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildTarball } from '../../scripts/n8n/package';
import { cacheFolder } from '../../scripts/paths';
import { explain } from '../../scripts/problem';
import { say, step } from '../../scripts/steps';
import { Report } from '../live/report';
import { assertChromium } from '../../scripts/chromium';
import { signIn } from './editor';
import { createCredential, partnerCredential } from './scenarios/credentials';
import { errorOutput } from './scenarios/error-output';
import { openExample } from './scenarios/example';
import { emailForm, schedule } from './scenarios/forms';
import { addFromNodePanel, darkTheme } from './scenarios/node-panel';
import { pushForm } from './scenarios/push-form';
import { previewByHand, refusedRow, sendByHand, wholeWorkflow } from './scenarios/runs';
import { openStage, type Stage } from './stage';

const version = '2.8.4';
const column = `n8n ${version}`;

const scenarios: Array<[string, (stage: Stage) => Promise<void>]> = [
	['The node panel finds the node, lists its actions and adds it', addFromNodePanel],
	['A credential is created; its test turns red, then green', createCredential],
	['Partner Token asks for the partner credential', partnerCredential],
	['The push form follows the operation', pushForm],
	['The email form asks for a campaign', emailForm],
	['A schedule asks for a date, or for weekdays and a time', schedule],
	['A push is sent by hand to three platforms', sendByHand],
	['A title too long is refused by item and field', refusedRow],
	['A broadcast by hand is previewed and not sent', previewByHand],
	['A whole workflow runs from the canvas', wholeWorkflow],
	['A bad row leaves by the error output', errorOutput],
	['An example opens without a warning and runs by hand', openExample],
	['The icon stands out in the dark theme', darkTheme],
];

/**
 * `main.ts [word…]`: drives the editor of a real n8n as a person would, and takes the pictures of the
 * documentation. With words, only the scenarios whose names hold one of them.
 */
async function main(): Promise<void> {
	assertChromium();
	const tarball = await step('Building and packing the node', buildTarball);
	const stage = await step(
		`Starting n8n ${version}, the sandbox and Chromium`,
		async () => await openStage(version, tarball),
	);
	const report = new Report();
	const words = process.argv.slice(2).map((word) => word.toLowerCase());
	const asked = scenarios.filter(
		([name]) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word)),
	);
	try {
		const isIn = await report.check(column, 'The owner signs in', async () => await signIn(stage));
		for (const [scenario, play] of isIn ? asked : []) {
			await report.check(column, scenario, async () => await playOut(stage, scenario, play));
		}
	} finally {
		await stage.close();
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

async function playOut(
	stage: Stage,
	scenario: string,
	play: (stage: Stage) => Promise<void>,
): Promise<void> {
	stage.sandbox.reset();
	try {
		await play(stage);
	} catch (error) {
		const folder = path.join(cacheFolder, 'browser');
		mkdirSync(folder, { recursive: true });
		const file = path.join(folder, `${scenario.toLowerCase().replace(/\W+/g, '-')}.png`);
		await stage.page.screenshot({ path: file }).then(
			() => say(`What it looked like: ${file}`),
			() => say('No picture could be taken of it'),
		);
		throw error;
	}
}

// Leaving is enough: what was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.on(signal, () => process.exit(130));

main().catch((error: unknown) => {
	console.error(explain(error));
	console.log('0 passed, 1 failed');
	process.exit(1);
});
