import type { INodeExecutionData } from 'n8n-workflow';

import type { Problem } from './problem';
import { tooManyBroadcasts } from './guards';
import type { Run } from './openRun';
import type { Delivery } from './operations/operation';
import { parameterReader } from './parameters';
import type { Result } from './results/result';
import type { N8n } from './sending/transport';

export interface Plan {
	/** What to send, in the order of the input. */
	deliveries: Delivery[];
	/** The rows that cannot be sent. */
	invalid: Array<Extract<Result, { kind: 'invalid' }>>;
}

/** Reads and checks the whole input before anything is sent. */
export function planRun(
	{ operation, settings, account }: Run,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Plan {
	const names = new Set(operation.form.filter(({ type }) => type !== 'notice').map(({ name }) => name));
	const readRow = parameterReader([...names], n8n);
	const context = {
		nowMs: n8n.clock.now(),
		workflowZone: n8n.workflowZone,
		format: account.format,
	};

	const plan: Plan = { deliveries: [], invalid: [] };
	for (const [index, { json }] of items.entries()) {
		const { parameters, problems } = readRow(index);
		const checked =
			problems.length > 0 ? { problems } : operation.check({ index, parameters, json }, context);
		if ('deliveries' in checked) plan.deliveries.push(...checked.deliveries);
		else plan.invalid.push(invalid(index, checked.problems));
	}

	const tooMany = operation.isBroadcast && tooManyBroadcasts(plan.deliveries, settings.maxBroadcasts);
	if (!tooMany) return plan;
	const held = new Set(plan.deliveries.map(({ itemIndex }) => itemIndex));
	const problems = [tooMany];
	plan.invalid.push(...[...held].map((index) => invalid(index, problems)));
	return { deliveries: [], invalid: plan.invalid };
}

/** The plan of a run in which nothing can be sent, because of something that concerns every row. */
export function emptyPlan(itemCount: number, problems: Problem[]): Plan {
	return {
		deliveries: [],
		invalid: Array.from({ length: itemCount }, (_, index) => invalid(index, problems)),
	};
}

function invalid(itemIndex: number, problems: Problem[]) {
	return { kind: 'invalid', itemIndex, problems } as const;
}
