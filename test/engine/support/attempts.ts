import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions, Settings } from '../../../sandbox';
import { type Order, type Output, untilNodeEnds } from './engine';
import { type Course, type Execution, ExecutionList } from './executionList';
import { startServer } from './localServer';
import { type MemoryStore, useNewStore } from './memoryStore';
import { accountOf, push, roomySandbox, rowsOf, toldBy, untilQuiet } from './sends';

/** Runs the node, as `start` and `retry` do, with what a test does to the execution meanwhile. */
type Run<T> = (course: Pick<Course, 'started' | 'isKilled'>) => Promise<T>;

export interface Turn extends Course {
	/** What differs from the credential of the sandbox's account. */
	account?: object;
}

/** Executions and their retries, some of them killed, against one sandbox and one store. */
export class Attempts {
	sandbox!: Sandbox;
	store!: MemoryStore;
	list!: ExecutionList;

	constructor(private readonly defaults: Partial<Order>) {}

	order(parameters: INodeParameters, rows: IDataObject[]): Order {
		return { parameters, rows, credential: accountOf(this.sandbox) };
	}

	/** Starts an execution with what the tests of the file have in common, unless it says otherwise. */
	async start({ account, ...more }: Turn = {}): Promise<Execution> {
		const credential = { ...accountOf(this.sandbox), ...account };
		return await this.list.start({ parameters: push(), credential, ...this.defaults, ...more });
	}

	/** The same with a server in place of the sandbox, which answers as the test says. */
	async against(answer: Parameters<typeof startServer>[0], { account, ...more }: Turn = {}) {
		const server = await startServer(answer);
		const report = await this.start({ ...more, account: { ...server.urls, ...account } });
		await server.close();
		return { ...report, server, told: toldBy(report) };
	}

	/** What an execution says in short, see `inShort`. */
	async says(more: Turn = {}): Promise<string> {
		return inShort(await this.start(more));
	}

	async retry(execution: Execution, { account, ...changes }: Turn = {}): Promise<Execution> {
		const credential = { ...accountOf(this.sandbox), ...account };
		return await this.list.retry(execution, { ...changes, ...(account && { credential }) });
	}

	/** An execution that failed at the node before, so that its data is stored. */
	async failBefore(more: Course = {}): Promise<Execution> {
		this.list.sourceFails = true;
		const execution = await this.start(more);
		this.list.sourceFails = false;
		return execution;
	}

	/** Kills n8n once a number of requests has arrived. n8n then stores nothing of what `run` does. */
	async killAfter(requests: number, run: Run<unknown>): Promise<void> {
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
	async killBeforeCall(call: number, run: Run<unknown>): Promise<void> {
		await this.kill(run, (press) => this.store.crashBefore(call, press));
	}

	private async kill(run: Run<unknown>, started: Course['started']): Promise<void> {
		await run({ started, isKilled: () => true });
		await untilNodeEnds();
		await untilQuiet(this.sandbox);
		this.store.crashBefore(0, () => {});
		this.store.isCrashed = false;
	}

	/** An execution that failed at the node before, and whose retry was killed. */
	async killRetryAfter(requests: number, more: Course = {}): Promise<Execution> {
		const first = await this.failBefore(more);
		await this.killAfter(requests, async (course) => await this.retry(first, course));
		return first;
	}

	/** Presses Stop at a moment, and waits until the node has ended. */
	async stopAt(moment: Promise<unknown>, run: Run<Execution>): Promise<Execution> {
		let stop = () => {};
		const running = run({ started: (press) => (stop = press) });
		await moment;
		stop();
		const stopped = await running;
		await untilNodeEnds();
		return stopped;
	}

	/** Waits until so many requests have arrived in all. */
	async untilArrived(requests: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.sandbox.subscribe(() => this.sandbox.record.length >= requests && resolve());
		});
	}

	/** The service refuses a request that holds the text, once. */
	refuseOnce(bodyText: string, status = 404): void {
		this.sandbox.faults.add({ kind: 'status', status, match: { bodyText }, first: 1 });
	}

	/** The service accepts a request that holds the text, and its answer is lost, once. */
	loseOnce(bodyText = ''): void {
		this.sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText }, first: 1 });
	}

	/** How often the service accepted something to each of so many users of `rowsOf`. */
	acceptedRows(rows: number): number[] {
		return this.accepted(idsOf(rowsOf(rows)));
	}

	/** How often the service accepted something that holds each of the texts. */
	accepted(texts: readonly string[]): number[] {
		const bodies = this.sandbox.accepted().map(({ body }) => JSON.stringify(body));
		return texts.map((text) =>
			bodies.reduce((count, body) => count + body.split(text).length - 1, 0),
		);
	}

	/**
	 * Expects that a retry sent nothing to whom it calls interrupted, that it reached everybody else once, and that it
	 * says of each what is true.
	 * @returns what it says of each, and how often each was reached
	 */
	expectTruth(retried: Output, before: number[], most = 10, ids = idsOf(rowsOf(before.length))) {
		const said = saidBy(retried);
		const isInDoubt = (words: string) => words === 'unknown interrupted';
		expect(said.filter(isInDoubt).length).toBeLessThanOrEqual(most);
		const became = (row: number) => (before[row] === 1 ? 'accepted before' : 'accepted');
		expect(said).toEqual(said.map((words, row) => (isInDoubt(words) ? words : became(row))));
		const reached = said.map((words, row) => (isInDoubt(words) ? (before[row] ?? 0) : 1));
		expect(this.accepted(ids)).toEqual(reached);
		return { said, reached };
	}
}

/**
 * A list of executions and a store that are new for each test of a file, and a sandbox that is reset, or is new too:
 * the node remembers the pace of an account by its address.
 * @param defaults what is common to the executions of the file
 */
export function useNode(
	defaults: Partial<Order> = {},
	{ isNewEachTest = false, ...options }: SandboxOptions & { isNewEachTest?: boolean } = {},
): Attempts {
	const attempts = new Attempts(defaults);
	let settings: Settings;
	const begin = async () => {
		attempts.sandbox = await roomySandbox(options);
		settings = attempts.sandbox.settings;
	};
	const end = async () => await attempts.sandbox.close();
	if (!isNewEachTest) beforeAll(begin);
	beforeEach(async () => {
		// A test that was stopped may have left a call behind.
		await untilNodeEnds();
		if (isNewEachTest) await begin();
		attempts.sandbox.reset();
		attempts.sandbox.configure(settings);
		attempts.store = useNewStore();
		attempts.list = new ExecutionList();
	});
	if (isNewEachTest) afterEach(end);
	else afterAll(end);
	return attempts;
}

export function useAttempts(): () => Attempts {
	const attempts = useNode();
	return () => attempts;
}

type Outputs = Pick<Output, 'output' | 'failed'>;

/**
 * What an execution says of each item, in a few words: `accepted`, `accepted before` for what an earlier attempt
 * sent, `unknown interrupted`, or `skipped sentBefore accepted` for Send Once.
 */
export function saidBy(report: Outputs): string[] {
	return toldBy(report).map(({ outcome, details }) => {
		const { reason, earlierOutcome, sentBefore } = details;
		const words = [outcome, reason, earlierOutcome, sentBefore === true && 'before'];
		return words.filter((word) => typeof word === 'string').join(' ');
	});
}

/** The same in one line, with how many items in a row say it: `8 accepted before, 22 accepted`. */
export function inShort(report: Outputs): string {
	const groups: Array<{ words: string; count: number }> = [];
	for (const words of saidBy(report)) {
		const last = groups.at(-1);
		if (last?.words === words) last.count++;
		else groups.push({ words, count: 1 });
	}
	return groups.map(({ words, count }) => `${count} ${words}`).join(', ');
}

export function idsOf(rows: readonly IDataObject[]): string[] {
	return rows.map(({ id }) => id as string);
}

/** The message and the description of what stopped a workflow. */
export function wordsOf({ error }: Pick<Output, 'error'>): string {
	return `${error?.message}\n${String((error as { description?: unknown } | undefined)?.description)}`;
}

/** The hints of a run, each on its line. */
export function hintsOf({ hints }: Pick<Output, 'hints'>): string {
	return hints.map(({ message }) => message).join('\n');
}

/** The same words for each of a number of rows. */
export function each<T>(words: T, rows: number): T[] {
	return Array.from({ length: rows }, () => words);
}
