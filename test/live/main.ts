import { allHosts, canRun } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { say, step } from '../../scripts/steps';
import { checkVersion } from './one-version';
import { Report } from './report';
import { checkNpmStart } from './scenarios/npm-start';
import { checkTarballInstallation } from './scenarios/tarball-installation';
import { runSuite } from './suite';

/**
 * `main.ts [version…] [words…]`: the scenarios whose title holds one of the words, on these n8n versions. By default all
 * scenarios on all versions that run on this machine, then the installation of the tarball and `npm start`.
 */
async function main(): Promise<void> {
	const asked = process.argv.slice(2).filter((argument) => /^\d+\.\d/.test(argument));
	const words = process.argv.slice(2).filter((argument) => !asked.includes(argument));
	const unfit = allHosts().filter((host) => !canRun(host));
	const versions =
		asked.length > 0
			? asked
			: allHosts()
					.filter((host) => canRun(host))
					.map(({ version }) => version);
	for (const { version, node } of asked.length > 0 ? [] : unfit)
		say(`n8n ${version} is left out: it runs on Node ${node}`);

	const tarball = await step('Building and packing the node', buildTarball);
	const report = new Report();
	for (const version of versions) await checkVersion(report, version, tarball, words);
	if (words.length === 0 || words.includes('installation'))
		await checkTarballInstallation(report, tarball);
	if (words.length === 0 || words.includes('npm start')) await checkNpmStart(report);

	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

runSuite(main);
