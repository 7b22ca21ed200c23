import { timedFlow } from './flows';
import { type Bench, type Chapter, type Part, rotated, countRounds } from './part';
import { runTimed, type Timed } from './run';
import { number, ratios, spread, told } from './statistics';
import { ourUsers, passThrough, type Subject } from './subjects';

const NO_LIMIT = 10_000_000;
/** The runs before the measurement, in which n8n's process compiles the code. */
const WARM_UPS = 4;

const OURS = 'this node';
const PASS_THROUGH = 'pass-through';

const CONTENDERS: Array<[string, Subject]> = [
	[OURS, ourUsers()],
	[PASS_THROUGH, passThrough],
];

interface SizeData {
	rows: number;
	/** One value per round, by contender. */
	runs: Record<string, Timed[]>;
}

interface Data {
	sizes: SizeData[];
}

async function measure(bench: Bench): Promise<Data> {
	const { isQuick, onStage, sandboxes, standard } = bench;
	const sandbox = await sandboxes.open('growth', { limits: { user: NO_LIMIT } });
	const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
	const measured: SizeData[] = sizes.map((rows) => ({ rows, runs: {} }));
	for (let round = 0; round < countRounds(bench); round++) {
		for (const [contender, subject] of rotated(CONTENDERS, round)) {
			// What one contender made n8n hold would hide what the other needs, so each has an n8n of its own.
			await onStage(standard, async (stage) => {
				const credentials = await stage.credentials(sandbox.url, { userLimit: NO_LIMIT });
				const flow = await timedFlow(stage, 'growth', subject(credentials, sandbox.url));
				for (let turn = 0; turn < WARM_UPS; turn++)
					await runTimed(stage, flow, { count: 2_000, prefix: 'warm-up' });
				for (const { rows, runs } of measured) {
					(runs[contender] ??= []).push(
						await runTimed(stage, flow, { count: rows, prefix: `user-${round}` }),
					);
					await sandbox.reset();
				}
			});
		}
	}
	await sandbox.close();
	return { sizes: measured };
}

const column = (runs: Timed[] | undefined, name: keyof Timed) =>
	(runs ?? []).map((run) => run[name] ?? NaN);

const perRow = ({ rows, runs }: SizeData, contender: string) =>
	spread(column(runs[contender], 'ms').map((ms) => (1_000 * ms) / rows));

function chapter({ sizes }: Data): Chapter {
	const memory = sizes.map(({ runs }) =>
		ratios(column(runs[OURS], 'peakMb'), column(runs[PASS_THROUGH], 'peakMb')),
	);
	const tenThousand = spread(column(sizes.find(({ rows }) => rows === 10_000)?.runs[OURS], 'ms'));
	const most = Math.max(...memory.map(({ median }) => median));
	const peak = (size: SizeData, contender: string) =>
		`${number(spread(column(size.runs[contender], 'peakMb')).median)} MB`;
	return {
		// The smallest takes too little time to tell anything.
		figures: sizes.slice(1).map((size) => ({
			what: `${number(size.rows)} users: time, and peak memory of n8n`,
			ours: `${number(spread(column(size.runs[OURS], 'ms')).median / 1_000, 1)} s, ${peak(size, OURS)}`,
			others: `a node that does nothing: ${peak(size, PASS_THROUGH)}`,
		})),
		how:
			'Users of four columns, 100 to a request, no limit in the way. ' +
			'The pass-through returns its rows and does nothing else. ' +
			'Memory is that of n8n’s whole process, storing the execution included; held is what remains after garbage collection.',
		tables: [
			{
				head: [
					'',
					'rows',
					'time (ms)',
					'time per row (µs)',
					'peak memory (MB)',
					'held (MB)',
					'peak over the pass-through’s',
				],
				rows: sizes.flatMap((size, index) =>
					CONTENDERS.map(([contender]) => [
						contender,
						number(size.rows),
						told(spread(column(size.runs[contender], 'ms')), 0),
						told(perRow(size, contender), 1),
						told(spread(column(size.runs[contender], 'peakMb')), 0),
						told(spread(column(size.runs[contender], 'heldMb')), 1),
						contender === OURS && memory[index] ? told(memory[index]) : '',
					]),
				),
			},
		],
		targets: [
			{
				what: 'peak memory over the pass-through’s, at the worst size',
				asked: '≤ 1.4',
				measured: number(most, 2),
				isReached: most <= 1.4,
			},
			{
				what: '10,000 users',
				asked: '≤ 800 ms',
				measured: told(tenThousand, 0, ' ms'),
				isReached: tenThousand.median <= 800,
			},
		],
	};
}

export const growth: Part<Data> = { number: 5, title: 'Growth', measure, chapter };
