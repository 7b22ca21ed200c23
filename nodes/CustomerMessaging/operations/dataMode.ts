import { type Attribute, emptyNobody, isSent, readAssignments } from '../fields/attributes';
import {
	type Field,
	type Fields,
	type FormParameter,
	isEmpty,
	isRecord,
	userOnly,
} from '../fields/field';
import { listed, oneLine, quote, say } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import type { CheckContext, Row } from './operation';
import { groupBy } from '../shared/slices';

/** A user's ID and the attributes of a row. */
interface Data {
	id: unknown;
	attributes: Attribute[];
	/** Problems of parameters that cannot be read. */
	problems: Problem[];
	/** Adds the source column to a problem of a value without a field in the form. */
	locate: (problem: Problem) => Problem;
}

/**
 * The form of an operation whose data is either entered field by field or taken from the columns of
 * the input. The attributes in `own` have their own field.
 */
export function dataModeForm(
	noun: string,
	own: Fields,
	defineBelow: readonly FormParameter[],
): FormParameter[] {
	return [
		{
			displayName: 'Data Mode',
			name: 'dataMode',
			reaches: 'recipient',
			modelMayFill: false,
			type: 'options',
			noDataExpression: true,
			default: 'defineBelow',
			description: `Where the data of the ${noun}s comes from`,
			options: [
				{
					name: 'Auto-Map Input Data',
					value: 'autoMapInputData',
					description: `Every other field of the input item that has a value becomes an attribute of the ${noun}`,
				},
				{
					name: 'Define Below',
					value: 'defineBelow',
					description: 'Set each attribute below',
				},
			],
		},
		...shownFor('defineBelow', defineBelow),
		...shownFor('autoMapInputData', [
			userIdField,
			...Object.entries(own).map(([name, field]) => columnField(name, field)),
			ignoreFields,
		]),
	];
}

const userIdField: FormParameter = {
	displayName: 'User ID Column',
	name: 'userIdField',
	reaches: 'recipient',
	modelMayFill: false,
	type: 'string',
	// With this, dragging a column here inserts its name.
	requiresDataPath: 'single',
	required: true,
	default: 'userID',
	placeholder: 'e.g. customerId',
	description: 'Name of the column with the ID your shop or CRM uses for this person',
};

/** The parameter that names the column of an attribute that has its own field. */
function columnField(name: string, { form }: Field): FormParameter {
	return {
		displayName: `${form.displayName} Column`,
		name: `${name}Field`,
		...userOnly,
		type: 'string',
		requiresDataPath: 'single',
		default: name,
		description: `Name of the column with the ${name}. Case, spaces and hyphens do not matter.`,
	};
}

const ignoreFields: FormParameter = {
	displayName: 'Ignore Columns',
	name: 'ignoreFields',
	...userOnly,
	type: 'string',
	requiresDataPath: 'multiple',
	default: '',
	placeholder: 'e.g. row_number, updatedAt',
	description: 'Names of columns that do not become attributes, separated by commas',
};

/**
 * Reads a row's data in its Data Mode.
 *
 * @param own the attributes that have their own field
 * @param list the parameter that lists all other attributes
 * @param leftOut receives the names of attributes whose values cannot be converted; without it, they are problems
 */
export function readData(
	row: Row,
	{ own = {}, list, leftOut }: { own?: Fields; list: FormParameter; leftOut?: string[] },
	context: CheckContext,
): Data {
	const { parameters } = row;
	if (parameters.dataMode === 'autoMapInputData') return readMapped(row, own, context);
	const entered = parameters[list.name];
	const { attributes, problems } = readAssignments(list, entered, context, leftOut);
	const valueOf = (name: string) => emptyNobody(name, parameters[name], context.noteNobody);
	// A field left empty in the form never clears an attribute.
	const filled = Object.keys(own)
		.map((name) => ({ field: name, name, value: valueOf(name) }))
		.filter(({ value }) => !isEmpty(value));
	const id = parameters.userID;
	return { id, attributes: [...filled, ...attributes], problems, locate: (problem) => problem };
}

/** Reads a row's user ID in its Data Mode, even if it is not valid. */
export function readID(read: (parameter: string) => unknown, json: Row['json']): unknown {
	if (read('dataMode') !== 'autoMapInputData') return read('userID');
	const column = columnWithId(read('userIdField'), Object.keys(json));
	return column === undefined ? undefined : json[column];
}

function columnWithId(entered: unknown, columns: readonly string[]): string | undefined {
	const name = (typeof entered === 'string' && entered.trim()) || 'userID';
	const matches = columns.filter((column) => column.trim() === name);
	return matches.find((column) => column === entered) ?? matches[0];
}

/** Returns a function that finds columns by name, ignoring case, spaces and hyphens. */
function columnFinder(columns: readonly string[]) {
	const normalize = (name: string) => name.toLowerCase().replace(/[\s\p{Pd}\p{Cf}]/gu, '');
	const bySpelling = groupBy(columns, normalize);
	return (name: string) => {
		const found = (name === '' ? undefined : bySpelling.get(normalize(name))) ?? [];
		return found.map((column) => ({ column, isExact: column.trim() === name }));
	};
}

/** Maps columns to attributes by name. `isExact` is undefined for attributes without a field of their own. */
function mapColumns(
	{ parameters, json }: Row,
	idColumn: string | undefined,
	own: Fields,
	columnNames: CheckContext['columnNames'],
) {
	const columns = Object.keys(json);
	const find = columnFinder(columns);
	const problems: Problem[] = [];
	const textIn = ({ name, displayName }: FormParameter): string => {
		const entered = parameters[name] ?? '';
		if (typeof entered === 'string') return entered.trim();
		problems.push({ field: name, rule: `${displayName} must be text that names columns` });
		return '';
	};
	const ignored = new Set<string>();
	for (const name of textIn(ignoreFields).split(',')) {
		const found = find(name.trim());
		// An exact match excludes the others.
		const hasExact = found.some(({ isExact }) => isExact);
		for (const { column, isExact } of found) if (isExact || !hasExact) ignored.add(column);
	}
	const fieldColumns = Object.entries(own).flatMap(([name, field]) => {
		const parameter = columnField(name, field);
		const entered = textIn(parameter);
		const found = find(entered);
		const isInNone = () => columnFinder(columnNames())(entered).length === 0;
		if (found.length === 0 && !['', name].includes(entered) && isInNone()) {
			const label = `'${parameter.displayName}'`;
			const rule = `No item has the column ${quote(entered)} of ${label}. ${listColumns(columnNames())}. Enter one of them, or leave ${label} empty`;
			problems.push({ field: parameter.name, rule, concernsAll: true });
		}
		return found.map((one) => ({ ...one, name }));
	});
	const usedColumns = new Set([idColumn, ...fieldColumns.map(({ column }) => column)]);
	const others = columns
		.filter((column) => !usedColumns.has(column))
		.map((column) => ({ column, name: column.trim(), isExact: undefined }));
	const mapped = [...fieldColumns, ...others].filter(({ column }) => !ignored.has(column));
	return { columns: mapped, idName: textIn(userIdField) || 'userID', problems };
}

/** `Columns: id, name`. */
export function listColumns(columns: Iterable<string>): string {
	const names = Array.from(columns, (name) => oneLine(name.trim(), 60));
	return `Columns: ${listed(names, 20) || 'none'}`;
}

/** Takes every column of the input item except the ignored ones. */
function readMapped(row: Row, own: Fields, context: CheckContext): Data {
	const { json } = row;
	const id = columnWithId(row.parameters.userIdField, Object.keys(json));
	const { idName, problems, columns } = mapColumns(row, id, own, context.columnNames);
	const noColumn = () =>
		`The input has no column ${quote(idName)}. ${listColumns(Object.keys(json))}. Enter the one with the user's ID under 'User ID Column'`;
	const idProblem = refuseWebhookCall(json, columns) ?? (id === undefined ? noColumn() : undefined);
	const valueOf = ({ name, column }: (typeof columns)[number]) =>
		emptyNobody(name, json[column], context.noteNobody);
	const sent = columns
		.map((one) => ({ ...one, value: valueOf(one) }))
		.filter(({ value }) => isSent(value, context.sendEmptyValues))
		.sort((one, other) => rank(one) - rank(other));
	const attributes = new Map<string, (typeof sent)[number]>();
	for (const one of sent) {
		const { column, value, isExact } = one;
		const isOther = isExact === false && !isEmpty(value) && attributes.get(one.name)?.isExact;
		const name = isOther ? column.trim() : one.name;
		const other = attributes.get(name);
		if (!other) attributes.set(name, one);
		else if (!isEmpty(value)) {
			const both = `${quote(other.column.trim())} and ${quote(column.trim())}`;
			const rule = `The columns ${both} both become the attribute ${quote(name)}. Rename one, or enter it under 'Ignore Columns'`;
			problems.push({ field: name, rule });
		}
	}
	return {
		id: id === undefined || idProblem !== undefined ? undefined : json[id],
		attributes: Array.from(attributes, ([name, { value }]) => ({ field: name, name, value })),
		problems,
		locate(problem) {
			const { field } = problem;
			const isId = field === 'userID';
			if (isId && idProblem !== undefined) return { field, rule: idProblem };
			const column = isId ? idName : attributes.get(field)?.column.trim();
			if (column === undefined || column === field) return problem;
			return { field, ...say`Column ${quote(column)}: ${problem}` };
		},
	};
}

/** Rank among columns for the same attribute: filled ones come first, then those with the exact name. */
function rank({ isExact, value }: { isExact?: boolean; value: unknown }): number {
	return (isEmpty(value) ? 2 : 0) + (isExact === false ? 1 : 0);
}

/** Refuses an item that is a whole webhook call, whose headers may hold passwords, and says what to map. */
function refuseWebhookCall(
	{ headers, body, query }: Row['json'],
	columns: ReadonlyArray<{ column: string }>,
): string | undefined {
	const hasParts = [body, query].some((part) => isRecord(part) || Array.isArray(part));
	const hasHeaders = isRecord(headers) && columns.some(({ column }) => column === 'headers');
	if (!hasParts || !hasHeaders) return undefined;
	return 'The item is a whole webhook call, and its headers would be stored as attributes. Map {{ $json.body }} or {{ $json.query }} instead: enter it, or the object inside it, in an Edit Fields node before, in mode JSON. For a list, use Split Out';
}

function shownFor(mode: string, properties: readonly FormParameter[]): FormParameter[] {
	const displayOptions = { show: { dataMode: [mode] } };
	return properties.map((property) => ({ ...property, displayOptions }));
}
