import type { INodeExecutionData } from 'n8n-workflow';

import { labelsOf } from '../fields/field';
import type { Problem } from '../shared/problem';
import { tooLarge } from './bodySize';
import { tooManyBroadcasts } from './broadcastGuard';
import { withDeferredBodies } from './deferredBody';
import { RowsHash } from './rowsHash';
import type { Run } from '../run/resolveRun';
import type { CheckContext, Checked, Operation, Row } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import { parameterReader } from '../run/parameters';
import { draggedColumns } from '../run/columnNames';
import { sendOnceKeys } from './sendOnceKey';
import type { InvalidResult, SentResult } from '../shared/result';
import { inSlices } from '../shared/slices';
import type { N8n } from '../n8n/context';

export interface Plan {
	/** What to send, in the order of the input. */
	deliveries: Delivery[];
	/** The rows that cannot be sent. */
	invalid: InvalidResult[];
	/** Results from earlier attempts, for rows that cannot be sent now. */
	earlier: SentResult[];
	/** Whether the execution was stopped before all rows were checked. Nothing is sent then. */
	isStopped?: boolean;
	itemCount: number;
	/** Identifies what to send, so that an attempt can tell whether another attempt had the same rows. */
	rowsHash: string;
	/** Problems that prevent all rows from being sent, regardless of their content. */
	concernsAll?: Problem[];
}

/** Reads and checks the whole input before anything is sent. */
export async function planRun(
	run: Run,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Plan> {
	const { operation, settings, account, isPreview } = run;
	const names = new Set(
		operation.form.filter(({ type }) => type !== 'notice').map(({ name }) => name),
	);
	const { addKeys, parameters: keyParameters } = sendOnceKeys(run, n8n);
	const readParameters = parameterReader(
		[...names, ...keyParameters],
		n8n,
		labelsOf(operation.form),
	);
	const columns = draggedColumns(operation.form, n8n.raw);
	const readRow: typeof readParameters = (index, json) => {
		const read = readParameters(index, json);
		Object.assign(read.parameters, columns);
		return read;
	};
	const checkContext = {
		nowMs: n8n.now(),
		workflowZone: n8n.workflowZone,
		format: account.format,
		senders: account.senders,
		sendEmptyValues: settings.sendEmptyValues,
		fieldOptions: settings.fieldOptions,
		eventPath: account.eventPath,
	};

	// The bodies of users and events are read several times, to fill batches.
	const isDeferred = operation.isMessage && !isPreview;
	const hash = new RowsHash();
	const deliveries: Delivery[] = [];
	const invalidRows: InvalidResult[] = [];
	const isComplete = await inSlices(items, n8n, ({ json }, index) => {
		const { parameters, problems, isRepeatable } = readRow(index, json);
		const checked =
			problems.length > 0
				? { problems }
				: addKeys(check({ index, parameters, json }, operation, checkContext), parameters);
		if ('problems' in checked) {
			invalidRows.push(invalid(index, checked.problems));
			return;
		}
		for (const delivery of checked.deliveries) hash.add(delivery);
		const checkAgain = () =>
			operation.check({ index, parameters: readRow(index, json).parameters, json }, checkContext);
		deliveries.push(
			...(isDeferred && isRepeatable
				? withDeferredBodies(checked.deliveries, checkAgain)
				: checked.deliveries),
		);
	});
	if (!isComplete) return stoppedPlan(items.length);
	const plan: Plan = {
		deliveries,
		invalid: invalidRows,
		earlier: [],
		itemCount: items.length,
		rowsHash: hash.digest(),
	};

	if (!operation.isBroadcast) return plan;
	const { context, runIndex } = n8n.memory();
	// A preview respects the limit too, but is not counted.
	const memory = { context: isPreview ? { ...context } : context, runIndex };
	const tooMany = tooManyBroadcasts(plan.deliveries, settings.maxBroadcasts, memory);
	if (!tooMany) return plan;

	const affected = [...new Set(plan.deliveries.map(({ itemIndex }) => itemIndex))];
	const refused = affected.map((index) => invalid(index, [tooMany]));
	return {
		...plan,
		deliveries: [],
		invalid: [...plan.invalid, ...refused],
		concernsAll: [tooMany],
	};
}

function check(row: Row, operation: Operation, context: CheckContext): Checked {
	const checked = operation.check(row, context);
	const problems = 'deliveries' in checked ? tooLarge(checked.deliveries, operation) : [];
	return problems.length > 0 ? { problems } : checked;
}

/** Creates the plan of a run in which nothing can be sent, because of problems that affect every row. */
export function emptyPlan(itemCount: number, problems: Problem[]): Plan {
	return {
		deliveries: [],
		earlier: [],
		itemCount,
		rowsHash: new RowsHash().digest(),
		invalid: Array.from({ length: itemCount }, (_, index) => invalid(index, problems)),
		concernsAll: problems,
	};
}

function stoppedPlan(itemCount: number): Plan {
	const rowsHash = new RowsHash().digest();
	return { deliveries: [], invalid: [], earlier: [], itemCount, rowsHash, isStopped: true };
}

function invalid(itemIndex: number, problems: Problem[]) {
	return { kind: 'invalid', itemIndex, problems } as const;
}
