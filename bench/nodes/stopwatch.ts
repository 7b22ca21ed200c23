import { readFileSync, writeFileSync } from 'node:fs';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Start {
	atMs: number;
	heapBytes: number;
	rssBytes: number;
	blocks: IntervalHistogram;
}

/** What the stopwatch measures of the node between the rows and itself. */
export interface Stopped {
	/** Milliseconds since the rows were ready. */
	ms: number;
	/** How much the heap has grown. */
	heldMb: number;
	/** When the rows were ready, in epoch milliseconds. */
	startedAtMs: number;
	/** The longest time in which n8n's process could do nothing else. */
	longestBlockMs: number;
	/** The maximum growth of the memory of n8n's process. Null on systems other than Linux. */
	addedMb: number | null;
}

/** Shared by all nodes of the process, although they are loaded separately. */
const shared = globalThis as { customerMessagingBench?: Map<string, Start> };
const starts = () => (shared.customerMessagingBench ??= new Map<string, Start>());

/** Makes the rows. The time starts when they exist. Their memory counts too. */
export async function startWith<T>(executionId: string, makeRows: () => T): Promise<T> {
	const heapBytes = heldBytes();
	const rows = makeRows();
	heldBytes();
	const blocks = monitorEventLoopDelay({ resolution: 1 });
	// The time to make the rows must not count.
	await sleep(5);
	blocks.enable();
	await sleep(5);
	resetPeak();
	const rssBytes = process.memoryUsage.rss();
	starts().set(executionId, { heapBytes, rssBytes, blocks, atMs: performance.now() });
	return rows;
}

export async function stop(executionId: string): Promise<Stopped> {
	const start = starts().get(executionId);
	if (!start) throw new Error('No rows were made in this execution');
	starts().delete(executionId);
	const ms = performance.now() - start.atMs;
	const peakBytes = readPeak();
	// A blocked event loop is only measured after it is free again.
	await sleep(5);
	start.blocks.disable();
	return {
		ms,
		heldMb: (heldBytes() - start.heapBytes) / 2 ** 20,
		startedAtMs: performance.timeOrigin + start.atMs,
		longestBlockMs: start.blocks.max / 1e6,
		addedMb: peakBytes === null ? null : (peakBytes - start.rssBytes) / 2 ** 20,
	};
}

function resetPeak(): void {
	if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

function readPeak(): number | null {
	if (process.platform !== 'linux') return null;
	const status = readFileSync('/proc/self/status', 'utf8');
	return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}

/** The heap after a garbage collection, so that an earlier run does not count. */
function heldBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}
