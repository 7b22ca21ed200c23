import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { buildTarball } from '../../scripts/n8n/package';
import { cacheFolder } from '../../scripts/paths';
import { say, step } from '../../scripts/steps';
import { Report } from '../live/report';
import { assertChromium } from '../../scripts/chromium';
import { runSuite } from '../live/suite';
import { signIn } from './editor';
import { answerByKeyboard, answerByText, answerOnPhone } from './scenarios/asking';
import { createCredential, limitRecipients, partnerCredential } from './scenarios/credentials';
import { errorOutput } from './scenarios/errorOutput';
import { announce, openExample, runSamples, uploadCsv } from './scenarios/example';
import { dragAttributes, emailForm, schedule } from './scenarios/forms';
import { addFromNodePanel, darkTheme, preselectedCredential } from './scenarios/nodePanel';
import { pushForm } from './scenarios/pushForm';
import {
	outputBeforeTheRun,
	previewByHand,
	refusedRow,
	skipBySafetyLimits,
	skipSentBefore,
} from './scenarios/runs';
import { testToYourself, viewHostile, viewPreviews, viewReceipt } from './scenarios/previews';
import { openStage, type Stage } from './stage';

/** The version in which every scenario runs and the pictures are taken. */
const version = '2.8.4';
/** Each with a way to store binary data, as n8n 3 leaves them. */
const otherVersions = { '1.123.81': 'filesystem', '2.41.3': 'database' };

/** Those of nightly take long, and tests without a browser show most of what they do. */
const scenarios: Array<[string, (stage: Stage) => Promise<void>, 'nightly'?]> = [
	['The node panel finds the node, lists its actions and adds it', addFromNodePanel],
	['A new node takes the credential with the API key', preselectedCredential],
	['A credential is created; its test turns red, then green', createCredential],
	['Safety limits: the credential limits recipients to a list', limitRecipients, 'nightly'],
	[
		'Safety limits: a run skips who has not agreed and who comes twice',
		skipBySafetyLimits,
		'nightly',
	],
	['Partner Token asks for the partner credential', partnerCredential, 'nightly'],
	['The push form follows the operation', pushForm],
	['The email form asks for a campaign', emailForm, 'nightly'],
	['Columns dragged to the attributes keep their types', dragAttributes, 'nightly'],
	['A schedule asks for a date, or for weekdays and a time', schedule, 'nightly'],
	['A node lists the fields of the output before the first run', outputBeforeTheRun, 'nightly'],
	['A title that is too long is refused by item and field', refusedRow],
	['A broadcast by hand is previewed and not sent', previewByHand],
	['A preview shows a push, an SMS and an email in the viewer', viewPreviews],
	['A preview of hostile texts runs nothing and loads nothing in the viewer', viewHostile],
	['A receipt shows in the viewer what was sent', viewReceipt, 'nightly'],
	['A test goes to the test recipient, and the hint says so', testToYourself],
	['Send Once skips what was sent before, and the hint says so', skipSentBefore],
	['A bad row leaves by the error output', errorOutput],
	['An example opens without a warning and runs by hand', openExample],
	['The Execute button of each example runs its sample', runSamples, 'nightly'],
	["The announcement's form comes back filled in, and ends by saying what happened", announce],
	['A CSV file is uploaded, and the rows to correct come back as a file', uploadCsv],
	['A question is answered by a tap on a phone', answerOnPhone],
	['A question is answered by keyboard, in the dark', answerByKeyboard],
	['A question is answered by a text', answerByText],
	['The icon stands out in the dark theme', darkTheme, 'nightly'],
];

/**
 * Each version has a different viewer, its own forms, its own way to serve the page of a question, and ways of
 * its own to choose a credential and list fields.
 */
const everywhere: unknown[] = [
	...[viewPreviews, viewHostile, preselectedCredential, outputBeforeTheRun],
	...[announce, uploadCsv, answerOnPhone, answerByKeyboard, answerByText],
];

/**
 * `main.ts [--all] [word…]`: drives the editor of a real n8n as a person would, and takes the pictures of the
 * documentation. With words, runs only the scenarios whose names contain one of them. With words or `--all`, some
 * are tried in the other versions too, and the Execute button of each example.
 */
async function main(): Promise<void> {
	assertChromium();
	const tarball = await step('Building and packing the node', buildTarball);
	const report = new Report();
	const words = process.argv
		.slice(2)
		.filter((argument) => argument !== '--all')
		.map((word) => word.toLowerCase());
	const isInAll = words.length > 0 || process.argv.includes('--all');
	const asked = scenarios.filter(
		([name, , when]) =>
			(isInAll || when !== 'nightly') &&
			(words.length === 0 || words.some((word) => name.toLowerCase().includes(word))),
	);
	await playAll(version, tarball, asked, report);
	for (const [other, mode] of isInAll ? Object.entries(otherVersions) : []) {
		const inEach = asked.filter(([, play]) => everywhere.includes(play));
		const env = { N8N_DEFAULT_BINARY_DATA_MODE: mode };
		if (inEach.length > 0) await playAll(other, tarball, inEach, report, env);
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

async function playAll(
	inVersion: string,
	tarball: string,
	asked: typeof scenarios,
	report: Report,
	env: NodeJS.ProcessEnv = {},
): Promise<void> {
	const column = `n8n ${inVersion}`;
	const stage = await step(
		`Starting n8n ${inVersion}, the sandbox and Chromium`,
		async () => await openStage(inVersion, tarball, inVersion === version, env),
	);
	try {
		const isIn = await report.check(column, 'The owner signs in', async () => await signIn(stage));
		for (const [scenario, play] of isIn ? asked : []) {
			await report.check(column, scenario, async () => await playOut(stage, scenario, play));
		}
	} finally {
		await stage.close();
	}
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

runSuite(main);
