import type { N8n } from '../n8n/context';
import type { SentDelivery, SentRecord } from '../shared/result';

/** What n8n stores of a ledger with the execution, for one node. */
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
export const interrupted: SentRecord = {
	outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 },
};

/** Whether n8n has called `execute()` before for a run of the node. */
export function wasTried({ context, runIndex }: { context: LedgerMemory; runIndex: number }) {
	return context.sent?.runIndex === runIndex;
}

/**
 * Remembers what one run of the node sent, so that nothing that was accepted, or may have been, is
 * sent twice. The ledger outlives `execute()`: n8n's Retry On Fail calls `execute()` again within the
 * same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger {
	/** Whether no attempt has run this run of the node before, as far as the execution remembers. */
	readonly isNew: boolean;
	private readonly records: Records[string];
	private readonly sent: NonNullable<LedgerMemory['sent']>;
	private readonly isTool: boolean;

	/** @param operation for example `push.send`; operations do not share records */
	constructor(
		n8n: Pick<N8n, 'memory' | 'isTool'>,
		readonly operation: string,
	) {
		const { context, execution, ...at } = n8n.memory();
		const memory: LedgerMemory = context;
		this.isTool = n8n.isTool;
		// As a tool, the node gets a new run index with every try, so all its calls share one ledger.
		const runIndex = n8n.isTool ? 0 : at.runIndex;
		const tries = { execution, count: 0 };
		this.isNew = !wasTried({ context, runIndex });
		if (this.isNew || !memory.sent) memory.sent = { runIndex, tries, records: {} };
		this.sent = memory.sent;
		this.records = this.findRecords(this.sent.records);
		if (this.sent.tries.execution !== execution) {
			this.sent.tries = tries;
			Object.assign(this.records, this.sent.finished?.[operation]);
		}
		this.sent.tries.count++;
	}

	/** The record of a delivery that an earlier attempt made or may have made. */
	find(delivery: SentDelivery): SentRecord | undefined {
		return this.records[this.keyOf(delivery)];
	}

	/** Call this before sending: if n8n then ends the execution, the outcome is unknown. */
	begin(delivery: SentDelivery): void {
		this.records[this.keyOf(delivery)] ??= interrupted;
	}

	/** Stores an outcome after which the delivery must not be repeated. Any other outcome removes the record. */
	record(delivery: SentDelivery, record: SentRecord): void {
		const { outcome } = record.outcome;
		const key = this.keyOf(delivery);
		if (outcome === 'accepted' || outcome === 'unknown') this.records[key] = record;
		else delete this.records[key];
	}

	/**
	 * Call this when the node has run without stopping the workflow. The records are deleted unless n8n
	 * will call the node again.
	 *
	 * @param firstItemFailed whether the first item failed, because n8n's Retry On Fail checks only that one
	 */
	close(firstItemFailed: boolean, { maxTries }: Pick<N8n, 'maxTries'>): void {
		if (firstItemFailed && this.sent.tries.count < maxTries) return;
		// As a tool, the node may be called again in the same execution.
		this.sent.tries.count = 0;
		if (this.isTool) Object.assign(this.findRecords((this.sent.finished ??= {})), this.records);
		this.sent.records = {};
	}

	private findRecords(records: Records): Records[string] {
		return (records[this.operation] ??= {});
	}

	/** It begins with a character that no property of an object begins with. */
	private keyOf({ itemIndex, platform, ...delivery }: SentDelivery): string {
		if (!this.isTool) return platform ? `#${itemIndex} ${platform}` : `#${itemIndex}`;
		// The calls of a tool all begin with item 0, so content identifies their deliveries.
		const { path, buildBody, envelope, schedule } = delivery;
		return `#${JSON.stringify([path, buildBody?.(), envelope, schedule])}`;
	}
}
