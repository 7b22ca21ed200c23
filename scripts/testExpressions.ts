import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment } from './command';
import { jest, newestN8n } from './newestN8n';
import { repository } from './paths';
import { explain } from './problem';
import { say } from './steps';

/** Without the tools of agents: n8n 2.41 takes a tool's hidden parameters away, so they are tried in test:live. */
const aboutExpressions = [
	'mistakesAreExplained/placeholders',
	'nobodyIsReachedByAccident/whoMayBeReached',
	'security/textsOfRows',
	'unit/run/directRead',
	'whatIsEnteredArrives/columns',
];

/** Runs the tests of expressions with the engine of the newest n8n, and each of its ways to evaluate them. */
async function main(): Promise<void> {
	const { host, node } = await newestN8n();
	const ways = ['vm', 'quickjs'];
	const failed = ways.filter((way) => {
		say(`Expressions of n8n ${host.version} with ${way}`);
		const env = {
			TESTED_N8N: realpathSync(path.join(host.folder, 'node_modules', 'n8n')),
			N8N_EXPRESSION_ENGINE: way,
		};
		// n8n gives a regular expression 250 ms, so nothing runs beside it.
		const args = [jest, '--maxWorkers', '1', ...aboutExpressions];
		const options = {
			cwd: repository,
			env: childEnvironment(env, node),
			stdio: 'inherit',
		} as const;
		return spawnSync(node, args, options).status !== 0;
	});
	console.log(`${ways.length - failed.length} passed, ${failed.length} failed`);
	process.exitCode = failed.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
