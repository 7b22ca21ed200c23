import { DateTime } from 'luxon';

// Dates as spreadsheets, forms and other systems write them, and the expressions that convert them.

/** A longer text is no date. */
const MAX_LENGTH = 60;

/** Digits of a Unix timestamp by its unit, since 1973, and the code that reads it. */
const timestamps: ReadonlyArray<[digits: RegExp, read: (number: string) => string]> = [
	[/^\d{9,10}(?:\.\d+)?$/, (number) => `DateTime.fromSeconds(${number})`],
	[/^\d{12,13}$/, (number) => `DateTime.fromMillis(${number})`],
	[/^\d{15,16}$/, (number) => `DateTime.fromMillis(Math.floor(${number} / 1e3))`],
	[/^\d{18,19}$/, (number) => `DateTime.fromMillis(Math.floor(${number} / 1e6))`],
];

/** The formats of emails and of HTTP. Luxon reads them by functions of their own. */
const standards = ['fromRFC2822', 'fromHTTP'] as const;

/** Whether a value may be the number of days since 1899-12-30 that spreadsheets store for a date of 1954 to 2119. */
export function isSerialDate(value: unknown): boolean {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	const number = /^\d{5}(?:[.,]\d{1,20})?$/.test(text) ? Number(text.replace(',', '.')) : NaN;
	return number >= 20_000 && number <= 80_000;
}

/** The expression that makes text of such a number. A row without one gives nothing, instead of a day of 1899. */
export function serialToText(value: unknown, code: string, format: string, more = ''): string {
	const number = String(value).includes(',') ? `String(${code}).replace(',', '.')` : code;
	// To the second, because the fractions of days are rounded.
	const instant = `DateTime.fromMillis(Math.round((${number} - 25569) * 86400) * 1000)`;
	return `{{ ${code} ? ${instant}.toUTC().toFormat('${format}')${more} : '' }}`;
}

const dates = [
	String.raw`(?<one>\d\d?)(?<sign>[./-])(?<two>\d\d?)\k<sign>\d{4}`,
	String.raw`\d{4}(?<yearSign>[./-])\d\d?\k<yearSign>\d\d?`,
	String.raw`(?<month>[a-z]{3,9}) \d\d?(?<comma>,?) \d{4}`,
	String.raw`\d\d?(?<before>[ -])(?<monthBehind>[a-z]{3,9})(?<behind>[ -])\d{4}`,
].join('|');
const time = String.raw`\d\d?:\d\d(?<seconds>:\d\d)?(?<fraction>\.\d{1,3})?(?<half> ?[ap]m)?`;
const zone = String.raw`(?<space> ?)(?:(?<zone>gmt|utc|z)(?<ofZone>[+-]\d\d?(?::?\d\d)?)?|(?<offset>[+-]\d\d?(?::?\d\d)?))`;
const commonDate = new RegExp(
	`^(?:(?<weekday>[a-z]{3,9})(?<gapOfDay>,? ))?(?:${dates})(?:(?<gap>,? (?:at )?|t)${time}(?:${zone})?)?$`,
	'i',
);

/**
 * Says which expression converts a date in a common format; empty for anything else. Without an offset of
 * its own, the expression gives a time without one, so that the timezone of the form still applies.
 *
 * @param code what gives the date in the user's expression, such as `$json.date`
 */
export function adviseConversion(value: string | number, code = '$json.date'): string {
	const text = String(value).replace(/\s/g, ' ');
	if (text.length > MAX_LENGTH) return '';
	if (isSerialDate(text)) {
		const isWhole = !/[.,]\d*[1-9]/.test(text);
		const more = isWhole ? ".replace('00:00:00', '09:30:00')" : '';
		return `, or convert it${isWhole ? ' and choose a time of day' : ''}: ${serialToText(text, code, 'yyyy-MM-dd HH:mm:ss', more)}`;
	}
	const timestamp = timestamps.find(([digits]) => digits.test(text))?.[1];
	const standard = standards.find((read) => DateTime[read](text).isValid);
	const instant = timestamp?.(`Number(${code})`) ?? (standard && `DateTime.${standard}(${code})`);
	if (instant) return `, or convert it: ${unlessMissing(code, instant)}`;
	return adviseFormat(text, text === value ? code : `${code}.replace(/\\s/g, ' ')`);
}

function adviseFormat(text: string, code: string): string {
	const parts = commonDate.exec(text)?.groups;
	if (!parts) return '';
	const { gap, half, seconds, zone: name, offset = parts.ofZone } = parts;
	const isDay = gap === undefined;
	const format = [
		parts.weekday === undefined ? '' : named('c', parts.weekday) + parts.gapOfDay,
		formatOfDate(parts),
		(gap ?? ' ').replace(/[a-z]+/i, "'$&'"),
		// Luxon reads one or two digits for each `d`, `M`, `H` and `h`.
		`${half ? 'h' : 'H'}:mm${seconds ? ':ss' : ''}${parts.fraction ? '.u' : ''}`,
		half?.replace(/[ap]m/i, 'a'),
		parts.space,
		name && `'${name}'`,
		offset && (/^.\d{4}$/.test(offset) ? 'ZZZ' : 'Z'),
	].join('');
	const whole = isDay ? `${text} 09:30` : text;
	if (!DateTime.fromFormat(whole, format, { locale: 'en' }).isValid) return '';

	const isInstant = name !== undefined || offset !== undefined;
	const options = [
		...(isInstant && offset === undefined ? ["zone: 'utc'"] : []),
		...(parts.month || parts.monthBehind || half ? ["locale: 'en'"] : []),
	].join(', ');
	const quoted = format.includes("'") ? `"${format}"` : `'${format}'`;
	const args = [
		isDay ? `${code} + ' 09:30'` : code,
		quoted,
		...(options ? [`{ ${options} }`] : []),
	];
	const read = `DateTime.fromFormat(${args.join(', ')})`;
	const output = `toFormat('yyyy-MM-dd HH:mm${seconds ? ':ss' : ''}')`;
	const { sign, one, two } = parts;
	const isAmbiguous = sign !== undefined && sign !== '.' && Number(one) <= 12 && Number(two) <= 12;
	return [
		`, or convert it${isDay ? ' and choose a time of day' : ''}: ${isInstant ? unlessMissing(code, read) : `{{ ${read}.${output} }}`}`,
		...(isAmbiguous ? ['If the month comes first, write M before d'] : []),
	].join('. ');
}

/**
 * A missing timestamp would be 1970. One that cannot be read becomes a text that the node refuses, while
 * `toISO()` would give nothing, which is now.
 */
function unlessMissing(code: string, instant: string): string {
	return `{{ ${code} ? ${instant}.toString() : '' }}`;
}

/** Luxon's format of a date without its time. */
function formatOfDate(parts: Readonly<Record<string, string | undefined>>): string {
	const { one, two, sign, yearSign, month, comma = '', before, monthBehind = '', behind } = parts;
	if (one !== undefined)
		return (Number(two) > 12 ? ['M', 'd', 'yyyy'] : ['d', 'M', 'yyyy']).join(sign);
	if (yearSign !== undefined) return ['yyyy', 'M', 'd'].join(yearSign);
	if (month !== undefined) return `${named('L', month)} d${comma} yyyy`;
	return `d${before}${named('L', monthBehind)}${behind}yyyy`;
}

/** The token of a month or weekday, which is written out or shortened to three letters. */
function named(token: string, name: string): string {
	return token.repeat(name.length === 3 ? 3 : 4);
}
