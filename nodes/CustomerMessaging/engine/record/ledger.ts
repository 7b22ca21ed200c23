import {
	fromOutcome,
	isNotLookedUp,
	mayBeDelivered,
	type Recorded,
	toOutcome,
} from '../../shared/ending';
import type { Environment } from '../interfaces';

/** The part of the record that n8n stores with the execution, as JSON. After a kill, n8n may have stored none of it. */
export interface RecordMemory {
	/** n8n ran the execution again from its start after it was interrupted. Written by `marks.ts`. */
	wasInterrupted?: boolean;
	/** Present if the execution is marked in n8n's store. Written by `marks.ts`. */
	marked?: {
		/** Joins the names of its messages, where the time of its start does not identify it. */
		own?: string;
	};
	/** It tried to mark itself. A call that failed may have done so. Written by `marks.ts`. */
	mayBeMarked?: boolean;
	/** The node's own keys that this execution holds. Written by `journal.ts`. */
	ownKeys?: Record<string, 1>;
	sent?: LedgerMemory;
}

/** The memory of an execution, and which run of the node in which execution this is. */
export interface ExecutionMemory {
	context: RecordMemory;
	runIndex: number;
	execution: string;
}

interface LedgerMemory {
	runIndex: number;
	/** Number of calls of `execute()` in this execution since one succeeded. */
	tries: { execution: string; count: number };
	records: Records;
	/** For a tool: messages of calls of earlier executions. Only a retry must not repeat them. */
	earlier?: Records;
}

/** By account and operation, then by row, platform and recipient. */
type Records = Record<string, Record<string, LedgerRecord>>;

interface LedgerRecord extends Omit<Recorded, 'ending' | 'attempts'> {
	outcome: ReturnType<typeof toOutcome>;
	/** The request was in flight when n8n stored the memory. */
	isInFlight?: true;
	/** Only n8n's store said so, which may know more the next time. */
	isDoubt?: true;
}

/** A message that was about to be sent, and may have been delivered. */
export const interrupted: Recorded = {
	ending: { kind: 'unknown', code: 'interrupted' },
	attempts: 1,
};

/** Records as n8n's memory holds them. */
const remembered = new WeakMap<Recorded, LedgerRecord>();

/** Messages of calls of an agent's tool. n8n hands over the same item to each try of a call. */
const recordsOfCalls = new WeakMap<object, Records>();

/** Messages that calls of a tool are sending in an execution, with what becomes of them. */
const beingSent = new WeakMap<LedgerMemory, Map<string, Promise<Recorded | undefined>>>();

/** Messages of another scope are other messages. */
export interface Scope {
	account?: string;
	operation: string;
	/** Equal calls of a tool are one message, also if they follow each other. */
	areEqualCallsOne?: boolean;
	/** Equal calls at the same time are several messages. */
	areEqualCallsApart?: boolean;
}

export interface Identity<R> {
	/** Its place among the results of a run. */
	placeOf: (message: R) => string;
	/**
	 * Its place and its recipient; undefined if nobody knows the recipient. It begins with a character that no property
	 * of an object begins with.
	 */
	memoryKey: (message: R, isTool: boolean) => string | undefined;
	/** It goes to a single person and is no test. */
	counts: (message: R) => boolean;
}

/** The part of the execution that the record needs. */
export interface Remembering extends Pick<Environment, 'cancelled' | 'stopsOnFailure'> {
	memory(): ExecutionMemory;
	isTool: boolean;
	/** Number of times that n8n may call the node for one run of it in one execution. */
	maxTries: number;
}

/**
 * Remembers what one run of the node sent to whom. The ledger outlives `execute()`: n8n's Retry On Fail calls it again
 * within the same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger<R> {
	/** No attempt has run this run of the node before, as far as the execution remembers. */
	readonly isNew: boolean;
	private readonly sent: LedgerMemory;
	/** The messages of this run; for a tool, of this call. */
	private readonly own: Records[string];
	/** For a tool, messages of calls of this execution that must not be sent again. */
	private readonly ofEqualCalls: Records[string];
	/** For a tool, messages of calls of earlier executions. */
	private readonly earlier: Records[string];
	/** Messages that another call sent at the same time. */
	private readonly answered = new Map<string, Recorded>();
	private isOver = false;
	private end = () => {};
	private readonly ended = new Promise<void>((resolve) => (this.end = resolve));
	/** Records by row and platform, for rows whose recipient cannot be read. */
	private byPlace?: Map<string, LedgerRecord>;

	/** @param call the item that a tool is called with */
	constructor(
		private readonly n8n: Remembering,
		private readonly scope: Scope,
		private readonly identity: Identity<R>,
		call: object = {},
	) {
		const { isTool } = n8n;
		const { context, execution, ...at } = n8n.memory();
		// As a tool, the node gets a new run index with every try, so all its calls share one memory.
		const runIndex = isTool ? 0 : at.runIndex;
		this.isNew = context.sent?.runIndex !== runIndex;
		if (this.isNew || !context.sent)
			context.sent = { runIndex, tries: { execution, count: 0 }, records: {} };
		this.sent = context.sent;
		if (this.sent.tries.execution !== execution) this.takeOver(execution);
		this.sent.tries.count++;
		const { records, earlier = {} } = this.sent;
		this.earlier = isTool ? this.recordsIn(earlier) : {};
		this.ofEqualCalls = isTool && scope.areEqualCallsOne ? this.recordsIn(records) : {};
		const ofCall = recordsOfCalls.get(call) ?? {};
		recordsOfCalls.set(call, ofCall);
		this.own = this.recordsIn(isTool ? ofCall : records);
	}

	/** The outcome of an earlier attempt. A message whose recipient is not known is recognized by its row. */
	find(delivery: R): Recorded | undefined {
		if (this.isNew && !this.n8n.isTool) return undefined;
		const key = this.keyOf(delivery);
		if (key !== undefined)
			return (
				this.answered.get(key) ?? seen(this.own[key] ?? this.ofEqualCalls[key] ?? this.earlier[key])
			);
		this.byPlace ??= new Map(
			Object.entries(this.own).map(([known, record]) => [known.replace(/ \S+$/, ''), record]),
		);
		return seen(this.byPlace.get(this.identity.placeOf(delivery)));
	}

	/** The outcome that the list named when it was read last, of which a later attempt may know more. */
	doubtOf(delivery: R): Recorded | undefined {
		const record = this.own[this.keyOf(delivery) ?? ''];
		return record?.isDoubt ? fromMemory(record) : undefined;
	}

	/** Call this before sending: if n8n then ends the execution, the outcome is unknown. */
	begin(delivery: R): void {
		const key = this.keyOf(delivery);
		if (key !== undefined && (!this.own[key] || this.own[key].isDoubt)) this.write(key, inFlight);
	}

	/** Stores an outcome after which the message must not be repeated. Any other, and none, removes what is stored. */
	record(delivery: R, record: Recorded | undefined): void {
		const isStored = record && mayBeDelivered(record) && !isNotLookedUp(record);
		this.write(this.keyOf(delivery), isStored ? this.toNote(record) : undefined);
	}

	/** Stores an outcome of the list. If the list does not know how it ended, each attempt reads it again. */
	recordFound(delivery: R, record: Recorded): void {
		if (record.ending.kind === 'accepted') this.record(delivery, record);
		else this.write(this.keyOf(delivery), { ...this.toNote(record), isDoubt: true });
	}

	/** Waits for other calls of a tool that send the same messages, to report how they ended unless they must be sent. */
	async joinEqualCalls(deliveries: readonly R[]): Promise<void> {
		if (!this.n8n.isTool || this.scope.areEqualCallsApart) return;
		const sending = beingSent.get(this.sent) ?? new Map<string, Promise<Recorded | undefined>>();
		beingSent.set(this.sent, sending);
		const keys = deliveries.flatMap((delivery) => this.keyOf(delivery) ?? []);
		// In one order, so that no two calls wait for each other.
		for (const key of keys.sort()) {
			for (let other = sending.get(key); other; other = sending.get(key)) {
				const record = await other;
				if (record) this.answered.set(key, record);
			}
			// The execution may have been stopped meanwhile.
			if (this.isOver) return;
			const result = this.ended.then(() => {
				sending.delete(key);
				return seen(this.own[key]);
			});
			sending.set(key, result);
		}
	}

	leaveEqualCalls(): void {
		this.isOver = true;
		this.end();
	}

	/**
	 * Deletes the records of a run that did not stop the workflow, unless n8n will call the node again.
	 *
	 * @param firstItemFailed n8n's Retry On Fail checks only that one
	 */
	close(firstItemFailed: boolean): void {
		const { tries } = this.sent;
		// Other calls of a tool may still run, and a retry must not repeat what this one sent.
		if (this.n8n.isTool || (firstItemFailed && tries.count < this.n8n.maxTries)) return;
		tries.count = 0;
		this.sent.records = {};
	}

	/** Begins with the messages of another execution, of which this one is a retry. */
	private takeOver(execution: string): void {
		const { sent } = this;
		sent.tries = { execution, count: 0 };
		// That execution has ended, so messages that it called unknown were reported.
		for (const records of Object.values(sent.records))
			for (const [key, record] of Object.entries(records))
				if (record.outcome.outcome === 'unknown' && !record.isInFlight)
					records[key] = { ...record, wasReported: true };
		if (!this.n8n.isTool) return;
		const earlier = (sent.earlier ??= {});
		for (const [scope, records] of Object.entries(sent.records))
			earlier[scope] = { ...earlier[scope], ...records };
		sent.records = {};
	}

	private write(key: string | undefined, record: LedgerRecord | undefined): void {
		if (key === undefined) return;
		const all = this.n8n.isTool ? [this.own, this.recordsIn(this.sent.records)] : [this.own];
		for (const records of all)
			if (record) records[key] = record;
			else delete records[key];
	}

	/** n8n shows no output of a stopped execution, so the next attempt has to report what may have been delivered. */
	private toNote(record: Recorded): LedgerRecord {
		const isShown = record.ending.kind !== 'unknown' || !this.n8n.cancelled();
		return isShown ? toMemory(record) : inFlight;
	}

	private recordsIn(records: Records): Records[string] {
		const { account, operation } = this.scope;
		return (records[`${account} ${operation}`] ??= {});
	}

	private keyOf(delivery: R): string | undefined {
		return this.identity.memoryKey(delivery, this.n8n.isTool);
	}
}

/** Its outcome is not known if n8n stored the memory while it was in flight. */
function seen(record: LedgerRecord | undefined): Recorded | undefined {
	if (record?.isDoubt) return undefined;
	return record?.isInFlight ? interrupted : record && fromMemory(record);
}

/** All messages of a batch share one record, which saves memory. */
function toMemory(record: Recorded): LedgerRecord {
	const known = remembered.get(record);
	if (known) return known;
	const { ending, attempts, ...rest } = record;
	const written = { outcome: toOutcome(ending, attempts), ...rest };
	remembered.set(record, written);
	return written;
}

function fromMemory({ outcome, ...rest }: LedgerRecord): Recorded {
	return { ...fromOutcome(outcome), ...rest };
}

const inFlight: LedgerRecord = { ...toMemory(interrupted), isInFlight: true };
