import type { Problem } from '../shared/result';
import { MINUTE_MS } from '../shared/apis';
import { quote } from '../shared/formatting';
import { adviseConversion, isSerialDate } from './conversions';

/** Finds what gives the value of a parameter, such as `$json.date`; undefined if it is no plain placeholder. */
export type PlaceholderIn = (parameter: string, entry?: number) => string | undefined;

/** An instant, or a local time that still needs a zone (see `LocalTime`). Both in milliseconds. */
export type AskedTime = { instantMs: number } | { localMs: number };

const pattern =
	/^(\d{4})-(\d\d)-(\d\d)(?:[t ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?: ?(z|[+-]\d\d(?::?\d\d)?))?)?$/i;

/** What JavaScript writes for a Date within a text, which names the zone of n8n's server after its offset. */
const javaScriptDate =
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^()]*\))?$/;

/**
 * Reads a date-time field, by default `scheduledFor`: ISO text with or without an offset (also `+0000`, spec §2.6) and with a `T` or
 * a space before the time, a Luxon DateTime, or a JavaScript Date, also as text. Numbers are refused because
 * they may be seconds, milliseconds or days. A date without a time is refused too.
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
		const advice = adviseConversion(value, placeholderIn?.(field));
		const what = isSerialDate(value) ? 'is a date as a spreadsheet stores it' : 'is a number';
		const unit = advice ? what : 'may be seconds or milliseconds';
		return refuse(`${value} ${unit}. Write it as 2026-11-23T09:30${advice}`);
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
	if (!match && javaScriptDate.test(text)) return { instantMs: Date.parse(text) };
	if (!match) {
		return refuse(
			`${quote(text)} is not in the expected format. Write it as 2026-11-23T09:30${adviseConversion(text, readPlaceholder())}`,
		);
	}
	const [, year, month, day, hour, minute, second = '0', fraction = '0', offset] = match;
	const date = `${year}-${month}-${day}`;
	const dateMs = Date.UTC(Number(year), Number(month) - 1, Number(day));

	// Databases and programs write years such as 0000 and 0001 for none.
	if (Number(year) < 100) {
		return refuse(
			`${date} stands for a missing date. Take another column, or leave such items out with a Filter node`,
		);
	}
	if (new Date(dateMs).toISOString().slice(0, 10) !== date) {
		return refuse(`${date} is not in the calendar. Choose a day that exists`);
	}
	if (hour === undefined || minute === undefined) {
		return refuse(`${date} is a day without a time. Add one, e.g. ${date}T09:30`);
	}
	if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
		return refuse(`${quote(text)} has no valid time of day. Choose one from 00:00 to 23:59`);
	}

	const timeMs =
		(Number(hour) * 60 + Number(minute)) * MINUTE_MS +
		Number(second) * 1000 +
		Math.floor(Number(`0.${fraction}`) * 1000);
	const localMs = dateMs + timeMs;
	if (offset === undefined) return { localMs };

	const minutes = offsetMinutes(offset);
	if (minutes === undefined) {
		return refuse(`${offset} is not an offset from UTC. Use one such as +05:30, or Z for UTC`);
	}
	return { instantMs: localMs - minutes * MINUTE_MS };
}

/** The minutes of an offset, which must be from -12:00 to +14:00. `Z` has no digits and means 0. */
function offsetMinutes(offset: string): number | undefined {
	const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
	const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
	if (minutes > 59) return undefined;
	const total = (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
	return total >= -12 * 60 && total <= 14 * 60 ? total : undefined;
}
