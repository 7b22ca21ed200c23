import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { optionsFrom } from '../../sandbox/commandLine';
import { call, webPush } from './support/calls';

it('The command line reads every option', () => {
	const read = (line: string) => optionsFrom(line.split(' '));
	const ofLimits = '--push-limit 5 --reporting-limit=7 --window sliding --window-ms 1000';
	const others = '--latency 20-800 --clock-skew=-3000 --no-rate-limit-header';
	expect(read(`--port 9000 --separate-hosts ${ofLimits} ${others}`)).toEqual({
		...{ port: 9000, separateHosts: true, limits: { push: 5, reporting: 7 } },
		...{ window: { kind: 'sliding', lengthMs: 1000 }, latencyMs: [20, 800] },
		...{ clockSkewMs: -3000, sendRateLimitHeader: false },
	});
	expect(read('--help')).toBe('help');
	expect(read('--latency 50')).toMatchObject({ latencyMs: 50 });
});

it.each([
	[['--port', 'x'], '--port takes a whole number, not "x".'],
	[['--window', 'hour'], '--window takes clockMinute, firstRequest or sliding, not "hour".'],
	[['--latency', 'slow'], '--latency takes milliseconds such as 50 or 20-800, not "slow".'],
])('The command line says what is wrong with %j', (args, message) => {
	expect(() => optionsFrom(args)).toThrow(message);
});

it('The sandbox says where it is, and stops within a second on SIGTERM with connections open', async () => {
	// The same as `tsx sandbox/main.ts` without its parent process, so that signals reach ours.
	const args = ['--import', 'tsx', 'sandbox/main.ts', '--port', '0'];
	const child = spawn(process.execPath, args, {
		cwd: join(__dirname, '../..'),
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = once(child, 'exit');
	const said = { out: '', error: '' };
	child.stdout.on('data', (chunk) => (said.out += chunk));
	child.stderr.on('data', (chunk) => (said.error += chunk));
	while (!said.out.includes('/sandbox/settings')) {
		if (child.exitCode !== null) throw new Error(said.error);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	const url = /All hosts at one address +(http:\S+)/.exec(said.out)?.[1] ?? '';
	expect((await call(`${url}/api/v1/web/send`, { body: webPush })).status).toBe(200);
	expect(said.out).toContain('Brand ID sandbox-brand, API key sandbox-key');
	expect(said.out).toContain('Access token sandbox-token');

	await call(`${url}/sandbox/faults`, {
		headers: { 'content-type': 'application/json' },
		body: { kind: 'hang' },
	});
	const hanging = call(`${url}/api/v1/web/send`, { body: webPush }).catch(() => 'broken off');
	const idle = connect(Number(new URL(url).port), '127.0.0.1');
	idle.on('error', () => undefined);
	await once(idle, 'connect');

	const before = performance.now();
	child.kill('SIGTERM');
	expect(await exited).toEqual([0, null]);
	// Node closes idle connections after 5 s by itself.
	expect(performance.now() - before).toBeLessThan(4_000);
	expect(await hanging).toBe('broken off');
	expect(said.error).toBe('');
});
