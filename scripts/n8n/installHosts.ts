import { npm } from '../command';
import { repository } from '../paths';
import { explain } from '../problem';
import { say } from '../steps';
import { allHosts, canRun, type Host } from './hosts';
import { installHost } from './installHost';
import { newestHost } from './newestHost';
import { readTested, writeTested } from './testedVersions';

/**
 * Installs each n8n of `scripts/n8n/hosts/` that runs on this machine, so that the suites find it. With `--newest`, also
 * the newest n8n that the registry has, plays the main scenarios in each, and writes on the pages which passed.
 */
async function main(): Promise<void> {
	const triesNewest = process.argv.includes('--newest');
	if (triesNewest) await newestHost();
	for (const host of allHosts()) {
		if (canRun(host)) await installHost(host);
		else say(`n8n ${host.version} is left out: it runs on Node ${host.node}`);
	}
	if (triesNewest) await tryAll();
}

async function tryAll(): Promise<void> {
	const tested = readTested();
	for (const host of allHosts().filter(canRun)) {
		if (await passes(host)) tested[host.version] = new Date().toISOString().slice(0, 10);
		else delete tested[host.version];
		writeTested(tested);
	}
	await npm(['run', 'docs'], { cwd: repository });
}

async function passes({ version }: Host): Promise<boolean> {
	try {
		await npm(['run', '--silent', 'test:live', '--', version], { cwd: repository });
		say(`n8n ${version} passed`);
		return true;
	} catch (error) {
		say(`n8n ${version} failed: ${explain(error)}`);
		process.exitCode = 1;
		return false;
	}
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
