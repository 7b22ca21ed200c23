import { readFileSync } from 'node:fs';
import path from 'node:path';
import { npm, run } from '../command';
import { buildTarball } from '../n8n/package';
import { repository } from '../paths';
import { explain, Problem } from '../problem';
import { step } from '../steps';
import { findProblems } from './checks';

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');

async function textFiles(): Promise<Map<string, string>> {
	const listed = await run('git', ['ls-files', '-z'], { cwd: repository });
	const names = listed.split('\0').filter((name) => /(\.(ts|js|json|md|yml)|^LICENSE)$/.test(name));
	return new Map(names.map((name) => [name, read(name)]));
}

/** `main.ts [tag]`: checks everything about a release that can be checked beforehand. Publishes nothing. */
async function main(): Promise<void> {
	const { version } = JSON.parse(read('package.json')) as { version: string };
	const problems = findProblems({
		tag: process.argv[2],
		version,
		changelog: read('CHANGELOG.md'),
		texts: await textFiles(),
	});
	await step("Asking n8n's linter and scanner", async () => {
		await npm(['run', '--silent', 'lint:n8n'], { cwd: repository });
	});
	const tarball = await step('Building and packing the node', buildTarball);
	await step('Publishing, as a dry run', async () => {
		await npm(['publish', tarball, '--dry-run', '--ignore-scripts'], { cwd: repository });
	});
	if (problems.length > 0) throw new Problem(`Not ready to be published:\n${problems.join('\n')}`);
	console.log(`${version} is ready to be published.`);
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
