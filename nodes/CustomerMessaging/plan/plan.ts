import type { INodeExecutionData } from 'n8n-workflow';

import { collectLabels } from '../fields/field';
import type { Problem } from '../shared/problem';
import { tooLarge } from './bodySize';
import { countBroadcasts, tooManyBroadcasts } from './broadcastGuard';
import { hashDelivery, identifyRecipient, RecipientNumbers } from './recipient';
import { mindsSameMessages, SameMessages } from './sameMessages';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { CheckContext, Checked, Operation, Row } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import { parameterReader } from '../run/parameters';
import { draggedColumns } from '../run/columnNames';
import { plainPlaceholder } from '../run/textGaps';
import { sendOnceKeys } from './sendOnceKey';
import { textGaps, withGaps } from './textGaps';
import { errorMessage } from '../shared/formatting';
import type { InvalidResult, SentResult } from '../shared/result';
import { inSlices } from '../shared/slices';
import type { N8n } from '../n8n/context';

export interface Plan {
	/** What to send, in the order of the input. */
	deliveries: Delivery[];
	/** What is only shown, because the run was started by hand. */
	shown?: Delivery[];
	/** The rows that cannot be sent. */
	invalid: InvalidResult[];
	/** Results from earlier attempts, for rows that cannot be sent now. */
	earlier: SentResult[];
	/** Whether the execution was stopped before all rows were checked. Nothing is sent then. */
	isStopped?: boolean;
	/** Takes back that its broadcasts were counted; absent if none were. Call it if nothing is sent. */
	uncount?: () => void;
	itemCount: number;
	/** How many messages the execution has planned for each recipient; absent if no attempt has to know. */
	numbers?: RecipientNumbers;
	/** Messages that may be the same to the same recipient, in groups. */
	sameMessages?: Delivery[][];
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
		collectLabels(operation.form),
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
		segmentNames: account.segmentNames,
		sendEmptyValues: settings.sendEmptyValues,
		fieldOptions: settings.fieldOptions,
		eventPath: account.eventPath,
		webBroadcastPath: account.webBroadcastPath,
		answerUrl: operation.waits ? n8n.answerUrl() : undefined,
		messageButtonLabel: settings.messageButtonLabel,
		responseFormButtonLabel: settings.responseFormButtonLabel,
		placeholderIn: (parameter: string) => plainPlaceholder(n8n.raw(parameter)),
	};

	const findGaps = textGaps(operation, n8n);

	const numbers = isPreview || n8n.isTool ? undefined : new RecipientNumbers(n8n.memory());
	const same = mindsSameMessages(run) ? new SameMessages() : undefined;
	const deliveries: Delivery[] = [];
	const invalidRows: InvalidResult[] = [];
	const planRow = ({ json }: INodeExecutionData, index: number): void => {
		const { parameters, problems, isRepeatable } = readRow(index, json);
		const row = { index, parameters, json };
		const gaps = problems.length > 0 ? [] : findGaps(row);
		const checked =
			problems.length > 0
				? { problems }
				: addKeys(withGaps(check(row, operation, checkContext), gaps, run), parameters);
		if ('problems' in checked) {
			const addressed = numbers?.addressRow(
				operation,
				(name) => parameters[name],
				settings.fieldOptions,
			);
			invalidRows.push({ ...invalid(index, checked.problems), addressed });
			return;
		}
		for (const checkedDelivery of checked.deliveries) {
			const digest = hashDelivery(checkedDelivery);
			const recipient = identifyRecipient(checkedDelivery, digest);
			const delivery = {
				...checkedDelivery,
				...numbers?.address(recipient, checkedDelivery.platform),
			};
			const kept = isRepeatable && !isPreview ? dropBody(delivery, index, json) : delivery;
			deliveries.push(kept);
			if (delivery.audience === undefined) same?.add(kept, digest);
		}
	};
	/**
	 * Drops the body of a delivery, and builds it again when it is sent. Short bodies are dropped too: while
	 * most bodies live long, V8 puts new ones directly among its old objects, and one that is no longer used
	 * keeps its text in memory until the next full garbage collection.
	 */
	const dropBody = (delivery: Delivery, index: number, json: Row['json']): Delivery => {
		const { buildBody } = operation;
		if (!buildBody) return delivery;
		// The new function must not hold the delivery, whose old one holds the text.
		const { platform } = delivery;
		const readAgain = () => ({ index, parameters: readRow(index, json).parameters, json });
		return { ...delivery, buildBody: () => buildBody(readAgain(), checkContext, platform) };
	};
	const isComplete = await inSlices(items, n8n, (item, index) => {
		try {
			planRow(item, index);
		} catch (error) {
			// A mistake of this node, for instance about a value that nobody thought of, stays with its row.
			n8n.log(`Item ${index} could not be checked: ${errorMessage(error)}`, 'error');
			invalidRows.push(notChecked(index, errorMessage(error)));
		}
	});
	if (!isComplete) return stoppedPlan(items.length);
	const plan: Plan = {
		deliveries,
		invalid: invalidRows,
		earlier: [],
		itemCount: items.length,
		numbers,
		sameMessages: same?.groups,
	};

	const broadcasts = plan.deliveries.filter(({ audience }) => audience !== undefined);
	if (broadcasts.length === 0) return plan;
	// A preview respects the limit too, but is not counted.
	const scope = n8n.memory();
	const tooMany = tooManyBroadcasts(broadcasts, settings.maxBroadcasts, scope);
	if (!tooMany) {
		if (isPreview) return plan;
		if (!run.showsCampaigns) return { ...plan, uncount: countBroadcasts(broadcasts, scope) };
		const toPersons = plan.deliveries.filter(({ audience }) => audience === undefined);
		return { ...plan, deliveries: toPersons, shown: broadcasts };
	}

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

/** Refuses every row of a run, because of problems that affect all of them. */
export function refuseAll(itemCount: number, problems: Problem[]): Plan {
	return {
		deliveries: [],
		earlier: [],
		itemCount,
		invalid: Array.from({ length: itemCount }, (_, index) => invalid(index, problems)),
		concernsAll: problems,
	};
}

/**
 * Refuses a run that cannot be used. In a retry, other attempts may have sent its messages, so their recipients
 * are read.
 */
export async function refuseRun(
	{ problems, operation, history }: UnusableRun,
	itemCount: number,
	n8n: N8n,
): Promise<Plan> {
	const plan = refuseAll(itemCount, problems);
	if (!history.isRetry || !operation) return plan;
	const numbers = new RecipientNumbers(n8n.memory());
	await inSlices(plan.invalid, n8n, (row) => {
		const { itemIndex } = row;
		row.addressed = numbers.addressRow(operation, (name) => readSafely(n8n, name, itemIndex));
	});
	return { ...plan, numbers };
}

function readSafely(n8n: N8n, name: string, index: number): unknown {
	try {
		return n8n.read(name, index);
	} catch {
		// The expression cannot be evaluated.
		return undefined;
	}
}

function stoppedPlan(itemCount: number): Plan {
	return { deliveries: [], invalid: [], earlier: [], itemCount, isStopped: true };
}

function notChecked(itemIndex: number, internalError: string): InvalidResult {
	const message = `A mistake in this node kept the item from being checked: ${internalError}. Report it to the maintainers of the node`;
	return { kind: 'invalid', itemIndex, problems: [{ field: 'node', message }], internalError };
}

function invalid(itemIndex: number, problems: Problem[]) {
	return { kind: 'invalid', itemIndex, problems } as const;
}
