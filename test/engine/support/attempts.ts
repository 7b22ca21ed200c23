import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Arrival, Sandbox } from '../../../sandbox';
import { type Order, type Report, untilNodeEnds } from './engine';
import { type Course, type Execution, ExecutionList } from './executionList';
import { type MemoryStore, useNewStore } from './memoryStore';
import { accountOf, roomySandbox, rowsOf, toldBy, untilQuiet } from './sends';

/** What happens to an execution that is killed. */
type Killed = Pick<Course, 'started' | 'isKilled'>;

/** An execution and its retries, some of them killed, against one sandbox and one store. */
export class Attempts {
	readonly store: MemoryStore = useNewStore();
	list = new ExecutionList();

	constructor(readonly sandbox: Sandbox) {}

	order(parameters: INodeParameters, rows: IDataObject[], more: Partial<Order> = {}): Order {
		return { parameters, rows, credential: accountOf(this.sandbox), ...more };
	}

	/** An execution that failed at the node before, so that its data is stored. */
	async failBefore(order: Order): Promise<Execution> {
		this.list.sourceFails = true;
		const execution = await this.list.start(order);
		this.list.sourceFails = false;
		return execution;
	}

	/** Kills n8n once a number of requests has arrived. n8n then stores nothing of what `run` does. */
	async killAfter(requests: number, run: (course: Killed) => Promise<unknown>): Promise<void> {
		const arrivedBefore = this.sandbox.record.length;
		let kill = () => {};
		const unsubscribe = this.sandbox.subscribe(() => {
			if (this.sandbox.record.length - arrivedBefore >= requests) kill();
		});
		await this.kill(run, (press) => {
			kill = () => {
				this.store.isCrashed = true;
				press();
			};
		});
		unsubscribe();
	}

	/** Kills n8n before a call of the store, if there are as many. */
	async killBeforeCall(call: number, run: (course: Killed) => Promise<unknown>): Promise<void> {
		await this.kill(run, (press) => this.store.crashBefore(call, press));
	}

	private async kill(
		run: (course: Killed) => Promise<unknown>,
		started: (press: () => void) => void,
	): Promise<void> {
		await run({ started, isKilled: () => true });
		await untilNodeEnds();
		await untilQuiet(this.sandbox);
		this.store.crashBefore(0, () => {});
		this.store.isCrashed = false;
	}

	/** An execution that failed at the node before, and whose retry was killed. */
	async killRetryAfter(requests: number, order: Order): Promise<Execution> {
		const first = await this.failBefore(order);
		await this.killAfter(requests, async (course) => await this.list.retry(first, course));
		return first;
	}

	/** The service refuses a request that holds the text, once. */
	refuseOnce(bodyText: string, status = 404): void {
		this.sandbox.faults.add({ kind: 'status', status, match: { bodyText }, first: 1 });
	}

	/** How often the service accepted something to each of so many users of `rowsOf`. */
	acceptedRows(rows: number): number[] {
		return this.accepted(rowsOf(rows).map(({ id }) => id));
	}

	/** How often the service accepted something that holds each of the texts. */
	accepted(texts: readonly string[]): number[] {
		return countIn(this.sandbox.accepted(), texts);
	}
}

function countIn(arrivals: readonly Arrival[], texts: readonly string[]): number[] {
	const bodies = arrivals.map(({ body }) => JSON.stringify(body));
	const occurrences = (text: string) =>
		bodies.reduce((count, body) => count + body.split(text).length - 1, 0);
	return texts.map(occurrences);
}

/** A sandbox, a store and a list of executions, new for each test of a file. */
export function useAttempts(): () => Attempts {
	let attempts: Attempts;
	beforeEach(async () => {
		attempts = new Attempts(await roomySandbox());
	});
	afterEach(async () => await attempts.sandbox.close());
	return () => attempts;
}

/**
 * What an execution says of each item, in a few words: `accepted`, `accepted before` for what an earlier attempt
 * sent, `unknown interrupted`, or `skipped sentBefore accepted` for Send Once.
 */
export function saidBy(report: Pick<Report, 'output' | 'failed'>): string[] {
	return toldBy(report).map(({ outcome, details }) => {
		const { reason, earlierOutcome, sentBefore } = details;
		const words = [outcome, reason, earlierOutcome, sentBefore === true && 'before'];
		return words.filter((word) => typeof word === 'string').join(' ');
	});
}

/** The message and the description of what stopped a workflow. */
export function wordsOf({ error }: Pick<Report, 'error'>): string {
	return `${error?.message}\n${String((error as { description?: unknown } | undefined)?.description)}`;
}

/** The same words for each of a number of rows. */
export function each<T>(words: T, rows: number): T[] {
	return Array.from({ length: rows }, () => words);
}
