import { DateTime } from 'luxon';

import type { Problem } from '../shared/ending';
import { asSentence, quoted, say, written, type Sentence } from '../shared/sentence';

/** An instant, or a local time that still needs a zone (see `LocalTime`). Both in milliseconds. */
export type AskedTime = { instantMs: number } | { localMs: number };

/** ISO 8601, with a `T` or a space before the time. Luxon alone would also read a lone year or time of day. */
const iso =
	/^(?<day>\d{4}-\d\d-\d\d)(?:[t ](?<time>(?:[01]\d|2[0-3])(?::[0-5]\d){1,2}(?:\.\d{1,9})?) ?(?<offset>z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

/** What JavaScript writes for a Date within a text, which names the zone of n8n's server after its offset. */
const javaScriptDate =
	/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \([^()]*\))?$/;

export const scheduledFor = { field: 'scheduledFor', label: 'Date and Time' };

/**
 * Reads a date-time field, by default `scheduledFor`: ISO text with or without an offset (also `+0000`, spec
 * §2.6), text as in emails (RFC 2822), a Luxon DateTime, or a JavaScript Date, also as text. Numbers are
 * refused because they may be seconds, milliseconds or days. A date without a time is refused too.
 */
export function readDateTime(value: unknown, { field, label } = scheduledFor): AskedTime | Problem {
	const refuse = (sentence: string | Sentence): Problem => ({ field, ...asSentence(sentence) });
	if (typeof value === 'string' && value.trim() !== '') return readText(value.trim(), refuse);
	if (typeof value === 'number')
		return refuse(
			say`${written(value)} may be seconds or milliseconds. Write it as 2026-11-23T09:30`,
		);
	if (typeof value === 'object' && value !== null) {
		const instantMs = readMillis(value);
		if (Number.isFinite(instantMs)) return { instantMs };
		return refuse(
			`${label} is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date`,
		);
	}
	return refuse(`${label} is empty. Enter one, e.g. 2026-11-23T09:30`);
}

/** Tests for members instead of classes: expressions may use another copy of Luxon or another realm's Date. */
function readMillis(value: object): number {
	const isTime = 'isLuxonDateTime' in value || 'getTime' in value;
	const ms: unknown = isTime && typeof value.valueOf === 'function' ? value.valueOf() : undefined;
	return typeof ms === 'number' ? ms : NaN;
}

function readText(text: string, refuse: (sentence: Sentence) => Problem): AskedTime | Problem {
	const isoParts = iso.exec(text)?.groups;
	if (!isoParts) {
		const instantMs = javaScriptDate.test(text)
			? Date.parse(text)
			: DateTime.fromRFC2822(text).toMillis();
		if (Number.isFinite(instantMs)) return { instantMs };
		return refuse(say`${quoted(text)} is not in the expected format. Write it as 2026-11-23T09:30`);
	}
	const { day = '', time, offset = '' } = isoParts;
	// Databases and programs write years such as 0000 and 0001 for none.
	if (day.startsWith('0'))
		return refuse(
			say`${day} stands for a missing date. Take another column, or leave such items out with a Filter node`,
		);
	const whole = `${day}T${time ?? '00:00'}${offset}`.toUpperCase();
	const readMs = DateTime.fromISO(whole, { zone: 'UTC' }).toMillis();
	if (!Number.isFinite(readMs))
		return refuse(say`${day} is not in the calendar. Choose a day that exists`);
	if (time === undefined)
		return refuse(say`${day} is a day without a time. Add one, e.g. ${day}T09:30`);
	return offset === '' ? { localMs: readMs } : { instantMs: readMs };
}
