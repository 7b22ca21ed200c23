import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { childEnvironment } from '../../../../scripts/command';
import { freePort } from '../../../../scripts/n8n/ports';
import { repository } from '../../../../scripts/paths';
import { say } from '../../../../scripts/steps';
import { eventually } from '../../eventually';
import { hostileRequests, type HostileRequest } from '../hostileRequests';
import { expectWords, openMessage } from '../reading';
import type { Stage } from '../stage';

const requestCount = 20_000;
const inFlight = 8;
const maxHeapMb = 512;
const maxResponseMs = { idle: 500, busy: 30_000 };

/**
 * Random and hostile requests to a sandbox in a process of its own, with the inbox open. The process has
 * so little memory that it would end if the record had no bound.
 */
export async function fuzzed({ page, outside }: Stage): Promise<void> {
	const port = await freePort();
	// If other programs want the processor too, the sandbox waits for them.
	const isBusy = (loadavg()[0] ?? 0) > availableParallelism();
	const mostMs = maxResponseMs[isBusy ? 'busy' : 'idle'];
	const child = startSandboxProcess(port);
	try {
		const url = `http://127.0.0.1:${port}`;
		await eventually(async () => assert.ok((await fetch(url)).ok), 30_000);
		await page.goto(url);
		await expectWords(page.locator('.live'), 'Live');

		const requests = fc.sample(hostileRequests, { numRuns: requestCount, seed: 19 });
		const responses = await sendAll(port, requests);
		const slowest = [...responses].sort((a, b) => b.tookMs - a.tookMs).slice(0, 3);
		const rssMb = residentMb(child);
		say(
			`    ${requests.length} requests, ${responses.length} answered, slowest ${slowest.map(({ tookMs, what }) => `${Math.round(tookMs)} ms (${what})`).join(', ')}; ${rssMb} MB resident`,
		);

		assert.equal(child.exitCode, null, 'the sandbox is still running');
		assert.deepEqual(
			responses.filter(({ status }) => status >= 500),
			[],
		);
		assert.ok((slowest[0]?.tookMs ?? 0) < mostMs, `the slowest took ${slowest[0]?.tookMs} ms`);
		await showsWhatComesNext(url);
	} finally {
		child.kill();
		// It is another server than that of the stage.
		outside.length = 0;
	}

	async function showsWhatComesNext(url: string): Promise<void> {
		const headers = { authorization: 'Bearer sandbox-token', 'content-type': 'application/json' };
		const body = JSON.stringify({ user_id: 'u', title: 'After all that', message: 'm', url: 'u' });
		await fetch(`${url}/api/v1/web/send`, { method: 'POST', headers, body });
		await openMessage(page, 'After all that');
	}
}

function startSandboxProcess(port: number): ChildProcess {
	return spawn(
		process.execPath,
		[
			`--max-old-space-size=${maxHeapMb}`,
			path.join(repository, 'scripts/run.mjs'),
			'sandbox/main.ts',
			...['--port', String(port), '--push-limit', '1000000', '--user-limit', '1000000'],
		],
		{ cwd: repository, env: childEnvironment(), stdio: ['ignore', 'ignore', 'inherit'] },
	);
}

interface Response {
	what: string;
	status: number;
	tookMs: number;
}

async function sendAll(port: number, requests: HostileRequest[]): Promise<Response[]> {
	const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
	const responses: Response[] = [];
	const waiting = requests.values();
	const sendNext = async () => {
		for (const one of waiting) {
			const response = await sendOne(port, agent, one);
			if (response) responses.push(response);
		}
	};
	await Promise.all(Array.from({ length: inFlight }, sendNext));
	agent.destroy();
	return responses;
}

/** Undefined if the request was given up, or refused before it reached the sandbox's own code. */
async function sendOne(
	port: number,
	agent: Agent,
	{ what, method, path: target, headers, body, isAborted }: HostileRequest,
): Promise<Response | undefined> {
	const bytes = Buffer.from(body());
	const startedAt = performance.now();
	const outgoing = request({ host: '127.0.0.1', port, agent, method, path: target, headers });
	outgoing.setHeader('content-length', bytes.length);
	outgoing.on('error', () => undefined);
	if (isAborted) {
		const closed = new Promise<undefined>((resolve) => outgoing.once('close', resolve));
		outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
		return await closed;
	}
	outgoing.end(bytes);
	return await new Promise((resolve) => {
		outgoing.once('close', () => resolve(undefined));
		outgoing.once('response', (incoming) => {
			incoming.on('error', () => undefined).resume();
			incoming.once('end', () => {
				resolve({
					what: `${what}, ${Math.round(bytes.length / 1000)} kB`,
					status: incoming.statusCode ?? 0,
					tookMs: performance.now() - startedAt,
				});
			});
		});
	});
}

function residentMb({ pid }: ChildProcess): number {
	const [, kB] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
	return Math.round(Number(kB) / 1024);
}
