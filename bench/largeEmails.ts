/**
 * How n8n answers others and how much memory it needs while this node checks and sends large emails:
 * `node scripts/run.mjs bench/largeEmails.ts [version] [emails] [characters of each]`.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildTarball } from '../scripts/n8n/package';
import { explain } from '../scripts/problem';
import { timedFlow } from './flows';
import { packBenchNodes } from './nodes/package';
import { runTimed } from './run';
import { type FarSandbox, SandboxProcess } from './sandboxProcess';
import { type Stage, withStage } from './stage';
import { ourEmail, passThrough, type Subject } from './subjects';

const NO_LIMIT = 10_000_000;

interface Answer {
	/** Epoch milliseconds. */
	askedAtMs: number;
	tookMs: number;
}

async function main(version = '2.8.4', emails = '3000', characters = '30000'): Promise<void> {
	const tarballs = { ours: await buildTarball(), bench: await packBenchNodes() };
	const order = { count: Number(emails), contentLength: Number(characters) };
	const sandboxes = new SandboxProcess();
	try {
		const sandbox = await sandboxes.open('emails', { limits: { email: NO_LIMIT } });
		for (const [name, subject] of [
			['this node', ourEmail],
			['pass-through', passThrough],
		] as const) {
			await withStage(version, tarballs, async (stage) => {
				const told = await measure(stage, subject, order, sandbox);
				console.log(`${name}, ${emails} emails of ${characters} on n8n ${version}: ${told}`);
			});
		}
	} finally {
		sandboxes.stop();
	}
}

async function measure(
	stage: Stage,
	subject: Subject,
	order: { count: number; contentLength: number },
	sandbox: FarSandbox,
): Promise<string> {
	const credential = await stage.credential(sandbox.url, { emailLimit: NO_LIMIT });
	const flow = await timedFlow(stage, 'emails', subject(credential, sandbox.url));
	await runTimed(stage, flow, { count: 500, prefix: 'warm-up', contentLength: 100 });
	await sandbox.reset();

	const answers: Answer[] = [];
	const asking = new AbortController();
	const asked = ask(stage, answers, asking.signal);
	const { ms, startedAtMs, longestBlockMs, addedMb } = await runTimed(stage, flow, {
		...order,
		prefix: 'person',
	});
	asking.abort();
	await asked;
	const meanwhile = answers.filter(
		({ askedAtMs }) => askedAtMs >= startedAtMs && askedAtMs <= startedAtMs + ms,
	);
	const slowestMs = Math.max(0, ...meanwhile.map(({ tookMs }) => tookMs));
	return (
		`${ms.toFixed(0)} ms, longest block ${longestBlockMs.toFixed(0)} ms, ` +
		`slowest /healthz ${slowestMs.toFixed(0)} ms, memory +${addedMb?.toFixed(0) ?? '?'} MB`
	);
}

/** Requests n8n's health again and again. */
async function ask(stage: Stage, answers: Answer[], signal: AbortSignal): Promise<void> {
	while (!signal.aborted) {
		const [askedAtMs, start] = [Date.now(), performance.now()];
		await (await fetch(`${stage.url}/healthz`)).text();
		answers.push({ askedAtMs, tookMs: performance.now() - start });
		await sleep(10);
	}
}

main(...process.argv.slice(2)).then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(explain(error));
		process.exit(1);
	},
);
