import assert from 'node:assert/strict';
import type { Sandbox } from '../../sandbox/index';
import type { StoredWorkflow } from '../../scripts/n8n/client';
import type { Bench } from './bench';
import type { Run } from './run';

type Request = string | [path: string, body: unknown];

export const platforms = ['android', 'ios', 'web'];

export const toEach = (body: object, operation = 'send'): Request[] =>
	platforms.map((platform) => [`${platform}/${operation}`, body]);

/** One run of an example. In what is expected, a pattern stands for each value that it fits. */
export interface Step {
	/** What its webhook gets. Without it, the example is started by hand. */
	call?: unknown;
	byHand?: string;
	/** Whether the run before is retried instead. */
	retries?: boolean;
	prepare?: (sandbox: Sandbox) => unknown;
	/** Below `/api/v1/`, in any order. */
	sends: Request[];
	/** How many items come out of nodes, or with `Node: field, field`, what these fields hold. */
	gives?: Record<string, number | unknown[][]>;
	/** Without it, the run succeeds. */
	fails?: RegExp;
	also?: (run: Run) => void;
}

export async function playSteps(bench: Bench, stored: StoredWorkflow, steps: Step[]) {
	let last: Run | undefined;
	for (const step of steps) {
		const { call, byHand = 'Try it by hand', retries, prepare } = step;
		if (retries && last) last = await bench.retry(last);
		else if (call === undefined) last = await bench.byHand(stored, byHand);
		else last = await bench.run(stored, call, prepare);
		check(last, step);
	}
}

function check(run: Run, { sends, gives = {}, fails, also }: Step): void {
	if (!fails) run.succeeded();
	const onlyPaths = sends.filter((one) => typeof one === 'string');
	const sent = run.arrivals.map(({ body }, index): Request => {
		const path = run.paths[index] ?? '';
		return onlyPaths.includes(path) ? path : [path, body];
	});
	assertLike(sent.sort(byPathAndUser), [...sends].sort(byPathAndUser));
	for (const [key, wanted] of Object.entries(gives)) {
		const [node = '', fields = ''] = key.split(': ');
		if (typeof wanted !== 'number') assertLike(run.values(node, ...fields.split(', ')), wanted);
		else assert.equal(run.hasRun(node) ? run.items(node).length : 0, wanted, node);
	}
	if (fails) {
		assert.equal(run.status, 'error', 'the run stands out');
		assert.match(run.failure, fails);
	}
	also?.(run);
}

function byPathAndUser(one: Request, other: Request): number {
	const [first = '', second = ''] = [one, other].map((request) => {
		if (typeof request === 'string') return request;
		const { user_id, email, mobile } = request[1] as Record<string, string | undefined>;
		return `${request[0]} ${user_id ?? email ?? mobile}`;
	});
	return first.localeCompare(second);
}

function assertLike(seen: unknown, wanted: unknown): void {
	assert.deepEqual(fitted(seen, wanted), wanted);
}

function fitted(seen: unknown, wanted: unknown): unknown {
	if (wanted instanceof RegExp) return wanted.test(String(seen)) ? wanted : seen;
	const isObject = (value: unknown) => typeof value === 'object' && value !== null;
	if (!isObject(seen) || !isObject(wanted)) return seen;
	const inside = Object.entries(seen).map(([key, value]) => [
		key,
		fitted(value, (wanted as Record<string, unknown>)[key]),
	]);
	return Array.isArray(seen)
		? inside.map(([, value]) => value)
		: (Object.fromEntries(inside) as object);
}
