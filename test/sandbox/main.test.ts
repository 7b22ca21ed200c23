import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { call, webPush } from './support/calls';

const root = join(__dirname, '../..');

// The same as `tsx sandbox/main.ts` without its parent process, so that signals reach ours.
function run(...args: string[]) {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.ts', ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const said = { out: '', error: '' };
	child.stdout.on('data', (chunk) => (said.out += chunk));
	child.stderr.on('data', (chunk) => (said.error += chunk));
	return { child, said };
}

async function urlSaidBy({ child, said }: ReturnType<typeof run>): Promise<string> {
	while (true) {
		const url = /All hosts at one address +(http:\S+)/.exec(said.out)?.[1];
		if (url !== undefined && said.out.includes('/sandbox/settings')) return url;
		if (child.exitCode !== null) throw new Error(said.error);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

async function exitOf(child: ChildProcess): Promise<number | null> {
	if (child.exitCode === null) await once(child, 'exit');
	return child.exitCode;
}

it.each(['SIGTERM'] as const)(
	'The sandbox says where it is, and stops within a second on %s with connections open',
	async (signal) => {
		const sandbox = run('--port', '0');
		const url = await urlSaidBy(sandbox);
		expect((await call(`${url}/api/v1/web/send`, { body: webPush })).status).toBe(200);
		expect(sandbox.said.out).toContain('Brand ID sandbox-brand, API key sandbox-key');
		expect(sandbox.said.out).toContain('Access token sandbox-token');

		await call(`${url}/sandbox/faults`, {
			headers: { 'content-type': 'application/json' },
			body: { kind: 'hang' },
		});
		const hanging = call(`${url}/api/v1/web/send`, { body: webPush }).catch(() => 'broken off');
		const idle = connect(Number(new URL(url).port), '127.0.0.1');
		idle.on('error', () => undefined);
		await once(idle, 'connect');

		const before = performance.now();
		sandbox.child.kill(signal);
		expect(await exitOf(sandbox.child)).toBe(0);
		// Node closes idle connections after 5 s by itself.
		expect(performance.now() - before).toBeLessThan(4_000);
		expect(await hanging).toBe('broken off');
		expect(sandbox.said.error).toBe('');
	},
);
