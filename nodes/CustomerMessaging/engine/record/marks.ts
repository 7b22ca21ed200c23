import { MINUTE_MS } from '../../shared/slices';
import { listEntries } from './entries';
import { findEntries, type LookUps } from './lookUps';
import type { RecordMemory } from './memory';
import type { EntryList } from './store';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Clocks of workers may differ by less than this. */
const CLOCKS_DIFFER_MS = 15 * MINUTE_MS;

/** Is in the list since it was empty. */
const first = 'first';

/** The periods that are marked. A retry looks up `count` of each. */
const periods = [
	{ name: 'month', length: 7, count: 12 },
	{ name: 'day', length: 10, count: 31 },
	{ name: 'hour', length: 13, count: 48 },
] as const;

function periodMark({ name, length }: (typeof periods)[number], ms: number): string {
	return `${name} ${new Date(ms).toISOString().slice(0, length)}`;
}

/** The beginning of the period before the one that holds a time, in UTC. */
function before({ name }: (typeof periods)[number], ms: number): number {
	if (name === 'hour') return ms - HOUR_MS;
	if (name === 'day') return ms - DAY_MS;
	const date = new Date(ms);
	return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}

/**
 * Entries that are older than an execution, in groups to be looked up one after the other. The list drops its
 * oldest entries first, so if one of these is still there, nothing of the execution was dropped.
 */
function olderMarks(establishedAtMs: number): string[][] {
	const ofPeriods = periods.map((period) => {
		const marks: string[] = [];
		for (let ms = establishedAtMs - CLOCKS_DIFFER_MS; marks.length < period.count;) {
			ms = before(period, ms);
			marks.push(periodMark(period, ms));
		}
		return marks;
	});
	return [[first], ...ofPeriods];
}

/** Thrown if the first claim shows that n8n runs the execution again from its start, so that nothing may be sent. */
export class RanAgain extends Error {}

interface Attempt {
	execution: string;
	/** When the first attempt of the execution began. */
	establishedAtMs: number;
	nowMs: number;
	isRetry: boolean;
	/** All its messages have a key of Send Once, so that it may go on by their keys. */
	hasKeys: boolean;
}

/** The marks that an execution leaves in the list before its first message, and those of others. */
export class Marks {
	/** The mark of a first attempt. By it, a retry recognizes that the list reaches back to the execution. */
	readonly established: string;
	/** The mark of a retry. A first attempt must be able to tell it from that of a twin. */
	readonly retried: string;
	/** Two executions began in the same millisecond. */
	readonly twins: string;
	/** See {@link olderMarks}. */
	readonly older: string[][];
	private readonly ofExecution: string[];
	/** A call that failed may have left its marks. */
	private mayBeOwn = false;
	/** The marks that the list held before; absent until they are known. */
	private before?: { ofExecution: boolean; established: boolean };
	private hasLookedUp = false;

	constructor(
		private readonly memory: RecordMemory,
		private readonly attempt: Attempt,
	) {
		const { establishedAtMs, execution, nowMs } = attempt;
		this.established = `established ${establishedAtMs}`;
		this.retried = `${this.established} retried`;
		this.twins = `${this.established} twins`;
		this.older = olderMarks(establishedAtMs);
		// n8n 1 runs a killed execution again within a day. An n8n that was moved counts its IDs from 1 again.
		this.ofExecution = [nowMs, nowMs + DAY_MS].map((ms) => `execution ${execution} ${utcDay(ms)}`);
	}

	/** Marks to add to the list, the oldest first. An execution that is marked must not seem younger than its messages. */
	leave(isEmpty: boolean): string[] {
		const { memory, attempt } = this;
		const { marked, mayBeMarked = false } = memory;
		this.mayBeOwn = mayBeMarked;
		const shared = [
			...(isEmpty ? [first] : []),
			...periods.map((period) => periodMark(period, attempt.nowMs)),
		];
		if (attempt.isRetry) return [...shared, this.retried];
		if (marked) return marked.own === undefined ? shared : [...shared, this.twins];
		memory.mayBeMarked = true;
		return [...shared, this.established, ...this.ofExecution];
	}

	/**
	 * Call it with the entries that the list held before the marks were left, also if the lock was lost meanwhile: done
	 * again, the call would find the marks of this execution itself.
	 */
	read(stored: ReadonlySet<string>): void {
		const isKnown = this.ofExecution.some((mark) => stored.has(mark));
		this.before ??= {
			ofExecution: isKnown && !this.mayBeOwn,
			established: stored.has(this.established) && !(isKnown && this.mayBeOwn),
		};
	}

	/**
	 * Another execution has marked the same millisecond.
	 *
	 * @throws RanAgain if this execution has sent before, and its messages cannot be recognized
	 */
	async areOfTwin(list: EntryList): Promise<boolean> {
		const { memory, attempt, before } = this;
		if (attempt.isRetry || memory.marked) return false;
		if (before?.ofExecution && !attempt.hasKeys) {
			memory.wasInterrupted = true;
			throw new RanAgain();
		}
		if (!before?.established) return false;
		// A look-up of its own that was interrupted would look like that of a retry.
		if (this.hasLookedUp) return true;
		this.hasLookedUp = true;
		// A retry that was interrupted while it looked the mark up has left both entries of it.
		const [, second] = listEntries(this.established);
		return !(await findEntries(list, [second])).has(second);
	}

	/** Call it once the marks were written under a lock that was held to the end. */
	trust(isTwin: boolean): void {
		if (!this.attempt.isRetry) this.memory.marked ??= isTwin ? { own: this.attempt.execution } : {};
	}
}

function utcDay(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}

interface Reach {
	/** Nothing of the execution was dropped, so that a message without a name was not sent. */
	isIntact: boolean;
	/** An attempt of the execution may have sent before. */
	hasBegun: boolean;
}

/**
 * Finds out how far back the list reaches for a retry.
 *
 * @param isMarked the execution remembers its own marks
 * @returns `sharedMarks` if it may be one of two executions with the same marks
 */
export async function findReach(
	lookUps: LookUps,
	{ established, retried, twins, older }: Marks,
	isMarked: boolean,
): Promise<Reach | 'sharedMarks'> {
	if (await lookUps.isEmpty()) return { isIntact: true, hasBegun: false };
	const own = await lookUps.findMarks([established, retried, twins]);
	if (own.found.includes(twins) && !isMarked) return 'sharedMarks';
	const begun = [established, retried];
	if (begun.some((mark) => own.found.includes(mark))) return { isIntact: true, hasBegun: true };
	// A retry that was killed while it looked a mark up leaves one that proves nothing.
	const hasBegun = begun.some((mark) => own.maybe.includes(mark));
	return (await findsOne(lookUps, older))
		? { isIntact: true, hasBegun }
		: { isIntact: false, hasBegun: true };
}

/** The list still has all that was recorded since a time. */
export async function reachesBackTo(ms: number, lookUps: LookUps): Promise<boolean> {
	return (await lookUps.isEmpty()) || (await findsOne(lookUps, olderMarks(ms)));
}

async function findsOne(lookUps: LookUps, groups: readonly string[][]): Promise<boolean> {
	for (const marks of groups) if ((await lookUps.findMarks(marks)).found.length > 0) return true;
	return false;
}
