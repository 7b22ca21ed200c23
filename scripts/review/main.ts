import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { buildTarball } from '../n8n/package';
import { cacheFolder } from '../paths';
import { explain, Problem } from '../problem';
import { say, step } from '../steps';
import { stage } from './stage';
import { installTools, n8nNode, toolPackages } from './tool';

/** The scanner that n8n runs over a published package, with its rules, and no comment that switches one off. */
interface Scanner {
	analyzePackage: (
		folder: string,
		files?: string[],
	) => Promise<{ passed: boolean; message?: string; details?: string }>;
	/** What it looks at in the commit that a package was published from. */
	SOURCE_FILE_PATTERNS: string[];
}

async function scan(folder: string, filesOf?: (scanner: Scanner) => string[]): Promise<void> {
	const file = path.join(toolPackages, '@n8n/scan-community-package/scanner/scanner.mjs');
	const scanner = (await import(pathToFileURL(file).href)) as Scanner;
	const { passed, message, details } = await scanner.analyzePackage(folder, filesOf?.(scanner));
	if (!passed || message !== undefined) throw new Problem(details ?? message ?? 'It did not pass');
}

/** Unpacks the tarball as npm would install it. */
async function unpack(): Promise<string> {
	const tarball = await step('Building and packing the node', buildTarball);
	const folder = path.join(cacheFolder, 'scan');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	return folder;
}

/** What is checked, with `folder` as a copy of what n8n reviews. */
const checks: Array<[title: string, work: (folder: string) => Promise<void>]> = [
	[
		'n8n-node cloud-support: eligible for n8n Cloud',
		async (folder) => {
			const status = stripVTControlCharacters(await n8nNode(['cloud-support'], folder));
			if (!status.includes('Status: eligible')) throw new Problem(status);
		},
	],
	[
		'n8n-node lint, strict: no errors and no warnings',
		async (folder) => {
			const findings = stripVTControlCharacters(await n8nNode(['lint'], folder));
			if (/\d+ problems?/.test(findings)) throw new Problem(findings);
		},
	],
	[
		"n8n's scanner, on nodes/, credentials/ and package.json: no errors",
		async (folder) => await scan(folder, ({ SOURCE_FILE_PATTERNS }) => SOURCE_FILE_PATTERNS),
	],
	[
		"n8n's scanner, on every file of the tarball: no errors",
		async () => await scan(await unpack()),
	],
];

/** Checks the package with n8n's tools: its linter in strict mode, its check for n8n Cloud, and its scanner. */
async function main(): Promise<void> {
	await installTools();
	const folder = stage();
	let failed = 0;
	for (const [title, work] of checks) {
		try {
			await work(folder);
			say(`passed  ${title}`);
		} catch (error) {
			failed++;
			say(`FAILED  ${title}\n${explain(error)}`);
		}
	}
	console.log(`${checks.length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
	console.error(explain(error));
	console.log('0 passed, 1 failed');
	process.exitCode = 1;
});
