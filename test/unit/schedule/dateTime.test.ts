import { readDateTime } from '../../../nodes/CustomerMessaging/schedule/dateTime';

const instantMs = Date.parse('2026-11-23T09:30:00Z');
const notADate = {
	field: 'scheduledFor',
	message:
		'Date and Time is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date',
};

describe('A date and time is read from an object', () => {
	it('that is a DateTime of any copy of Luxon, or a Date of any realm', () => {
		const dateTime = { isLuxonDateTime: true, toMillis: () => instantMs };
		expect(readDateTime(dateTime)).toEqual({ instantMs });
		expect(readDateTime({ getTime: () => instantMs })).toEqual({ instantMs });
	});

	it.each<[string, object]>([
		['only converts to milliseconds', { toMillis: () => instantMs }],
		['only calls itself a DateTime', { isLuxonDateTime: true }],
		['is a list', ['2026-11-23T09:30']],
		['is an invalid Date', new Date(NaN)],
	])('but not from one that %s', (_what, value) => {
		expect(readDateTime(value)).toEqual(notADate);
	});
});

describe('A date and time is read from text', () => {
	const localMs = Date.UTC(2026, 10, 23, 9, 30);

	it.each([
		['2026-11-23T09:30', localMs],
		[' 2026-11-23t09:30 ', localMs],
		['2026-11-23 09:30:15', localMs + 15_000],
		['2026-11-23 09:30:15.25', localMs + 15_250],
		['2026-11-23 09:30:59.123456789', localMs + 59_123],
	])('%j, in the timezone that was chosen', (text, expected) => {
		expect(readDateTime(text)).toEqual({ localMs: expected });
	});

	it.each([
		['2026-11-23T09:30Z', 0],
		['2026-11-23T09:30 +01', 60],
		['2026-11-23T09:30+05:59', 359],
		['2026-11-23T09:30+14:00', 840],
	])('%j, with an offset of its own', (text, minutes) => {
		expect(readDateTime(text)).toEqual({ instantMs: localMs - minutes * 60_000 });
	});

	it.each([
		'x2026-11-23T09:30',
		'2026-11-23T09:30x',
		'2026-11-23T09:30:15.1234567890',
		'2026-11-23T09:30+',
	])('but not %j', (text) => {
		expect(readDateTime(text)).toEqual({
			field: 'scheduledFor',
			message: `'${text}' is not in the expected format. Write it as 2026-11-23T09:30`,
		});
	});

	it.each(['2026-11-23T24:00', '2026-11-23T09:60', '2026-11-23T09:30:60'])(
		'but not %j, which no clock shows',
		(text) => {
			expect(readDateTime(text)).toEqual({
				field: 'scheduledFor',
				message: `'${text}' has no valid time of day. Choose one from 00:00 to 23:59`,
			});
		},
	);

	it.each(['+05:60', '-12:01', '+14:01', '+99'])('but not with the offset %s', (offset) => {
		expect(readDateTime(`2026-11-23T09:30${offset}`)).toEqual({
			field: 'scheduledFor',
			message: `${offset} is not an offset from UTC. Use one such as +05:30, or Z for UTC`,
		});
	});
});
