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
		if (step.retries && last) last = await bench.retry(last);
		else if (step.call) last = await bench.run(stored, step.call, step.prepare);
		else last = await bench.byHand(stored, step.byHand ?? 'Try it by hand');
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
	assertLike(sorted(sent), sorted(sends));
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

/** By path and user. */
function sorted(requests: Request[]): Request[] {
	const key = (request: Request) => {
		if (typeof request === 'string') return request;
		const { user_id, email, mobile } = request[1] as Record<string, string | undefined>;
		return `${request[0]} ${user_id ?? email ?? mobile}`;
	};
	return [...requests].sort((one, other) => key(one).localeCompare(key(other)));
}

const assertLike = (seen: unknown, wanted: unknown) =>
	assert.deepEqual(fitted(seen, wanted), wanted);

/** The same with each pattern in place of a value that it fits. */
function fitted(seen: unknown, wanted: unknown): unknown {
	if (wanted instanceof RegExp) return wanted.test(String(seen)) ? wanted : seen;
	if (Array.isArray(seen))
		return seen.map((value, index) => fitted(value, (wanted as unknown[] | undefined)?.[index]));
	if (typeof seen !== 'object' || seen === null) return seen;
	const fields = wanted as Record<string, unknown> | undefined;
	return Object.fromEntries(
		Object.entries(seen).map(([key, value]) => [key, fitted(value, fields?.[key])]),
	);
}
