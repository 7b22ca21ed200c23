import type { Batch, SentRequest } from '../shared/delivery';
import type { Outcome } from '../shared/outcome';

/** What is remembered of a delivery that was made, or may have been made. */
export interface DeliveryRecord {
	outcome: Extract<Outcome, { outcome: 'accepted' | 'unknown' }>;
	batch?: Batch;
	request?: SentRequest;
}

/** Where the ledger lives: a plain object that n8n stores for one node with the execution. */
export interface LedgerMemory {
	sent?: {
		runIndex: number;
		/** A hash of the rows, where a retry was the first to read them: see `reconcile`. */
		rows?: string;
		/** How often n8n has called `execute()` for this run of the node in this execution. */
		tries: { execution: string; count: number };
		records: Records;
		/** Of a tool: what earlier calls sent, which only a retry of the execution must not repeat. */
		finished?: Records;
	};
}

/** By operation, such as `push.send`, then by delivery. */
type Records = Record<string, Record<string, PackedRecord>>;

type PackedBatch = [index: number, size: number] | null;

/** A record as an array without keys, because an execution may hold many thousands of them. */
type PackedRecord =
	/** On its way when n8n stored the memory. */
	| ['leaving']
	| ['accepted', attempts: number, status: number | null, response: unknown, remaining: number | null, PackedBatch, request?: SentRequest]
	| ['unknown', attempts: number, status: number | null, response: unknown, code: string | null, message: string | null, PackedBatch, request?: SentRequest];

/**
 * Remembers what one run of the node sent. It outlives `execute()`: n8n's Retry On Fail calls
 * `execute()` again within the same execution, and a retry from the list of executions starts with
 * the stored memory of the failed one. What was accepted, or may have been, must not go out twice.
 */
export class Ledger {
	private readonly records: Records[string];
	private readonly sent: NonNullable<LedgerMemory['sent']>;

	/**
	 * @param memory a JSON-serialisable object; only its key `sent` is used
	 * @param run which run of the node in which execution; another run forgets the earlier one
	 * @param operation such as `push.send`: a record never stands for another operation's delivery
	 */
	constructor(memory: LedgerMemory, run: { execution: string; runIndex: number }, private readonly operation: string) {
		const { execution, runIndex } = run;
		const tries = { execution, count: 0 };
		this.sent = memory.sent?.runIndex === runIndex ? memory.sent : { runIndex, tries, records: {} };
		memory.sent = this.sent;
		if (this.sent.tries.execution !== execution) {
			this.sent.tries = tries;
			Object.assign(this.ofOperation(this.sent.records), this.sent.finished?.[operation]);
		}
		this.sent.tries.count++;
		this.records = this.ofOperation(this.sent.records);
	}

	/** A hash of the rows that the first retry read; undefined where the first execution read them. */
	get rows(): string | undefined {
		return this.sent.rows;
	}

	set rows(rows: string | undefined) {
		this.sent.rows = rows;
	}

	/** What became of a delivery in an earlier attempt, if it was made or may have been. */
	find(key: string): DeliveryRecord | undefined {
		const packed = this.records[named(key)];
		return packed && unpack(packed);
	}

	/** To be called before a request leaves: if n8n ends the execution now, its outcome is unknown. */
	leaving(key: string): void {
		this.records[named(key)] ??= ['leaving'];
	}

	/** Remembers an outcome after which the delivery must not go out again; forgets any other. */
	record(key: string, { outcome, batch, request }: { outcome: Outcome } & Omit<DeliveryRecord, 'outcome'>): void {
		if (outcome.outcome === 'accepted' || outcome.outcome === 'unknown') {
			this.records[named(key)] = pack({ outcome, batch, request });
		} else {
			delete this.records[named(key)];
		}
	}

	/**
	 * To be called when the node has run without stopping the workflow. Unless n8n calls it again,
	 * nothing has to be remembered.
	 *
	 * @param firstItemFailed n8n's Retry On Fail looks at the first item alone
	 */
	close(firstItemFailed: boolean, { maxTries, isTool }: { maxTries: number; isTool: boolean }): void {
		if (firstItemFailed && this.sent.tries.count < maxTries) return;
		if (isTool) Object.assign(this.ofOperation((this.sent.finished ??= {})), this.records);
		this.sent.records = {};
	}

	private ofOperation(records: Records): Records[string] {
		return (records[this.operation] ??= {});
	}
}

/** A prefix, so that a key such as `__proto__` is one like any other. */
function named(key: string): string {
	return `#${key}`;
}

function pack({ outcome, batch, request }: DeliveryRecord): PackedRecord {
	const { attempts, response } = outcome;
	const status = outcome.statusCode ?? null;
	const packedBatch: PackedBatch = batch ? [batch.index, batch.size] : null;
	const rest: [PackedBatch, SentRequest?] = request ? [packedBatch, request] : [packedBatch];
	return outcome.outcome === 'accepted'
		? ['accepted', attempts, status, response, outcome.rateLimitRemaining, ...rest]
		: ['unknown', attempts, status, response ?? null, outcome.code ?? null, outcome.message ?? null, ...rest];
}

function unpack(packed: PackedRecord): DeliveryRecord {
	switch (packed[0]) {
		case 'leaving':
			return { outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 } };
		case 'accepted': {
			const [outcome, attempts, status, response, rateLimitRemaining, batch, request] = packed;
			const statusCode = status ?? undefined;
			return {
				outcome: { outcome, statusCode, response, attempts, rateLimitRemaining },
				...unpackBatch(batch),
				request,
			};
		}
		case 'unknown': {
			const [outcome, attempts, status, response, code, message, batch, request] = packed;
			const answer = status === null ? {} : { statusCode: status, response };
			const failure = { code: code ?? undefined, message: message ?? undefined };
			return { outcome: { outcome, attempts, ...answer, ...failure }, ...unpackBatch(batch), request };
		}
	}
}

function unpackBatch(batch: PackedBatch): Pick<DeliveryRecord, 'batch'> {
	return batch ? { batch: { index: batch[0], size: batch[1] } } : {};
}
