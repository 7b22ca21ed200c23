import type { INodeExecutionData } from 'n8n-workflow';

import { isRecord, labelsOf } from '../fields/field';
import type { Problem } from '../shared/problem';
import { tooManyBroadcasts } from './broadcastGuard';
import type { Run } from '../run/resolveRun';
import type { CheckContext, Checked, Operation, Row } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import { parameterReader } from '../run/parameters';
import { draggedColumns } from '../run/columnNames';
import { sendOnceKeys } from './sendOnceKey';
import type { InvalidResult, SentResult } from '../shared/result';
import type { N8n } from '../n8n/context';

export interface Plan {
	/** What to send, in the order of the input. */
	deliveries: Delivery[];
	/** The rows that cannot be sent. */
	invalid: InvalidResult[];
	/** Results from earlier attempts, for rows that cannot be sent now. */
	earlier: SentResult[];
	itemCount: number;
	/** Problems that prevent all rows from being sent, regardless of their content. */
	concernsAll?: Problem[];
}

/** Reads and checks the whole input before anything is sent. */
export function planRun(run: Run, items: readonly INodeExecutionData[], n8n: N8n): Plan {
	const { operation, settings, account, isPreview } = run;
	const names = new Set(
		operation.form.filter(({ type }) => type !== 'notice').map(({ name }) => name),
	);
	const { addKeys, parameters: keyParameters } = sendOnceKeys(run, n8n);
	const readRow = parameterReader([...names, ...keyParameters], n8n, labelsOf(operation.form));
	const columns = draggedColumns(operation.form, n8n.raw);
	const checkContext = {
		nowMs: n8n.clock.now(),
		workflowZone: n8n.workflowZone,
		format: account.format,
		senders: account.senders,
		sendEmptyValues: settings.sendEmptyValues,
		fieldOptions: settings.fieldOptions,
		eventPath: account.eventPath,
	};

	const plan: Plan = { deliveries: [], invalid: [], earlier: [], itemCount: items.length };
	for (const [index, { json }] of items.entries()) {
		const { parameters: read, problems } = readRow(index, json);
		const parameters = { ...read, ...columns };
		const checked =
			problems.length > 0
				? { problems }
				: addKeys(check({ index, parameters, json }, operation, checkContext), parameters);
		if ('deliveries' in checked) plan.deliveries.push(...checked.deliveries);
		else plan.invalid.push(invalid(index, checked.problems));
	}

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

/** Maximum characters of JSON in one request. More is probably a file that was put in a field. */
const maxBodyLength = 10_000_000;

function tooLarge([first]: readonly Delivery[], { path, form }: Operation): Problem[] {
	if (!first) return [];
	const whole = first.envelope ? { ...first.body, ...first.envelope } : first.body;
	if (JSON.stringify(whole).length <= maxBodyLength) return [];
	// In a custom request, the whole body is one field.
	const field = (path && largestFieldOf(whole)) ?? 'body';
	return [
		{
			field,
			message: `'${labelsOf(form)[field] ?? field}' is too long: one request carries at most ${maxBodyLength} characters. Shorten it`,
		},
	];
}

/** The name of the largest field, descending into nested objects such as user attributes. */
function largestFieldOf(body: object): string | undefined {
	const sizes = Object.entries(body).map(([name, value]: [string, unknown]) => ({
		name,
		value,
		size: JSON.stringify(value)?.length ?? 0,
	}));
	const [largest] = sizes.sort((one, other) => other.size - one.size);
	return largest && isRecord(largest.value) ? largestFieldOf(largest.value) : largest?.name;
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
		invalid: Array.from({ length: itemCount }, (_, index) => invalid(index, problems)),
		concernsAll: problems,
	};
}

function invalid(itemIndex: number, problems: Problem[]) {
	return { kind: 'invalid', itemIndex, problems } as const;
}
