import { startSandbox, type Sandbox } from './index';
import { optionsFrom, usage } from './commandLine';
import { whyNotStarted } from './startFailure';

const patienceMs = 800;

async function main(): Promise<void> {
	try {
		const options = optionsFrom(process.argv.slice(2));
		if (options === 'help') {
			console.log(usage);
			return;
		}
		const sandbox = await startSandbox(options);
		console.log(sandbox.introduction);
		process.once('SIGINT', () => stop(sandbox));
		process.once('SIGTERM', () => stop(sandbox));
	} catch (error) {
		console.error(whyNotStarted(error));
		process.exitCode = 1;
	}
}

function stop(sandbox: Sandbox): void {
	setTimeout(() => process.exit(0), patienceMs).unref();
	void sandbox.close().finally(() => process.exit(0));
}

void main();
