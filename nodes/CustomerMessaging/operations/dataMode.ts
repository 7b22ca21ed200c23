import {
	type Attribute,
	emptyNobody,
	type Empty,
	isSent,
	readAssignments,
	readColumns,
} from '../fields/attributes';
import {
	type Field,
	type Fields,
	type FormParameter,
	isEmpty,
	isRecord,
	oncePerOptions,
	userOnly,
} from '../fields/field';
import { listed, oneLine, quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import type { CheckContext, Row } from './operation';
import { say } from '../shared/sentence';

/** A user's ID and the attributes of a row, and where they come from. */
interface Data {
	id: unknown;
	attributes: Attribute[];
	/** Parameters that cannot be read at all. */
	problems: Problem[];
	/** The name that is entered for the column with the ID; absent if the ID itself is. */
	idColumn?: string;
	/** Why the row has no ID, if it has no column for it. */
	withoutId?: string;
	/** The columns that became attributes, by the names of these. */
	columns?: ReadonlyMap<string, string>;
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

/**
 * Reads a row's data as its Data Mode says.
 *
 * @param own the attributes that have a field of their own
 * @param list the list of all other attributes, for which n8n has a field
 * @param leftOut gets the names of attributes whose values cannot be converted; without it, they are problems
 */
export function readData(
	row: Row,
	own: Fields,
	list: FormParameter,
	sendEmpty: boolean,
	context: CheckContext,
	leftOut?: string[],
): Data {
	const { parameters } = row;
	const empty = emptyNobody(context.noteNobody);
	if (parameters.dataMode === 'autoMapInputData')
		return readMapped(row, own, sendEmpty, empty, context);
	const { attributes, problems } = readAssignments(
		list,
		parameters[list.name],
		sendEmpty,
		empty,
		leftOut,
	);
	// A field left empty in the form never clears an attribute.
	const filled = Object.keys(own)
		.map((name) => ({ field: name, name, value: empty(name, parameters[name]) }))
		.filter(({ value }) => !isEmpty(value));
	return { id: parameters.userID, attributes: [...filled, ...attributes], problems };
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

/** The columns with a name, without regard to case, spaces and hyphens. */
function columnsCalled(name: string, columns: readonly string[]) {
	const spelled = (one: string) => one.toLowerCase().replace(/[\s\p{Pd}\p{Cf}]/gu, '');
	const meant = spelled(name);
	return columns
		.filter((column) => name !== '' && spelled(column) === meant)
		.map((column) => ({ column, isExact: column.trim() === name }));
}

/** The columns that a list of names means. One that is called exactly so leaves the others out. */
function columnsListed(names: string, columns: readonly string[]): string[] {
	return names.split(',').flatMap((name) => {
		const called = columnsCalled(name.trim(), columns);
		const exact = called.filter(({ isExact }) => isExact);
		return (exact.length > 0 ? exact : called).map(({ column }) => column);
	});
}

/** What the columns of a row are, as far as their names say. */
interface Roles extends Pick<Data, 'problems' | 'idColumn' | 'withoutId'> {
	/** The column with the ID. */
	id?: string;
	ignored: string[];
	/** The columns that each attribute with a field of its own may come from. */
	own: Array<{ name: string; called: ReturnType<typeof columnsCalled> }>;
}

/** The roles that a run has found, because most of its rows have the same columns. */
const rolesInRun = oncePerOptions(() => new Map<string, Roles>());

function rolesOf({ parameters, json }: Row, own: Fields, context: CheckContext): Roles {
	const columns = Object.keys(json);
	const fields = ['userIdField', 'ignoreFields', ...Object.keys(own).map((name) => `${name}Field`)];
	const entered = fields.map((field) => {
		const value = parameters[field];
		return typeof value === 'string' ? value : isEmpty(value);
	});
	const key = JSON.stringify([entered, columns]);
	const known = rolesInRun(context.fieldOptions);
	const roles = known.get(key) ?? findRoles(parameters, columns, own, context.columnNames);
	known.set(key, roles);
	return roles;
}

function findRoles(
	parameters: Row['parameters'],
	columns: readonly string[],
	own: Fields,
	columnNames: CheckContext['columnNames'],
): Roles {
	const problems: Problem[] = [];
	const textIn = ({ name, displayName }: FormParameter): string => {
		const entered = parameters[name] ?? '';
		if (typeof entered === 'string') return entered.trim();
		problems.push({ field: name, rule: `${displayName} must be text that names columns` });
		return '';
	};
	const ignored = columnsListed(textIn(ignoreFields), columns);
	const ofFields = Object.entries(own).map(([name, field]) => {
		const parameter = columnField(name, field);
		const entered = textIn(parameter);
		const called = columnsCalled(entered, columns);
		const isInNone = () => columnsCalled(entered, columnNames()).length === 0;
		if (called.length === 0 && !['', name].includes(entered) && isInNone()) {
			const label = `'${parameter.displayName}'`;
			const rule = `No item has the column ${quote(entered)} of ${label}. ${listColumns(columnNames())}. Enter one of them, or leave ${label} empty`;
			problems.push({ field: parameter.name, rule, concernsAll: true });
		}
		return { name, called: called.filter(({ column }) => !ignored.includes(column)) };
	});
	const idColumn = textIn(userIdField) || 'userID';
	const id = columnWithId(parameters.userIdField, columns);
	const noColumn = `The input has no column ${quote(idColumn)}. ${listColumns(columns)}. Enter the one with the user's ID under 'User ID Column'`;
	const withoutId = id === undefined ? noColumn : undefined;
	return { problems, idColumn, withoutId, id, ignored, own: ofFields };
}

/** `Columns: id, name`. */
export function listColumns(columns: Iterable<string>): string {
	const names = Array.from(columns, (name) => oneLine(name.trim(), 60));
	return `Columns: ${listed(names, 20) || 'none'}`;
}

/** Takes every column of the input item except the ignored ones. */
function readMapped(
	row: Row,
	own: Fields,
	sendEmpty: boolean,
	empty: Empty,
	context: CheckContext,
): Data {
	const { json } = row;
	const { ignored, ...roles } = rolesOf(row, own, context);
	const wholeCall = adviseBody(json, ignored);
	if (wholeCall !== undefined)
		return { id: undefined, attributes: [], problems: [], withoutId: wholeCall };
	const ofFields = roles.own.flatMap(({ name, called }) => {
		const read = called.map(({ column, isExact }) => {
			return { field: column, name, value: empty(name, json[column]), isExact };
		});
		const hasExact = read.some(({ isExact, value }) => isExact && !isEmpty(value));
		return read.filter(({ isExact, value }) => !hasExact || isExact || isEmpty(value));
	});
	const except = [roles.id, ...ignored, ...ofFields.map(({ field }) => field)];
	const sent = [...ofFields, ...readColumns(json, except, empty)]
		.filter(({ value }) => isSent(value, sendEmpty))
		// Of columns that become the same attribute, the filled one counts.
		.sort((one, other) => Number(isEmpty(one.value)) - Number(isEmpty(other.value)));
	const problems = [...roles.problems];
	const attributes: Attribute[] = [];
	const columns = new Map<string, string>();
	for (const { field: column, name, value } of sent) {
		const other = columns.get(name);
		if (other === undefined) {
			columns.set(name, column);
			attributes.push({ field: Object.hasOwn(own, name) ? name : column, name, value });
		} else if (!isEmpty(value))
			problems.push({ field: name, rule: adviseTwo(other, column, name) });
	}
	const id = roles.id === undefined ? undefined : json[roles.id];
	return { ...roles, id, attributes, problems, columns };
}

function adviseTwo(one: string, other: string, attribute: string): string {
	const [left, right] = [one.trim(), other.trim()];
	const advice = left === right ? 'Rename one' : "Enter the wrong one under 'Ignore Columns'";
	return `The columns ${quote(left)} and ${quote(right)} both become the attribute ${quote(attribute)}. ${advice}`;
}

/** Says what to map of an item that is all that a webhook got: its headers may hold passwords. */
function adviseBody(
	{ headers, body, query }: Row['json'],
	ignored: readonly string[],
): string | undefined {
	const hasParts = [body, query].some((part) => isRecord(part) || Array.isArray(part));
	if (!isRecord(headers) || !hasParts || ignored.includes('headers')) return undefined;
	const isFilled = (part: unknown) => Object.keys(part ?? {}).length > 0;
	const part = isFilled(query) && !isFilled(body) ? 'query' : 'body';
	return `The item is a whole webhook call, and its headers would be stored, such as 'authorization' and 'cookie'. Map {{ $json.${part} }} instead: enter it in an Edit Fields node before this one, in the mode JSON. For a list, use Split Out on ${part}`;
}

/** Names the column that a value comes from, because the form has no field for the value itself. */
export function inColumn(
	problem: Problem,
	{ idColumn, withoutId, columns }: Pick<Data, 'idColumn' | 'withoutId' | 'columns'>,
): Problem {
	const { field } = problem;
	const isId = field === 'userID';
	if (isId && withoutId !== undefined) return { field, rule: withoutId };
	const column = isId ? idColumn : columns?.get(field)?.trim();
	if (column === undefined || column === field) return problem;
	return { field, ...say`Column ${quote(column)}: ${problem}` };
}

function shownFor(mode: string, properties: readonly FormParameter[]): FormParameter[] {
	const displayOptions = { show: { dataMode: [mode] } };
	return properties.map((property) => ({ ...property, displayOptions }));
}
