import { integer } from '../fields/values';
import type { Problem } from '../shared/problem';

/** How rows are put together in requests, if an operation sends batches. */
export interface Batching {
	/** Maximum number of users or events in one request. */
	batchSize: number;
	/** Maximum size of the body of a request with several users or events. */
	maxBodyBytes: number;
}

const defaults = { batchSize: 100, maxBodyKilobytes: 1_000 } as const;

export const batchFields = {
	batchSize: integer('Batch Size', {
		modelMayFill: false,
		default: defaults.batchSize,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		description: 'How many users or events to send with one request',
		displayOptions: { show: { '/resource': ['event', 'user'] } },
	}),
	maxBodySize: integer('Max Body Size (KB)', {
		modelMayFill: false,
		default: defaults.maxBodyKilobytes,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		description:
			'How large the body of one request with several users or events may become, in units of 1,000 bytes',
		displayOptions: { show: { '/resource': ['event', 'user'] } },
	}),
};

/** @param maxBatchSize how many deliveries one request of the operation may carry */
export function readBatching(
	given: { batchSize?: number; maxBodySize?: number },
	maxBatchSize: number,
): Batching | { problems: Problem[] } {
	const { batchSize = defaults.batchSize, maxBodySize = defaults.maxBodyKilobytes } = given;
	if (batchSize <= maxBatchSize) return { batchSize, maxBodyBytes: maxBodySize * 1000 };
	const message = `Batch Size is ${batchSize}, and one request of this operation carries at most ${maxBatchSize}. Enter a smaller number`;
	return { problems: [{ field: 'batchSize', message }] };
}
