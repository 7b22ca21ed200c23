import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { asRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import { InputColumns } from '../run/columns';
import { declaredFields } from '../operations/operation';
import type { Mode } from '../run/guards';
import { fieldOptionsByRow } from '../run/options';
import { ifPossible } from '../run/parameters';
import type { KnownRun, Run } from '../run/resolveRun';
import type { Addressed, Delivery } from '../shared/delivery';
import type { Problem, SentDelivery, SentResult, UnsentResult } from '../shared/ending';
import { errorMessage, placeOfMistake, say, written } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { hasOneRecipient, RecipientNumbers, tooManyBroadcasts, tooManyMessages } from './counts';
import { oneItemForAll } from './givenValues';
import { addressOf, identify } from './identity';
import { automaticKeys } from './keys';
import { makeMessageFilter } from './messageFilter';
import { type Noted, rowPlanner } from './rows';

export interface Plan {
	/** Messages to send, in the order of the input. */
	deliveries: Delivery[];
	/** Messages that the safety limits left out. */
	leftOut: Array<UnsentResult<'skipped'>>;
	/** The rows that cannot be sent. */
	invalid: Array<UnsentResult<'invalid'>>;
	/** Results from earlier attempts, for rows that cannot be sent now. */
	earlier: SentResult[];
	/** The item that an agent's tool is called with. */
	call?: object;
	/** True if the execution was stopped before all rows were checked. Nothing is sent then. */
	isStopped?: boolean;
	itemCount: number;
	noted?: Noted;
	/** True if the notes do not reach back far enough, so that somebody may get a message of today again. */
	isCutOff?: boolean;
	/** Numbers of the planned messages; absent if no other attempt needs them. */
	numbers?: RecipientNumbers;
	/** Problems that prevent all rows from being sent, regardless of their content. */
	concernsAll?: Problem[];
}

/** Reads and checks the whole input before anything is sent. The returned run may only show a list. */
export async function planRun(
	run: Run,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Plan & { run: Run }> {
	const { mode } = run;
	const plan = await checkRows(run, items, n8n);
	if (plan.isStopped) return { ...plan, run };
	const { deliveries, leftOut, invalid } = plan;
	const planned = [...deliveries, ...leftOut.map(({ delivery }) => delivery)];
	const others = invalid.map(({ delivery, addressed: [first] = [] }) => ({
		...delivery,
		recipient: first?.recipient,
	}));
	const onlyOne = mode.kind === 'send' && mode.onlyOne;
	const isListed = ({ ownKeys, audience }: SentDelivery) => ownKeys && audience === undefined;
	const listed = onlyOne ? planned : planned.filter(isListed);
	const isOne =
		(onlyOne || listed.length > 0) && hasOneRecipient([...listed, ...others], n8n.memory());
	if (onlyOne && !isOne)
		return await planRun({ ...run, mode: { kind: 'show', because: 'list' } }, items, n8n);
	if (isOne)
		for (const delivery of deliveries) delivery.ignoresKeys ||= delivery.audience === undefined;
	const problems = invalid.flatMap(({ ending }) => ending.values.problems);
	const refused =
		problems.find(({ concernsAll }) => concernsAll) ??
		(items.length > 1 ? oneItemForAll(run, n8n) : undefined) ??
		findTooMany(deliveries, run, n8n);
	return { ...(refused ? refuseAll(plan, [refused]) : plan), run };
}

/** Checks each row, and makes deliveries of those that can be sent. */
async function checkRows(run: Run, items: readonly INodeExecutionData[], n8n: N8n): Promise<Plan> {
	const { operation, mode } = run;
	const sends = mode.kind === 'send';
	// As a tool, `$json` is not the item.
	const rows = rowPlanner(run, n8n, new InputColumns(n8n.isTool ? [] : items));
	const filter = makeMessageFilter(run, n8n);
	const ownKeysOf = automaticKeys(run, n8n);
	const numbers = sends && !n8n.isTool ? new RecipientNumbers(n8n.memory()) : undefined;
	const deliveries: Delivery[] = [];
	const leftOut: Array<UnsentResult<'skipped'>> = [];
	const invalid: Array<UnsentResult<'invalid'>> = [];

	const checkRow = (json: IDataObject, index: number) => {
		const { parameters, isRepeatable, ...planned } = rows.planRow(index, json);
		const problems = [...planned.problems, ...filter.refuse(planned.deliveries, parameters)];
		if (problems.length > 0) {
			const read = (name: string) => parameters[name];
			const options = rows.optionsOf(parameters.options);
			const addressed = numbers?.addressRow(operation.addressees?.(read, options, json));
			invalid.push(invalidRow(index, problems, addressed));
			return;
		}
		for (const one of planned.deliveries) {
			const { platform } = one;
			const { recipient, content } = addressOf(one, run);
			const whole = { ...one, recipient, content, ...ownKeysOf(one, parameters) };
			const why = filter.leaveOut(whole, parameters);
			const delivery = isRepeatable && sends ? rows.dropBody(whole, index, json) : whole;
			// A message that the next attempt may send takes a number, so that those after it keep theirs.
			const isNumbered = !why || (filter.mayDiffer && why.values?.firstItem !== undefined);
			// Users have no number, because creating one again overwrites.
			if (isNumbered && recipient !== undefined)
				Object.assign(delivery, numbers?.address({ recipient, platform, content }));
			if (why) leftOut.push({ delivery, ending: why });
			else deliveries.push(delivery);
		}
	};
	const isComplete = await inSlices(items, n8n, ({ json }, index) => {
		try {
			checkRow(json, index);
		} catch (error) {
			// An unforeseen value must not keep the other rows from being sent.
			n8n.log(`Item ${index} could not be checked: ${placeOfMistake(error)}`, 'error');
			const sentence = say`Internal error in this node kept the item from being checked: ${written(errorMessage(error))}. Report it to the maintainers of the node`;
			invalid.push(invalidRow(index, [{ field: 'node', ...sentence }]));
		}
	});
	const noted = { ...rows.noted, warning: filter.consentWarning(items.length) };
	const rest = { earlier: [], itemCount: items.length, isStopped: !isComplete };
	const call = n8n.isTool ? items[0]?.json : undefined;
	return { deliveries, leftOut, invalid, noted, numbers, call, ...rest };
}

function invalidRow(
	itemIndex: number,
	problems: Problem[],
	addressed?: readonly Addressed[],
): UnsentResult<'invalid'> {
	return { delivery: { itemIndex }, ending: { kind: 'invalid', values: { problems } }, addressed };
}

/** Finds too many broadcasts, also in a preview, or too many messages to single people. */
function findTooMany(
	deliveries: readonly Delivery[],
	run: Run,
	n8n: Pick<N8n, 'isTool' | 'memory'>,
): Problem | undefined {
	const { settings, mode, operation } = run;
	const tooMany = tooManyBroadcasts(deliveries, settings.maxBroadcasts, n8n.memory());
	// With Send Once, only sending shows which messages are new.
	const isCounted = operation.isMessage && mode.kind === 'send' && !settings.sendOnce;
	if (tooMany || !isCounted) return tooMany;
	return tooManyMessages(deliveries, settings.maxMessages, n8n);
}

/** Refuses every row of a run, because of problems that affect all of them. */
export function refuseAll(
	plan: Pick<Plan, 'itemCount'> & Partial<Plan>,
	problems: Problem[],
): Plan {
	const { itemCount, deliveries = [], leftOut = [], numbers } = plan;
	// The recipients of each row, for looking up messages of other attempts.
	const rows = Array.from({ length: itemCount }, (): Addressed[] => []);
	for (const delivery of [...deliveries, ...leftOut.map((one) => one.delivery)]) {
		const { itemIndex, recipient, platform, content, number } = delivery;
		if (recipient === undefined) continue;
		const message = { platform, recipient, content };
		const addressed = number === undefined ? numbers?.address(message) : { ...message, number };
		if (addressed) rows[itemIndex]?.push(addressed);
	}
	for (const { delivery, addressed = [] } of plan.invalid ?? [])
		rows[delivery.itemIndex]?.push(...addressed);
	const invalid = rows.map((addressed, index) => invalidRow(index, problems, addressed));
	const nothing = { deliveries: [], leftOut: [], earlier: [] };
	return { ...nothing, itemCount, invalid, numbers, concernsAll: problems };
}

/** Refuses every row of a run. A retry reads their recipients, because other attempts may have sent to them. */
export async function refuseRun(
	{ operation, history }: KnownRun,
	problems: Problem[],
	items: readonly INodeExecutionData[],
	n8n: Pick<N8n, 'memory' | 'read' | 'clock' | 'cancelled'>,
): Promise<Plan> {
	const plan = refuseAll({ itemCount: items.length }, problems);
	if (!history.isRetry || !operation) return plan;
	const numbers = new RecipientNumbers(n8n.memory());
	const optionsOf = fieldOptionsByRow();
	await inSlices(plan.invalid, n8n, (row) => {
		const read = (name: string) => ifPossible(() => n8n.read(name, row.delivery.itemIndex));
		const { json = {} } = items[row.delivery.itemIndex] ?? {};
		const options = optionsOf(read('options'));
		row.addressed = numbers.addressRow(operation.addressees?.(read, options, json));
	});
	return { ...plan, numbers };
}

/** Turns a message into a test for the test recipient, sent at once. It keeps only fields that reach nobody. */
export function toTestMessage(
	delivery: Delivery,
	{ operation, key, value }: Extract<Mode, { kind: 'test' }>['recipient'],
): Delivery {
	const { itemIndex, platform } = delivery;
	const fields = declaredFields(operation);
	const kept = Object.entries(asRecord(delivery.buildBody())).filter(
		([name]) => fields[name]?.reaches === 'nobody',
	);
	const to = { [key]: value };
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		buildBody: () => ({ ...to, ...Object.fromEntries(kept) }),
		schedule: { kind: 'now' },
		to,
		recipient: identify(to),
		test: true,
	};
}
