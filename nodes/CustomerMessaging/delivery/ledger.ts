import type { Batch, SentRequest } from '../shared/delivery';
import type { Outcome } from '../shared/outcome';

/** What is stored about a delivery that was made, or may have been made. */
export interface DeliveryRecord {
	outcome: Extract<Outcome, { outcome: 'accepted' | 'unknown' }>;
	batch?: Batch;
	request?: SentRequest;
}

/** The ledger's storage: a plain object that n8n stores for one node with the execution. */
export interface LedgerMemory {
	sent?: {
		runIndex: number;
		/** A hash of the rows; see `reconcile`. */
		rows?: string;
		/** How often n8n has called `execute()` for this run of the node in this execution. */
		tries: { execution: string; count: number };
		records: Records;
		/** For a tool: what earlier calls sent. Only a retry of the execution must not repeat it. */
		finished?: Records;
	};
}

/** By operation, for example `push.send`, then by delivery. */
type Records = Record<string, Record<string, PackedRecord>>;

type PackedBatch = [index: number, size: number] | null;

/** A record as an array without keys, to save space: an execution may contain many thousands. */
type PackedRecord =
	/** The request was in flight when n8n stored the memory. */
	| ['leaving']
	| [
			'accepted',
			attempts: number,
			status: number | null,
			response: unknown,
			remaining: number | null,
			PackedBatch,
			request?: SentRequest,
	  ]
	| [
			'unknown',
			attempts: number,
			status: number | null,
			response: unknown,
			code: string | null,
			message: string | null,
			PackedBatch,
			request?: SentRequest,
	  ];

/**
 * Remembers what one run of the node sent, so that nothing that was accepted, or may have been, is
 * sent twice. The ledger outlives `execute()`: n8n's Retry On Fail calls `execute()` again within the
 * same execution, and a retry from the list of executions starts with the memory of the failed one.
 */
export class Ledger {
	private readonly records: Records[string];
	/** The latest record. All deliveries of a batch share it, which saves memory. */
	private latest?: { record: DeliveryRecord; packed: PackedRecord };
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
		this.sent = memory.sent?.runIndex === runIndex ? memory.sent : { runIndex, tries, records: {} };
		memory.sent = this.sent;
		if (this.sent.tries.execution !== execution) {
			this.sent.tries = tries;
			Object.assign(this.ofOperation(this.sent.records), this.sent.finished?.[operation]);
		}
		this.sent.tries.count++;
		this.records = this.ofOperation(this.sent.records);
	}

	/** A hash of the rows, or undefined if no attempt has stored one. */
	get rows(): string | undefined {
		return this.sent.rows;
	}

	set rows(rows: string | undefined) {
		this.sent.rows = rows;
	}

	/** The record of a delivery that an earlier attempt made or may have made. */
	find(key: string): DeliveryRecord | undefined {
		const packed = this.records[named(key)];
		return packed && unpack(packed);
	}

	/** Call this before sending a request. If n8n then ends the execution, the outcome is unknown. */
	leaving(key: string): void {
		this.records[named(key)] ??= ['leaving'];
	}

	/** Stores an outcome after which the delivery must not be repeated. Any other outcome removes the record. */
	record(
		key: string,
		{ outcome, batch, request }: { outcome: Outcome } & Omit<DeliveryRecord, 'outcome'>,
	): void {
		if (outcome.outcome === 'accepted' || outcome.outcome === 'unknown') {
			this.records[named(key)] = this.packed({ outcome, batch, request });
		} else {
			delete this.records[named(key)];
		}
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
		if (isTool) Object.assign(this.ofOperation((this.sent.finished ??= {})), this.records);
		this.sent.records = {};
	}

	private packed(record: DeliveryRecord): PackedRecord {
		const known = this.latest?.record;
		const isSame =
			known?.outcome === record.outcome &&
			known.batch === record.batch &&
			known.request === record.request;
		if (!this.latest || !isSame) this.latest = { record, packed: pack(record) };
		return this.latest.packed;
	}

	private ofOperation(records: Records): Records[string] {
		return (records[this.operation] ??= {});
	}
}

/** Adds a prefix, so that a key such as `__proto__` is safe. */
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
		: [
				'unknown',
				attempts,
				status,
				response ?? null,
				outcome.code ?? null,
				outcome.message ?? null,
				...rest,
			];
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
			return {
				outcome: { outcome, attempts, ...answer, ...failure },
				...unpackBatch(batch),
				request,
			};
		}
	}
}

function unpackBatch(batch: PackedBatch): Pick<DeliveryRecord, 'batch'> {
	return batch ? { batch: { index: batch[0], size: batch[1] } } : {};
}
