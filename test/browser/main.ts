import path from 'node:path';
import { assertChromium } from '../../scripts/chromium';
import { buildTarball } from '../../scripts/n8n/package';
import { cacheFolder } from '../../scripts/paths';
import { say, step } from '../../scripts/steps';
import { readCommandLine } from '../commandLine';
import { runSuite, type Report } from '../live/report';
import { signIn } from './editor';
import { scenarios } from './scenario';
import './scenarios/nodePanel';
import './scenarios/forms';
import './scenarios/runs';
import './scenarios/previews';
import './scenarios/example';
import './scenarios/asking';
import { openStage, type Stage } from './stage';

/** The version in which every scenario runs and the pictures are taken. */
const version = '2.8.4';
/** Each with a way to store binary data, as n8n 3 leaves them. */
const otherVersions = { '1.123.81': 'filesystem', '2.41.3': 'database' };

/**
 * `main.ts [--all] [word…]`: drives the editor of a real n8n as a person would, and takes the pictures of the
 * documentation. With words, runs only the scenarios whose names contain one of them. With words or `--all`, some
 * are tried in the other versions too, and the Execute button of each example.
 */
async function main(report: Report): Promise<void> {
	assertChromium();
	const tarball = await step('Building and packing the node', buildTarball);
	const { isAsked, takesAll } = readCommandLine();
	const asked = scenarios.filter(
		({ title, isNightly }) => (takesAll || !isNightly) && isAsked(title),
	);
	await playAll(version, tarball, asked, report);
	for (const [other, mode] of takesAll ? Object.entries(otherVersions) : []) {
		const inEach = asked.filter(({ inEachVersion }) => inEachVersion);
		const env = { N8N_DEFAULT_BINARY_DATA_MODE: mode };
		if (inEach.length > 0) await playAll(other, tarball, inEach, report, env);
	}
}

async function playAll(
	inVersion: string,
	tarball: string,
	asked: typeof scenarios,
	report: Report,
	env?: NodeJS.ProcessEnv,
): Promise<void> {
	const takesPictures = inVersion === version;
	const start = async () => await openStage(inVersion, tarball, takesPictures, env);
	const plays = asked.map(
		(scenario) => [scenario.title, async (stage: Stage) => await playOut(stage, scenario)] as const,
	);
	const signingIn = ['The owner signs in', signIn] as const;
	const starting = ['n8n, the sandbox and Chromium start', start] as const;
	await report.play(`n8n ${inVersion}`, starting, [signingIn, ...plays]);
}

async function playOut(stage: Stage, { title, play }: (typeof scenarios)[number]): Promise<void> {
	stage.sandbox.reset();
	try {
		await play(stage);
	} catch (error) {
		const name = title.toLowerCase().replace(/\W+/g, '-');
		const file = path.join(cacheFolder, 'browser', `${name}.png`);
		await stage.page.screenshot({ path: file }).catch(() => undefined);
		say(`What it looked like: ${file}`);
		throw error;
	}
}

runSuite(main);
