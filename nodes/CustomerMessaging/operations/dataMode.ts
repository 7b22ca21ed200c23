import { type Attribute, emptyNobody, isSent, readAssignments } from '../fields/attributes';
import {
	type Field,
	type Fields,
	type FormParameter,
	isEmpty,
	isRecord,
	userOnly,
} from '../fields/field';
import { listed, oneLine, quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import type { CheckContext, Row } from './operation';
import { say } from '../shared/sentence';

/** A user's ID and the attributes of a row. */
interface Data {
	id: unknown;
	attributes: Attribute[];
	/** Parameters that cannot be read at all. */
	problems: Problem[];
	/** Names the column that a value comes from, where the form has no field for the value itself. */
	locate: (problem: Problem) => Problem;
}

/**
 * The form of an operation whose data is either entered field by field or taken from the columns of
 * the input.
 *
 * @param ofWhat whose data it is
 * @param own the attributes that have a field of their own
 * @param defineBelow the fields that are shown if the data is entered
 */
export function dataModeForm(
	ofWhat: string,
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
			description: `Where the data of the ${ofWhat}s comes from`,
			options: [
				{
					name: 'Auto-Map Input Data',
					value: 'autoMapInputData',
					description: `Every other field of the input item that has a value becomes an attribute of the ${ofWhat}`,
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
	// Dragging a column here then inserts its name.
	requiresDataPath: 'single',
	required: true,
	default: 'userID',
	placeholder: 'e.g. customerId',
	description: 'Name of the column with the ID your shop or CRM uses for this person',
};

/** The field for the name of the column that becomes an attribute with a field of its own. */
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

/** The attributes that an operation takes. */
interface Taken {
	/** Those that have a field of their own. */
	own?: Fields;
	/** The list of all others, for which n8n has a field. */
	list: FormParameter;
	/** Whether values that are empty are sent, which clears them. */
	sendEmpty?: boolean;
	/** Gets the names of attributes whose values cannot be converted; without it, they are problems. */
	leftOut?: string[];
}

/** Reads a row's data as its Data Mode says. */
export function readData(row: Row, taken: Taken, context: CheckContext): Data {
	const { parameters } = row;
	if (parameters.dataMode === 'autoMapInputData') return readMapped(row, taken, context);
	const { own = {}, list, sendEmpty = false, leftOut } = taken;
	const empty = emptyNobody(context.noteNobody);
	const given = parameters[list.name];
	const { attributes, problems } = readAssignments(list, given, { sendEmpty, empty, leftOut });
	// A field left empty in the form never clears an attribute.
	const filled = Object.keys(own)
		.map((name) => ({ field: name, name, value: empty(name, parameters[name]) }))
		.filter(({ value }) => !isEmpty(value));
	const id = parameters.userID;
	return { id, attributes: [...filled, ...attributes], problems, locate: (problem) => problem };
}

/** The user ID of a row as its Data Mode says, also if it is not valid. */
export function readID(read: (parameter: string) => unknown, json: Row['json']): unknown {
	if (read('dataMode') !== 'autoMapInputData') return read('userID');
	const column = columnWithId(read('userIdField'), Object.keys(json));
	return column === undefined ? undefined : json[column];
}

function columnWithId(entered: unknown, columns: readonly string[]): string | undefined {
	const name = (typeof entered === 'string' && entered.trim()) || 'userID';
	const called = columns.filter((column) => column.trim() === name);
	return called.find((column) => column === entered) ?? called[0];
}

/** Returns a function that finds columns by a name, without regard to case, spaces and hyphens. */
function columnFinder(columns: readonly string[]) {
	const spelled = (name: string) => name.toLowerCase().replace(/[\s\p{Pd}\p{Cf}]/gu, '');
	const bySpelling = new Map<string, string[]>();
	for (const column of columns) {
		const spelling = spelled(column);
		const alike = bySpelling.get(spelling);
		if (alike) alike.push(column);
		else bySpelling.set(spelling, [column]);
	}
	return (name: string) => {
		const found = (name === '' ? undefined : bySpelling.get(spelled(name))) ?? [];
		return found.map((column) => ({ column, isExact: column.trim() === name }));
	};
}

/**
 * Finds the attribute that each column of a row becomes, as far as their names say. `isExact` is undefined if the
 * form has no field for the name of the column.
 *
 * @param id the column with the ID
 */
function mapColumns(
	{ parameters, json }: Row,
	id: string | undefined,
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
		// A column that is called exactly so leaves the others out.
		const isChosen = found.some(({ isExact }) => isExact);
		for (const { column, isExact } of found) if (isExact || !isChosen) ignored.add(column);
	}
	const ofFields = Object.entries(own).flatMap(([name, field]) => {
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
	const isTaken = new Set([id, ...ofFields.map(({ column }) => column)]);
	const others = columns
		.filter((column) => !isTaken.has(column))
		.map((column) => ({ column, name: column.trim(), isExact: undefined }));
	const mapped = [...ofFields, ...others].filter(({ column }) => !ignored.has(column));
	return { columns: mapped, idName: textIn(userIdField) || 'userID', problems };
}

/** `Columns: id, name`. */
export function listColumns(columns: Iterable<string>): string {
	const names = Array.from(columns, (name) => oneLine(name.trim(), 60));
	return `Columns: ${listed(names, 20) || 'none'}`;
}

/** Takes every column of the input item except the ignored ones. */
function readMapped(row: Row, { own = {}, sendEmpty = false }: Taken, context: CheckContext): Data {
	const { json } = row;
	const id = columnWithId(row.parameters.userIdField, Object.keys(json));
	const { idName, problems, columns } = mapColumns(row, id, own, context.columnNames);
	const noColumn = () =>
		`The input has no column ${quote(idName)}. ${listColumns(Object.keys(json))}. Enter the one with the user's ID under 'User ID Column'`;
	const withoutId = adviseBody(json, columns) ?? (id === undefined ? noColumn() : undefined);
	const empty = emptyNobody(context.noteNobody);
	const sent = columns
		.map((one) => ({ ...one, value: empty(one.name, json[one.column]) }))
		.filter(({ value }) => isSent(value, sendEmpty))
		.sort((one, other) => rank(one) - rank(other));
	const attributes = new Map<string, (typeof sent)[number]>();
	const twice: Problem[] = [];
	for (const one of sent) {
		const { column, value, isExact } = one;
		const isOther = isExact === false && !isEmpty(value) && attributes.get(one.name)?.isExact;
		const name = isOther ? column.trim() : one.name;
		const other = attributes.get(name);
		if (!other) attributes.set(name, one);
		else if (!isEmpty(value))
			twice.push({ field: name, rule: adviseTwo(other.column, column, name) });
	}
	return {
		id: id === undefined || withoutId !== undefined ? undefined : json[id],
		attributes: Array.from(attributes, ([name, { value }]) => ({ field: name, name, value })),
		problems: [...problems, ...twice],
		locate(problem) {
			const { field } = problem;
			const isId = field === 'userID';
			if (isId && withoutId !== undefined) return { field, rule: withoutId };
			const column = isId ? idName : attributes.get(field)?.column.trim();
			if (column === undefined || column === field) return problem;
			return { field, ...say`Column ${quote(column)}: ${problem}` };
		},
	};
}

/** Of columns that could be the same attribute, a filled one counts, and of these one that is called exactly so. */
function rank({ isExact, value }: { isExact?: boolean; value: unknown }): number {
	return (isEmpty(value) ? 2 : 0) + (isExact === false ? 1 : 0);
}

function adviseTwo(one: string, other: string, attribute: string): string {
	const [left, right] = [one.trim(), other.trim()];
	const advice = left === right ? 'Rename one' : "Enter the wrong one under 'Ignore Columns'";
	return `The columns ${quote(left)} and ${quote(right)} both become the attribute ${quote(attribute)}. ${advice}`;
}

/** Says what to map of an item that is all that a webhook got: its headers may hold passwords. */
function adviseBody(
	{ headers, body, query }: Row['json'],
	columns: ReadonlyArray<{ column: string }>,
): string | undefined {
	const hasParts = [body, query].some((part) => isRecord(part) || Array.isArray(part));
	const hasHeaders = isRecord(headers) && columns.some(({ column }) => column === 'headers');
	if (!hasParts || !hasHeaders) return undefined;
	const isFilled = (part: unknown) => Object.keys(part ?? {}).length > 0;
	const part = isFilled(query) && !isFilled(body) ? 'query' : 'body';
	return `The item is a whole webhook call, and its headers would be stored as attributes. Map {{ $json.${part} }} instead, or the object inside it that has the columns: enter it in an Edit Fields node before this one, in the mode JSON. For a list, use Split Out on ${part}`;
}

function shownFor(mode: string, properties: readonly FormParameter[]): FormParameter[] {
	const displayOptions = { show: { dataMode: [mode] } };
	return properties.map((property) => ({ ...property, displayOptions }));
}
