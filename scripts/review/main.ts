import { stripVTControlCharacters } from 'node:util';
import { explain, Problem } from '../problem';
import { say } from '../steps';
import { stage } from './stage';
import { installTool, n8nNode } from './tool';

interface Check {
	title: string;
	work: (folder: string) => Promise<void>;
}

const checks: Check[] = [
	{
		title: 'n8n-node cloud-support: eligible for n8n Cloud',
		work: async (folder) => {
			const status = stripVTControlCharacters(await n8nNode(['cloud-support'], folder));
			if (!status.includes('Status: eligible')) throw new Problem(status);
		},
	},
	{
		title: 'n8n-node lint, strict: no errors and no warnings',
		work: async (folder) => {
			const findings = stripVTControlCharacters(await n8nNode(['lint'], folder));
			if (/\d+ problems?/.test(findings)) throw new Problem(findings);
		},
	},
];

/** Checks the package with n8n's tool: its linter in strict mode, and its check for n8n Cloud. */
async function main(): Promise<void> {
	await installTool();
	const folder = stage();
	let failed = 0;
	for (const { title, work } of checks) {
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
