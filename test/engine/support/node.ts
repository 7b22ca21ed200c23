import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { pause } from './clock';
import { execute, type Order, type Output, untilNodeEnds } from './engine';
import { type Course, type Execution, ExecutionList } from './executionList';
import { startServer } from './localServer';
import { type MemoryStore, useNewStore } from './memoryStore';
import { push, rowsOf, toldBy } from './sends';

export const apiKey = 'sandbox-key';
export const brandId = 'sandbox-brand';
export const accessToken = 'sandbox-token';

/** Enough calls a minute that no test waits for the limit. */
const ample = 1_000_000;
export const ampleLimits = {
	...{ user: ample, event: ample, campaign: ample, reporting: ample },
	...{ push: ample, email: ample, sms: ample },
};

/** A sandbox with limits that are too high to matter, unless others are given. */
export const roomySandbox = async ({ limits, ...rest }: SandboxOptions = {}) =>
	await startSandbox({ maxRecords: ample, ...rest, limits: { ...ampleLimits, ...limits } });

/** The account of a sandbox for both types of credential, with the limits that the sandbox has. */
export function accountOf({ urls, settings }: Pick<Sandbox, 'urls'> & Partial<Sandbox>) {
	const { limits } = settings ?? { limits: ampleLimits };
	return { ...urls, brandId, apiKey, accessToken, ...limitFields(limits) };
}

export const limitFields = (limits: Readonly<Record<string, number>>) => ({
	customLimits: true,
	...Object.fromEntries(Object.entries(limits).map(([api, most]) => [`${api}Limit`, most])),
});

type Run<T> = (course: Pick<Course, 'started' | 'isKilled'>) => Promise<T>;

export interface Turn extends Course {
	/** What differs from the credential of the sandbox's account. */
	account?: object;
}

/** Executions and their retries, some of them killed, against one sandbox and one store. */
class NodeUnderTest {
	sandbox!: Sandbox;
	store!: MemoryStore;
	list!: ExecutionList;

	constructor(private readonly defaults: Partial<Order>) {}

	get credential() {
		return accountOf(this.sandbox);
	}

	private orderOf({ account, ...more }: Turn): Order & Course {
		const credential = { ...this.credential, ...account };
		return { parameters: push(), credential, ...this.defaults, ...more };
	}

	run = async (parameters: INodeParameters, turn: Turn = {}) =>
		await execute(this.orderOf({ parameters, ...turn }));

	/** Why each row is refused, where the others are sent or shown. */
	async refusals(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<string[]> {
		const onError = 'continueErrorOutput';
		const { failed, error, output } = await this.run(parameters, { rows, onError });
		expect(error).toBeUndefined();
		expect(output.length + failed.length).toBe(rows.length);
		return failed.map(({ json }) => json.error as string);
	}

	/** Why a row is refused; undefined if a request was sent for it. */
	async refusal(parameters: INodeParameters, row: IDataObject = {}): Promise<string | undefined> {
		this.sandbox.reset();
		const [found] = await this.refusals(parameters, [row]);
		expect(this.sandbox.record).toHaveLength(found === undefined ? 1 : 0);
		return found;
	}

	/** Why a run stops that sends nothing. */
	async stops(parameters: INodeParameters, rest: Turn = {}): Promise<string> {
		const { error } = await this.run(parameters, rest);
		expect(this.sandbox.record).toEqual([]);
		return error?.message ?? '';
	}

	bodies = (): unknown[] => this.sandbox.record.map(({ body }) => body);
	arrived = (key: string) => this.bodies().map((body) => (body as IDataObject)[key]);
	elements = () => this.arrived('nv').flat() as IDataObject[];

	onlyArrival() {
		const [arrival, ...others] = this.sandbox.record;
		expect(others).toEqual([]);
		if (!arrival) throw new Error('No request arrived');
		return arrival;
	}

	start = async (turn: Turn = {}) => await this.list.start(this.orderOf(turn));

	/** The same with a server in place of the sandbox, which answers as the test says. */
	async against(answer: Parameters<typeof startServer>[0], { account, ...more }: Turn = {}) {
		const server = await startServer(answer);
		const report = await this.start({ ...more, account: { ...server.urls, ...account } });
		await server.close();
		return { ...report, server, told: toldBy(report) };
	}

	says = async (more: Turn = {}) => inShort(await this.start(more));

	async retry(execution: Execution, { account, ...changes }: Turn = {}): Promise<Execution> {
		const credential = { ...this.credential, ...account };
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
		let stop = () => {};
		const unsubscribe = this.sandbox.subscribe(() => {
			if (this.sandbox.record.length - arrivedBefore < requests) return;
			this.store.isCrashed = true;
			stop();
		});
		await run({ started: (press) => (stop = press), isKilled: () => true });
		await untilNodeEnds();
		await untilQuiet(this.sandbox);
		unsubscribe();
		this.store.isCrashed = false;
	}

	/** An execution that failed at the node before, and whose retry was killed. */
	async killRetryAfter(requests: number, more: Course = {}): Promise<Execution> {
		const first = await this.failBefore(more);
		await this.killAfter(requests, async (course) => await this.retry(first, course));
		return first;
	}

	async stopAt(moment: Promise<unknown>, run: Run<Execution>): Promise<Execution> {
		let stop = () => {};
		const running = run({ started: (press) => (stop = press) });
		await moment;
		stop();
		const stopped = await running;
		await untilNodeEnds();
		return stopped;
	}

	async untilArrived(requests: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.sandbox.subscribe(() => this.sandbox.record.length >= requests && resolve());
		});
	}

	refuseOnce(bodyText: string, status = 404): void {
		this.sandbox.faults.add({ kind: 'status', status, match: { bodyText }, first: 1 });
	}

	/** The service accepts a request that holds the text, and its answer is lost, once. */
	loseOnce(bodyText = ''): void {
		this.sandbox.faults.add({ kind: 'resetAfterAccept', match: { bodyText }, first: 1 });
	}

	acceptedRows = (rows: number) => this.accepted(idsOf(rowsOf(rows)));

	/** How often each text was in what the service accepted. */
	accepted(texts: readonly string[]): number[] {
		const accepted = JSON.stringify(this.sandbox.accepted().map(({ body }) => body));
		return texts.map((text) => accepted.split(text).length - 1);
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
): NodeUnderTest {
	const node = new NodeUnderTest(defaults);
	const [begin, end] = isNewEachTest ? [beforeEach, afterEach] : [beforeAll, afterAll];
	let settings: Sandbox['settings'];
	begin(async () => {
		node.sandbox = await roomySandbox(options);
		settings = node.sandbox.settings;
	});
	beforeEach(async () => {
		// A test that was stopped may have left a call behind.
		await untilNodeEnds();
		node.sandbox.reset();
		node.sandbox.configure(settings);
		node.store = useNewStore();
		node.list = new ExecutionList();
	});
	end(async () => await node.sandbox.close());
	return node;
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
	const said = saidBy(report);
	const begins = [...said.keys()].filter((item) => said[item] !== said[item - 1]);
	const ends = [...begins.slice(1), said.length];
	return begins.map((begin, at) => `${Number(ends[at]) - begin} ${said[begin]}`).join(', ');
}

export const idsOf = (rows: readonly IDataObject[]) => rows.map(({ id }) => id as string);

export const wordsOf = ({ error }: Pick<Output, 'error'>) =>
	`${error?.message}\n${String((error as { description?: unknown } | undefined)?.description)}`;

export const hintsOf = ({ hints }: Pick<Output, 'hints'>) =>
	hints.flatMap(({ message }) => message.split('<br>\n'));
export const hintsIn = (run: Pick<Output, 'hints'>) => hintsOf(run).join('\n');

export const each = <T>(words: T, rows: number) => Array<T>(rows).fill(words);

/**
 * Waits until nothing more arrives: what was in flight when n8n was killed may still arrive. In short pauses, because
 * after a long one on a busy machine, Node.js runs the timer before it reads what arrived meanwhile.
 */
async function untilQuiet({ record }: Pick<Sandbox, 'record'>): Promise<void> {
	for (let pauses = 0, before = record.length; pauses < 10; pauses++) {
		await pause(5);
		if (record.length > before) pauses = 0;
		before = record.length;
	}
}
