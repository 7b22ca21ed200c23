import { MINUTE_MS } from '../../shared/slices';
import { listEntries } from './names';
import { findEntries, type LookUps } from './lookUps';
import type { RecordMemory } from './ledger';
import type { EntryList } from './store';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Clocks of workers may differ by less than this. */
const CLOCKS_DIFFER_MS = 15 * MINUTE_MS;

/** Is in the list since it was empty. */
const first = 'first';

/** The periods that are marked, in UTC: so much of a time names one, and a retry looks up `count` earlier ones. */
const periods = [
	{
		name: 'month',
		length: 7,
		count: 12,
		before: (ms: number) => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth() - 1),
	},
	{ name: 'day', length: 10, count: 31, before: (ms: number) => ms - DAY_MS },
	{ name: 'hour', length: 13, count: 48, before: (ms: number) => ms - HOUR_MS },
];

function periodMark({ name, length }: { name: string; length: number }, ms: number): string {
	return `${name} ${new Date(ms).toISOString().slice(0, length)}`;
}

/**
 * Entries that are older than an execution, in groups to be looked up one after the other. The list drops its
 * oldest entries first, so if one of these is still there, nothing of the execution was dropped.
 */
function olderMarks(establishedAtMs: number): string[][] {
	const ofPeriods = periods.map((period) => {
		let ms = establishedAtMs - CLOCKS_DIFFER_MS;
		return Array.from({ length: period.count }, () => {
			ms = period.before(ms);
			return periodMark(period, ms);
		});
	});
	return [[first], ...ofPeriods];
}

/** Thrown if the first claim shows that n8n runs the execution again from its start, so that nothing may be sent. */
export class RanAgain extends Error {}

interface Attempt {
	execution: string;
	/** When the first attempt of the execution began, in epoch milliseconds. */
	establishedAtMs: number;
	nowMs: number;
	isRetry: boolean;
	/** Its messages have keys of Send Once, so that it may go on by them. */
	hasKeys: boolean;
}

/** The marks that an execution leaves in the list before its first message, and those of others. */
export class Marks {
	/** The mark of a first attempt. By it, a retry recognizes that the list reaches back to the execution. */
	private readonly established: string;
	/** The mark of a retry. A first attempt must be able to tell it from that of a twin. */
	private readonly retried: string;
	/** Two executions began in the same millisecond. */
	private readonly twins: string;
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
		// n8n 1 runs a killed execution again within a day. An n8n that was moved counts its IDs from 1 again.
		this.ofExecution = [nowMs, nowMs + DAY_MS].map((ms) =>
			periodMark({ name: `execution ${execution}`, length: 10 }, ms),
		);
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

	/**
	 * Finds out how far back the list reaches for a retry; `sharedMarks` if two executions may have the same marks.
	 *
	 * @returns `isIntact`: nothing of the execution was dropped, so that a message without a name was not sent;
	 * `isFirst`: neither has an earlier attempt sent anything
	 */
	async findReach(lookUps: LookUps) {
		const { memory, attempt, established, retried, twins } = this;
		if (await lookUps.isEmpty()) return { isIntact: true, isFirst: true };
		const { found, maybe } = await lookUps.findMarks([established, retried, twins]);
		if (found.includes(twins) && !memory.marked) return 'sharedMarks' as const;
		const own = [established, retried];
		if (own.some((mark) => found.includes(mark))) return { isIntact: true, isFirst: false };
		const isIntact = await findsOne(lookUps, olderMarks(attempt.establishedAtMs));
		// A retry that was killed while it looked a mark up leaves one that proves nothing.
		return { isIntact, isFirst: isIntact && !own.some((mark) => maybe.includes(mark)) };
	}
}

/** The list still has all that was recorded since a time. */
export async function reachesBackTo(ms: number, lookUps: LookUps): Promise<boolean> {
	return (await lookUps.isEmpty()) || (await findsOne(lookUps, olderMarks(ms)));
}

async function findsOne(lookUps: LookUps, groups: readonly string[][]): Promise<boolean> {
	for (const marks of groups) if ((await lookUps.findMarks(marks)).found.length > 0) return true;
	return false;
}
