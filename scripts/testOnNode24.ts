import { spawnSync } from 'node:child_process';
import { childEnvironment } from './command';
import { jest, newestN8n } from './newestN8n';
import { repository } from './paths';
import { explain, Problem } from './problem';

/** What Node.js versions may treat in different ways. */
const dependsOnNode = [
	// URLs, Unicode, numbers, phone numbers, JSON.
	'test/unit/fields/',
	'test/unit/shared/',
	'test/unit/n8n/',
	'test/sandbox/service',
	'test/engine/.*/(values|corpus|requests|credentialsRefused)',
	// Intl, dates and time zones.
	'test/unit/schedule/',
	'test/engine/.*/(schedule|withinHours)',
	// npm and the build.
	'test/unit/package',
];

/**
 * `testOnNode24.ts [--all | argument of Jest…]`: runs Jest on the Node.js that the newest n8n needs, by default the
 * tests of what depends on it.
 */
async function main(): Promise<void> {
	const { node } = await newestN8n();
	const asked = process.argv.slice(2);
	const all = asked.length === 1 && asked[0] === '--all';
	const args = all ? [] : asked.length > 0 ? asked : dependsOnNode;
	const listed = spawnSync(node, [jest, '--listTests'], { cwd: repository, encoding: 'utf8' });
	const unknown = dependsOnNode.filter((one) => !new RegExp(one).test(listed.stdout));
	if (unknown.length > 0) throw new Problem(`No test file matches ${unknown.join(', ')}.`);
	const { status } = spawnSync(node, [jest, ...args], {
		cwd: repository,
		env: childEnvironment({}, node),
		stdio: 'inherit',
	});
	process.exitCode = status ?? 1;
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
