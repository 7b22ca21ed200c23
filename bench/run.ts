import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from '../scripts/problem';
import { say } from '../scripts/steps';
import { call, type Flow } from './flows';
import type { Stopped } from './nodes/stopwatch';
import type { Stage } from './stage';
import { hasUsage, peakMb, resetPeak } from './usage';

export interface Order {
	/** The number of rows. */
	count: number;
	/** The prefix of the rows' user IDs. */
	prefix: string;
	/** Characters of a text in each row; none unless told otherwise. */
	contentLength?: number;
	/** Rows in the list of each item; by default each row is an item. */
	rowsPerItem?: number;
}

/** One run of a timed flow. */
export interface Timed extends Stopped {
	/** The most memory of n8n's process, from the call to the stored execution. Null where it is not Linux. */
	peakMb: number | null;
}

/** @throws Error if the flow fails, or if rows are missing in its output */
export async function runTimed(stage: Stage, flow: Flow, order: Order): Promise<Timed> {
	const usage = hasUsage ? watch(stage.pid) : () => ({ peakMb: null });
	const { status, text } = await call(flow, order);
	if (status !== 200) throw new Error(`${flow.url} answered ${status}: ${text.slice(0, 300)}`);
	const { items, ...stopped } = JSON.parse(text) as Stopped & { items: number };
	if (items !== order.count / (order.rowsPerItem ?? 1))
		throw new Error(`${order.count} rows went into ${flow.url} and ${items} items came out`);
	await stored(stage, flow);
	return { ...stopped, ...usage() };
}

function watch(pid: number) {
	resetPeak(pid);
	return () => ({ peakMb: peakMb(pid) });
}

/** Waits until n8n has stored the newest execution, because storing is part of a run's cost. */
async function stored(stage: Stage, flow: Flow): Promise<void> {
	for (let attempt = 0; attempt < 600; attempt++) {
		const newest = await newestExecution(stage, flow);
		if (newest === undefined || !['new', 'running', 'waiting'].includes(newest.status)) return;
		await sleep(100);
	}
}

/**
 * Runs a flow that may fail, and stops it if it does not end by itself.
 *
 * @returns milliseconds from Stop to the end; 0 if it ended by itself
 */
export async function runWithin(
	stage: Stage,
	flow: Flow,
	order: Order,
	withinMs: number,
): Promise<number> {
	let stoppedAtMs: number | undefined;
	const timer = setTimeout(() => {
		stoppedAtMs = performance.now();
		stopNewest(stage, flow).catch((error: unknown) => say(explain(error)));
	}, withinMs);
	await call(flow, order).finally(() => clearTimeout(timer));
	return stoppedAtMs === undefined ? 0 : performance.now() - stoppedAtMs;
}

export async function stopNewest(stage: Stage, flow: Flow): Promise<void> {
	const newest = await newestExecution(stage, flow);
	if (newest) await stage.client.stopExecution(newest.id);
}

async function newestExecution({ client }: Stage, { stored: { id } }: Flow) {
	return (await client.executions(id))[0];
}
