import path from 'node:path';
import { startSandbox } from '../sandbox/index';
import { N8nClient } from './n8n/client';
import { chooseHost } from './n8n/hosts';
import { installHost } from './n8n/install-host';
import { buildTarball, installTarball } from './n8n/package';
import { assertFree, portFrom } from './n8n/ports';
import { startServer } from './n8n/server';
import { repository } from './paths';
import { explain, Problem } from './problem';
import { localOwner, signInAsOwner } from './start/account';
import { provideExamples } from './start/examples';
import { recall, remember } from './start/memory';
import { provideCredentials } from './start/sandbox-credentials';
import { say, step } from './steps';

/** What is to be stopped, in the order in which it was started. */
const parts: Array<() => Promise<void>> = [];

async function main(): Promise<void> {
	const n8nPort = portFrom('N8N_PORT', 5678);
	const sandboxPort = portFrom('SANDBOX_PORT', 8787);
	const userFolder = path.resolve(repository, process.env.CUSTOMER_MESSAGING_DATA || '.n8n-data');
	const assertPortsFree = async () => {
		await assertFree(n8nPort, 'n8n', 'N8N_PORT');
		await assertFree(sandboxPort, 'the sandbox', 'SANDBOX_PORT');
	};
	await assertPortsFree();

	const host = chooseHost();
	await installHost(host);
	const tarball = await step('Building and packing the node', buildTarball);
	await step(
		'Installing the packed node into n8n',
		async () => await installTarball(tarball, userFolder),
	);

	// Installing may have taken minutes.
	await assertPortsFree();
	const sandbox = await startSandbox({ port: sandboxPort, separateHosts: false });
	parts.push(sandbox.close);
	const server = await step(
		`Starting n8n ${host.version}`,
		async () => await startServer(host, { userFolder, port: n8nPort }),
	);
	parts.push(server.stop);

	const isOwner = await step('Setting up the account, credentials and examples', async () => {
		const client = new N8nClient(server.url);
		if (!(await signInAsOwner(client))) return false;
		const memory = recall(userFolder);
		try {
			await provideCredentials(client, sandbox.url, memory);
			await provideExamples(client, memory);
		} finally {
			remember(userFolder, memory);
		}
		return true;
	});

	console.log(
		welcome({ editor: `http://localhost:${n8nPort}`, sandbox: sandbox.url, userFolder, isOwner }),
	);
	const why = await server.ended;
	throw new Problem(
		`n8n has ended by itself (${why}). The end of what it said is in ${server.logFile}`,
	);
}

interface Places {
	editor: string;
	sandbox: string;
	userFolder: string;
	isOwner: boolean;
}

function welcome({ editor, sandbox, userFolder, isOwner }: Places): string {
	const { email, password } = localOwner;
	const signIn = isOwner
		? `${email} with password ${password} (an account on this machine only)`
		: 'with the account you have set up; its credentials and examples were left as they are';
	const row = '{"userID":"C-1001","name":"Asha Rao","email":"asha@example.com","plan":"pro"}';
	return `
Ready. All of this runs on this machine, and the sandbox sends nothing to anyone.

  n8n editor     ${editor}
  Sign in        ${signIn}
  Inbox          ${sandbox} (what would have reached your customers)
  Your data      ${path.relative(process.cwd(), userFolder) || '.'} (kept from one start to the next)

Send a row through the example "New CRM row to users and welcome push":

  curl -X POST ${editor}/webhook/crm-row -H 'content-type: application/json' -d '${row}'

Or fill in a form, look at the preview and say yes: ${editor}/form/announcement

Stop with Ctrl-C.
`;
}

let isStopping = false;

async function stop(exitCode: number): Promise<void> {
	if (isStopping) return;
	isStopping = true;
	for (const stopPart of parts.reverse())
		await stopPart().catch((error: unknown) => say(explain(error)));
	say('Stopped.');
	process.exit(exitCode);
}

// n8n first, so that its last executions still reach the sandbox. Before n8n stands, leaving is enough:
// it ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		if (!isStopping) say('Stopping …');
		void stop(0);
	});
}

main().catch(async (error: unknown) => {
	if (isStopping) return;
	console.error(explain(error));
	await stop(1);
});
