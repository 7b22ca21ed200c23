import { readSchedule } from '../../../nodes/CustomerMessaging/schedule/choice';

const context = { nowMs: Date.parse('2026-11-23T12:00Z'), workflowZone: 'UTC' };

test('Now means now, whatever the hidden fields hold', () => {
	const choice = {
		sendAt: 'now',
		time: -1,
		scheduledFor: 'x',
		scheduleTimezone: 'x',
		nextDays: [],
	};
	expect(readSchedule(choice, context)).toEqual({ schedule: { kind: 'now' } });
});

test.each(['later', '', undefined, null, 'NOW'])(
	'The choice %p is refused, not taken for now',
	(sendAt) => {
		expect(readSchedule({ sendAt }, context, true)).toEqual({
			problems: [
				{
					field: 'sendAt',
					message: `Send At cannot be ${sendAt ? `'${sendAt}'` : 'empty'}. Choose Now, After a Delay, At a Date and Time, Next Weekday and Time or Within Hours. In an expression, write now, delay, at, next or withinHours`,
				},
			],
		});
	},
);

test('The time of a message without a field for it cannot be a delay, and it is not offered', () => {
	const messageOf = (sendAt: string) => readSchedule({ sendAt, time: 60 }, context);
	expect([messageOf('delay'), messageOf('later')]).toEqual(
		[
			"This message cannot be sent after a delay. Choose 'Now', 'At a Date and Time', 'Next Weekday and Time' or 'Within Hours'",
			"Send At cannot be 'later'. Choose Now, At a Date and Time, Next Weekday and Time or Within Hours. In an expression, write now, at, next or withinHours",
		].map((message) => ({ problems: [{ field: 'sendAt', message }] })),
	);
});

describe('The year 9999 is too far ahead', () => {
	const message = 'Date and Time is too far ahead. Choose one before the year 9999';
	const refused = { problems: [{ field: 'scheduledFor', message }] };
	const instantMs = Date.UTC(9999, 0, 1);

	test('from its first moment on', () => {
		const read = (scheduledFor: string) => readSchedule({ sendAt: 'at', scheduledFor }, context);
		expect(read('9999-01-01T00:00')).toStrictEqual({
			schedule: { kind: 'at', instantMs, zone: 'UTC' },
		});
		expect(read('9999-01-01T00:00:01')).toEqual(refused);
		expect(read('9999-12-31T23:59:59Z')).toEqual(refused);
	});
});
