import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment, lastLines } from '../../scripts/command';
import { N8nClient } from '../../scripts/n8n/client';
import { freePort } from '../../scripts/n8n/ports';
import { examplesFolder, repository } from '../../scripts/paths';
import { startServer } from '../engine/support/localServer';
import { eventually } from '../eventually';
import type { Report } from './report';

const EXAMPLES = readdirSync(examplesFolder).filter((name) => name.endsWith('.json')).length;
/** Those of an account elsewhere, of a chat, and the only one that sends by itself. */
const SWITCHED_OFF = /^(AI agent|Google Sheets|HubSpot|Rows claimed in Postgres|Segment email)/;
/** What the row of the curl line leads to. */
const allPaths = ['android/send', 'ios/send', 'user/create', 'web/send'];
const READY_WITHIN_MS = 10 * 60_000;
const STOPPED_WITHIN_MS = 20_000;

/** What a user does: start, look, send, start again after a crash, and stop. */
export async function checkNpmStart(report: Report): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
	const port = async () => String(await freePort());
	const env = {
		CUSTOMER_MESSAGING_DATA: folder,
		N8N_PORT: await port(),
		SANDBOX_PORT: await port(),
	};
	const check = async (title: string, work: () => Promise<void>) =>
		await report.check('npm start', title, work);
	try {
		await check('At the first start, the printed account, curl line and record work', async () => {
			const started = await npmStart(env);
			try {
				const { client } = started;
				const examples = await client.workflows();
				assert.equal(examples.length, EXAMPLES);
				for (const { name, active } of examples)
					assert.equal(active, !SWITCHED_OFF.test(name), `${name}: the others wait for a call`);
				assert.doesNotMatch(started.text, /not activated/);
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
			try {
				const names = (await started.client.workflows()).map(({ name }) => name);
				assert.equal(names.length, EXAMPLES + 1, names.join(', '));
				for (const name of ['Made by the user', 'Renamed by the user'])
					assert.ok(names.includes(name), name);
				await tryCurlLine(started);
			} finally {
				await interrupt(started.child);
			}
			assert.match(lastLines(started.output(), 1), /Stopped\.$/);
			for (const url of [started.editor, started.sandbox])
				await assert.rejects(fetch(url), `nothing answers at ${url} any more`);
		});
		await check('A port that is taken gives one sentence and exit code 1', async () => {
			const { port } = new URL((await startServer(() => {})).url);
			for (const variable of ['N8N_PORT', 'SANDBOX_PORT']) {
				const { child, output } = spawnNpmStart({ ...env, [variable]: port });
				assert.deepEqual(await once(child, 'close'), [1, null]);
				const says = `Port ${port}, wanted for .+, is already in use\\..+${variable}=`;
				assert.match(output(), new RegExp(says));
				assert.doesNotMatch(output(), /\n\s+at /, 'no stack');
			}
		});
	} finally {
		rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

/** What is printed, with the addresses and the account in it. */
type Started = Awaited<ReturnType<typeof npmStart>>;

async function npmStart(env: NodeJS.ProcessEnv) {
	const deadline = Date.now() + READY_WITHIN_MS;
	const { child, output } = spawnNpmStart(env);
	try {
		while (!output().includes('Stop with Ctrl-C.')) {
			assert.equal(child.exitCode, null, `npm start ended:\n${output()}`);
			assert.ok(Date.now() < deadline, `npm start was not ready:\n${output()}`);
			await sleep(100);
		}
		const text = output();
		const [email, password = ''] = printed(text, /Sign in +(\S+) with password (\S+)/);
		const [editor] = printed(text, /n8n editor +(\S+)/);
		const [sandbox] = printed(text, /Inbox +(http\S+)/);
		const client = new N8nClient(editor);
		assert.ok(await client.signIn({ email, password }), 'the printed account signs in');
		return { child, output, text, editor, sandbox, client };
	} catch (error) {
		if (child.exitCode === null) await interrupt(child);
		throw error;
	}
}

function printed(text: string, pattern: RegExp): [string, ...string[]] {
	const [, first, ...others] = pattern.exec(text) ?? [];
	assert.ok(first, `${pattern} is not in:\n${text}`);
	return [first, ...others];
}

function spawnNpmStart(env: NodeJS.ProcessEnv) {
	const child = spawn('npm', ['start'], {
		cwd: repository,
		env: childEnvironment(env),
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let text = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	return { child, output: () => text };
}

/**
 * As Ctrl-C in a terminal: the signal reaches npm and everything below it. Waits for the last process that writes to
 * this output, because npm's shell ends before what it started.
 */
async function interrupt(child: ChildProcess): Promise<void> {
	assert.ok(child.pid);
	process.kill(-child.pid, 'SIGINT');
	try {
		await once(child, 'close', { signal: AbortSignal.timeout(STOPPED_WITHIN_MS) });
	} catch (error) {
		process.kill(-child.pid, 'SIGKILL');
		throw error;
	}
}

/** Sends what the printed curl line sends and waits for its requests at the printed address. */
async function tryCurlLine({ text, editor, sandbox, client }: Started): Promise<void> {
	const [url, row = ''] = printed(text, /curl -X POST (\S+) .* -d '(.+)'/);
	assert.equal(url, `${editor}/webhook/crm-row`);
	await client.callWebhook('crm-row', JSON.parse(row));
	await eventually(async () => {
		const record = await (await fetch(`${sandbox}/sandbox/record?outcome=accepted`)).json();
		const { arrivals } = record as { arrivals: Array<{ path: string }> };
		assert.deepEqual(arrivals.map(({ path }) => path.slice(8)).sort(), allPaths);
	});
}
