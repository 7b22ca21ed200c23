/** What is entered under Ignore Fields, the columns of a row, and those of them that are sent. */
export type Ignored = readonly [
	entered: string,
	columns: readonly string[],
	sent: readonly string[],
];

export const ignoredColumns: readonly Ignored[] = [
	['notes', ['notes', 'city'], ['city']],
	['notes', ['Notes', 'city'], ['city']],
	['NOTES', [' notes ', 'city'], ['city']],
	[' Notes , City', ['notes', 'city', 'plan'], ['plan']],
	['notes', ['notes', 'Notes', 'NOTES'], ['Notes', 'NOTES']],
	['Notes', ['notes', 'NOTES'], []],
	['größe', ['GRÖSSE', 'Größe'], ['GRÖSSE']],
	['"notes"', ['Notes', 'city'], ['city']],
	['"Name, First"', ['Name, First', 'Name', 'First'], ['Name', 'First']],
	['"name, first", city', ['Name, First', 'City', 'plan'], ['plan']],
	["plan, 'Name, First'", ['Name, First', 'plan', 'city'], ['city']],
	['“Name, First”', ['Name, First', 'city'], ['city']],
	[' "Name, First" ,plan', ['Name, First', 'plan'], []],
	['\'He said "hi, you"\'', ['He said "hi, you"', 'city'], ['city']],
	['"a, b, c"', ['a, b, c', 'a'], ['a']],
	['" plan"', [' plan', 'plan'], ['plan']],
	['plan', [' plan', 'plan'], [' plan']],
	['"quoted"', ['"quoted"', 'quoted'], ['quoted']],
	['["Name, First"]', ['Name, First', 'city'], ['city']],
	['notes, ["Name, First"], city', ['notes', 'Name, First', 'city', 'plan'], ['plan']],
	["['first name']", ['First Name', 'city'], ['city']],
	['[notes]', ['[notes]', 'notes'], ['notes']],
	['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
	["O'Brien, it's", ["O'Brien", "it's", 'city'], ['city']],
	['"open, city', ['"open', 'city', 'plan'], ['plan']],
	['Name, First', ['Name', 'First', 'Name, First'], ['Name, First']],
	['a.b, c', ['a.b', 'a', 'c'], ['a']],
	[',, ,', ['city'], ['city']],
	['""', ['', 'city'], ['city']],
	['"", plan', [' ', 'plan', 'city'], ['city']],
	['note', ['notes to self', 'city'], ['notes to self', 'city']],
];

/** What is entered, the columns of a row, and how the column with its comma is written instead. */
export const splitNames: ReadonlyArray<readonly [string, readonly string[], string]> = [
	['Name, First', ['Name, First', 'city'], '"Name, First"'],
	['city, name,first', ['Name, First', 'city'], '"Name, First"'],
	['Name, First', ['Name, First', 'Name'], '"Name, First"'],
	['Total, net, gross', ['Total, net, gross', 'plan'], '"Total, net, gross"'],
	['Size "L", XL', ['Size "L", XL'], '\'Size "L", XL\''],
];

/** What is entered, the columns of a row, and the column that is probably meant; undefined if none is. */
export const misspelledNames: ReadonlyArray<
	readonly [string, readonly string[], string | undefined]
> = [
	['note', ['notes', 'city'], 'notes'],
	['Notess', ['notes'], 'notes'],
	['nites', ['Notes'], 'Notes'],
	['ntoes', ['notes'], 'notes'],
	['row number', ['row_number'], 'row_number'],
	['"Name, Frst"', ['Name, First'], 'Name, First'],
	['row_number', ['city', 'number'], undefined],
	['address2', ['address1', 'address'], undefined],
	['note, notes', ['notes'], undefined],
	['notes', ['Notes', 'note'], undefined],
	['ids', ['id'], undefined],
];

/** An expression that gives what a column holds, the column, and how its name is written instead. */
export const draggedValues: ReadonlyArray<
	readonly [entered: string, column: string, value: string | number, name: string]
> = [
	['={{ $json.notes }}', 'notes', 'private', 'notes'],
	['={{ $json["notes"] }}', 'notes', 'private, city of birth', 'notes'],
	['={{ $json.row_number }}', 'row_number', 2, 'row_number'],
	["={{ $json['Name, First'] }}", 'Name, First', 'Ana', '"Name, First"'],
];
