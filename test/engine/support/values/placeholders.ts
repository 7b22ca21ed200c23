import type { IDataObject } from 'n8n-workflow';

/** A placeholder in a title, a row, and what is written with the code that the refusal proposes. */
export type Misread = readonly [
	code: string,
	row: IDataObject,
	/** The code that the refusal proposes. */
	proposed: string,
	/** What a title with it says in this row. */
	says: string,
];

const day = { day: '2030-05-06' };
const bo = { user: { name: 'Bo' }, name: 'Ann' };
const goa = { at: { 'city-name': { 'full-name': 'Goa' } } };
const first = { 'First Name': 'Ann' };
const ann = { id: 'C-1', Name: 'Ann', 'first-name': 'Ann', 'address-2': 'Rear', age: 7 };

/** Placeholders that n8n evaluates, but not as they are meant. */
export const misread: readonly Misread[] = [
	['name | upcase', ann, '$json.Name.toUpperCase()', 'ANN'],
	['name|upcase', ann, '$json.Name.toUpperCase()', 'ANN'],
	['$json.Name | upper', ann, '$json.Name.toUpperCase()', 'ANN'],
	['$json.Name | downcase', ann, '$json.Name.toLowerCase()', 'ann'],
	['name | capitalize', ann, '$json.Name.toSentenceCase()', 'Ann'],
	['name | strip | upcase', ann, '$json.Name.trim().toUpperCase()', 'ANN'],
	['name | title | escape', ann, '$json.Name.toTitleCase()', 'Ann'],
	['name | size', ann, '$json.Name.length', '3'],
	['json.Name | trim', ann, '$json.Name.trim()', 'Ann'],
	['$json["first-name"] | upcase', ann, '$json["first-name"].toUpperCase()', 'ANN'],
	['$json.first-name | upcase', ann, '$json["first-name"].toUpperCase()', 'ANN'],
	['$json.day | date', day, "$json.day.toDateTime().toFormat('yyyy-MM-dd')", '2030-05-06'],
	['user.name | upcase', bo, '$json.user.name.toUpperCase()', 'BO'],
	['price | round', { price: 12.6 }, '$json.price.round()', '13'],
	['list | join', { list: ['a', 'b'] }, "$json.list.join(' ')", 'a b'],
	["name | upcase || 'friend'", ann, "$json.Name.toUpperCase() || 'friend'", 'ANN'],
	['!$json.first-name', ann, '!$json["first-name"]', 'false'],
	['$json.first-name', ann, '$json["first-name"]', 'Ann'],
	['$json.address-2', ann, '$json["address-2"]', 'Rear'],
	['$json.FIRST-NAME', ann, '$json["first-name"]', 'Ann'],
	['$json.first-name.toUpperCase()', ann, '$json["first-name"].toUpperCase()', 'ANN'],
	["$json.first-name || 'friend'", ann, `$json["first-name"] || 'friend'`, 'Ann'],
	["$json.first-name ?? ''", ann, `$json["first-name"] ?? ''`, 'Ann'],
	["'Dr. ' + $json.first-name", ann, `'Dr. ' + $json["first-name"]`, 'Dr. Ann'],
	['$json.user.first-name', { user: { 'first-name': 'Ann' } }, '$json.user["first-name"]', 'Ann'],
	['$json.at.city-name.full-name', goa, '$json.at["city-name"]["full-name"]', 'Goa'],
	['$json.E-Mail (privat)', { 'E-Mail (privat)': 'a@b.c' }, '$json["E-Mail (privat)"]', 'a@b.c'],
	['$json.total-discount', { total: 10, discount: 3 }, '$json.total - $json.discount', '7'],
	[`$('Source').item.json.first-name`, ann, `$('Source').item.json["first-name"]`, 'Ann'],
	['$input.item.json.first-name', ann, '$input.item.json["first-name"]', 'Ann'],
	["name || 'friend'", ann, "$json.Name || 'friend'", 'Ann'],
	["first_name ?? 'friend'", ann, `$json["first-name"] ?? 'friend'`, 'Ann'],
	["name || ''", ann, "$json.Name || ''", 'Ann'],
	['user.last-name', { user: { 'last-name': 'Ng' }, name: 'Ann' }, '$json.user["last-name"]', 'Ng'],
	['$json.id.toUpperCase', ann, '$json.id.toUpperCase()', 'C-1'],
	["$json.Name.toUpperCase || 'friend'", ann, "$json.Name.toUpperCase() || 'friend'", 'ANN'],
	["$json.Name.toTitleCase || 'friend'", ann, "$json.Name.toTitleCase() || 'friend'", 'Ann'],
	['$json.Name.trim().toTitleCase', ann, '$json.Name.trim().toTitleCase()', 'Ann'],
	['$json.Name.trim', ann, '$json.Name.trim()', 'Ann'],
	['$json.Name.toTitleCase', ann, '$json.Name.toTitleCase()', 'Ann'],
	['$json.list.join', { list: ['a', 'b'] }, '$json.list.join()', 'a,b'],
	['$json.day.toDateTime().toISODate', day, '$json.day.toDateTime().toISODate()', '2030-05-06'],
];

/** Placeholders that n8n cannot parse. */
export const unparsable: readonly Misread[] = [
	['$json.Name || “friend”', ann, '$json.Name || "friend"', 'Ann'],
	['$json.Name || ‘friend’', ann, "$json.Name || 'friend'", 'Ann'],
	['$json.Name || „Freund“', ann, '$json.Name || "Freund"', 'Ann'],
	['$json[“Name”]', ann, '$json["Name"]', 'Ann'],
	['$json.none || “it’s you”', ann, '$json.none || "it\'s you"', "it's you"],
	['$json.First Name', first, '$json["First Name"]', 'Ann'],
	['$json.first name', first, '$json["First Name"]', 'Ann'],
	["$json.First Name || 'friend'", first, `$json["First Name"] || 'friend'`, 'Ann'],
	['$json.Address 2', { 'Address 2': 'Rear' }, '$json["Address 2"]', 'Rear'],
	['$json.2nd name', { '2nd name': 'Bo' }, '$json["2nd name"]', 'Bo'],
	['$json.user.First Name', { user: { 'First Name': 'Ann' } }, '$json.user["First Name"]', 'Ann'],
	['First Name', first, '$json["First Name"]', 'Ann'],
	['.Name', ann, '$json.Name', 'Ann'],
	['@name', ann, '$json.Name', 'Ann'],
	['{ name', ann, '$json.Name', 'Ann'],
	['name | default: "friend"', ann, '$json.Name || "friend"', 'Ann'],
	["name | default('friend')", ann, "$json.Name || 'friend'", 'Ann'],
	["name | default: 'friend' | upcase", ann, "($json.Name || 'friend').toUpperCase()", 'ANN'],
	["$json.none | default: 'friend'", ann, "$json.none || 'friend'", 'friend'],
	["name | default: 'friend', allow_false: true", ann, "$json.Name || 'friend'", 'Ann'],
	["name | append: '!'", ann, "$json.Name.concat('!')", 'Ann!'],
	["name | replace: 'A', 'E'", ann, "$json.Name.replaceAll('A', 'E')", 'Enn'],
	['name | truncate: 2', ann, '$json.Name.slice(0, 2)', 'An'],
	[
		"$json.day | date: '%d.%m.%Y'",
		day,
		"$json.day.toDateTime().toFormat('dd.MM.yyyy')",
		'06.05.2030',
	],
	["name or 'friend'", ann, "$json.Name || 'friend'", 'Ann'],
	["$json.Name or 'friend'", ann, "$json.Name || 'friend'", 'Ann'],
	['$json.["Name"]', ann, '$json["Name"]', 'Ann'],
	['$.Name', ann, '$json.Name', 'Ann'],
	['$json.first–name', ann, '$json["first-name"]', 'Ann'],
];

/** Placeholders of other tools for which n8n has another way. */
export const tags: readonly string[] = [
	...['#each items', '/each', '#if vip', '/if', 'else', '> partial', '^vip', '!-- note'],
	...['if .Name', 'end', 'for item in items', 'endfor', '#unless vip', 'range .Items'],
];

/** Placeholders that n8n reads as they are meant, and what they give. */
export const asMeant: ReadonlyArray<readonly [code: string, row: IDataObject, gives: string]> = [
	['$json.total-$json.discount', { total: 10, discount: 3 }, '7'],
	['$json.total - 1', { total: 10 }, '9'],
	['$json.total-1', { total: 10 }, '9'],
	['$json.total-Number($json.discount)', { total: 10, discount: '3' }, '7'],
	['$json.total-Math.PI+Math.PI', { total: 10 }, '10'],
	['$json.flags | 4', { flags: 1 }, '5'],
	['$json.name + " | " + $json.city', { name: 'Ann', city: 'Pune' }, 'Ann | Pune'],
	['$json.name || "first-name | upcase"', {}, 'first-name | upcase'],
	['$json["first-name"]', ann, 'Ann'],
	['$json["a | upcase"]', { 'a | upcase': 'x' }, 'x'],
	[
		'$json.list.map((one) => one.total-one.discount).join("-")',
		{ list: [{ total: 3, discount: 1 }] },
		'2',
	],
	['$json.name.length', { name: 'Ann' }, '3'],
	['$json.name.length || 0', { name: 'Ann' }, '3'],
	['$now.year > 2000 ? "now" : ""', {}, 'now'],
	['$itemIndex || "first"', {}, 'first'],
	['DateTime.fromISO("2030-05-06").toFormat("dd-MM")', {}, '06-05'],
];

export const rowWithNothing = {
	id: 'C-1',
	vip: false,
	blank: ' ',
	empty: '',
	none: null,
	list: [] as string[],
};

/** Placeholders that give nothing, although that is none of their cases, and a way that gives 'friend'. */
export const lost: ReadonlyArray<readonly [code: string, better: string | undefined]> = [
	["$json.a.b || 'friend'", "$json.a?.b || 'friend'"],
	["$json.a.b.c ?? 'friend'", "$json.a?.b?.c || 'friend'"],
	["$json.a['b c'].d || 'friend'", "$json.a?.['b c']?.d || 'friend'"],
	["$json.name.toUpperCase() || 'friend'", "$json.name?.toUpperCase() || 'friend'"],
	["$json.none.trim() || 'friend'", "$json.none?.trim() || 'friend'"],
	["$json.empty ?? 'friend'", "$json.empty || 'friend'"],
	["$json.blank || 'friend'", "$json.blank?.trim() || 'friend'"],
	["$json.blank ?? 'friend'", "$json.blank?.trim() || 'friend'"],
	['$json.none || $json.empty', "$json.none || $json.empty || 'friend'"],
	["$json.vip ? 'Dr.' : $json.none", "($json.vip ? 'Dr.' : $json.none) || 'friend'"],
	[
		"$json.name !== '' ? $json.name : 'friend'",
		"($json.name !== '' ? $json.name : 'friend') || 'friend'",
	],
	['$json.name?.first || $json.none', "$json.name?.first || $json.none || 'friend'"],
	["$json.none && 'VIP'", "($json.none && 'VIP') || 'friend'"],
	['$json.list.find((one) => one.vip)', "($json.list.find((one) => one.vip)) || 'friend'"],
	[`$('Source').item.json.a.b || 'friend'`, `$('Source').item.json.a?.b || 'friend'`],
	["['Mr', 'Mrs'][$json.sex]", "['Mr', 'Mrs'][$json.sex] || 'friend'"],
	["$json.missing.ifEmpty('friend')", "$json.missing?.ifEmpty('friend') || 'friend'"],
	['$json.price * 2', undefined],
	['Number($json.price) + 1', undefined],
	['$json.price?.value * 2', undefined],
	["foo() || 'friend'", undefined],
	['(async () => 1)()', undefined],
	['[1].map(async (one) => one)[0]', undefined],
];

/** Placeholders that may give nothing in the same row. */
export const empty: readonly string[] = [
	...["$json.vip ? 'VIP' : ''", '$json.vip ? "VIP" : ""', '$json.vip ? `VIP` : ``'],
	...["$json.vip ? 'VIP' : null", "$json.vip ? 'VIP' : undefined"],
	...["!$json.vip ? '' : $json.name", "$json.name ?? ''", "$json.name || ''"],
	...["$json.none || ' '", "($json.vip && 'VIP') || ''"],
	...["($json.first ?? '') + ($json.last ?? '')", '$json.a?.b', '$json.a?.b?.c'],
	...['$json.name?.trim()', '$json.list.find((one) => one.vip)?.name'],
	...["$('Source').item.json.a?.b", "$if($json.vip, 'VIP', '')", "$json.empty.ifEmpty('')"],
	'[$json.first, $json.last].join(" ")',
	"[$json.first, $json.last].filter(Boolean).join(' ')",
	'$json.list.map((one) => one.name)',
];
