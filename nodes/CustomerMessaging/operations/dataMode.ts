import { type Attribute, emptyNobody, readAssignments, readColumns } from '../fields/attributes';
import { type Fields, type FormParameter, isEmpty, userOnly } from '../fields/field';
import { given, listed, oneLine, quote } from '../shared/formatting';
import type { Problem } from '../shared/result';
import { columnsOf, namesToIgnore, splitName } from './ignoreFields';
import type { CheckContext, Row } from './operation';

/** A user's ID and the attributes of a row, and where they come from. */
interface Data {
	/** The parameter or input field that contains the user's ID. */
	idField: string;
	id: unknown;
	attributes: Attribute[];
	/** Parameters that cannot be read at all. */
	problems: Problem[];
	/** The columns of the input, if the one for the ID is missing. */
	otherColumns?: string[];
}

/**
 * The form of an operation whose data is either entered field by field or taken from the columns of
 * the input.
 *
 * @param ofWhat whose data it is
 * @param defineBelow the fields that are shown if the data is entered
 */
export function dataModeForm(
	ofWhat: string,
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
		...shownFor('autoMapInputData', [userIdField, ignoreFields]),
	];
}

const userIdField: FormParameter = {
	displayName: 'User ID Field',
	name: 'userIdField',
	reaches: 'recipient',
	modelMayFill: false,
	type: 'string',
	// Dragging a column here then inserts its name.
	requiresDataPath: 'single',
	required: true,
	default: 'userID',
	placeholder: 'e.g. customerId',
	description: "Name of the input field that contains the user's ID",
};

const ignoreFields: FormParameter = {
	displayName: 'Ignore Fields',
	name: 'ignoreFields',
	...userOnly,
	type: 'string',
	requiresDataPath: 'multiple',
	default: '',
	placeholder: 'e.g. row_number, updatedAt',
	description:
		'Names of input fields that do not become attributes, separated by commas. Put a name that holds a comma in quotation marks.',
};

/**
 * Reads a row's data as its Data Mode says.
 *
 * @param own the attributes that have a field of their own
 * @param list the list of all other attributes, for which n8n has a field
 * @param leftOut gets the names of attributes whose values cannot be converted; without it, they are problems
 */
export function readData(
	{ parameters, json }: Row,
	own: Fields,
	list: FormParameter,
	sendEmpty: boolean,
	{ placeholderIn, noteNobody }: Pick<CheckContext, 'placeholderIn' | 'noteNobody'>,
	leftOut?: string[],
): Data {
	const empty = emptyNobody(Object.keys(own), noteNobody);
	if (parameters.dataMode === 'autoMapInputData') {
		const readAttributes = (ignored: string[]) => readColumns(json, ignored, sendEmpty, empty);
		return readMapped(parameters, json, readAttributes, placeholderIn?.('ignoreFields'));
	}
	const { attributes, problems } = readAssignments(
		list,
		parameters[list.name],
		sendEmpty,
		empty,
		(entry) => placeholderIn?.(list.name, entry),
		leftOut,
	);
	// A field left empty in the form never clears an attribute.
	const filled = Object.keys(own)
		.map((name) => ({ field: name, name, value: empty(name, parameters[name]) }))
		.filter(({ value }) => !isEmpty(value));
	return {
		idField: 'userID',
		id: parameters.userID,
		attributes: [...filled, ...attributes],
		problems,
	};
}

/** The user ID of a row as its Data Mode says, also if it is not valid. */
export function readID(read: (parameter: string) => unknown, json: Row['json']): unknown {
	if (read('dataMode') !== 'autoMapInputData') return read('userID');
	return json[idColumn(read('userIdField'))];
}

function idColumn(name: unknown): string {
	return typeof name === 'string' && name !== '' ? name : 'userID';
}

/** Takes every column of the input item except the ID and the ignored ones. */
function readMapped(
	{ userIdField: idName, ignoreFields: ignoredNames }: Row['parameters'],
	json: Row['json'],
	readAttributes: (ignored: string[]) => Attribute[],
	ignoredCode: string | undefined,
): Data {
	const idField = idColumn(idName);
	const ignored = readIgnored(ignoredNames, json, ignoredCode);
	return {
		idField,
		id: json[idField],
		attributes: readAttributes([idField, ...ignored.columns]),
		problems: [
			...notNames('userIdField', idName, 'User ID Field must be the name of an input field'),
			...ignored.problems,
		],
		otherColumns: Object.hasOwn(json, idField) ? undefined : Object.keys(json),
	};
}

/**
 * The columns to ignore, or that the names do not say which.
 *
 * @param code the placeholder that gives the names; absent if they are entered
 */
function readIgnored(
	names: unknown,
	json: Row['json'],
	code: string | undefined,
): { columns: string[]; problems: Problem[] } {
	if (isEmpty(names)) return { columns: [], problems: [] };
	const all = Object.keys(json);
	const entries = typeof names === 'string' ? namesToIgnore(names) : [];
	const columns = entries.flatMap((entry) => columnsOf(entry, all));
	const field = 'ignoreFields';
	const split = typeof names === 'string' ? splitName(names, entries, all) : undefined;
	if (split) return { columns, problems: [{ field, message: split, concernsAll: true }] };
	const value = columns.length === 0 ? valueForName(code, names, all) : undefined;
	const wrong = 'Ignore Fields must be names of input fields, separated by commas';
	return {
		columns,
		problems: value ? [{ field, message: value }] : notNames(field, names, wrong),
	};
}

/** Says that a placeholder gives the value of a column where its name is meant; undefined if it does not. */
function valueForName(
	code: string | undefined,
	value: unknown,
	columns: readonly string[],
): string | undefined {
	const column = columns.find((one) => readsColumn(code, one));
	if (column === undefined) return undefined;
	const name = column.includes(',') ? `"${column}"` : column;
	return `Ignore Fields: {{ ${code} }} gives ${given(value)}, which the column holds, and not its name. Write ${name} as fixed text`;
}

/** Whether code gives the value of a column, as n8n writes it when the column is dragged. */
function readsColumn(code: string | undefined, column: string): boolean {
	const written = [`.${column}`, `["${column}"]`, `['${column}']`];
	return written.some((step) => code === `$json${step}`);
}

function notNames(field: string, value: unknown, message: string): Problem[] {
	return isEmpty(value) || typeof value === 'string' ? [] : [{ field, message }];
}

/** Names the column that contains the ID, because the form has no field for the ID itself. */
export function inColumn(
	{ field, message }: Problem,
	{ idField, otherColumns }: Pick<Data, 'idField' | 'otherColumns'>,
): Problem {
	if (field !== 'userID') return { field, message };
	if (otherColumns) {
		const columns =
			otherColumns.length > 0 ? listed(otherColumns.map((name) => oneLine(name, 60))) : 'none';
		return {
			field,
			message: `The input has no column ${quote(idField)}. Columns: ${columns}. Enter the one with the user's ID under 'User ID Field'`,
		};
	}
	if (idField === field) return { field, message };
	return { field, message: message.replace(/^User ID/, `User ID (column ${quote(idField)})`) };
}

function shownFor(mode: string, properties: readonly FormParameter[]): FormParameter[] {
	const displayOptions = { show: { dataMode: [mode] } };
	return properties.map((property) => ({ ...property, displayOptions }));
}
