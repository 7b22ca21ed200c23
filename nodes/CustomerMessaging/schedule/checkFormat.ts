import type { ScheduleFormat } from './scheduleFormat';
import { isZone } from './localTime';
import type { Problem } from '../shared/problem';
import { quote } from '../shared/formatting';
import { inZone } from './formatting';

type FormatField = Exclude<keyof ScheduleFormat, 'scheduleZone'>;

/**
 * Luxon's tokens except presets (`D`, `t`, `ff` …) and local weeks (`n`, `i`), whose output depends on
 * the runtime's language data.
 */
const token =
	/^([SsmhHdu]|[smhHd]{2}|SSS|uuu?|Z{1,5}|[zaXx]|[cEML]|[cEML]{3,5}|[ML]{2}|y|yy|yyyy|yyyyyy|G|GG|GGGGG|kk|kkkk|WW?|o|ooo|qq?)$/;

/** Pairs of times that a format must write differently, and a hint if it does not. */
const pairs = [
	['2026-03-04T05:06Z', '2026-03-04T05:07Z', 'minutes are mm, while MM is the month'],
	['2026-03-04T05:06Z', '2026-03-04T17:06Z', 'hours from 00 to 23 are HH'],
	['2026-03-04T05:06Z', '2026-03-05T05:06Z', 'days of the month are dd'],
	['2026-03-04T05:06Z', '2026-04-04T05:06Z', 'months are MM, while mm is the minute'],
	['2026-03-04T05:06Z', '2027-03-04T05:06Z', 'years are yyyy'],
	['2026-03-04T01:11Z', '2026-03-04T11:01Z', 'two digits for each are HHmm'],
	['2026-01-11T05:06Z', '2026-11-01T05:06Z', 'two digits for each are MMdd'],
] as const;

/**
 * Validates the credential's schedule settings. Refuses an unknown zone or token, a campaign format
 * that does not write a whole number (spec §2.3, §2.4), and formats that write two different minutes
 * the same way.
 *
 * @returns the problems by field; empty if the settings are valid
 */
export function checkFormat(format: ScheduleFormat): Problem[] {
	return [
		...checkZone(format.scheduleZone),
		...checkTogether(format, ['campaignDateFormat', 'campaignTimeFormat'], unusableNumber),
		...checkTogether(format, ['pushDateFormat', 'pushTimeFormat'], unusableTokens),
		...checkTogether(format, ['eventTimeFormat'], unusableTokens),
	];
}

/** Whether a text consists of digits and can be sent exactly as a JSON number. */
export function isWholeNumber(text: string): boolean {
	return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

function checkZone(zone: string): Problem[] {
	if (isZone(zone)) return [];
	const message = `Schedule Zone ${quote(zone)} is not known. Use its IANA name, e.g. UTC or Europe/Berlin`;
	return [{ field: 'scheduleZone', message }];
}

/** Checks the formats of fields that write one time together: the first the date, the last the time of day. */
function checkTogether(
	format: ScheduleFormat,
	fields: readonly [FormatField, FormatField?],
	unusable: (tokens: string) => string | undefined,
): Problem[] {
	const [dateField, timeField = dateField] = fields;
	const names = [...new Set([dateField, timeField])];
	const problems = names.flatMap((field) => {
		const message = unusable(format[field]);
		return message === undefined ? [] : [{ field, message }];
	});
	if (problems.length > 0) return problems;

	const formats = names.map((field) => format[field]);
	const alike = pairs.find(([one, other]) =>
		formats.every((tokens) => write(one, tokens) === write(other, tokens)),
	);
	if (alike === undefined) return [];
	const [one, other, advice] = alike;
	const quoted = formats.map((tokens) => `'${tokens}'`).join(' and ');
	const written = formats.map((tokens) => write(one, tokens)).join(' and ');
	const [verb, which] = formats.length > 1 ? ['write', 'one of them'] : ['writes', 'it'];
	return [
		{
			field: one.slice(0, 10) === other.slice(0, 10) ? timeField : dateField,
			message: `${quoted} ${verb} ${one} and ${other} alike, as ${written}. Change ${which}: in Luxon's formats ${advice}`,
		},
	];
}

function unusableNumber(tokens: string): string | undefined {
	const unusable = unusableTokens(tokens);
	if (unusable !== undefined) return unusable;
	const written = [pairs[0][0], '2026-12-31T23:59:59.999Z'].map((iso) => write(iso, tokens));
	if (written.every(isWholeNumber)) return undefined;
	return `'${tokens}' writes '${written.find((text) => !isWholeNumber(text))}', but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X`;
}

function unusableTokens(tokens: string): string | undefined {
	if (tokens.trim() === '') return 'Enter a format in Luxon tokens, e.g. yyyyMMdd or HHmm';
	const unquoted = tokens.replace(/'[^']*'/g, ' ');
	if (unquoted.includes("'"))
		return `'${tokens}' opens a quote and does not close it. Add the closing quote`;

	const unknown = (unquoted.match(/([A-Za-z])\1*/g) ?? []).find((run) => !token.test(run));
	if (unknown === undefined) return undefined;
	return `'${unknown}' in '${tokens}' is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes`;
}

function write(iso: string, tokens: string): string {
	return inZone(Date.parse(iso), 'UTC').toFormat(tokens);
}
