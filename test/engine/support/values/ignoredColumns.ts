/** What is entered under Ignore Fields, the columns of a row, and those of them that are sent. */
export const ignoredColumns: ReadonlyArray<
	readonly [entered: string, columns: readonly string[], sent: readonly string[]]
> = [
	['notes', ['Notes', 'city'], ['city']],
	['NOTES', [' notes ', 'city'], ['city']],
	['notes', ['notes', 'Notes', 'NOTES'], ['Notes', 'NOTES']],
	['größe', ['GRÖSSE', 'Größe'], ['GRÖSSE']],
	['"notes"', ['Notes', 'city'], ['city']],
	["plan, 'Name, First'", ['Name, First', 'plan', 'city'], ['city']],
	['“Name, First”', ['Name, First', 'city'], ['city']],
	[' "Name, First" ,plan', ['Name, First', 'plan'], []],
	['\'He said "hi, you"\'', ['He said "hi, you"', 'city'], ['city']],
	['" plan"', [' plan', 'plan'], ['plan']],
	['plan', [' plan', 'plan'], [' plan']],
	['"quoted"', ['"quoted"', 'quoted'], ['quoted']],
	['notes, ["Name, First"], city', ['notes', 'Name, First', 'city', 'plan'], ['plan']],
	["['first name']", ['First Name', 'city'], ['city']],
	['[notes]', ['[notes]', 'notes'], ['notes']],
	['={{ $json.skip }}', ['skip', 'x', 'city'], ['skip', 'city']],
	["O'Brien, it's", ["O'Brien", "it's", 'city'], ['city']],
	['"open, city', ['"open', 'city', 'plan'], ['plan']],
	['a.b, c', ['a.b', 'a', 'c'], ['a']],
	[',, ,', ['city'], ['city']],
	['"", plan', [' ', 'plan', 'city'], ['city']],
];

/** What is entered, the columns of a row, and how the column with its comma is written instead. */
export const splitNames: ReadonlyArray<readonly [string, readonly string[], string]> = [
	['city, name,first', ['Name, First', 'city'], '"Name, First"'],
	['Name, First', ['Name, First', 'Name'], '"Name, First"'],
	['Total, net, gross', ['Total, net, gross', 'plan'], '"Total, net, gross"'],
	['Size "L", XL', ['Size "L", XL'], '\'Size "L", XL\''],
];

/** What is entered, the columns of a row, and the column that is probably meant; undefined if none is. */
export const misspelledNames: ReadonlyArray<
	readonly [string, readonly string[], string | undefined]
> = [
	['Notess', ['notes'], 'notes'],
	['ntoes', ['notes'], 'notes'],
	['row number', ['row_number'], 'row_number'],
	['"Name, Frst"', ['Name, First'], 'Name, First'],
	['row_number', ['city', 'number'], undefined],
	['address2', ['address1', 'address'], undefined],
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
