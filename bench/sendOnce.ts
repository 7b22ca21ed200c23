import { createHash } from 'node:crypto';
import { processedEntries, writeProcessedEntries } from './database';
import { timedFlow, type Flow } from './flows';
import type { Bench, Chapter, Part } from './part';
import { runTimed } from './run';
import type { Stage } from './stage';
import { number, spread, told } from './statistics';
import { ourPush } from './subjects';

const NO_LIMIT = 10_000_000;
const LATENCY_MS: [number, number] = [50, 150];
const KEYS = 100_000;

/** How a run is sent, with the milliseconds of each round. */
interface Way {
	name: string;
	ms: number[];
}

interface Data {
	rows: number;
	ways: Way[];
	/** The row in n8n's database that holds the keys: how many there are, and its size. */
	bytes: { keys: number; row: number };
}

async function measure({ isQuick, onStage, sandboxes, standard }: Bench): Promise<Data> {
	const rows = isQuick ? 200 : 1_000;
	const rounds = isQuick ? 1 : 5;
	return await onStage(standard, async (stage) => {
		const sandbox = await sandboxes.open('send-once', {
			limits: { push: NO_LIMIT },
			latencyMs: LATENCY_MS,
		});
		const credentials = await stage.credentials(sandbox.url, { pushLimit: NO_LIMIT });
		const makeFlow = async (name: string, sendOnce: boolean) =>
			await timedFlow(stage, name, ourPush({}, {}, { sendOnce })(credentials, sandbox.url));
		const off = await makeFlow('send-once-off', false);
		const few = await makeFlow('send-once-few-keys', true);
		const many = await makeFlow('send-once-many-keys', true);
		const ways: Way[] = [
			{ name: 'without Send Once', ms: [] },
			{ name: 'with Send Once, few keys', ms: [] },
			{ name: `with Send Once, ${number(KEYS)} keys`, ms: [] },
			{ name: `with Send Once, ${number(KEYS)} keys, all sent before`, ms: [] },
		];
		await runTimed(stage, off, { count: 100, prefix: 'warm-up' });
		await runTimed(stage, many, { count: 100, prefix: 'warm-up' });
		await fill(stage, many);
		for (let round = 0; round < rounds; round++) {
			const fresh = { count: rows, prefix: `round-${round}` };
			for (const [index, flow] of [off, few, many, many].entries()) {
				ways[index]?.ms.push((await runTimed(stage, flow, fresh)).ms);
			}
		}
		const entries = await processedEntries(stage, many.stored.id);
		await sandbox.close();
		return { rows, ways, bytes: { keys: entries.length, row: JSON.stringify(entries).length } };
	});
}

/** Adds as many keys as the node keeps, as if it had sent them before. */
async function fill(stage: Stage, { stored: { id } }: Flow): Promise<void> {
	const keys = Array.from({ length: KEYS }, (_, index) =>
		createHash('md5').update(`key ${index}`).digest('base64'),
	);
	await writeProcessedEntries(stage, id, keys);
}

function chapter({ rows, ways, bytes }: Data): Chapter {
	const perHundred = ({ ms }: Way) => spread(ms.map((time) => (100 * time) / rows));
	const [base] = ways;
	return {
		// The last takes as long as the one before.
		figures: ways.slice(0, 3).map((way) => ({
			what: `100 pushes ${way.name}`,
			ours: `${number(perHundred(way).median)} ms`,
			others: '',
		})),
		how:
			`${number(rows)} pushes with no limit in the way, answers after ${LATENCY_MS.join('–')} ms, the four ways in turns. ` +
			`The row of n8n's database that holds ${number(bytes.keys)} keys has ${number(bytes.row / 1_000_000, 1)} MB.`,
		tables: [
			{
				head: ['', 'ms for 100 rows', 'ratio'],
				rows: ways.map((way) => [
					way.name,
					told(perHundred(way), 0),
					base ? number(perHundred(way).median / perHundred(base).median, 2) : '',
				]),
			},
		],
		targets: [],
	};
}

export const sendOnce: Part<Data> = { number: 7, title: 'Send Once', measure, chapter };
