import { readEventTime } from '../../../nodes/CustomerMessaging/schedule/choice';
import {
	eventTime,
	refusePassed,
	defaultScheduleFormat,
} from '../../../nodes/CustomerMessaging/schedule/format';

const read = (value: unknown, timezone: unknown = '') =>
	readEventTime(value, timezone, 'Europe/Berlin');

function at(utc: string, hint?: string) {
	const schedule = { kind: 'at', instantMs: Date.parse(utc), zone: 'Europe/Berlin' };
	return { schedule: hint === undefined ? schedule : { ...schedule, hint } };
}

const refusal = (message: string) => ({ problems: [{ field: 'event_time', message }] });

const tooFarAhead = refusal('Event Time is too far ahead. Choose one before the year 9999');

describe('The time of an event', () => {
	it.each([undefined, null, ''])('is the time of sending if it is %j', (value) => {
		expect(read(value, 'no zone')).toStrictEqual({ schedule: { kind: 'now' } });
	});

	it('is read in the timezone of the workflow, or in the one that was chosen', () => {
		expect(read('2026-11-23T09:30')).toStrictEqual(at('2026-11-23T08:30Z'));
		expect(read('2026-11-23T09:30', 'Asia/Kolkata')).toStrictEqual({
			schedule: {
				kind: 'at',
				instantMs: Date.parse('2026-11-23T04:00Z'),
				zone: 'Asia/Kolkata',
			},
		});
	});

	it('may have passed, and may have an offset of its own', () => {
		expect(read('1999-12-31T23:59:59Z')).toStrictEqual(at('1999-12-31T23:59:59Z'));
		expect(read(new Date('2001-02-03T04:05:06Z'))).toStrictEqual(at('2001-02-03T04:05:06Z'));
	});

	it('is the earlier one of two, with a hint that names the later one', () => {
		expect(read('2026-10-25T02:30')).toStrictEqual(
			at(
				'2026-10-25T00:30Z',
				"02:30 on 2026-10-25 comes twice in Europe/Berlin, because clocks go back. The earlier one counts, 2026-10-25T02:30:00.000+02:00. For the later one, switch 'Event Time' to Expression and enter 2026-10-25T02:30:00.000+01:00",
			),
		);
	});

	it('is refused if clocks skip it', () => {
		expect(read('2026-03-29T02:30')).toEqual(
			refusal(
				'02:30 on 2026-03-29 does not exist in Europe/Berlin: clocks go from 02:00 to 03:00. Choose 01:59 or earlier, or 03:00 or later',
			),
		);
	});

	it('lies before the year 9999', () => {
		expect(read('9999-01-01T00:00Z')).toStrictEqual(at('9999-01-01T00:00Z'));
		expect(read('9999-01-01T00:00:01Z')).toEqual(tooFarAhead);
		expect(read('9999-01-01T01:00')).toStrictEqual(at('9999-01-01T00:00Z'));
		expect(read('9999-01-01T01:00:01')).toEqual(tooFarAhead);
	});

	it('is refused together with its timezone', () => {
		expect(read('soon', 'Mars')).toEqual({
			problems: [
				{
					field: 'scheduleTimezone',
					message: "Timezone 'Mars' is not known. Use its IANA name, e.g. Europe/Berlin",
				},
				{
					field: 'event_time',
					message: "'soon' is not in the expected format. Write it as 2026-11-23T09:30",
				},
			],
		});
		expect(read('2026-11-23T09:30', 'Mars')).toMatchObject({
			problems: [{ field: 'scheduleTimezone' }],
		});
		expect(read(new Date(NaN))).toEqual(
			refusal(
				'Event Time is not a date and time. Enter one such as 2026-11-23T09:30, or use an expression that returns a DateTime or a Date',
			),
		);
	});
});

describe('An event is written', () => {
	const format = { ...defaultScheduleFormat, scheduleZone: 'Asia/Kolkata' };
	const nowMs = Date.parse('2026-11-21T12:34:56Z');
	const past = {
		kind: 'at',
		instantMs: Date.parse('2026-11-20T18:30:00Z'),
		zone: 'UTC',
	} as const;

	it('with its own time in the zone of the service', () => {
		expect(eventTime.fields(past, format, nowMs)).toEqual({ event_time: '2026-11-21 00:00:00' });
	});

	it('with the time of sending if it has none', () => {
		expect(eventTime.fields({ kind: 'now' }, format, nowMs)).toEqual({
			event_time: '2026-11-21 18:04:56',
		});
	});

	it('also if its time has passed', () => {
		expect(refusePassed(past, 'at', eventTime, { format, nowMs })).toEqual({ schedule: past });
	});
});
