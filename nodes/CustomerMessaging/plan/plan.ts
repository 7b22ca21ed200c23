import type { INodeExecutionData } from 'n8n-workflow';

import { isRecord, collectLabels } from '../fields/field';
import type { Operation, CheckContext, Checked, Row } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import type { Problem, InvalidResult, SentResult } from '../shared/result';
import type { Run, UnusableRun } from '../run/resolveRun';
import { RecipientNumbers, tooManyBroadcasts } from './counts';
import { draggedColumns, parameterReader, readIfPossible } from '../run/parameters';
import { plainPlaceholder, textGaps, withGaps } from '../run/textGaps';
import { hashDelivery, identifyRecipient, sendOnceKeys } from './sendOnceKey';
import { errorMessage } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import type { N8n } from '../n8n/context';
import { MINUTE_MS, type Clock } from '../shared/apis';

/** Maximum characters of JSON in one request. More is probably a file that was put in a field. */
const MAX_BODY_LENGTH = 10_000_000;

/** Refuses a row whose body is too large. */
function withinSize(checked: Checked, { path, form }: Operation): Checked {
	const [first] = 'deliveries' in checked ? checked.deliveries : [];
	const body = first?.buildBody();
	const whole = first?.envelope ? { ...body, ...first.envelope } : body;
	if (!whole || JSON.stringify(whole).length <= MAX_BODY_LENGTH) return checked;
	// In a custom request, the whole body is one field.
	const field = (path && findLargestField(whole)) ?? 'body';
	const label = collectLabels(form)[field] ?? field;
	const message = `'${label}' is too long: one request carries at most ${MAX_BODY_LENGTH} characters. Shorten it`;
	return { problems: [{ field, message }] };
}

/** The name of the largest field, descending into nested objects such as user attributes. */
function findLargestField(body: object): string | undefined {
	const sizeOf = ([, value]: [string, unknown]) => JSON.stringify(value)?.length ?? 0;
	const entries: Array<[string, unknown]> = Object.entries(body);
	const [[name, value] = []] = entries.sort((one, other) => sizeOf(other) - sizeOf(one));
	return isRecord(value) ? findLargestField(value) : name;
}

/** Groups deliveries with the same key. For a single one, it keeps no list, which saves memory. */
class Repeats {
	private readonly firsts = new Map<string, Delivery>();
	/** Only those of several. */
	readonly groups = new Map<string, Delivery[]>();

	add(key: string, entry: Delivery): void {
		const first = this.firsts.get(key);
		const group = this.groups.get(key);
		if (group) group.push(entry);
		else if (first === undefined) this.firsts.set(key, entry);
		else this.groups.set(key, [first, entry]);
	}
}

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
	itemCount: number;
	/** How many messages the execution has planned for each recipient; absent if no attempt has to know. */
	numbers?: RecipientNumbers;
	/** Messages that may be the same to the same people, in groups, to be compared in full. */
	sameMessages?: Delivery[][];
	/** Problems that prevent all rows from being sent, regardless of their content. */
	concernsAll?: Problem[];
}

/** Reads and checks the whole input before anything is sent. */
export async function planRun(
	run: Run | UnusableRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Plan> {
	if ('problems' in run) return await refuseRun(run, items.length, n8n);
	const { operation, settings, isPreview, isOnceADay } = run;
	const { planRow, dropBody } = rowPlanner(run, n8n);
	const numbers = isPreview || n8n.isTool ? undefined : new RecipientNumbers(n8n.memory());
	// Nothing else keeps the same message to the same recipient from being sent twice.
	const mayRepeat = operation.isMessage && !operation.waits && (!settings.sendOnce || isOnceADay);
	const same = new Repeats();
	const deliveries: Delivery[] = [];
	const invalid: InvalidResult[] = [];
	const isComplete = await inSlices(items, n8n, ({ json }, index) => {
		try {
			const { checked, parameters, isRepeatable } = planRow(index, json);
			if ('problems' in checked) {
				const read = (name: string) => parameters[name];
				const addressed = numbers?.addressRow(operation, read, settings.fieldOptions);
				invalid.push({ ...invalidRow(index, checked.problems), addressed });
				return;
			}
			for (const one of checked.deliveries) {
				const digest = hashDelivery(one);
				// An event and a custom request have no recipient, so their content takes its place.
				const recipient = identifyRecipient(one) ?? digest;
				const delivery = { ...one, ...numbers?.address(recipient, one.platform) };
				const kept = isRepeatable && !isPreview ? dropBody(delivery, index, json) : delivery;
				deliveries.push(kept);
				// A short hash of each message is kept instead of the message.
				if (mayRepeat) same.add(digest.slice(0, 12), kept);
			}
		} catch (error) {
			// A mistake of this node, for instance about a value that nobody thought of, stays with its row.
			const internalError = errorMessage(error);
			n8n.log(`Item ${index} could not be checked: ${internalError}`, 'error');
			const message = `A mistake in this node kept the item from being checked: ${internalError}. Report it to the maintainers of the node`;
			invalid.push({ ...invalidRow(index, [{ field: 'node', message }]), internalError });
		}
	});
	const plan = { deliveries, invalid, earlier: [], itemCount: items.length };
	if (!isComplete) return { ...plan, deliveries: [], invalid: [], isStopped: true };
	return guardBroadcasts({ ...plan, numbers, sameMessages: [...same.groups.values()] }, run, n8n);
}

/** Returns functions that check a row, and that drop the body of a delivery of a row. */
function rowPlanner(run: Run, n8n: N8n) {
	const { operation, settings } = run;
	const { addKeys, parameters: keyParameters } = sendOnceKeys(run, n8n);
	const ofForm = operation.form.filter(({ type }) => type !== 'notice').map(({ name }) => name);
	const names = [...new Set([...ofForm, ...keyParameters])];
	const readParameters = parameterReader(names, n8n, collectLabels(operation.form));
	const columns = draggedColumns(operation.form, n8n.raw);
	const readRow = (index: number, json: Row['json']) => {
		const read = readParameters(index, json);
		Object.assign(read.parameters, columns);
		return read;
	};
	const findGaps = textGaps(operation, n8n);
	const context: CheckContext = {
		...settings,
		...run.account,
		nowMs: n8n.now(),
		workflowZone: n8n.workflowZone,
		answerUrl: operation.waits ? n8n.answerUrl() : undefined,
		placeholderIn: (parameter) => plainPlaceholder(n8n.raw(parameter)),
	};
	return {
		planRow: (index: number, json: Row['json']) => {
			const { parameters, problems, isRepeatable } = readRow(index, json);
			if (problems.length > 0) return { checked: { problems }, parameters, isRepeatable };
			const row = { index, parameters, json };
			const checked = withinSize(operation.check(row, context), operation);
			const filled = withGaps(checked, findGaps(row), operation, settings.skipTextCheck);
			return { checked: addKeys(filled, parameters), parameters, isRepeatable };
		},
		/**
		 * Drops the body of a delivery, and builds it again when it is sent. Short bodies are dropped too: while
		 * most bodies live long, V8 puts new ones directly among its old objects, and one that is no longer used
		 * keeps its text in memory until the next full garbage collection.
		 */
		dropBody: (delivery: Delivery, index: number, json: Row['json']): Delivery => {
			const { buildBody } = operation;
			if (!buildBody) return delivery;
			// The new function must not hold the delivery, whose old one holds the text.
			const { platform } = delivery;
			const readAgain = () => ({ index, parameters: readRow(index, json).parameters, json });
			return { ...delivery, buildBody: () => buildBody(readAgain(), context, platform) };
		},
	};
}

/** Refuses too many broadcasts, of a preview too, and takes out those that are only shown. */
function guardBroadcasts(plan: Plan, run: Run, n8n: N8n): Plan {
	const isBroadcast = ({ audience }: Delivery) => audience !== undefined;
	const broadcasts = plan.deliveries.filter(isBroadcast);
	if (broadcasts.length === 0) return plan;
	const tooMany = tooManyBroadcasts(broadcasts, run.settings.maxBroadcasts, n8n.memory());
	if (tooMany) {
		const affected = new Set(plan.deliveries.map(({ itemIndex }) => itemIndex));
		const refused = Array.from(affected, (index) => invalidRow(index, [tooMany]));
		const invalid = [...plan.invalid, ...refused];
		return { ...plan, deliveries: [], invalid, concernsAll: [tooMany] };
	}
	if (!run.showsCampaigns) return plan;
	const toPersons = plan.deliveries.filter((delivery) => !isBroadcast(delivery));
	return { ...plan, deliveries: toPersons, shown: broadcasts };
}

/** Refuses every row of a run, because of problems that affect all of them. */
export function refuseAll({ itemCount }: Pick<Plan, 'itemCount'>, problems: Problem[]): Plan {
	const invalid = Array.from({ length: itemCount }, (_, index) => invalidRow(index, problems));
	return { deliveries: [], earlier: [], itemCount, invalid, concernsAll: problems };
}

/** Refuses a run that cannot be used. In a retry, its recipients are read, because others may have sent to them. */
async function refuseRun(
	{ problems, operation, history }: UnusableRun,
	itemCount: number,
	n8n: N8n,
): Promise<Plan> {
	const plan = refuseAll({ itemCount }, problems);
	if (!history.isRetry || !operation) return plan;
	const numbers = new RecipientNumbers(n8n.memory());
	await inSlices(plan.invalid, n8n, (row) => {
		const read = (name: string) => readIfPossible(n8n, name, row.itemIndex);
		row.addressed = numbers.addressRow(operation, read);
	});
	return { ...plan, numbers };
}

function invalidRow(itemIndex: number, problems: Problem[]) {
	return { kind: 'invalid', itemIndex, problems } as const;
}

/** How many minutes a run takes at a limit. The places of its first minute are available at once. */
export function minutesAtLimit(requests: number, perMinute: number): number {
	return Math.max(0, Math.ceil(requests / perMinute) - 1);
}

/** What is said about a run that would surely wait for the rate limit longer than it may. */
export function longWait(
	requests: number,
	{ account, target, settings: { maxWaitMs } }: Pick<Run, 'account' | 'target' | 'settings'>,
): Problem | undefined {
	const perMinute = account.limits[target.api];
	// The run may begin at the end of a minute of the service, so one minute less is sure.
	const minutes = minutesAtLimit(requests, perMinute) - 1;
	if (minutes * MINUTE_MS <= maxWaitMs) return undefined;
	return {
		field: 'maxWait',
		message: `${requests} requests at ${perMinute} per minute wait for the rate limit for at least ${minutes} min, but 'Max Wait' allows ${maxWaitMs / MINUTE_MS} min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items`,
	};
}

/** The deliveries by `userID`, where several have the same one and the operation makes the last one count. */
export async function repeatedIds(
	deliveries: readonly Delivery[],
	{ overwrites }: Operation,
	clock: Clock,
) {
	const repeats = new Repeats();
	if (!overwrites) return repeats.groups;
	await inSlices(deliveries, { clock }, (delivery) => {
		if (delivery.userID !== undefined) repeats.add(delivery.userID, delivery);
	});
	return repeats.groups;
}
