import { DateTime } from 'luxon';

import type { Problem } from '../shared/result';
import { quote } from '../shared/formatting';

/** Dates as spreadsheets and forms write them: `25.12.2026`, `25/12/2026 09:30`, `12/25/2026, 9:30 AM`. */
const commonDate =
	/^(?<one>\d\d?)(?<sign>[./-])(?<two>\d\d?)\k<sign>\d{4}(?:(?<gap>,? )\d\d?:\d\d(?<seconds>:\d\d)?(?<half> ?[ap]m)?)?$/i;

/**
 * Says which expression converts a date in a common format; empty for any other text. The expression gives
 * a time without an offset, so that the timezone of the form still applies.
 *
 * @param placeholder what gives the date in the user's expression, such as `$json.date`
 */
export function adviseConversion(text: string, placeholder = '$json.date'): string {
	const { one, sign = '', two, gap, seconds, half } = commonDate.exec(text)?.groups ?? {};
	const [first, second] = [Number(one), Number(two)];
	const isDate = Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
	if (!isDate) return '';

	const day = second > 12 ? ['M', 'd', 'yyyy'] : ['d', 'M', 'yyyy'];
	const ending = seconds ? ':ss' : '';
	const clock = half ? `h:mm${ending}${half.replace(/[ap]m/i, 'a')}` : `H:mm${ending}`;
	// Luxon reads one or two digits for each `d`, `M`, `H` and `h`.
	const format = `'${day.join(sign)}${gap ?? ' '}${clock}'`;
	const [how, date] = gap
		? ['convert it', placeholder]
		: ['convert it and choose a time of day', `${placeholder} + ' 09:30'`];
	const isAmbiguous = sign !== '.' && first <= 12 && second <= 12;
	return [
		`, or ${how}: {{ DateTime.fromFormat(${date}, ${format}).toFormat('yyyy-MM-dd HH:mm${ending}') }}`,
		...(isAmbiguous ? ['If the month comes first, write M before d'] : []),
	].join('. ');
}

/** Finds what gives the value of a parameter, such as `$json.date`; undefined if it is no plain placeholder. */
export type PlaceholderIn = (parameter: string, entry?: number) => string | undefined;

/** An instant, or a local time that still needs a zone (see `LocalTime`). Both in milliseconds. */
export type AskedTime = { instantMs: number } | { localMs: number };

/** A day, a time of day and an offset from UTC of at most 14 hours. */
const pattern =
	/^(\d{4}-\d\d-\d\d)(?:[t ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(?: ?(z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?))?)?$/i;

/**
 * Reads a date-time field, by default `scheduledFor`: ISO text with or without an offset (also `+0000`, spec §2.6) and with a `T` or
 * a space before the time, a Luxon DateTime, or a JavaScript Date. Numbers are refused because they
 * may be seconds or milliseconds. A date without a time is refused too.
 */
export function readDateTime(
	value: unknown,
	{ field, label } = { field: 'scheduledFor', label: 'Date and Time' },
	placeholderIn?: PlaceholderIn,
): AskedTime | Problem {
	const refuse = (message: string): Problem => ({ field, message });

	if (typeof value === 'string' && value.trim() !== '')
		return readText(value.trim(), refuse, () => placeholderIn?.(field));
	if (typeof value === 'number') {
		return refuse(
			`${value} may be seconds or milliseconds. Enter a date and time such as 2026-11-23T09:30, or turn the number into one: {{ DateTime.fromMillis(…) }} or {{ DateTime.fromSeconds(…) }}`,
		);
	}
	if (typeof value === 'object' && value !== null) {
		const instantMs = readMillis(value);
		if (Number.isFinite(instantMs)) return { instantMs };
		return refuse(
			`${label} is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date`,
		);
	}
	return refuse(`${label} is empty. Enter one, e.g. 2026-11-23T09:30`);
}

/** Tests for methods instead of classes: expressions may use another copy of Luxon or another realm's Date. */
function readMillis(value: object): number {
	if ('isLuxonDateTime' in value && 'toMillis' in value && typeof value.toMillis === 'function') {
		return Number((value as { toMillis: () => unknown }).toMillis());
	}
	if ('getTime' in value && typeof value.getTime === 'function')
		return Number((value as { getTime: () => unknown }).getTime());
	return NaN;
}

function readText(
	text: string,
	refuse: (message: string) => Problem,
	readPlaceholder: () => string | undefined,
): AskedTime | Problem {
	const match = pattern.exec(text);
	if (!match) {
		return refuse(
			`${quote(text)} is not in the expected format. Write it as 2026-11-23T09:30${adviseConversion(text, readPlaceholder())}`,
		);
	}
	const [, day, clock, offset = ''] = match;
	if (clock === undefined)
		return refuse(`${day} is a day without a time. Add one, e.g. ${day}T09:30`);
	const ms = DateTime.fromISO(`${day}T${clock}${offset}`, { zone: 'UTC' }).toMillis();
	if (Number.isNaN(ms)) return refuse(`${day} is not in the calendar. Choose a day that exists`);
	return offset === '' ? { localMs: ms } : { instantMs: ms };
}
