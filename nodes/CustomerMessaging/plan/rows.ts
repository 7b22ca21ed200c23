import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { asRecord, isNothing } from '../fields/field';
import { isLoopback, parseUrl } from '../fields/link';
import { findMisread } from '../fields/lost';
import type { N8n } from '../n8n/context';
import type { CheckContext, Checked } from '../operations/operation';
import type { InputColumns } from '../run/columns';
import { draggedColumns } from '../run/expressions';
import { fieldOptionsByRow, optionsForm } from '../run/options';
import { jsonJoiner, parameterReader } from '../run/parameters';
import type { Run } from '../run/resolveRun';
import { sendOnceForm } from '../run/sendOnce';
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
export function rowPlanner(run: Run, n8n: N8n, columns: InputColumns) {
	const { operation, settings } = run;
	const noted: Noted = { nobody: new Map(), leftOut: [], hints: [] };
	const readRow = rowReader(run, n8n);
	const country = (n8n.raw('options') as INodeParameters | undefined)?.defaultCountry;
	const optionsOf = fieldOptionsByRow({
		...settings,
		isCountryOfRow: typeof country === 'string' && country.startsWith('='),
		n8nHost: parseUrl(n8n.addressOfN8n())?.host ?? '',
		isServiceLocal: isLoopback(parseUrl(run.origin)?.hostname),
	});
	const noteNobody = (attribute: string, value: string) => {
		const { count } = noted.nobody.get(attribute) ?? { count: 0 };
		noted.nobody.set(attribute, { count: count + 1, value });
	};
	const ofRun = {
		...settings,
		...run.account,
		nowMs: n8n.now(),
		workflowZone: n8n.workflowZone,
		answerUrl: operation.waits ? n8n.answerUrl() : undefined,
		noteNobody: settings.skipTextCheck ? undefined : noteNobody,
		columnNames: () => columns.names,
	};
	const contextOf = (options: unknown): CheckContext => ({
		...ofRun,
		fieldOptions: optionsOf(options),
	});
	const findingsOf = placeholderRules(operation, n8n, columns, settings);
	const templatesIn = serviceTemplates(operation, n8n);
	const withKeys = sendOnceKeys(run, n8n);
	// Creating a user again only overwrites, so a value can be sent later.
	const leavesOut = operation.hasAttributes && settings.leaveOutInvalid && !settings.skipTextCheck;
	const isLeftOut = ({ field }: Problem) => leavesOut && field in operation.fields.optional;
	return {
		noted,
		optionsOf,
		planRow(index: number, json: IDataObject) {
			const { parameters, problems: unread, isRepeatable } = readRow(index, json);
			const planned = { parameters, isRepeatable, deliveries: [], problems: [] };
			if (unread.length > 0) return { ...planned, problems: unread };
			const row = { index, parameters, json };
			const found = findingsOf(row);
			const hints = found.filter(({ isHint }) => isHint);
			const wrong = found.filter(({ isHint }) => !isHint);
			const left = wrong.filter(isLeftOut).map(({ field }) => field);
			for (const field of left) parameters[field] = '';
			const context = contextOf(parameters.options);
			const refused = [...wrong.filter((one) => !isLeftOut(one)), ...templatesIn(row)];
			const checked = withFindings(operation.check(row, context), refused);
			const { deliveries: made = [], leftOut: leftByCheck = [] } = checked;
			const { deliveries = [], problems: unusableKey = [] } = withKeys(made, parameters);
			const problems = [...(checked.problems ?? []), ...unusableKey];
			if (problems.length > 0) return { ...planned, problems };
			noted.hints.push(...hints.map((hint) => ({ ...hint, itemIndex: index })));
			// All messages of a row say the same.
			const [first] = made;
			const said = first && { ...first.buildBody(), ...first.envelope };
			const misread = said && findMisread(JSON.stringify(said));
			if (misread) noted.hints.push({ ...misread, itemIndex: index });
			// Additional fields whose values stand for nothing are left empty.
			for (const [name, value] of Object.entries(asRecord(parameters.additionalFields))) {
				const field = operation.fields.optional[name];
				if (isNothing(value, field))
					context.noteNobody?.(field?.form.displayName ?? name, String(value));
			}
			for (const attribute of new Set([...left, ...leftByCheck]))
				noted.leftOut.push({ itemIndex: index, attribute });
			return { ...planned, deliveries };
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

function rowReader({ operation, settings }: Run, n8n: Parameters<typeof parameterReader>[1]) {
	const { form } = operation;
	const once = settings.sendOnce ? sendOnceForm() : [];
	const readParameters = parameterReader([...form, ...once, optionsForm], n8n);
	const columns = draggedColumns(form, n8n);
	const joinJson = jsonJoiner(form, n8n);
	return (index: number, json: IDataObject) => {
		const read = readParameters(index, json);
		Object.assign(read.parameters, columns);
		if (read.problems.length === 0) joinJson(read, index, json);
		return read;
	};
}

/** Refuses a row for findings in its fields. They replace the problems of the same fields, which say less. */
function withFindings(checked: Checked, found: readonly Problem[]): Checked {
	if (found.length === 0) return checked;
	const fields = new Set(found.map(({ field }) => field));
	const others = checked.problems ?? [];
	return { problems: [...found, ...others.filter(({ field }) => !fields.has(field))] };
}
