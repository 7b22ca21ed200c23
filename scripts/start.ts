import path from 'node:path';
import { type Example, exampleFiles } from '../sandbox/examples';
import { startSandbox } from '../sandbox/index';
import type { Access } from '../sandbox/introduction';
import { N8nClient, type Account } from './n8n/client';
import { chooseHost } from './n8n/hosts';
import { installHost } from './n8n/installHost';
import { buildTarball, installTarball } from './n8n/package';
import { assertFree, portFrom } from './n8n/ports';
import { startServer } from './n8n/server';
import { repository } from './paths';
import { postCommand } from './platform';
import { explain, Problem } from './problem';
import { ownerIn, signInAsOwner } from './start/account';
import { dataVariable, noteN8n, takeFolder } from './start/folder';
import { provideExamples } from './start/examples';
import { recall, remember } from './start/memory';
import { provideCredentials } from './start/sandboxCredentials';
import { say, step } from './steps';

/** Stops what was started, in the same order. */
const parts: Array<() => Promise<void>> = [];

async function main(): Promise<void> {
	const n8nPort = portFrom('N8N_PORT', 5678);
	const sandboxPort = portFrom('SANDBOX_PORT', 8787);
	const host = chooseHost();
	const dataFolder = path.resolve(repository, process.env[dataVariable] || '.n8n-data');
	// An older n8n cannot read the database of a newer one, and the running Node decides which n8n is used.
	const userFolder = path.join(dataFolder, `n8n-${host.version}`);
	const editor = `http://localhost:${n8nPort}`;
	const assertPortsFree = async () => {
		await assertFree(n8nPort, 'n8n', 'N8N_PORT');
		await assertFree(sandboxPort, 'the sandbox', 'SANDBOX_PORT');
	};
	await takeFolder(userFolder, editor);
	await assertPortsFree();

	await installHost(host);
	const tarball = await step('Building and packing the node', buildTarball);
	await step(
		'Installing the packed node into n8n',
		async () => await installTarball(tarball, userFolder),
	);

	// Installing may have taken minutes.
	await assertPortsFree();
	const workflows: Access['workflows'] = {};
	const sandbox = await startSandbox({
		port: sandboxPort,
		separateHosts: false,
		editor,
		workflows,
	});
	parts.push(sandbox.close);
	const server = await step(
		`Starting n8n ${host.version}`,
		async () =>
			await startServer(host, {
				userFolder,
				port: n8nPort,
				// Without it, n8n takes New York's.
				env: { GENERIC_TIMEZONE: new Intl.DateTimeFormat().resolvedOptions().timeZone },
				onSpawn: (pid) => noteN8n(userFolder, pid),
			}),
	);
	parts.push(server.stop);

	const owner = ownerIn(userFolder);
	const isOwner = await step('Setting up the account, credentials and examples', async () => {
		const client = new N8nClient(server.url);
		if (!(await signInAsOwner(client, owner))) return false;
		const memory = recall(userFolder);
		try {
			await provideCredentials(client, sandbox.url, memory);
			await provideExamples(client, memory, editor);
			for (const [name, file] of Object.entries(exampleFiles))
				workflows[name as Example] = memory.workflows[file];
		} finally {
			remember(userFolder, memory);
		}
		return true;
	});

	console.log(
		welcome({
			editor,
			sandbox: sandbox.url,
			userFolder,
			logFile: server.logFile,
			owner: isOwner ? owner : undefined,
		}),
	);
	const why = await server.ended;
	throw new Problem(`n8n has ended by itself (${why}). Its log is ${server.logFile}`);
}

const fromHere = (place: string) => path.relative(process.cwd(), place) || '.';

interface Places {
	editor: string;
	sandbox: string;
	userFolder: string;
	logFile: string;
	/** Undefined if the user has made an account of their own. */
	owner: Account | undefined;
}

function welcome({ editor, sandbox, userFolder, logFile, owner }: Places): string {
	const signIn = owner
		? `${owner.email} with password ${owner.password} (an account on this machine only)`
		: 'with the account you have set up; its credentials and examples were left as they are';
	const row = '{"userID":"C-1001","name":"Asha Rao","email":"asha@example.com","plan":"pro"}';
	return `
Ready. All of this runs on this machine, and the sandbox sends nothing to anyone.

  n8n editor     ${editor}
  Sign in        ${signIn}
  Inbox          ${sandbox} (what would have reached your customers)
  Your data      ${fromHere(userFolder)} (kept for the next start with this version of n8n)
  Log of n8n     ${fromHere(logFile)}

Send a row through the example "New CRM row to users and welcome push":

  ${postCommand(`${editor}/webhook/crm-row`, row)}

Or fill in a form, look at the preview and confirm it: ${editor}/form/announcement

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

// n8n first, so that its last executions still reach the sandbox. While n8n is still starting, leaving is
// enough, because it ends with this process.
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
