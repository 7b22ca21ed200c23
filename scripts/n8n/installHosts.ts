import { explain } from '../problem';
import { say } from '../steps';
import { allHosts, canRun } from './hosts';
import { installHost } from './installHost';

/** Installs each n8n of `scripts/n8n/hosts/` that runs on this machine, so that the suites find it. */
async function main(): Promise<void> {
	for (const host of allHosts()) {
		if (canRun(host)) await installHost(host);
		else say(`n8n ${host.version} is left out: it runs on Node ${host.node}`);
	}
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
