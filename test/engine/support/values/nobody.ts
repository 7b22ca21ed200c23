/** What stands for nobody as a whole value, wherever it is: an ID, a key, a placeholder, a name, an attribute. */
export const nobody: readonly string[] = [
	...['undefined', 'null', 'NaN', 'NULL', '\\N', '(null)', '(NULL)', '<null>', '[null]'],
	...['nan', 'NaT', '<NA>', '<nil>', 'nil', 'n/a', 'N/A', 'N/a', 'n.a.', '(blank)', '(empty)'],
	...['(none)', '(Leer)', ' NULL ', '#N/A', '#n/a', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!'],
	...['#NUM!', '#NULL!', '#ERROR!', '#SPILL!', '#CALC!', '#NV', '#BEZUG!', '#WERT!', '#ZAHL!'],
	...['#VALEUR!', '#NOM?', '#¡REF!', '#¡VALOR!', '#¿NOMBRE?', '#RIF!', '#N/D', '#WAARDE!'],
	...['#ADR!', '#ЗНАЧ!', '#####', 'Err:502'],
];

/** Nobody as an ID only. */
export const nobodysIds: readonly string[] = [
	...['0', '-', '--', '–', '00000000-0000-0000-0000-000000000000', 'None', 'none', 'NONE'],
	...['NIL', 'NA', 'NAN', 'Null', 'Nil', '1.23457E+12', '1,23457E+12', '9.00719925474099e+15'],
	...['5E-05', '[object Object]', 'Invalid DateTime', 'Invalid Date'],
	'Mon May 06 2030 07:08:09 GMT+0000 (Coordinated Universal Time)',
	'Mon May 06 2030 12:38:09 GMT+0530 (India Standard Time)',
];

/** Somebody, although it looks like nobody. */
export const somebodysIds: readonly string[] = [
	...['1234e567', '12e34', '0042', '100', '1001.5', 'v1.0', 'null-1', 'nullah', 'NANCY'],
	...['n-a', '#1', 'A-0', 'undefined-1', 'chris.null', 'nan.goldin', 'C#REF', '-1', '1.2.0'],
	'2030-05-06',
];

/** Names of people. */
export const namesLikeNobody: readonly string[] = [
	...['Null', 'Mrs Null', 'Nan', 'Nil', 'Na', 'NAN', 'NIL', 'NA', 'Nona', 'Christopher Null'],
	...['Nan Goldin', 'None Such', '-', '0', 'Undefinedson'],
];

/** Attributes that are answers, codes, numbers and countries. */
export const attributesLikeNobody: readonly string[] = [
	...['None', 'none', 'NONE', 'NA', '-', '0', 'no', '0.0', '1.23457E+12', 'null Prozent'],
	...['blank', '#1'],
];
