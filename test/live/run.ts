import assert from 'node:assert/strict';
import type { Arrival } from '../../sandbox/index';
import type { ExecutionData, Item, NodeRun } from '../../scripts/n8n/executionData';

/** The users whose pushes the service accepted, once for each push. */
export const usersReached = (arrivals: readonly Arrival[]): string[] =>
	arrivals
		.filter(({ accepted }) => accepted)
		.map(({ body }) => (body as { user_id: string }).user_id);

export const usersOf = (rows: ReadonlyArray<{ userID: string }>) =>
	rows.map(({ userID }) => userID);

/**
 * What runs of a node tell of each item, for example `accepted`, `accepted before` or `skipped accepted`. An item that
 * failed names its user on the error output only.
 */
export const toldBy = (runs: NodeRun[] = []): Array<[user: string, said: string]> =>
	runs
		.flatMap((run) => run.data?.main.flat() ?? [])
		.map((item) => {
			const { json = {} } = item ?? {};
			const all: Record<string, unknown> = { ...json, ...(json.details as object | undefined) };
			const { outcome, earlierOutcome, sentBefore, user_id, userID = user_id } = all;
			const words = [outcome, earlierOutcome, sentBefore === true && 'before'].filter(Boolean);
			return [userID as string, words.join(' ')];
		});

/** An execution as n8n shows it, and what reached the sandbox meanwhile. */
export class Run {
	constructor(
		readonly id: string,
		readonly status: string,
		readonly data: ExecutionData,
		readonly arrivals: readonly Arrival[] = [],
		/** Of its webhook. */
		readonly answer = '',
	) {}

	succeeded(): this {
		assert.equal(this.status, 'success', `it ended with: ${this.failure.slice(0, 500)}`);
		return this;
	}

	/** The items on one output of a node; 0 is its first. */
	items(node = 'Done', output = 0): Item[] {
		const runs = this.data.resultData.runData[node];
		assert.ok(runs, `the node "${node}" did not run`);
		return runs.flatMap((run) => run.data?.main[output] ?? []);
	}

	/** Some fields of the items on the first output of a node. */
	values(node: string, ...fields: string[]): unknown[][] {
		return this.items(node).map(({ json }) => fields.map((field) => json[field]));
	}

	/** What became of each item of a node, also of those that failed. */
	outcomes(node = 'Done'): unknown[] {
		return this.items(node).map(
			({ json }) => ((json.details ?? json) as { outcome: unknown }).outcome,
		);
	}

	/** What the push tells of each item. */
	told() {
		return toldBy(this.data.resultData.runData.Push);
	}

	/** Where it waits, if it does. */
	get lastNode(): string | undefined {
		return this.data.resultData.lastNodeExecuted;
	}

	hasRun(node: string): boolean {
		return this.data.resultData.runData[node] !== undefined;
	}

	get paths(): string[] {
		return this.arrivals.map(({ path }) => path.replace('/api/v1/', ''));
	}

	get bodies(): unknown[] {
		return this.arrivals.map(({ body }) => body);
	}

	get reached(): string[] {
		return usersReached(this.arrivals);
	}

	/** What the execution, or the node that ended it, says went wrong. */
	get failure(): string {
		const { message = '', description = '' } = this.data.resultData.error ?? {};
		return `${message}\n${description}`;
	}
}
