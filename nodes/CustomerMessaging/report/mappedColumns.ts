import type { INodeExecutionData } from 'n8n-workflow';

import { isEmpty, isRecord } from '../fields/field';
import { asciiDigits, isVisible } from '../fields/text';
import { isNumberAsText } from '../fields/wordsForValues';
import type { N8n } from '../n8n/context';
import { columnsOf, namesToIgnore, nearColumns } from '../operations/ignoreFields';
import { userAttributes } from '../operations/user';
import { addField } from '../plan/placeholder';
import type { Plan } from '../plan/plan';
import { columnCode, letters } from '../run/nearestColumn';
import { draggedColumns, readIfPossible } from '../run/parameters';
import type { Run } from '../run/resolveRun';
import { isSerialDate, serialToText } from '../schedule/conversions';
import { grouped, listed, quote } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { compact } from './names';

/** What is said about the columns of Auto-Map Input Data. */
export interface MappedHints {
	warnings: string[];
	infos: string[];
}

/** Looks at what the columns hold that become attributes, because nobody has chosen them one by one. */
export async function mappedHints(
	{ operation }: Run,
	{ deliveries }: Pick<Plan, 'deliveries'>,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): Promise<MappedHints> {
	const [first] = deliveries;
	const isMapped = operation.batchKey && n8n.raw('dataMode') === 'autoMapInputData';
	if (!isMapped || !first) return { warnings: [], infos: [] };
	const named = readIfPossible(n8n, 'userIdField', first.itemIndex);
	const dragged = draggedColumns(operation.form, n8n.raw).userIdField;
	const idField = dragged ?? (typeof named === 'string' ? named : '');
	const missed = operation.overwrites ? new MissedFields(idField) : undefined;
	const numbers = new NumbersAsText();
	const dates = new SerialDates();
	await inSlices(deliveries, { clock: n8n.clock }, ({ userID = '', buildBody }) => {
		const body: Record<string, unknown> = { ...buildBody() };
		const attributes = body.user_attributes ?? body.attributes;
		if (!isRecord(attributes)) return;
		missed?.look(userID, attributes);
		numbers.look(attributes);
		dates.look(attributes);
	});
	const columns = new Set<string>();
	for (const { json } of items) for (const column of Object.keys(json)) columns.add(column);
	const ignored = readIfPossible(n8n, 'ignoreFields', first.itemIndex);
	return {
		warnings: compact(
			...(missed?.warnings(columns) ?? []),
			misspelled(ignored, idField, [...columns]),
		),
		infos: compact(dates.hint(), numbers.hint(dates.found())),
	};
}

/** Says that a name under Ignore Fields is no column, but nearly one, which is sent. */
function misspelled(
	ignored: unknown,
	idField: string,
	columns: readonly string[],
): string | undefined {
	const entries = namesToIgnore(typeof ignored === 'string' ? ignored : '');
	const known = new Set([idField, ...entries.flatMap((entry) => columnsOf(entry, columns))]);
	const sent = columns.filter((column) => !known.has(column));
	const near = entries
		.filter((entry) => columnsOf(entry, columns).length === 0)
		.flatMap((entry) => nearColumns(entry, sent).map((column) => [entry.name, column] as const));
	if (near.length === 0) return undefined;
	const pairs = near.map(([name, column]) => `${quote(name)}, but ${quote(column)} is one`);
	return `Under 'Ignore Fields', no column is called ${listed(pairs)}, and it is sent. If you mean it, correct the name`;
}

/** Those columns whose every value is a number written as text. It stays text. */
class NumbersAsText {
	private readonly texts = new Map<string, string>();
	private readonly others = new Set<string>(['user_id', 'mobile', 'phone']);

	look(attributes: Record<string, unknown>): void {
		for (const [column, value] of Object.entries(attributes)) {
			if (this.others.has(column) || isEmpty(value)) continue;
			if (!isNumberAsText(value)) this.others.add(column);
			else if (!this.texts.has(column)) this.texts.set(column, value);
		}
	}

	/** @param named the columns of which another hint says what they hold */
	hint(named: ReadonlySet<string>): string | undefined {
		const found = [...this.texts].filter(([one]) => !this.others.has(one) && !named.has(one));
		if (found.length === 0) return undefined;
		const told = found.map(([column, value]) => `${quote(column)} (such as ${quote(value)})`);
		return `${found.length === 1 ? 'A column holds' : 'Columns hold'} numbers that stay text: ${listed(told)}. To send numbers, choose Define Below and the type Number, or convert them in an Edit Fields node before. For codes, such as postal codes, text is right.`;
	}
}

/** A word that says that a column holds dates, also at the end of a longer word. */
const dateWord =
	/^(?:date|day|data|fecha|created|updated|since|until|birthday|geburtstag|expires|expiry|renewal|signup|joined|dob|modified|registered|visited)$|(?:start|end|due|order|birth|purchase|invoice|ship|sign)date$|datum$|datetime$/;

/** Those columns whose every value is a number that spreadsheets store for a date. */
class SerialDates {
	private readonly dates = new Map<string, { value: unknown; isWhole: boolean; isFine: boolean }>();
	private readonly others = new Set<string>();

	look(attributes: Record<string, unknown>): void {
		for (const [column, value] of Object.entries(attributes)) {
			if (this.others.has(column) || isEmpty(value)) continue;
			if (!isSerialDate(value)) {
				this.others.add(column);
				continue;
			}
			const known = this.dates.get(column) ?? { value, isWhole: true, isFine: false };
			const decimals = /[.,](\d+)/.exec(String(value))?.[1]?.length ?? 0;
			known.isWhole &&= decimals === 0;
			// No price has so many, and an hour has.
			known.isFine ||= decimals > 3;
			this.dates.set(column, known);
		}
	}

	found(): Set<string> {
		const columns = [...this.dates].filter(
			([column, { isFine }]) => !this.others.has(column) && (isFine || saysDate(column)),
		);
		return new Set(columns.map(([column]) => column));
	}

	hint(): string | undefined {
		const told = [...this.found()].map((column) => {
			const { value, isWhole } = this.dates.get(column) ?? {};
			const format = isWhole ? 'yyyy-MM-dd' : 'yyyy-MM-dd HH:mm:ss';
			return `${quote(column)} (such as ${quote(value)}): ${serialToText(value, columnCode(column), format)}`;
		});
		if (told.length === 0) return undefined;
		return `${told.length === 1 ? 'A column holds' : 'Columns hold'} dates as a spreadsheet stores them, and they are sent as these numbers. To send dates, set the field to this in an Edit Fields node before this one, with Include Other Input Fields on. ${listed(told, 3)}`;
	}
}

function saysDate(column: string): boolean {
	const words = column
		.replace(/\p{Ll}(?=\p{Lu})/gu, '$& ')
		.toLowerCase()
		.split(/[^\p{L}]+/u);
	return words.some((word) => dateWord.test(word)) || /^(?:at|on)$/.test(words.at(-1) ?? '');
}

/** A field of users that a column can miss by its name. */
interface UserField {
	name: keyof typeof userAttributes;
	what: string;
	/** Names, as far as letters and digits go, that mean this field and nothing else. */
	exact: RegExp;
	/** Part of a name that probably means it. */
	part?: RegExp;
	/** Whether a value may be one, in a column with such a name. */
	fits: (value: string) => boolean;
	/** Whether a value surely is one, whatever the name of its column. */
	isCertain: (value: string) => boolean;
}

const phonePart =
	/phone|mobil|handy|cell|celular|portable|tel(?:\b|e?f)|rufn|móvil|whatsapp|gsm|тел|電話|电话|携帯|手机|전화|휴대|جوال|هاتف/i;

const userFields: readonly UserField[] = [
	{
		name: 'email',
		what: 'email address',
		exact: /^e?mail(?:address)?$/,
		part: /mail|correo|courriel|epost|e-post|почта|メール|邮|郵|이메일|بريد/i,
		fits: (value) => value.includes('@'),
		isCertain: (value) =>
			value.includes('@') && userAttributes.email.schema.safeParse(value).success,
	},
	{
		name: 'mobile',
		what: 'mobile number',
		exact: /^mobile?(?:phone)?(?:number)?$/,
		part: phonePart,
		fits: (value) => {
			if (value.length < 7 || value.length > 40) return false;
			const number = /^(?:tel:|p:|')? ?[(+]?\d[\d\s()./-]{6,25}$/i.exec(asciiDigits(value.trim()));
			return number !== null && !/^\s*\d{4}-\d\d-\d\d/.test(value);
		},
		isCertain: (value) =>
			/^\s*\+\d/.test(value) && userAttributes.mobile.schema.safeParse(value).success,
	},
	{
		name: 'name',
		what: 'name',
		exact: /^(?:full)?name$/,
		fits: () => true,
		isCertain: () => false,
	},
];

/** A longer value is no address, and no name. */
const MAX_LENGTH = 320;
/** Webhooks hold what belongs to a user a few levels deep. */
const MAX_DEPTH = 6;
/** Of a list, so many entries are searched. */
const MAX_ENTRIES = 3;

type Step = string | number;

/** Visits the texts and numbers in the attributes of a user, each with the path to it. */
function eachValue(
	value: unknown,
	visit: (value: string, path: readonly Step[]) => void,
	path: readonly Step[] = [],
): void {
	if (typeof value === 'string' || typeof value === 'number') {
		const text = String(value);
		if (text.length <= MAX_LENGTH && isVisible(text)) visit(text, path);
	} else if (path.length < MAX_DEPTH && Array.isArray(value)) {
		const entries: unknown[] = value.slice(0, MAX_ENTRIES);
		entries.forEach((entry, index) => eachValue(entry, visit, [...path, index]));
	} else if (path.length < MAX_DEPTH && isRecord(value)) {
		for (const [key, entry] of Object.entries(value)) eachValue(entry, visit, [...path, key]);
	}
}

/** How surely a value belongs to a field: 2 or 3 by the name of its column, 1 by the value alone, 0 if it does not. */
function rank({ exact, part, fits, isCertain }: UserField, value: string, path: readonly Step[]) {
	// What is called a name further down may be that of anything.
	if ((!part && path.length > 1) || !fits(value)) return 0;
	const names = path.filter((step) => typeof step === 'string');
	if (names.some((name) => exact.test(letters(name)))) return 3;
	if (part && names.some((name) => part.test(name))) return 2;
	return isCertain(value) ? 1 : 0;
}

/** A path that holds what so many users miss. */
interface Missing {
	path: readonly Step[];
	users: number;
}

/** Users without an address, although a column of another name, or that of their IDs, holds it. */
class MissedFields {
	private readonly found = userFields.map((field) => ({
		field,
		/** How many users have it. */
		filled: 0,
		byName: new Map<string, Missing>(),
		byValue: new Map<string, Missing>(),
		/** How many users have an ID that is one. */
		ids: 0,
	}));

	constructor(private readonly idField: string) {}

	look(userID: string, attributes: Record<string, unknown>): void {
		const open = this.found.filter((one) => {
			const isFilled = !isEmpty(attributes[one.field.name]);
			if (isFilled) one.filled++;
			return !isFilled;
		});
		if (open.length === 0) return;
		const best = new Map<UserField, { rank: number; path: readonly Step[] }>();
		eachValue(attributes, (value, path) => {
			for (const { field } of open) {
				const rankHere = rank(field, value, path);
				if (rankHere > (best.get(field)?.rank ?? 0)) best.set(field, { rank: rankHere, path });
			}
		});
		for (const one of open) {
			const nearest = best.get(one.field);
			if (nearest) {
				const paths = nearest.rank > 1 ? one.byName : one.byValue;
				const key = JSON.stringify(nearest.path);
				paths.set(key, { path: nearest.path, users: (paths.get(key)?.users ?? 0) + 1 });
			} else if (one.field.part && rank(one.field, userID, [this.idField]) > 0) one.ids++;
		}
	}

	warnings(columns: ReadonlySet<string>): string[] {
		return this.found.flatMap(({ field, filled, byName, byValue, ids }) => {
			// Where some users have it, an address in any other column may be that of somebody else.
			const paths = [...byName.values(), ...(filled === 0 ? byValue.values() : [])];
			return compact(
				paths.length > 0 && missedColumns(field, paths, filled > 0),
				ids > 0 && onlyInId(field, ids, this.idField, columns),
			);
		});
	}
}

function missedColumns(
	{ name, what }: UserField,
	paths: readonly Missing[],
	isFilled: boolean,
): string {
	const users = paths.reduce((sum, one) => sum + one.users, 0);
	const columns = paths.map(({ path }) => quote(path.join('.')));
	const codes = paths.map(({ path: [column = '', ...steps] }) =>
		columnCode(String(column), ...steps),
	);
	const code = [...(isFilled ? [`$json.${name}`] : []), ...codes].join(' || ');
	const [are, own] =
		columns.length === 1
			? [`The column ${columns.join('')} is`, 'an attribute of its own']
			: [`The columns ${columns.join(', ')} are`, 'attributes of their own'];
	const isTop = paths.length === 1 && paths[0]?.path.length === 1;
	const ignore = isTop ? ". If it is not theirs, enter its name under 'Ignore Fields'" : '';
	return `${are} stored as ${own}, so ${usersHave(users)} no ${what}: that is the attribute '${name}'. ${addField(name, code)}${ignore}`;
}

function onlyInId(
	{ name, what }: UserField,
	users: number,
	idField: string,
	columns: ReadonlySet<string>,
): string {
	const addresses = name === 'email' ? 'email addresses' : 'mobile numbers';
	const why = `User ID (column ${quote(idField)}) holds ${addresses}, and there is no attribute '${name}', so ${usersHave(users)} no ${what}`;
	if (idField !== name) return `${why}. ${addField(name, columnCode(idField))}`;
	const id = ['userID', 'customerID', 'idOfUser'].find((one) => !columns.has(one)) ?? 'id';
	return `${why}. ${addField(id, columnCode(idField))}, and enter ${id} under 'User ID Field'`;
}

function usersHave(number: number): string {
	return number === 1 ? '1 user has' : `${grouped(number)} users have`;
}
