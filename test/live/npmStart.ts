import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment, lastLines } from '../../scripts/command';
import { N8nClient } from '../../scripts/n8n/client';
import { freePort } from '../../scripts/n8n/ports';
import { examplesFolder, repository } from '../../scripts/paths';
import type { Report } from './report';

const COLUMN = 'npm start';
const EXAMPLES = readdirSync(examplesFolder).filter((name) => name.endsWith('.json')).length;
const SWITCHED_OFF = [
	'AI agent that asks before it sends',
	'AI agent that may message one user',
	'Google Sheets row to user, event and push',
	'HubSpot contact to user, event and push',
	'Rows claimed in Postgres',
	'Segment email every Monday 09:00',
];
/** What the row of the curl line leads to. */
const allPaths = ['android/send', 'ios/send', 'user/create', 'web/send'];
const READY_WITHIN_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 20_000;

/** What a user does: start, look, send, start again after a crash, and stop. */
export async function checkNpmStart(report: Report): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
	const port = async () => String(await freePort());
	const env = {
		...{ CUSTOMER_MESSAGING_DATA: folder, N8N_PORT: await port(), SANDBOX_PORT: await port() },
	};
	const check = async (title: string, work: () => Promise<void>) =>
		await report.check(COLUMN, title, work);
	try {
		await check('At the first start, the printed account, curl line and record work', async () => {
			const started = await npmStart(env);
			try {
				const client = await signedIn(started);
				const examples = await client.workflows();
				assert.equal(examples.length, EXAMPLES);
				const off = examples.filter(({ active }) => !active).map(({ name }) => name);
				assert.deepEqual(off.sort(), SWITCHED_OFF, 'the others wait for a call');
				assert.doesNotMatch(started.text, /not activated/);
				await expectOwnPlace(started, client);
				await tryCurlLine(started);

				await client.renameWorkflow(examples[0]?.id ?? '', 'Renamed by the user');
				const empty = { nodes: [], connections: {}, settings: {} };
				await client.createWorkflow({ name: 'Made by the user', ...empty });
			} finally {
				// n8n has its own process group, so it is not one of those that are killed.
				process.kill(-(started.child.pid ?? NaN), 'SIGKILL');
			}
		});
		await check('After SIGKILL and with another sandbox port, what is there stays', async () => {
			// Whether it still has to wait for the old n8n depends on how fast that one ends.
			const started = await npmStart({ ...env, SANDBOX_PORT: await port() });
			let lastLine = '';
			try {
				const names = (await (await signedIn(started)).workflows()).map(({ name }) => name);
				assert.equal(names.length, EXAMPLES + 1, names.join(', '));
				for (const name of ['Made by the user', 'Renamed by the user'])
					assert.ok(names.includes(name), name);
				await tryCurlLine(started);
			} finally {
				lastLine = await interrupt(started);
			}
			assert.match(lastLine, /Stopped\.$/);
			for (const url of [started.editor, started.sandbox])
				await assert.rejects(fetch(url), `nothing answers at ${url} any more`);
		});
		await check('A port that is taken gives one sentence and exit code 1', async () => {
			const other = createServer();
			await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
			const { port } = other.address() as AddressInfo;
			for (const variable of ['N8N_PORT', 'SANDBOX_PORT']) {
				const text = await refusedStart({ ...env, [variable]: String(port) });
				const says = `Port ${port}, wanted for .+, is already in use\\..+${variable}=`;
				assert.match(text, new RegExp(says));
			}
			other.close();
		});
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

/** What is printed, with the addresses and the account in it. */
type Started = Awaited<ReturnType<typeof npmStart>>;

async function npmStart(env: NodeJS.ProcessEnv) {
	const deadline = Date.now() + READY_WITHIN_MS;
	const spawned = spawnNpmStart(env);
	const { child, output } = spawned;
	try {
		while (!output().includes('Stop with Ctrl-C.')) {
			assert.equal(child.exitCode, null, `npm start ended:\n${output()}`);
			assert.ok(Date.now() < deadline, `npm start was not ready:\n${output()}`);
			await sleep(100);
		}
		const text = output();
		const found = (pattern: RegExp) => {
			const [, one = '', other = ''] = pattern.exec(text) ?? [];
			assert.ok(one, `${pattern} is not in:\n${text}`);
			return [one, other] as const;
		};
		const [email, password] = found(/Sign in +(\S+) with password (\S+)/);
		const [[editor], [sandbox]] = [found(/n8n editor +(\S+)/), found(/Inbox +(http\S+)/)];
		return { ...spawned, text, editor, sandbox, account: { email, password } };
	} catch (error) {
		if (child.exitCode === null) await interrupt(spawned);
		throw error;
	}
}

type Spawned = ReturnType<typeof spawnNpmStart>;

function spawnNpmStart(env: NodeJS.ProcessEnv) {
	const child = spawn('npm', ['start'], {
		...{ cwd: repository, env: childEnvironment(env), detached: true },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	return { child, output: () => text };
}

/**
 * As Ctrl-C in a terminal: the signal reaches npm and everything below it. Waits for the last process that writes to
 * this output, because npm's shell ends before what it started, and returns its last line.
 */
async function interrupt({ child, output }: Spawned): Promise<string> {
	assert.ok(child.pid);
	const closed = new Promise<'closed'>((resolve) => child.once('close', () => resolve('closed')));
	process.kill(-child.pid, 'SIGINT');
	const late = sleep(STOPPED_WITHIN_MS, 'late', { ref: false });
	if ((await Promise.race([closed, late])) === 'closed') return lastLines(output(), 1);
	process.kill(-child.pid, 'SIGKILL');
	throw new Error(`npm start was still there ${STOPPED_WITHIN_MS / 1000} s after Ctrl-C`);
}

async function signedIn({ editor, account }: Started): Promise<N8nClient> {
	const client = new N8nClient(editor);
	assert.ok(await client.signIn(account), 'the printed account signs in');
	return client;
}

/** Sends what the printed curl line sends and waits for its requests at the printed address. */
async function tryCurlLine({ text, editor, sandbox }: Started): Promise<void> {
	const [, url = '', row = ''] = /curl -X POST (\S+) .* -d '(.+)'/.exec(text) ?? [];
	assert.equal(url, `${editor}/webhook/crm-row`);
	await new N8nClient(editor).callWebhook('crm-row', JSON.parse(row));
	let accepted: string[] = [];
	for (let attempt = 0; attempt < 600 && accepted.length < allPaths.length; attempt++) {
		await sleep(100);
		const { arrivals } = (await (await fetch(`${sandbox}/sandbox/record`)).json()) as {
			arrivals: Array<{ path: string; accepted: boolean }>;
		};
		accepted = arrivals.flatMap(({ path, accepted: is }) => (is ? path.slice(8) : []));
	}
	assert.deepEqual(accepted.sort(), allPaths);
}

/** n8n has the zone of this machine, and its log is where the text says. */
async function expectOwnPlace({ text }: Started, client: N8nClient): Promise<void> {
	assert.equal(await client.timezone(), new Intl.DateTimeFormat().resolvedOptions().timeZone);
	const [, log = ''] = /Log of n8n\s+(\S+)/.exec(text) ?? [];
	assert.match(readFileSync(path.resolve(repository, log), 'utf8'), /n8n/);
}

async function refusedStart(env: NodeJS.ProcessEnv): Promise<string> {
	const { child, output } = spawnNpmStart(env);
	assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 1);
	assert.doesNotMatch(output(), /\n\s+at /, 'no stack');
	return output();
}
