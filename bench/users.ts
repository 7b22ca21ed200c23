import { timedFlow } from './flows';
import { type Bench, type Chapter, type Part, countRounds } from './part';
import { runTimed, runWithin } from './run';
import type { SandboxProcess } from './sandboxProcess';
import type { Stage } from './stage';
import { number, ratios, spread, told } from './statistics';
import { batching, httpUser, httpUserLists, ourUsers, type Subject } from './subjects';
import { tally } from './tally';

const LIMIT = 100;
const NO_LIMIT = 10_000_000;
const LATENCY_MS: [number, number] = [50, 150];
const MINUTE_MS = 60_000;

interface Ours {
	/** From the rows to the output. */
	ms: number;
	requests: number;
	refused: number;
	lost: number;
	doubled: number;
	/** In the first minute after the call. */
	usersInAMinute: number;
}

interface Data {
	rows: number;
	/** One value per round: with the limit, and without one. */
	limited: Ours[];
	unlimited: Ours[];
	/** HTTP Request at the limit, from items that hold a list of 100 users each. */
	lists: Ours[];
	http: { rows: number; minutes: number; usersPerMinute: number; refused: number; lost: number };
}

async function measure(bench: Bench): Promise<Data> {
	const { isQuick, onStage, sandboxes, standard } = bench;
	const rows = 10_000;
	const minutes = isQuick ? 0.5 : 3;
	return await onStage(standard, async (stage) => {
		const http = httpRequest(stage, sandboxes, minutes);
		const limited: Ours[] = [];
		const unlimited: Ours[] = [];
		const lists: Ours[] = [];
		const all = httpUserLists(batching(100, MINUTE_MS), { onError: 'continueRegularOutput' });
		const timed = async (name: string, subject: Subject, limit: number, rowsPerItem = 1) =>
			await sendUsers(stage, sandboxes, { name, subject, limit, rowsPerItem, rows });
		await timed('warm-up', ourUsers(), NO_LIMIT);
		await timed('warm-up-lists', all, NO_LIMIT, 100);
		for (let round = 0; round < countRounds(bench); round++) {
			limited.push(await timed(`limited-${round}`, ourUsers(), LIMIT));
			unlimited.push(await timed(`unlimited-${round}`, ourUsers(sameConcurrency), NO_LIMIT));
			lists.push(await timed(`lists-${round}`, all, LIMIT, 100));
		}
		return { rows, limited, unlimited, lists, http: await http };
	});
}

/** A raised limit raises the number of requests in flight too. */
const sameConcurrency = { concurrency: 10 };

interface Sending {
	name: string;
	subject: Subject;
	limit: number;
	rows: number;
	rowsPerItem: number;
}

async function sendUsers(
	stage: Stage,
	sandboxes: SandboxProcess,
	{ name, subject, limit, rows, rowsPerItem }: Sending,
): Promise<Ours> {
	const sandbox = await sandboxes.open(name, { limits: { user: limit }, latencyMs: LATENCY_MS });
	const credential = await stage.credential(sandbox.url, { userLimit: limit });
	const flow = await timedFlow(stage, name, subject(credential, sandbox.url));
	const beganAt = Date.now();
	const { ms } = await runTimed(stage, flow, { count: rows, prefix: 'user', rowsPerItem });
	const seen = await sandbox.seen();
	await sandbox.close();
	const { requests, refused, lost, doubled } = tally(seen, rows);
	const usersInAMinute = seen
		.filter(({ accepted, atMs }) => accepted && atMs < beganAt + MINUTE_MS)
		.flatMap(({ users }) => users).length;
	return { ms, requests, refused, lost, doubled, usersInAMinute };
}

/** One row per request, as fast as the limit allows. People build it like this, because each row is an item. */
async function httpRequest(
	stage: Stage,
	sandboxes: SandboxProcess,
	minutes: number,
): Promise<Data['http']> {
	const rows = LIMIT * minutes;
	const sandbox = await sandboxes.open('users-http', {
		limits: { user: LIMIT },
		latencyMs: LATENCY_MS,
	});
	const subject = httpUser(batching(10, 6_000), { onError: 'continueRegularOutput' });
	const flow = await timedFlow(
		stage,
		'users-http',
		subject(await stage.credential(sandbox.url), sandbox.url),
	);
	const beganAt = Date.now();
	await runWithin(stage, flow, { count: rows, prefix: 'user' }, 10 * MINUTE_MS);
	const seen = await sandbox.seen();
	await sandbox.close();
	const inTime = seen.filter(
		({ accepted, atMs }) => accepted && atMs < beganAt + minutes * MINUTE_MS,
	);
	const { refused, lost } = tally(seen, rows);
	return {
		rows,
		minutes,
		usersPerMinute: inTime.flatMap(({ users }) => users).length / minutes,
		refused,
		lost,
	};
}

function chapter({ rows, limited, unlimited, lists, http }: Data): Chapter {
	const over = ratios(
		limited.map(({ ms }) => ms),
		unlimited.map(({ ms }) => ms),
	);
	const usersInAMinute = spread(limited.map((run) => run.usersInAMinute));
	const row = (name: string, runs: Ours[]) => {
		const all = (field: keyof Ours) => spread(runs.map((run) => run[field]));
		return [
			name,
			number(rows),
			told(all('requests'), 0),
			told(spread(runs.map(({ ms }) => ms / 1_000)), 1),
			told(all('usersInAMinute'), 0),
			...(['refused', 'lost', 'doubled'] as const).map((field) => told(all(field), 0)),
		];
	};
	return {
		how:
			`Users created at ${LIMIT} requests per minute, answers after ${LATENCY_MS.join('–')} ms, windows by the clock’s minute. ` +
			`This node puts 100 rows in a request, so that ${number(rows)} rows are ${rows / 100} requests: one window. ` +
			'Its ideal is measured: the same run with no limit in the way and as many requests in flight, in turns. ' +
			'HTTP Request can send as many users in a request, if another node has put 100 rows into a list in each item first; what that takes is not counted here. ' +
			`From one row per item, it sends one user in a request, here 10 per 6 s, for ${http.minutes} minutes, beside the others.`,
		tables: [
			{
				head: [
					'',
					'rows',
					'requests',
					'time (s)',
					'users in the first minute',
					'429',
					'lost',
					'doubled',
				],
				rows: [
					row('this node', limited),
					row('this node, no limit in the way', unlimited),
					row('HTTP Request, 100 users in each item', lists),
					[
						'HTTP Request, a user in each item',
						number(http.rows),
						number(http.rows),
						number(http.minutes * 60),
						number(http.usersPerMinute),
						number(http.refused),
						number(http.lost),
						'–',
					],
				],
			},
		],
		charts: [
			{
				kind: 'bars',
				name: 'users',
				title: `Users per minute at ${LIMIT} requests per minute`,
				unit: '',
				groups: [
					'this node',
					'HTTP Request, 100 users in each item',
					'HTTP Request, a user in each item',
				],
				series: [
					{
						name: 'users',
						values: [
							usersInAMinute,
							spread(lists.map((run) => run.usersInAMinute)),
							spread([http.usersPerMinute]),
						],
					},
				],
			},
		],
		targets: [
			{
				what: `${number(rows)} users: time over the ideal of one window`,
				asked: '≤ 1.05',
				measured: told(over),
				isReached: over.median <= 1.05,
			},
		],
	};
}

export const users: Part<Data> = { number: 3, title: 'Users per minute', measure, chapter };
