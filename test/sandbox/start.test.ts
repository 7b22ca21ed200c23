import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

it('The sandbox says where it is, and stops soon on SIGTERM with requests open', async () => {
	// The same as `tsx sandbox/main.ts` without its parent process, so that signals reach ours.
	const args = ['--import', 'tsx', 'sandbox/main.ts', '--port', '0'];
	const child = spawn(process.execPath, args, { cwd: join(__dirname, '../..') });
	const exited = once(child, 'exit');
	let said = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
	while (!said.includes('/sandbox/settings')) {
		if (child.exitCode !== null) throw new Error(said);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	const [, url = ''] = /All hosts at one address +(http:\S+)/.exec(said) ?? [];
	expect((await call(`${url}/api/v1/web/send`, { body: webPush })).status).toBe(200);
	expect(said).toContain('Brand ID sandbox-brand, API key sandbox-key');
	expect(said).toContain('Access token sandbox-token');

	await call(`${url}/sandbox/faults`, { body: { kind: 'hang' } });
	const hanging = call(`${url}/api/v1/web/send`, { body: webPush }).catch(() => 'broken off');
	// The hanging request has arrived once a later one is answered.
	await call(`${url}/sandbox/faults`, { method: 'GET' });
	child.kill('SIGTERM');
	const late = new Promise((resolve) => setTimeout(resolve, 4_000, 'late').unref());
	expect(await Promise.race([exited, late])).toEqual([0, null]);
	expect(await hanging).toBe('broken off');
});
