import type { SentRecord } from '../shared/result';

/** The ledger's storage: a plain object that n8n stores for one node with the execution. */
export interface LedgerMemory {
	sent?: {
		runIndex: number;
		/** How often n8n has called `execute()` in this execution since a call succeeded. */
		tries: { execution: string; count: number };
		records: Records;
		/** For a tool: what earlier calls sent. Only a retry of the execution must not repeat it. */
		finished?: Records;
	};
}

/** By operation, for example `push.send`, then by delivery. */
type Records = Record<string, Record<string, SentRecord>>;

/** For a delivery whose request was in flight when n8n stored the memory. */
const interrupted: SentRecord = {
	outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 },
};

/**
 * Remembers what one run of the node sent, so that nothing that was accepted, or may have been, is
 * sent twice. The ledger outlives `execute()`: n8n's Retry On Fail calls `execute()` again within the
 * same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger {
	/** Whether no attempt has run this run of the node before, as far as the execution remembers. */
	readonly isNew: boolean;
	private readonly records: Records[string];
	/** The latest record. All deliveries of a batch share it, which saves memory. */
	private latest?: SentRecord;
	private readonly sent: NonNullable<LedgerMemory['sent']>;

	/**
	 * @param memory a JSON-serializable object; only its key `sent` is used
	 * @param run the run of the node and its execution; the records of an earlier run are discarded
	 * @param operation for example `push.send`; operations do not share records
	 */
	constructor(
		memory: LedgerMemory,
		run: { execution: string; runIndex: number },
		private readonly operation: string,
	) {
		const { execution, runIndex } = run;
		const tries = { execution, count: 0 };
		this.isNew = memory.sent?.runIndex !== runIndex;
		this.sent = memory.sent?.runIndex === runIndex ? memory.sent : { runIndex, tries, records: {} };
		memory.sent = this.sent;
		if (this.sent.tries.execution !== execution) {
			this.sent.tries = tries;
			Object.assign(this.findRecords(this.sent.records), this.sent.finished?.[operation]);
		}
		this.sent.tries.count++;
		this.records = this.findRecords(this.sent.records);
	}

	/** The record of a delivery that an earlier attempt made or may have made. */
	find(key: string): SentRecord | undefined {
		return this.records[named(key)];
	}

	/** Call this before sending a request. If n8n then ends the execution, the outcome is unknown. */
	begin(key: string): void {
		this.records[named(key)] ??= interrupted;
	}

	/** Stores an outcome after which the delivery must not be repeated. Any other outcome removes the record. */
	record(key: string, { outcome, batch, request, scheduled }: SentRecord): void {
		if (outcome.outcome !== 'accepted' && outcome.outcome !== 'unknown') {
			delete this.records[named(key)];
			return;
		}
		const { latest } = this;
		const isSame =
			latest?.outcome === outcome &&
			latest.batch === batch &&
			latest.request === request &&
			latest.scheduled === scheduled;
		const record = isSame ? latest : { outcome, batch, request, ...(scheduled && { scheduled }) };
		this.records[named(key)] = this.latest = record;
	}

	/**
	 * Call this when the node has run without stopping the workflow. The records are deleted unless n8n
	 * will call the node again.
	 *
	 * @param firstItemFailed whether the first item failed, because n8n's Retry On Fail checks only that one
	 */
	close(
		firstItemFailed: boolean,
		{ maxTries, isTool }: { maxTries: number; isTool: boolean },
	): void {
		if (firstItemFailed && this.sent.tries.count < maxTries) return;
		// As a tool, the node may be called again in the same execution.
		this.sent.tries.count = 0;
		if (isTool) Object.assign(this.findRecords((this.sent.finished ??= {})), this.records);
		this.sent.records = {};
	}

	private findRecords(records: Records): Records[string] {
		return (records[this.operation] ??= {});
	}
}

/** Adds a prefix, so that a key such as `__proto__` is safe. */
function named(key: string): string {
	return `#${key}`;
}
