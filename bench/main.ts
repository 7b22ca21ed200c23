/** Compares this package with its alternatives. Run by `npm run bench`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../sandbox/random';
import { allHosts, canRun, findHost } from '../scripts/n8n/hosts';
import { installHost } from '../scripts/n8n/installHost';
import { buildTarball } from '../scripts/n8n/package';
import { repository } from '../scripts/paths';
import { explain, Problem } from '../scripts/problem';
import { say, step } from '../scripts/steps';
import { againstHttpRequest } from './againstHttpRequest';
import { atTheLimit } from './atTheLimit';
import { growth } from './growth';
import { largeEmails } from './largeEmails';
import { machine } from './machine';
import { packBenchNodes } from './nodes/package';
import type { Bench, Part } from './part';
import { report, writePage, type Results } from './report';
import { SandboxProcess } from './sandboxProcess';
import { sendOnce } from './sendOnce';
import { smallBesideLarge } from './smallBesideLarge';
import { stopAllStages, withStage, withStages } from './stage';
import { start } from './start';

const usage = `Usage: npm run bench -- [parts] [options]

  parts      numbers of the parts to measure: 1 against HTTP Request, 2 at the limit, 4 small beside large,
             5 growth, 6 start, 7 Send Once, 8 large emails; all by default.
             The results are shown here and kept in bench/results.json. docs/contributing/performance.md and
             README.md get their medians; other parts keep their figures
  --quick    smaller figures, to see whether everything works; shown here, never kept
  --report   measures nothing, and shows and writes the last results once more
  --help     this text
`;

const STANDARD = '2.8.4';
const SEED = 20;
const PARTS: Part[] = [
	againstHttpRequest,
	atTheLimit,
	smallBesideLarge,
	growth,
	start,
	sendOnce,
	largeEmails,
];
const resultsFile = path.join(__dirname, 'results.json');

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			quick: { type: 'boolean', default: false },
			report: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) {
		console.log(usage);
	} else if (values.report) {
		const results = readResults();
		writePage(results, PARTS);
		console.log(report(results, PARTS));
	} else {
		const chosen = positionals.length === 0 ? PARTS : positionals.map(findPart);
		await measure(chosen, values.quick, (results) => {
			console.log(`\n${report(results, PARTS)}`);
			if (values.quick) return;
			const all = { ...results, parts: { ...readResults().parts, ...results.parts } };
			writeFileSync(resultsFile, `${JSON.stringify(all)}\n`);
			writePage(all, PARTS);
		});
	}
}

function readResults(): Results {
	return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

function findPart(text: string): Part {
	const part = PARTS.find(({ number }) => String(number) === text);
	if (!part) throw new Problem(`There is no part ${text}.\n\n${usage}`);
	return part;
}

/** @param measured called with the results after each part, so that none is lost if a later one fails */
async function measure(
	parts: Part[],
	isQuick: boolean,
	measured: (results: Results) => void,
): Promise<void> {
	const newest = allHosts().find(canRun)?.version ?? STANDARD;
	for (const version of new Set([STANDARD, newest])) await installHost(findHost(version));
	// Commits that follow during the measurement do not change what was built.
	const built = commit();
	const ours = await step('Building and packing the node', buildTarball);
	const tarballs = { ours, bench: await packBenchNodes() };
	const sandboxes = new SandboxProcess();
	const bench: Bench = {
		isQuick,
		sandboxes,
		newest,
		standard: STANDARD,
		seed: SEED,
		random: seededRandom(SEED),
		onStages: async (version, contenders, work) =>
			await withStages(version, contenders, tarballs, work),
		onStage: async (version, work) => await withStage(version, tarballs, work),
	};
	const results: Results = {
		seed: SEED,
		isQuick,
		machine: machine([STANDARD, newest]),
		parts: {},
	};
	try {
		for (const part of parts) {
			say(`${part.number}. ${part.title}`);
			const data = await part.measure(bench);
			results.parts[part.number] = {
				date: new Date().toISOString().slice(0, 10),
				commit: built,
				load: loadavg()[1] ?? NaN,
				data,
			};
			measured(results);
		}
	} finally {
		sandboxes.stop();
	}
}

function commit(): string {
	const git = (...args: string[]) =>
		execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
	const changed = git('status', '--porcelain', '--', 'nodes', 'credentials', 'package.json');
	return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : ' with changes');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => void stopAllStages().finally(() => process.exit(130)));
}

main().then(
	() => process.exit(0),
	async (error: unknown) => {
		console.error(explain(error));
		await stopAllStages();
		process.exit(1);
	},
);
