import { fromOutcome, toOutcome, isNotLookedUp, type Recorded } from '../../shared/ending';
import type { ExecutionMemory, LedgerMemory, LedgerRecord, Records } from './memory';

/** A message that was about to be sent, and may have been delivered. */
export const interrupted: Recorded = {
	ending: { kind: 'unknown', code: 'interrupted' },
	attempts: 1,
};

/** Records as n8n's memory holds them. */
const remembered = new WeakMap<Recorded, LedgerRecord>();

/** Messages of calls of an agent's tool. n8n hands over the same item to each try of a call. */
const recordsOfCalls = new WeakMap<object, Records>();

/** Messages that calls of a tool are sending in an execution, and their outcomes. */
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

/** Tells a message from others. */
export interface Identity<R> {
	/** Its place among the results of a run. */
	placeOf: (message: R) => string;
	/** Its place and its recipient; undefined if nobody knows the recipient. */
	memoryKey: (message: R, isTool: boolean) => string | undefined;
	/** It goes to a single person and is no test. */
	counts: (message: R) => boolean;
}

/**
 * Remembers what one run of the node sent to whom, so that nothing that was accepted, or may have been, is
 * sent twice. The ledger outlives `execute()`: n8n's Retry On Fail calls `execute()` again within the
 * same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger<R> {
	/** No attempt has run this run of the node before, as far as the execution remembers. */
	readonly isNew: boolean;
	/** The messages of this run; for a tool, of this call. */
	private readonly own: Records[string];
	/** For a tool, messages of calls of this execution that must not be sent again. */
	private readonly ofEqualCalls: Records[string];
	/** For a tool, messages of calls of earlier executions. */
	private readonly earlier: Records[string];
	private readonly sent: LedgerMemory;
	private readonly isTool: boolean;
	/** For a tool, the outcomes of the messages of this call. */
	private readonly results = new Map<string, Recorded>();
	private isOver = false;
	private end = () => {};
	private readonly ended: Promise<void>;
	/** Outcomes of messages that another call sent at the same time. */
	private readonly answered = new Map<string, Recorded>();
	/** Records by row and platform, for rows whose recipient cannot be read. */
	private byPlace?: Map<string, LedgerRecord>;

	/**
	 * @param identity tells a message from others
	 * @param call the item that a tool is called with
	 */
	constructor(
		n8n: { memory(): ExecutionMemory; isTool: boolean },
		private readonly scope: Scope,
		private readonly identity: Identity<R>,
		call: object = {},
	) {
		this.ended = new Promise((resolve) => (this.end = resolve));
		const { context, execution, ...at } = n8n.memory();
		this.isTool = n8n.isTool;
		// As a tool, the node gets a new run index with every try, so all its calls share one memory.
		const runIndex = n8n.isTool ? 0 : at.runIndex;
		this.isNew = context.sent?.runIndex !== runIndex;
		if (this.isNew || !context.sent)
			context.sent = { runIndex, tries: { execution, count: 0 }, records: {} };
		this.sent = context.sent;
		if (this.sent.tries.execution !== execution) this.takeOver(execution);
		this.sent.tries.count++;
		this.earlier = n8n.isTool ? this.recordsIn(this.sent.earlier ?? {}) : {};
		this.ofEqualCalls =
			n8n.isTool && scope.areEqualCallsOne ? this.recordsIn(this.sent.records) : {};
		this.own = this.recordsIn(n8n.isTool ? recordsOf(call) : this.sent.records);
	}

	/** The outcome of an earlier attempt. A message whose recipient is not known is recognized by its row. */
	find(delivery: R): Recorded | undefined {
		if (this.isNew && !this.isTool) return undefined;
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

	/**
	 * Stores an outcome after which the delivery must not be repeated. Any other outcome removes the record.
	 *
	 * @param isShown whether the execution shows it; n8n shows nothing of a run that was stopped
	 */
	record(delivery: R, record: Recorded, isShown = true): void {
		const key = this.keyOf(delivery);
		if (key === undefined) return;
		if (this.isTool) this.results.set(key, record);
		const isInFlight = record.ending.kind === 'unknown' && !isShown;
		this.write(key, isKept(record) ? (isInFlight ? inFlight : toMemory(record)) : undefined);
	}

	/** Stores an outcome of the list. If the list does not know how it ended, each attempt reads it again. */
	recordFound(delivery: R, record: Recorded, isShown: boolean): void {
		const key = this.keyOf(delivery);
		if (record.ending.kind === 'accepted') this.record(delivery, record);
		else if (key !== undefined)
			this.write(key, { ...(isShown ? toMemory(record) : inFlight), isDoubt: true });
	}

	/** Removes the record of a message that was definitely not delivered. */
	forget(delivery: R): void {
		const key = this.keyOf(delivery);
		if (key !== undefined) this.write(key, undefined);
	}

	/**
	 * Waits for other calls of a tool that send the same messages at the same time. They are sent once, and each call
	 * gets their outcomes, unless they were definitely not delivered.
	 */
	async joinEqualCalls(deliveries: readonly R[]): Promise<void> {
		if (!this.isTool || this.scope.areEqualCallsApart) return;
		const sending = beingSent.get(this.sent) ?? new Map<string, Promise<Recorded | undefined>>();
		beingSent.set(this.sent, sending);
		const keys = deliveries.flatMap((delivery) => this.keyOf(delivery) ?? []);
		// In one order, so that no two calls wait for each other.
		for (const key of keys.sort()) {
			for (let other = sending.get(key); other; other = sending.get(key)) {
				const record = await other;
				if (record && isKept(record)) this.answered.set(key, record);
			}
			// The execution may have been stopped meanwhile.
			if (this.isOver) return;
			const result = this.ended.then(() => {
				sending.delete(key);
				return this.results.get(key);
			});
			sending.set(key, result);
		}
	}

	/** Answers the calls that wait for this one. */
	leaveEqualCalls(): void {
		this.isOver = true;
		this.end();
	}

	/**
	 * Call this when the node has run without stopping the workflow. The records are deleted unless n8n
	 * will call the node again.
	 *
	 * @param firstItemFailed whether the first item failed, because n8n's Retry On Fail checks only that one
	 */
	close(firstItemFailed: boolean, maxTries: number): void {
		// Other calls of a tool may still run, and a retry must not repeat what this one sent.
		if (this.isTool || (firstItemFailed && this.sent.tries.count < maxTries)) return;
		this.sent.tries.count = 0;
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
		if (!this.isTool) return;
		const earlier = (sent.earlier ??= {});
		for (const [scope, records] of Object.entries(sent.records))
			earlier[scope] = { ...earlier[scope], ...records };
		sent.records = {};
	}

	private write(key: string, record: LedgerRecord | undefined): void {
		const all = this.isTool ? [this.own, this.recordsIn(this.sent.records)] : [this.own];
		for (const records of all)
			if (record) records[key] = record;
			else delete records[key];
	}

	private recordsIn(records: Records): Records[string] {
		const { account, operation } = this.scope;
		return (records[`${account} ${operation}`] ??= {});
	}

	/** It begins with a character that no property of an object begins with. */
	private keyOf(delivery: R): string | undefined {
		return this.identity.memoryKey(delivery, this.isTool);
	}
}

/** A message may have been delivered, so that it must not be repeated. */
function isKept(record: Recorded): boolean {
	const { kind } = record.ending;
	return (kind === 'accepted' || kind === 'unknown') && !isNotLookedUp(record);
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

function recordsOf(call: object): Records {
	const known = recordsOfCalls.get(call) ?? {};
	recordsOfCalls.set(call, known);
	return known;
}
