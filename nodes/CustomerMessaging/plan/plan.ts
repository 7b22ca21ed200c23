import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { isNothing, isRecord, collectLabels, oncePerOptions } from '../fields/field';
import { misreadWord } from '../fields/encoding';
import { isLoopback, parseUrl } from '../fields/link';
import type { Operation, CheckContext, Checked, Row } from '../operations/operation';
import type { Addressed, Delivery } from '../shared/delivery';
import type { Problem } from '../shared/ending';
import type { InvalidResult, SkippedResult, SentDelivery, SentResult } from '../shared/result';
import type { Run, KnownRun } from '../run/resolveRun';
import { differsByItself } from '../run/differs';
import { makeMessageFilter } from './messageFilter';
import {
	hasOneRecipient,
	messageScope,
	RecipientNumbers,
	tooManyBroadcasts,
	tooManyMessages,
} from './counts';
import { jsonJoiner, parameterReader, readIfPossible } from '../run/parameters';
import { fieldOptionsByRow } from '../run/options';
import { oneItemForAll, serviceTemplates } from './givenValues';
import { type Finding, placeholderRules } from './placeholders';
import { InputColumns } from '../run/columns';
import { addressOf, recipientKey } from './identity';
import { ownKeys } from './ownKeys';
import { sendOnceKeys } from './sendOnceKey';
import { errorMessage, placeOfMistake } from '../shared/formatting';
import { say, written } from '../shared/sentence';
import { inSlices } from '../shared/slices';
import type { N8n } from '../n8n/context';
import { draggedColumns } from '../run/expressions';

/** Maximum characters of JSON in one request. More is probably a file that was put in a field. */
const MAX_BODY_LENGTH = 10_000_000;

/** Refuses a row whose body is too large, and notes what looks wrong in any other. */
function withinSize(checked: Checked, { path, form }: Operation, noted: Noted): Checked {
	const [first] = 'deliveries' in checked ? checked.deliveries : [];
	const body = first?.buildBody();
	const whole = first?.envelope ? { ...body, ...first.envelope } : body;
	if (!first || !whole) return checked;
	const written = JSON.stringify(whole);
	if (written.length <= MAX_BODY_LENGTH) {
		const word = misreadWord(written);
		if (word !== undefined) noted.misread.push({ itemIndex: first.itemIndex, word });
		return checked;
	}
	// In a custom request, the whole body is one field.
	const field = (path && findLargestField(whole)) ?? 'body';
	const label = collectLabels(form)[field] ?? field;
	const rule = `'${label}' is too long: one request carries at most ${MAX_BODY_LENGTH} characters. Shorten it`;
	return { problems: [{ field, rule }] };
}

/** The name of the largest field, descending into nested objects such as user attributes. */
function findLargestField(body: object): string | undefined {
	const sizeOf = ([, value]: [string, unknown]) => JSON.stringify(value)?.length ?? 0;
	const entries: Array<[string, unknown]> = Object.entries(body);
	const [[name, value] = []] = entries.sort((one, other) => sizeOf(other) - sizeOf(one));
	return isRecord(value) ? findLargestField(value) : name;
}

/** What was noticed in rows that are sent. */
export interface Noted {
	/** What was taken as empty because it means nobody: how often, by attribute, and a value as an example. */
	nobody: Map<string, { count: number; value: string }>;
	/** The rows that are sent without a value that is not valid, by its attribute. */
	leftOut: Map<string, Array<{ itemIndex: number }>>;
	/** What looks as if it was read in the wrong encoding. */
	misread: Array<{ itemIndex: number; word: string }>;
	/** What is sent although it looks wrong. */
	hints: Array<Finding & { itemIndex: number }>;
	/** What everybody gets, although it is the value of one item. */
	oneForAll?: string;
	/** What is probably wrong with the whole run, although it goes on. */
	warning?: string;
}

export interface Plan {
	/** What to send, in the order of the input. */
	deliveries: Delivery[];
	/** What the safety limits left out. It takes no part in what other attempts know. */
	leftOut: SkippedResult[];
	/** The rows that cannot be sent. */
	invalid: InvalidResult[];
	/** Results from earlier attempts, for rows that cannot be sent now. */
	earlier: SentResult[];
	/** The item that an agent's tool is called with. */
	call?: object;
	/** Whether the execution was stopped before all rows were checked. Nothing is sent then. */
	isStopped?: boolean;
	itemCount: number;
	noted?: Noted;
	/** Whether somebody may have got it earlier today without a note. */
	isCutOff?: boolean;
	/** How many messages the execution has planned for each recipient; absent if no attempt has to know. */
	numbers?: RecipientNumbers;
	/** Problems that prevent all rows from being sent, regardless of their content. */
	concernsAll?: Problem[];
}

/** What is known of rows when all of them are refused. */
type Refusable = Pick<Plan, 'itemCount' | 'numbers'> & {
	deliveries?: readonly SentDelivery[];
	invalid?: readonly InvalidResult[];
};

const onlyShown = { kind: 'show', because: 'list' } as const;

/** Reads and checks the whole input before anything is sent. By hand, a list is perhaps only shown: see its `run`. */
export async function planRun(
	run: Run,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Plan & { run: Run }> {
	const { operation } = run;
	const sends = run.mode.kind === 'send';
	const noted: Noted = { nobody: new Map(), leftOut: new Map(), misread: [], hints: [] };
	const columns = new InputColumns(items);
	const { planRow, dropBody, optionsOf } = rowPlanner(run, n8n, noted, columns);
	const differs = operation.form.some(({ name }) => differsByItself(n8n.raw(name)));
	const numbers = sends && !n8n.isTool ? new RecipientNumbers(n8n.memory()) : undefined;
	const filter = makeMessageFilter(run, n8n);
	const keysOf = ownKeys(run, n8n);
	/** Whom a list by hand is for, and those of whom it keeps a note. */
	const everybody = new Set<string>();
	const recipients = new Set<string>();
	const inFormOrder = problemSorter(operation);
	const { refused: oneForAll, hint } = oneItemForAll(run, items.length, n8n);
	noted.oneForAll = hint;
	const leftOut: SkippedResult[] = [];
	const deliveries: Delivery[] = [];
	const invalid: InvalidResult[] = [];
	const isComplete = await inSlices(items, n8n, ({ json }, index) => {
		try {
			const { checked: valid, parameters, isRepeatable, leftOut: values } = planRow(index, json);
			const checked = filter.refuse(valid, parameters);
			if ('problems' in checked) {
				const read = (name: string) => parameters[name];
				const options = optionsOf(parameters.options);
				const addressed = numbers?.addressRow(operation, read, options, json);
				invalid.push({ ...invalidRow(index, inFormOrder(checked.problems)), addressed });
				const [first] = addressed ?? [];
				const known = first ? recipientKey({ recipient: first.recipient }) : `item ${index}`;
				everybody.add(known);
				recipients.add(known);
				return;
			}
			for (const name of values) {
				const rows = noted.leftOut.get(name) ?? [];
				rows.push({ itemIndex: index });
				noted.leftOut.set(name, rows);
			}
			for (const one of checked.deliveries) {
				const { recipient, content } = addressOf(one, operation, differs);
				const own = keysOf(one, parameters);
				const whole = { ...one, recipient, content, ...own };
				const known = recipient === undefined ? `item ${index}` : recipientKey({ recipient });
				everybody.add(known);
				if (own.ownKeys && recipient !== undefined) recipients.add(known);
				const why = filter.leaveOut(whole, parameters);
				const delivery = isRepeatable && sends ? dropBody(whole, index, json) : whole;
				// What may not be left out in the next attempt has a number, so that those after it have the same then.
				const isNumbered = !why || (filter.mayDiffer && why.values?.firstItem !== undefined);
				// Users have none: creating one again overwrites.
				if (isNumbered && recipient !== undefined)
					Object.assign(delivery, numbers?.address(recipient, one.platform, content));
				if (why) leftOut.push({ delivery, ending: why });
				else deliveries.push(delivery);
			}
		} catch (error) {
			// A value that nobody thought of must not keep the other rows from being sent.
			n8n.log(`Item ${index} could not be checked: ${placeOfMistake(error)}`, 'error');
			const sentence = say`Internal error in this node kept the item from being checked: ${written(errorMessage(error))}. Report it to the maintainers of the node`;
			invalid.push(invalidRow(index, [{ field: 'node', ...sentence }]));
		}
	});
	const { mode } = run;
	if (mode.kind === 'send' && mode.onlyOne && isComplete) {
		if (!hasOneRecipient(everybody, n8n.memory(), 'everybody'))
			return await planRun({ ...run, mode: onlyShown, repeats: {} }, items, n8n);
	}
	const call = n8n.isTool ? items[0]?.json : undefined;
	const itemCount = items.length;
	const known = { run, itemCount, noted, numbers };
	const plan = { deliveries, leftOut, invalid, earlier: [], call, ...known };
	if (!isComplete) return { ...plan, deliveries: [], leftOut: [], invalid: [], isStopped: true };
	if (itemCount > 1 && filter.emptyConsents() === itemCount)
		noted.warning = `Consent is empty in all ${itemCount} items, so nobody got the message. The column is probably named otherwise: correct its expression`;
	if (run.repeats.toPersons && sends && hasOneRecipient(recipients, n8n.memory()))
		for (const delivery of deliveries) delivery.isSentAnyway ||= delivery.audience === undefined;
	const refused =
		invalid
			.flatMap(({ ending }) => ending.values.problems)
			.find(({ concernsAll }) => concernsAll) ??
		oneForAll ??
		findTooMany(deliveries, run, n8n);
	if (!refused) return plan;
	const skipped = leftOut.map(({ delivery }) => {
		const { recipient, platform, number } = delivery;
		if (recipient === undefined || number !== undefined) return delivery;
		return { ...delivery, ...numbers?.address(recipient, platform) };
	});
	const { field, rule, values } = refused;
	const all = { ...plan, deliveries: [...deliveries, ...skipped] };
	return { ...refuseAll(all, [{ field, rule, values }]), run };
}

/** Returns a function that sorts problems as their fields stand in the form, and others after them. */
function problemSorter({ form }: Run['operation']): (problems: readonly Problem[]) => Problem[] {
	const places = new Map(Object.keys(collectLabels(form)).map((name, index) => [name, index]));
	const placeOf = ({ field }: Problem) => places.get(field) ?? places.size;
	return (problems) => [...problems].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Returns functions that check a row, and that drop the body of a delivery of a row. */
function rowPlanner(run: Run, n8n: N8n, noted: Noted, inputColumns: InputColumns) {
	const { operation, settings } = run;
	const { addKeys, parameters: keyParameters } = sendOnceKeys(run, n8n);
	const ofForm = operation.form.filter(({ type }) => type !== 'notice').map(({ name }) => name);
	const names = [...new Set([...ofForm, ...keyParameters, 'options'])];
	const readParameters = parameterReader(names, n8n, collectLabels(operation.form));
	const columns = draggedColumns(operation.form, n8n.raw);
	const joinJson = jsonJoiner(operation.form, n8n);
	const readRow = (index: number, json: Row['json']) => {
		const read = readParameters(index, json);
		Object.assign(read.parameters, columns);
		if (read.problems.length === 0) joinJson(read, index, json);
		return read;
	};
	const findingsOf = placeholderRules(operation, n8n, inputColumns, settings);
	const withoutTemplates = serviceTemplates(operation, n8n);
	const country = (n8n.raw('options') as INodeParameters | undefined)?.defaultCountry;
	const isCountryOfRow = typeof country === 'string' && country.startsWith('=');
	const optionsOf = fieldOptionsByRow({
		...settings,
		isCountryOfRow,
		n8nHost: parseUrl(n8n.addressOfN8n())?.host ?? '',
		isServiceLocal: isLoopback(parseUrl(run.origin)?.hostname),
	});
	const contextOfRun: Omit<CheckContext, 'fieldOptions'> = {
		...settings,
		...run.account,
		nowMs: n8n.now(),
		workflowZone: n8n.workflowZone,
		answerUrl: operation.waits ? n8n.answerUrl() : undefined,
		noteNobody: settings.skipTextCheck
			? undefined
			: (attribute, value) => {
					const { count } = noted.nobody.get(attribute) ?? { count: 0 };
					noted.nobody.set(attribute, { count: count + 1, value });
				},
		columnNames: () => inputColumns.names,
	};
	/** Notes what the additional fields hold that stands for nothing, which leaves them empty. */
	const noteNothing = ({ additionalFields }: Row['parameters']) => {
		for (const [name, value] of Object.entries(
			isRecord(additionalFields) ? additionalFields : {},
		)) {
			const field = operation.fields.optional[name];
			if (isNothing(value, field))
				contextOfRun.noteNobody?.(field?.form.displayName ?? name, String(value));
		}
	};
	const contextUnder = oncePerOptions((fieldOptions): CheckContext => ({
		...contextOfRun,
		fieldOptions,
	}));
	// Creating a user again only overwrites, so a value can be sent later.
	const leavesOut = operation.overwrites && settings.leaveOutInvalid && !settings.skipTextCheck;
	const contextOf = ({ options }: Row['parameters']) => contextUnder(optionsOf(options));
	return {
		optionsOf,
		planRow: (index: number, json: Row['json']) => {
			const { parameters, problems, isRepeatable } = readRow(index, json);
			if (problems.length > 0)
				return { checked: { problems }, parameters, isRepeatable, leftOut: [] };
			const row = { index, parameters, json };
			const found = findingsOf(row);
			const refused = found.filter(({ isHint }) => !isHint);
			const left = refused.filter(({ field }) => leavesOut && field in operation.fields.optional);
			for (const { field } of left) parameters[field] = '';
			const read = operation.check(row, contextOf(parameters));
			const checked = withFindings(
				withinSize(read, operation, noted),
				refused.filter((one) => !left.includes(one)),
			);
			if ('deliveries' in checked)
				for (const one of found) if (one.isHint) noted.hints.push({ ...one, itemIndex: index });
			const ofCheck = ('deliveries' in read && read.leftOut) || [];
			const leftOut = [...new Set([...left.map(({ field }) => field), ...ofCheck])];
			const keyed = addKeys(withoutTemplates(checked, row), row);
			if ('deliveries' in keyed) noteNothing(parameters);
			return { checked: keyed, parameters, isRepeatable, leftOut };
		},
		/**
		 * Drops the body of a delivery, and builds it again when it is sent. Short bodies are dropped too: while
		 * most bodies live long, V8 puts new ones directly among its old objects, and one that is no longer used
		 * keeps its text in memory until the next full garbage collection.
		 */
		dropBody: (delivery: Delivery, index: number, json: Row['json']): Delivery => {
			const { bodyOfRow } = operation;
			if (!bodyOfRow) return delivery;
			// The new function must not hold the delivery, whose old one holds the text.
			const { platform } = delivery;
			return {
				...delivery,
				buildBody: () => {
					const { parameters } = readRow(index, json);
					return bodyOfRow({ index, parameters, json }, contextOf(parameters), platform);
				},
			};
		},
	};
}

/** Refuses a row for what was found in its fields. What the check says of such a field says less. */
function withFindings(checked: Checked, found: readonly Finding[]): Checked {
	if (found.length === 0) return checked;
	const fields = new Set(found.map(({ field }) => field));
	const others = 'problems' in checked ? checked.problems : [];
	return { problems: [...found, ...others.filter(({ field }) => !fields.has(field))] };
}

/** Says that there are too many broadcasts, also in a preview, or too many messages to single people. */
function findTooMany(
	deliveries: readonly Delivery[],
	{ settings, mode, operation }: Run,
	n8n: N8n,
): Problem | undefined {
	const broadcasts = deliveries.filter(({ audience }) => audience !== undefined);
	const tooMany = tooManyBroadcasts(broadcasts, settings.maxBroadcasts, n8n.memory());
	// With Send Once, only sending shows which messages are new.
	const isCounted = operation.isMessage && mode.kind === 'send' && !settings.sendOnce;
	if (tooMany || !isCounted) return tooMany;
	return tooManyMessages(deliveries, settings.maxMessages, messageScope(n8n));
}

/** Whom the rows that could be sent are for, so that what other attempts have sent of them can be looked up. */
function addressedRows(deliveries: readonly SentDelivery[]): Map<number, Addressed[]> {
	const rows = new Map<number, Addressed[]>();
	for (const { itemIndex, platform, recipient, number } of deliveries) {
		const addressed = rows.get(itemIndex) ?? [];
		if (recipient !== undefined && number !== undefined)
			addressed.push({ platform, recipient, number });
		rows.set(itemIndex, addressed);
	}
	return rows;
}

/** Refuses every row of a run, because of problems that affect all of them. */
export function refuseAll(
	{ itemCount, deliveries = [], invalid: known = [], numbers }: Refusable,
	problems: Problem[],
): Plan {
	const rows = new Map<number, readonly Addressed[]>(addressedRows(deliveries));
	for (const { delivery, addressed = [] } of known) rows.set(delivery.itemIndex, addressed);
	const invalid = Array.from({ length: itemCount }, (_, index) => ({
		...invalidRow(index, problems),
		addressed: rows.get(index),
	}));
	return {
		...{ deliveries: [], leftOut: [], earlier: [] },
		...{ itemCount, invalid, numbers, concernsAll: problems },
	};
}

/** Refuses every row of a run. In a retry, their recipients are read, because others may have sent to them. */
export async function refuseRun(
	{ operation, history }: KnownRun,
	problems: Problem[],
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<Plan> {
	const plan = refuseAll({ itemCount: items.length }, problems);
	if (!history.isRetry || !operation) return plan;
	const numbers = new RecipientNumbers(n8n.memory());
	const optionsOf = fieldOptionsByRow();
	await inSlices(plan.invalid, n8n, (row) => {
		const read = (name: string) => readIfPossible(n8n, name, row.delivery.itemIndex);
		const { json = {} } = items[row.delivery.itemIndex] ?? {};
		row.addressed = numbers.addressRow(operation, read, optionsOf(read('options')), json);
	});
	return { ...plan, numbers };
}

function invalidRow(itemIndex: number, problems: Problem[]): InvalidResult {
	return { delivery: { itemIndex }, ending: { kind: 'invalid', values: { problems } } };
}
