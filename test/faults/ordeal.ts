import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../sandbox/index';
import { say } from '../../scripts/steps';
import type { Cluster } from '../queue/cluster';
import {
	accountOf,
	reportedAccepted,
	reportedFailed,
	settled,
	startExecutions,
	type Ended,
	type Started,
} from '../queue/executions';
import { untilMuchOfMinuteIsLeft } from '../queue/sharedLimit';
import type { Fault, Surroundings } from './faults';

const EXECUTIONS = 4;
const SETTLED_WITHIN_MS = 240_000;
const STRUCK_WITHIN_MS = 120_000;
/** With a free place in the limit, a request would have left within this time. */
const QUIET_MS = 2_000;

/** Whom the service was asked to reach, and what the executions say about it. */
export interface Figures {
	rows: number;
	reached: number;
	twice: string[];
	/** Named by an execution that cannot tell whether they were reached. */
	unknown: string[];
	/** Named by an execution as not sent, and not reached. */
	notSent: string[];
	/** Neither reached nor named. */
	unnamed: string[];
	/** How the executions ended, for example `3 × success`. */
	executions: string[];
}

export interface Ordeal {
	fault: string;
	sendOnce: boolean;
	before: Figures;
	/** After the user did what is left to do. */
	after: Figures;
}

/** Runs four executions through a fault, and then does what a user would do: start or retry them again. */
export async function endure(
	fault: Fault,
	sendOnce: boolean,
	surroundings: Surroundings,
): Promise<Ordeal> {
	const { cluster } = surroundings;
	const { client, sandbox } = cluster;
	const path = `${fault.title.toLowerCase().replace(/\W+/g, '-')}-${sendOnce ? 'once' : 'plain'}`;
	sandbox.reset();
	sandbox.configure({ latencyMs: 300 });
	if (fault.moment === 'limitUsedUp') await untilMuchOfMinuteIsLeft();
	const started = await startExecutions(cluster, path, {
		executions: EXECUTIONS,
		rowsEach: fault.rowsEach,
		authentication: 'partnerToken',
		parameters: { sendOnce, ...(sendOnce && { sendOnceKey: 'sale' }) },
	});
	await untilMoment(fault, sandbox, started.rows.length);
	say(`    after ${sandbox.record.length} of ${started.rows.length} requests: it happens`);
	await fault.strike(surroundings);
	say('    it is over');
	const ended = await settled(client, started, EXECUTIONS, SETTLED_WITHIN_MS);
	const before = figuresOf(sandbox, started, ended);
	report(before);
	assertSound(fault, before, ended);

	sandbox.configure({ latencyMs: 0 });
	const all = sendOnce
		? await startAgain(cluster, started)
		: [...ended, ...(await retryFailed(cluster, ended))];
	const after = figuresOf(sandbox, started, all);
	report(after);
	assert.deepEqual(after.twice, [], 'nobody is reached twice');
	if (sendOnce) assert.deepEqual(after.unnamed, [], 'everyone is reached or named');
	return { fault: fault.title, sendOnce, before, after };
}

async function untilMoment({ moment }: Fault, { record }: Sandbox, rows: number): Promise<void> {
	const deadline = Date.now() + STRUCK_WITHIN_MS;
	const isNow = () =>
		moment === 'third'
			? record.length >= rows / 3
			: record.length >= rows / 2 && Date.now() - (record.at(-1)?.time ?? 0) > QUIET_MS;
	while (!isNow()) {
		assert.ok(Date.now() < deadline, `only ${record.length} of ${rows} requests came`);
		await sleep(20);
	}
}

async function startAgain({ client }: Cluster, started: Started): Promise<Ended[]> {
	await started.again();
	return await settled(client, started, 2 * EXECUTIONS, SETTLED_WITHIN_MS);
}

/** Retries each execution that did not succeed, as a user would in the list of executions. */
async function retryFailed({ client }: Cluster, ended: Ended[]): Promise<Ended[]> {
	const retries: Ended[] = [];
	for (const { id } of ended.filter(({ status }) => status !== 'success')) {
		// n8n gives the job of a killed worker to another one, which may only now have succeeded.
		const now = { id, ...(await client.finished(id)) };
		retries.push(now.status === 'success' ? now : await client.retry(id));
	}
	return retries;
}

function figuresOf(sandbox: Sandbox, { rows }: Started, executions: Ended[]): Figures {
	const { doubled, lost } = accountOf(sandbox, rows);
	const named = (outcome: string) =>
		new Set(executions.flatMap((execution) => reportedFailed(execution, outcome)));
	const unknown = named('unknown');
	const notSent = named('notSent');
	return {
		rows: rows.length,
		reached: rows.length - lost.length,
		twice: doubled,
		unknown: [...unknown],
		notSent: lost.filter((user) => notSent.has(user) && !unknown.has(user)),
		unnamed: lost.filter((user) => !notSent.has(user) && !unknown.has(user)),
		executions: counted(executions.map(described)),
	};
}

function described({ status, data }: Ended): string {
	const { message } = data.resultData.error ?? {};
	return message ? `${status}: “${message}”` : status;
}

function counted(texts: string[]): string[] {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts].map(([text, count]) => `${count} × ${text}`);
}

/** What holds before anybody does anything. */
function assertSound(fault: Fault, figures: Figures, executions: Ended[]): void {
	assert.deepEqual(figures.twice, [], 'nobody is reached twice');
	for (const execution of executions.filter(({ status }) => status === 'success')) {
		const failed = ['unknown', 'notSent'].flatMap((outcome) => reportedFailed(execution, outcome));
		assert.equal(
			reportedAccepted(execution) + failed.length,
			fault.rowsEach,
			'an execution that succeeded names each of its rows',
		);
	}
	if (fault.endsExecutions) return;
	assert.deepEqual(figures.executions, [`${EXECUTIONS} × success`]);
	assert.deepEqual(figures.unnamed, [], 'everyone is reached or named');
}

function report({ rows, reached, twice, unknown, notSent, unnamed, executions }: Figures): void {
	say(
		`    ${reached} of ${rows} reached, ${twice.length} twice, ${unknown.length} unknown, ${notSent.length} named as not sent, ${unnamed.length} neither reached nor named`,
	);
	for (const line of executions) say(`    ${line}`);
}
