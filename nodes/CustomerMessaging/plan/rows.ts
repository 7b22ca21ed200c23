import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { collectLabels, isNothing, isRecord, oncePerOptions } from '../fields/field';
import { isLoopback, parseUrl } from '../fields/link';
import { findMisread } from '../fields/lost';
import type { N8n } from '../n8n/context';
import type { CheckContext, Checked, Operation, Row } from '../operations/operation';
import type { InputColumns } from '../run/columns';
import { draggedColumns } from '../run/expressions';
import { fieldOptionsByRow } from '../run/options';
import { jsonJoiner, parameterReader } from '../run/parameters';
import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/ending';
import type { Sentence } from '../shared/formatting';
import { serviceTemplates } from './givenValues';
import { sendOnceKeys } from './keys';
import { placeholderRules } from './placeholders';

/** Observations about rows that are sent. */
export interface Noted {
	/** Values that were taken as empty because they mean nobody: their number by attribute, with an example. */
	nobody: Map<string, { count: number; value: string }>;
	/** Invalid values without which a row is sent. */
	leftOut: Array<{ itemIndex: number; attribute: string }>;
	/** Findings about values that are sent anyway. */
	hints: Array<Sentence & { itemIndex: number }>;
	/** A warning about the whole run, which goes on. */
	warning?: string;
}

/** Returns functions that check a row, and drop the body of its delivery. */
export function rowPlanner(run: Run, n8n: N8n, noted: Noted, columns: InputColumns) {
	const { operation, settings } = run;
	const readRow = rowReader(run, n8n);
	const country = (n8n.raw('options') as INodeParameters | undefined)?.defaultCountry;
	const optionsOf = fieldOptionsByRow({
		...settings,
		isCountryOfRow: typeof country === 'string' && country.startsWith('='),
		n8nHost: parseUrl(n8n.addressOfN8n())?.host ?? '',
		isServiceLocal: isLoopback(parseUrl(run.origin)?.hostname),
	});
	const contextUnder = checkContexts(run, n8n, noted, columns);
	const contextOf = (options: unknown) => contextUnder(optionsOf(options));
	const findingsOf = placeholderRules(operation, n8n, columns, settings);
	const templatesIn = serviceTemplates(operation, n8n);
	const withKeys = sendOnceKeys(run, n8n);
	// Creating a user again only overwrites, so a value can be sent later.
	const leavesOut = operation.hasAttributes && settings.leaveOutInvalid && !settings.skipTextCheck;
	const isLeftOut = ({ field }: Problem) => leavesOut && field in operation.fields.optional;
	return {
		optionsOf,
		planRow(index: number, json: IDataObject) {
			const { parameters, problems, isRepeatable } = readRow(index, json);
			const planned = { parameters, isRepeatable };
			if (problems.length > 0) return { ...planned, checked: { problems } };
			const row = { index, parameters, json };
			const found = findingsOf(row);
			const hints = found.filter(({ isHint }) => isHint);
			const wrong = found.filter(({ isHint }) => !isHint);
			const left = wrong.filter(isLeftOut).map(({ field }) => field);
			for (const field of left) parameters[field] = '';
			const context = contextOf(parameters.options);
			const read = operation.check(row, context);
			const refused = [...wrong.filter((one) => !isLeftOut(one)), ...templatesIn(row)];
			const checked = withKeys(withFindings(read, refused), row);
			if ('problems' in checked) return { ...planned, checked };
			noted.hints.push(...hints.map((hint) => ({ ...hint, itemIndex: index })));
			// All messages of a row say the same.
			const [first] = checked.deliveries;
			const said = first && { ...first.buildBody(), ...first.envelope };
			const misread = said && findMisread(JSON.stringify(said));
			if (misread) noted.hints.push({ ...misread, itemIndex: index });
			noteNothing(row, operation, context);
			const leftByCheck = ('deliveries' in read && read.leftOut) || [];
			for (const attribute of new Set([...left, ...leftByCheck]))
				noted.leftOut.push({ itemIndex: index, attribute });
			return { ...planned, checked };
		},
		/**
		 * Drops the body of a delivery, and builds it again when it is sent. Short bodies too: beside bodies that live
		 * long, V8 would keep them until the next full garbage collection.
		 */
		dropBody(delivery: Delivery, index: number, json: IDataObject): Delivery {
			const { bodyOfRow } = operation;
			if (!bodyOfRow) return delivery;
			// The new function must not hold the delivery, whose old one holds the text.
			const { platform } = delivery;
			const buildBody = () => {
				const { parameters } = readRow(index, json);
				return bodyOfRow({ index, parameters, json }, contextOf(parameters.options), platform);
			};
			return { ...delivery, buildBody };
		},
	};
}

function rowReader({ operation: { form }, settings }: Run, n8n: N8n) {
	const formNames = form.filter(({ type }) => type !== 'notice').map(({ name }) => name);
	const keyNames = settings.sendOnce ? ['sendOnceKey'] : [];
	const names = [...new Set([...formNames, ...keyNames, 'options'])];
	const readParameters = parameterReader(names, n8n, collectLabels(form));
	const columns = draggedColumns(form, n8n);
	const joinJson = jsonJoiner(form, n8n);
	return (index: number, json: IDataObject) => {
		const read = readParameters(index, json);
		Object.assign(read.parameters, columns);
		if (read.problems.length === 0) joinJson(read, index, json);
		return read;
	};
}

/** Returns a function that gives the context for checking a row, by its field options. */
function checkContexts(
	{ operation, settings, account }: Run,
	n8n: N8n,
	{ nobody }: Noted,
	columns: InputColumns,
) {
	const ofRun: Omit<CheckContext, 'fieldOptions'> = {
		...settings,
		...account,
		nowMs: n8n.now(),
		workflowZone: n8n.workflowZone,
		answerUrl: operation.waits ? n8n.answerUrl() : undefined,
		noteNobody: settings.skipTextCheck
			? undefined
			: (attribute, value) => {
					const { count } = nobody.get(attribute) ?? { count: 0 };
					nobody.set(attribute, { count: count + 1, value });
				},
		columnNames: () => columns.names,
	};
	return oncePerOptions((fieldOptions): CheckContext => ({ ...ofRun, fieldOptions }));
}

/** Refuses a row for findings in its fields. They replace the problems of the same fields, which say less. */
function withFindings(checked: Checked, found: readonly Problem[]): Checked {
	if (found.length === 0) return checked;
	const fields = new Set(found.map(({ field }) => field));
	const others = 'problems' in checked ? checked.problems : [];
	return { problems: [...found, ...others.filter(({ field }) => !fields.has(field))] };
}

/** Notes additional fields whose values stand for nothing, which leaves them empty. */
function noteNothing(
	{ parameters: { additionalFields } }: Row,
	{ fields }: Operation,
	{ noteNobody }: CheckContext,
): void {
	const given = isRecord(additionalFields) ? Object.entries(additionalFields) : [];
	for (const [name, value] of given) {
		const field = fields.optional[name];
		if (isNothing(value, field)) noteNobody?.(field?.form.displayName ?? name, String(value));
	}
}
