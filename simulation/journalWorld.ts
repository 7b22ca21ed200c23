import type { Message } from '../nodes/CustomerMessaging/delivery/claim';
import type * as entries from '../nodes/CustomerMessaging/delivery/entries';
import type { Journal as JournalOf } from '../nodes/CustomerMessaging/delivery/journal';
import type * as journal from '../nodes/CustomerMessaging/delivery/journal';
import type * as namesInUse from '../nodes/CustomerMessaging/delivery/namesInUse';
import type * as entryStore from '../nodes/CustomerMessaging/n8n/entryStore';
import { seededRandom } from '../sandbox/random';
import { N8nStore, SimulatedProcess } from './n8nStore';
import { VirtualClock } from './virtualClock';

/** The code under test, or a mutant of it. */
export interface Code {
	Journal: typeof journal.Journal;
	NamesInUse: typeof namesInUse.NamesInUse;
	EntryStore: typeof entryStore.EntryStore;
	stateOf: typeof entries.readState;
	entriesOf: typeof entries.listEntries;
}

/** One attempt to send the rows of an execution. */
export interface PlannedRun {
	worker: number;
	atMs: number;
	/** The first run of an execution is its first attempt, and the others are retries of it. */
	execution: number;
	sendOnce: boolean;
}

export interface Schedule {
	seed: number;
	workers: number;
	rows: number;
	window: number;
	runs: PlannedRun[];
	/** Workers that are killed, each before the statement or request with this number. */
	kills: Array<{ worker: number; step: number }>;
}

interface Row extends Message {
	row: number;
}

type Told = 'accepted' | 'unknown' | 'notSent' | 'pending';

const START_MS = 1_800_000_000_000;
/** Enough for several locks that killed processes leave behind. */
const MOST_MS = 300_000;
const CONTEXT = 'n:node';

/** Plays a schedule, and then retries every execution to the end. Returns what broke a promise. */
export async function play(schedule: Schedule, code: Code): Promise<string[]> {
	return await new World(schedule, code).play();
}

class World {
	private readonly clock = new VirtualClock(START_MS);
	private readonly store = new N8nStore();
	private readonly random: () => number;
	private readonly workers: Worker[];
	/** How often the service accepted a message, by each of its names. */
	private readonly accepted = new Map<string, number>();
	private readonly broken: string[] = [];
	/** How many messages may be in doubt because of kills. */
	private mayBeInDoubt = 0;

	constructor(
		private readonly schedule: Schedule,
		private readonly code: Code,
	) {
		this.random = seededRandom(schedule.seed);
		const { workers, kills } = schedule;
		this.workers = Array.from({ length: workers }, (_, index) =>
			this.start(kills.find(({ worker }) => worker === index)?.step),
		);
	}

	async play(): Promise<string[]> {
		const { runs } = this.schedule;
		const seen = new Set<number>();
		const all = runs.map(async (run) => {
			const isFirst = !seen.has(run.execution);
			seen.add(run.execution);
			const worker = this.workers[run.worker % this.workers.length];
			if (!worker) return;
			await this.clock.sleep(run.atMs);
			await Promise.race([worker.whenKilled, this.send(run, isFirst, worker)]);
		});
		try {
			await this.clock.run(Promise.all(all), this.clock.now() + MOST_MS);
			await this.clock.run(this.retryAll(seen), this.clock.now() + MOST_MS);
		} catch (error) {
			this.broken.push(String(error));
		}
		for (const [name, times] of this.accepted)
			if (times > 1) this.broken.push(`${name} was accepted ${times} times`);
		if (this.store.readData('').length > 0) this.broken.push('A lock stays');
		return this.broken;
	}

	private async retryAll(executions: ReadonlySet<number>): Promise<void> {
		let inDoubt = 0;
		for (const execution of executions) {
			const run = { worker: 0, atMs: 0, execution, sendOnce: false };
			const told = await this.send(run, false, this.start());
			inDoubt += told.filter((one) => one === 'pending').length;
		}
		if (inDoubt > this.mayBeInDoubt)
			this.broken.push(`${inDoubt} are in doubt, but at most ${this.mayBeInDoubt} may be`);
	}

	private start(killedAt?: number): Worker {
		let tellKilled = () => {};
		const whenKilled = new Promise<void>((resolve) => {
			tellKilled = resolve;
		});
		const worker: Worker = {
			process: new SimulatedProcess(
				this.clock,
				() => 1 + Math.floor(16 * this.random() ** 2),
				killedAt,
				() => {
					this.mayBeInDoubt += worker.sending * this.schedule.window;
					tellKilled();
				},
			),
			whenKilled,
			turns: new Map(),
			namesInUse: new this.code.NamesInUse(),
			sending: 0,
		};
		return worker;
	}

	private async send(run: PlannedRun, isFirst: boolean, worker: Worker): Promise<Told[]> {
		worker.sending++;
		const journal = this.makeJournal(isFirst, worker);
		const told = new Map<number, Told>();
		const inFlight = new Set<Promise<void>>();
		const all = this.makeRows(run);
		for (let next = 0, rest: Row[] = []; ;) {
			if (rest.length === 0 || isFirst) {
				const { window } = this.schedule;
				rest = [...rest, ...all.slice(next, next + window)];
				next += window;
			}
			if (rest.length === 0) break;
			const claim = await journal.claim(rest).catch(() => undefined);
			if (!claim) break;
			for (const [{ row }, { state }] of claim.known) {
				told.set(row, state);
				this.check(run, row, state);
			}
			for (const message of claim.claimed) {
				const request = this.request(message, worker).then((end) => {
					const state = end === 'refused' ? undefined : end;
					const reported = state ?? (claim.repeated.has(message) ? 'unknown' : undefined);
					told.set(message.row, reported ?? 'notSent');
					journal.settle(message, reported);
					this.check(run, message.row, reported ?? 'notSent');
				});
				inFlight.add(request);
				void request.then(() => inFlight.delete(request));
			}
			rest = claim.deferred;
		}
		await Promise.all(inFlight);
		await journal.finish();
		worker.sending--;
		return [...told.values()];
	}

	/** The service accepts most messages, refuses some, and loses the answer to others. */
	private async request(
		{ names }: Row,
		{ process }: Worker,
	): Promise<'accepted' | 'unknown' | 'refused'> {
		await process.step();
		const luck = this.random();
		const isLost = luck > 0.9;
		if (luck < 0.8 || luck > 0.95)
			for (const name of names) this.accepted.set(name, (this.accepted.get(name) ?? 0) + 1);
		await this.clock.sleep(5 + 200 * this.random() ** 3);
		await process.step();
		return isLost ? 'unknown' : luck < 0.8 ? 'accepted' : 'refused';
	}

	/** Whether what a run says of a row is true. */
	private check({ execution }: PlannedRun, row: number, told: Told): void {
		const countAccepted = (name: string) => this.accepted.get(name) ?? 0;
		const own = countAccepted(ownName(execution, row));
		const what = `Row ${row} of execution ${execution} is called ${told}`;
		if (told === 'notSent' && own > 0) this.broken.push(`${what}, but was accepted`);
		if (told === 'accepted' && own + countAccepted(`key ${row}`) === 0)
			this.broken.push(`${what}, but was not`);
	}

	private makeJournal(isFirst: boolean, { process, turns, namesInUse }: Worker): JournalOf<Row> {
		const calls = this.store.connect(process.step);
		const { clock, random, schedule } = this;
		const at = (scope: string) => (scope === 'workflow' ? '' : CONTEXT);
		const store = new this.code.EntryStore(
			{
				checkProcessedAndRecord: async (items, scope, options) =>
					await calls.checkProcessedAndRecord(items.map(String), at(scope), options),
				removeProcessed: async (items, scope) =>
					await calls.removeProcessed(items.map(String), at(scope)),
				clearAllProcessedItems: async (scope) => await calls.clearAllProcessedItems(at(scope)),
				getProcessedDataCount: async (scope) => await calls.getProcessedDataCount(at(scope)),
			},
			{
				workflow: 'workflow',
				node: 'node',
				waiting: {
					now: () => clock.now(),
					sleep: async (ms) => await clock.sleep(ms),
					cancelled: () => false,
				},
				random,
				turns,
				mayLock: true,
				stored: 0,
			},
		);
		return new this.code.Journal<Row>(store, {
			namesInUse,
			windowAfter: () => schedule.window,
			retryUnknown: false,
			looksUpBlocks: !isFirst,
			unit: 1,
			failed: () => undefined,
		});
	}

	private makeRows({ execution, sendOnce }: PlannedRun): Row[] {
		const { rows, window } = this.schedule;
		return Array.from({ length: rows }, (_, row) => {
			const own = ownName(execution, row);
			const index = Math.floor(row / window);
			return {
				row,
				names: sendOnce ? [own, `key ${row}`] : [own],
				block: {
					name: `execution ${execution} block ${index}`,
					size: Math.min(window, rows - index * window),
				},
			};
		});
	}
}

interface Worker {
	process: SimulatedProcess;
	whenKilled: Promise<void>;
	turns: Map<string, Promise<unknown>>;
	namesInUse: InstanceType<Code['NamesInUse']>;
	/** How many runs it has begun and not ended. */
	sending: number;
}

function ownName(execution: number, row: number): string {
	return `execution ${execution} row ${row}`;
}
