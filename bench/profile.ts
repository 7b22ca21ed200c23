/** Shows where n8n's process spends the time of 5,000 pushes: `node scripts/run.mjs bench/profile.ts [version]`. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildTarball } from '../scripts/n8n/package';
import { explain } from '../scripts/problem';
import { timedFlow } from './flows';
import { packBenchNodes } from './nodes/package';
import { costs, type Cost, type Profile } from './profileCosts';
import { runTimed } from './run';
import { SandboxProcess } from './sandboxProcess';
import { withStage, type Stage } from './stage';
import { floor, ourPush, type Subject } from './subjects';

const NO_LIMIT = 10_000_000;
const PUSHES = 5_000;
const SHOWN = 25;
const SUBJECTS: Array<[string, Subject]> = [
	['this node', ourPush()],
	['floor, reading both fields', floor(true)],
];

async function main(version = '2.8.4'): Promise<void> {
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-profile-'));
	const file = path.join(folder, 'n8n.cpuprofile');
	const tarballs = { ours: await buildTarball(), bench: await packBenchNodes() };
	const sandboxes = new SandboxProcess();
	const env = {
		NODE_OPTIONS: `--require ${path.join(__dirname, 'profiler.cjs')}`,
		BENCH_PROFILE: file,
	};
	try {
		const sandbox = await sandboxes.open('profile', { limits: { push: NO_LIMIT } });
		await withStage(
			version,
			tarballs,
			async (stage) => await profileAll(stage, sandbox.url, file),
			env,
		);
	} finally {
		sandboxes.stop();
		rmSync(folder, { recursive: true, force: true });
	}
}

async function profileAll(stage: Stage, sandboxUrl: string, file: string): Promise<void> {
	const credential = await stage.credential(sandboxUrl, { pushLimit: NO_LIMIT });
	for (const [index, [name, subject]] of SUBJECTS.entries()) {
		const flow = await timedFlow(stage, `profile-${index}`, subject(credential, sandboxUrl));
		await runTimed(stage, flow, { count: 500, prefix: 'warm-up' });
		process.kill(stage.pid, 'SIGUSR2');
		const { ms } = await runTimed(stage, flow, { count: PUSHES, prefix: 'user' });
		process.kill(stage.pid, 'SIGUSR2');
		const { own, byPackage, ourFunctions } = costs(await profileIn(file));
		console.log(
			`\n# ${name}: ${PUSHES} pushes on n8n ${stage.version} in ${(ms / 1_000).toFixed(1)} s, profiled`,
		);
		show('Self time by package', byPackage);
		show('Self time by function', own);
		show('This package’s functions, with what they call', ourFunctions);
	}
}

/** Waits for the profile, which n8n's process writes shortly after the signal. */
async function profileIn(file: string): Promise<Profile> {
	for (let attempt = 0; attempt < 200 && !existsSync(file); attempt++) await sleep(100);
	const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile;
	rmSync(file);
	return profile;
}

function show(title: string, list: Cost[]): void {
	console.log(`\n## ${title}\n`);
	for (const { name, ms } of list.slice(0, SHOWN))
		console.log(
			`${ms.toFixed(0).padStart(7)} ms  ${((1_000 * ms) / PUSHES).toFixed(0).padStart(5)} µs per push  ${name}`,
		);
}

main(process.argv[2]).then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(explain(error));
		process.exit(1);
	},
);
