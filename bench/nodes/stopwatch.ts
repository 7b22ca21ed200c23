import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface Start {
	atMs: number;
	heapBytes: number;
}

/** One for all nodes of the process, which are loaded apart from each other. */
const shared = globalThis as { customerMessagingBench?: Map<string, Start> };
const starts = () => (shared.customerMessagingBench ??= new Map<string, Start>());

/** Makes the rows; time begins when they are there, and what they hold counts from before. */
export function startWith<T>(executionId: string, makeRows: () => T): T {
	const heapBytes = heldBytes();
	const rows = makeRows();
	starts().set(executionId, { heapBytes, atMs: performance.now() });
	return rows;
}

/** Milliseconds since the rows were ready, and what was added to the heap. */
export function stop(executionId: string): { ms: number; heldMb: number } {
	const start = starts().get(executionId);
	if (!start) throw new Error('No rows were made in this execution');
	starts().delete(executionId);
	const ms = performance.now() - start.atMs;
	return { ms, heldMb: (heldBytes() - start.heapBytes) / 2 ** 20 };
}

/** Without what an earlier run left behind. */
function heldBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}
