import { allHosts, canRun, findHost } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { say, step } from '../../scripts/steps';
import {
	checkVersion,
	everywhere,
	newestOnly,
	settingsOfN8n3,
	withAllOnly,
	withSettingsOfN8n3,
} from './oneVersion';
import { Report } from './report';
import { checkNpmStart } from './scenarios/npmStart';
import { checkTarballInstallation } from './scenarios/tarballInstallation';
import { runSuite } from './suite';

/** The newest version has the most to do. */
const SERVERS_OF_NEWEST = 2;

/**
 * `main.ts [--all] [version…] [words…]`: most scenarios on the newest n8n that runs on this machine, and on the others
 * those in which n8n versions differ most; with `--all`, all scenarios on all, and on the newest what n8n 3 changes. Then the
 * installation of the tarball and `npm start`, unless versions are named. Words choose the scenarios whose title holds one of them.
 */
async function main(): Promise<void> {
	const asked = process.argv.slice(2).filter((argument) => argument !== '--all');
	const named = asked.filter((argument) => /^\d+\.\d/.test(argument));
	const words = asked.filter((argument) => !named.includes(argument));
	const hosts = named.length > 0 ? named.map(findHost) : allHosts().filter(canRun);
	for (const { version, node } of allHosts().filter((host) => !canRun(host)))
		say(`n8n ${version} is left out: it runs on Node ${node}`);

	const isAsked = (title: string) =>
		words.length === 0 || words.some((word) => title.includes(word));
	const askedOf = <T>(program: Record<string, T>) =>
		Object.fromEntries(Object.entries(program).filter(([title]) => isAsked(title)));
	const chosen = words.length > 0 || process.argv.includes('--all');
	const tarball = await step('Building and packing the node', buildTarball);
	const report = new Report();
	const newestThatRuns = allHosts().find(canRun);
	const newest = hosts.find(({ version }) => version === newestThatRuns?.version);
	const checks = hosts.map(async (host) => {
		const isNewest = host === newest;
		const toRun = {
			...everywhere,
			...(chosen || isNewest ? newestOnly : {}),
			...(chosen ? withAllOnly : {}),
		};
		const servers = isNewest ? SERVERS_OF_NEWEST : 1;
		await checkVersion(report, host, tarball, askedOf(toRun), { servers });
	});
	const like3 = askedOf(withSettingsOfN8n3);
	if (newest && chosen)
		checks.push(
			checkVersion(report, newest, tarball, like3, {
				column: `${newest.version} set as n8n 3`,
				env: settingsOfN8n3,
			}),
		);
	if (named.length === 0 && isAsked('installation'))
		checks.push(checkTarballInstallation(report, tarball));
	if (named.length === 0 && isAsked('npm start')) checks.push(checkNpmStart(report, chosen));
	await Promise.all(checks);

	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

runSuite(main);
