import type { INodeExecutionData } from 'n8n-workflow';

import { isRecord, collectLabels } from '../fields/field';
import type { Operation, CheckContext, Checked, Row } from '../operations/operation';
import type { Delivery } from '../shared/delivery';
import type { Problem, InvalidResult, SentResult } from '../shared/result';
import type { Run, UnusableRun } from '../run/resolveRun';
import { countBroadcasts, tooManyBroadcasts } from './broadcastGuard';
import { hashDelivery, identifyRecipient, RecipientNumbers } from './recipient';
import { parameterReader } from '../run/parameters';
import { draggedColumns } from '../run/names';
import { plainPlaceholder } from '../run/textGaps';
import { sendOnceKeys } from './sendOnceKey';
import { textGaps, withGaps } from './textGaps';
import { errorMessage } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import type { N8n } from '../n8n/context';
import { MINUTE_MS, type Clock } from '../shared/apis';

/** Maximum characters of JSON in one request. More is probably a file that was put in a field. */
const MAX_BODY_LENGTH = 10_000_000;

/** A character of a text takes at most this many in JSON, as `\u0001` does. */
const MAX_ESCAPE_LENGTH = 6;

export function tooLarge([first]: readonly Delivery[], { path, form }: Operation): Problem[] {
	if (!first) return [];
	const body = first.buildBody();
	if (maxJsonLength([body, first.envelope]) <= MAX_BODY_LENGTH) return [];
	const whole = first.envelope ? { ...body, ...first.envelope } : body;
	if (JSON.stringify(whole).length <= MAX_BODY_LENGTH) return [];
	// In a custom request, the whole body is one field.
	const field = (path && findLargestField(whole)) ?? 'body';
	return [
		{
			field,
			message: `'${collectLabels(form)[field] ?? field}' is too long: one request carries at most ${MAX_BODY_LENGTH} characters. Shorten it`,
		},
	];
}

/**
 * An upper bound of the length of a value as JSON. Writing the JSON takes several times longer.
 *
 * @returns Infinity if the value decides itself how it is written
 */
export function maxJsonLength(value: unknown): number {
	if (typeof value === 'string') return value.length * MAX_ESCAPE_LENGTH + '""'.length;
	if (typeof value !== 'object' || value === null) return maxNumberLength;
	if ('toJSON' in value) return Infinity;
	return Object.entries(value).reduce(
		(sum, [name, entry]) => sum + maxJsonLength(name) + maxJsonLength(entry) + ':,'.length,
		'{}'.length,
	);
}

/** The longest number has 25 characters; true, false and null have fewer. */
const maxNumberLength = 25;

/** The name of the largest field, descending into nested objects such as user attributes. */
function findLargestField(body: object): string | undefined {
	const sizes = Object.entries(body).map(([name, value]: [string, unknown]) => ({
		name,
		value,
		size: JSON.stringify(value)?.length ?? 0,
	}));
	const [largest] = sizes.sort((one, other) => other.size - one.size);
	return largest && isRecord(largest.value) ? findLargestField(largest.value) : largest?.name;
}

/**
 * Finds messages of a run that may be the same to the same recipient. It keeps a short hash of each message
 * instead of the message, so what it finds has to be compared in full.
 */
export class SameMessages {
	private readonly firsts = new Map<string, Delivery>();
	private readonly found = new Map<Delivery, Delivery[]>();

	/** @param digest from `hashDelivery` */
	add(delivery: Delivery, digest: string): void {
		const key = digest.slice(0, 12);
		const first = this.firsts.get(key);
		const group = first && this.found.get(first);
		if (!first) this.firsts.set(key, delivery);
		else if (group) group.push(delivery);
		else this.found.set(first, [first, delivery]);
	}

	get groups(): Delivery[][] {
		return [...this.found.values()];
	}
}

/** Whether sending the same to the same recipient is probably a mistake, and nothing keeps it from happening. */
export function mindsSameMessages({
	operation,
	settings,
	isOnceADay,
}: Pick<Run, 'operation' | 'settings' | 'isOnceADay'>) {
	const isKeptOut = settings.sendOnce && !isOnceADay;
	return operation.isMessage === true && operation.waits !== true && !isKeptOut;
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

/**
 * The deliveries by `userID`, where several have the same one and the operation makes the last one
 * count.
 */
export async function repeatedIds<D extends Pick<Delivery, 'userID'>>(
	deliveries: readonly D[],
	{ overwrites }: Pick<Operation, 'overwrites'>,
	clock: Clock,
): Promise<Map<string, D[]>> {
	const repeated = new Map<string, D[]>();
	if (!overwrites) return repeated;
	const firsts = new Map<string, D>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const { userID } = delivery;
		if (userID === undefined) return;
		const first = firsts.get(userID);
		const known = repeated.get(userID);
		if (known) known.push(delivery);
		else if (first) repeated.set(userID, [first, delivery]);
		else firsts.set(userID, delivery);
	});
	return repeated;
}

/**
 * Notes which repeated IDs an attempt sends, going through its rows in order. If it sends a row that
 * failed before, later rows with the same ID have to follow once more, even if they were accepted.
 * Otherwise the older values would remain.
 */
export class Followers {
	private readonly sent = new Set<string>();

	constructor(private readonly repeated: ReadonlyMap<string, unknown>) {}

	/** Whether an earlier row with the same ID is sent. */
	includes({ userID }: Delivery): boolean {
		return userID !== undefined && this.sent.has(userID);
	}

	/** Call this for each row that is sent. */
	add({ userID }: Delivery): void {
		if (userID !== undefined && this.repeated.has(userID)) this.sent.add(userID);
	}
}
