import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { timedFlow, type Flow } from './flows';
import { type Bench, type Chapter, type Part, rotated, countRounds } from './part';
import { runTimed, runWithin, type Timed } from './run';
import type { Stage } from './stage';
import { number, ratios, spread, told } from './statistics';
import { ourEmail, passThrough, type Subject } from './subjects';

const NO_LIMIT = 10_000_000;
const CHARACTERS = 30_000;
/** n8n cannot store rows of this size, because a text in JavaScript holds at most 512 MB. */
const unstored = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };
/** How long the rows are checked before the run is stopped. */
const STOPPED_AFTER_MS = 500;

const OURS = 'this node';
const PASS_THROUGH = 'pass-through';

const CONTENDERS: Array<[string, Subject]> = [
	[OURS, ourEmail],
	[PASS_THROUGH, passThrough],
];

interface Measured extends Timed {
	/** The slowest answer of `/healthz` meanwhile. */
	slowestAnswerMs: number;
	/** From the call until the rows were made. */
	madeAfterMs: number;
}

interface Data {
	emails: number;
	/** By contender, one for each round. */
	runs: Record<string, Measured[]>;
	/** From Stop until the execution ended, one for each round. */
	stoppedMs: number[];
}

async function measure(bench: Bench): Promise<Data> {
	const { isQuick, onStage, sandboxes, standard } = bench;
	const emails = isQuick ? 2_000 : 20_000;
	const sandbox = await sandboxes.open('emails', { limits: { email: NO_LIMIT } });
	const runs: Data['runs'] = {};
	const stoppedMs: number[] = [];
	for (let round = 0; round < countRounds(bench); round++) {
		for (const [contender, subject] of rotated(CONTENDERS, round)) {
			// What one contender made n8n hold would hide what the other needs.
			await onStage(standard, async (stage) => {
				const credentials = await stage.credentials(sandbox.url, { emailLimit: NO_LIMIT });
				const flow = await timedFlow(stage, 'emails', subject(credentials, sandbox.url), unstored);
				await runTimed(stage, flow, { count: 500, prefix: 'warm-up', contentLength: 100 });
				const run = await timed(stage, flow, emails);
				(runs[contender] ??= []).push(run);
				await sandbox.reset();
				if (contender === OURS) {
					const order = { count: emails, prefix: 'stopped', contentLength: CHARACTERS };
					const afterMs = run.madeAfterMs + STOPPED_AFTER_MS;
					stoppedMs.push(await runWithin(stage, flow, order, afterMs));
				}
				await sandbox.reset();
			});
		}
	}
	await sandbox.close();
	return { emails, runs, stoppedMs };
}

async function timed(stage: Stage, flow: Flow, emails: number): Promise<Measured> {
	const answers: Array<{ askedAtMs: number; tookMs: number }> = [];
	const asking = new AbortController();
	const asked = ask(stage, asking.signal, (askedAtMs, tookMs) =>
		answers.push({ askedAtMs, tookMs }),
	);
	const calledAtMs = Date.now();
	const run = await runTimed(stage, flow, {
		count: emails,
		prefix: 'person',
		contentLength: CHARACTERS,
	}).finally(() => asking.abort());
	await asked;
	const during = answers.filter(
		({ askedAtMs }) => askedAtMs >= run.startedAtMs && askedAtMs <= run.startedAtMs + run.ms,
	);
	return {
		...run,
		slowestAnswerMs: Math.max(0, ...during.map(({ tookMs }) => tookMs)),
		madeAfterMs: run.startedAtMs - calledAtMs,
	};
}

/** Asks n8n for its health over and over. */
async function ask(
	stage: Stage,
	signal: AbortSignal,
	answered: (askedAtMs: number, tookMs: number) => void,
): Promise<void> {
	while (!signal.aborted) {
		const [askedAtMs, start] = [Date.now(), performance.now()];
		await (await fetch(`${stage.url}/healthz`)).text();
		answered(askedAtMs, performance.now() - start);
		await sleep(10);
	}
}

const column = (runs: Measured[] | undefined, name: keyof Measured) =>
	(runs ?? []).map((run) => run[name] ?? NaN);

function chapter({ emails, runs, stoppedMs }: Data): Chapter {
	const all = (contender: string, name: keyof Measured) => spread(column(runs[contender], name));
	const memory = ratios(column(runs[OURS], 'peakMb'), column(runs[PASS_THROUGH], 'peakMb'));
	const block = all(OURS, 'longestBlockMs');
	const stop = spread(stoppedMs);
	return {
		figures: [
			{
				what: `${number(emails)} emails of ${CHARACTERS / 1_000} kB: time, and peak memory of n8n`,
				ours: `${number(spread(column(runs[OURS], 'ms')).median / 1_000)} s, ${number(all(OURS, 'peakMb').median)} MB`,
				others: `a node that does nothing: ${number(all(PASS_THROUGH, 'peakMb').median)} MB`,
			},
			{
				what: 'meanwhile: longest time in which n8n answers nobody, and from Stop to the end',
				ours: `${number(block.median)} ms, ${number(stop.median)} ms`,
				others: '',
			},
		],
		how:
			`${number(emails)} emails of ${number(CHARACTERS)} characters, no limit in the way. ` +
			'n8n does not store the executions, because it cannot store rows of this size. ' +
			'The longest block is the longest time in which n8n’s process could do nothing else. ' +
			'Another run is stopped while its rows are being checked.',
		tables: [
			{
				head: [
					'',
					'time (s)',
					'longest block (ms)',
					'slowest `/healthz` (ms)',
					'from Stop to the end (ms)',
					'peak memory (MB)',
					'peak over the pass-through’s',
				],
				rows: CONTENDERS.map(([contender]) => [
					contender,
					told(spread(column(runs[contender], 'ms').map((ms) => ms / 1_000)), 1),
					told(all(contender, 'longestBlockMs'), 0),
					told(all(contender, 'slowestAnswerMs'), 0),
					contender === OURS ? told(stop, 0) : '',
					told(all(contender, 'peakMb'), 0),
					contender === OURS ? told(memory) : '',
				]),
			},
		],
		targets: [
			{
				what: `${number(emails)} emails of ${CHARACTERS / 1_000} kB: longest block`,
				asked: '< 100 ms',
				measured: told(block, 0, ' ms'),
				isReached: block.median < 100,
			},
			{
				what: 'the same: from Stop during the checks to the end',
				asked: 'each time < 1,000 ms',
				measured: told(stop, 0, ' ms'),
				isReached: stop.max < 1_000,
			},
			{
				what: 'the same: peak memory over the pass-through’s',
				asked: '≤ 1.3',
				measured: told(memory),
				isReached: memory.median <= 1.3,
			},
		],
	};
}

export const largeEmails: Part<Data> = { number: 8, title: 'Large emails', measure, chapter };
