import {
	checkFormat,
	campaignSchedule,
	pushSchedule,
	refusePassed,
	writtenInstantMs,
	defaultScheduleFormat,
} from '../../../nodes/CustomerMessaging/schedule/format';

const exact = Date.parse('2026-11-23T19:07:30.500Z');
const schedule = { kind: 'at', instantMs: exact, zone: 'UTC' } as const;

describe('The instant that the service reads', () => {
	const written = (campaignTimeFormat: string) =>
		writtenInstantMs(schedule, campaignSchedule, {
			...defaultScheduleFormat,
			campaignTimeFormat,
		});

	it('is as exact as the format', () => {
		expect(written('HHmm')).toBe(Date.parse('2026-11-23T19:07:00Z'));
		expect(written('HHmmss')).toBe(Date.parse('2026-11-23T19:07:30Z'));
		expect(written('HHmmssSSS')).toBe(exact);
		expect(writtenInstantMs(schedule, pushSchedule, defaultScheduleFormat)).toBe(
			Date.parse('2026-11-23T19:07:30Z'),
		);
	});

	it('is refused if it has passed, under the name of its field', () => {
		const refused = (sendAt: string, nowMs: number) =>
			refusePassed(schedule, sendAt, campaignSchedule, { format: defaultScheduleFormat, nowMs });
		const writtenMs = Date.parse('2026-11-23T19:07:00Z');
		const message =
			'2026-11-23 19:07:30 in UTC is sent to the service as 2026-11-23 19:07:00, which has passed. Choose a time at least a minute ahead';
		expect(refused('at', writtenMs)).toEqual({ schedule });
		expect(refused('at', writtenMs + 1)).toEqual({
			problems: [{ field: 'scheduledFor', message }],
		});
		expect(refused('next', writtenMs + 1)).toEqual({ problems: [{ field: 'nextTime', message }] });
	});

	it('is none for a message that is sent now', () => {
		const now = { kind: 'now' } as const;
		const context = { format: defaultScheduleFormat, nowMs: exact };
		expect(writtenInstantMs(now, pushSchedule, defaultScheduleFormat)).toBeUndefined();
		expect(refusePassed(now, 'now', pushSchedule, context)).toEqual({ schedule: now });
	});
});

describe('A format', () => {
	const problemsOf = (format: Partial<typeof defaultScheduleFormat>) =>
		checkFormat({ ...defaultScheduleFormat, ...format });

	it.each(['yyyyy', 'uuuu', 'ggg', 'HHH', 'SSSS', 'ZZZZZZ', 'MMMMMM', 'kkk', 'WWW', 'oo', 'qqq'])(
		'has no token %s',
		(token) => {
			expect(problemsOf({ pushDateFormat: `yyyy-MM-dd ${token}` })).toEqual([
				{
					field: 'pushDateFormat',
					message: `'${token}' in 'yyyy-MM-dd ${token}' is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes`,
				},
			]);
		},
	);

	it.each(
		'S s m h H d u ss mm hh HH dd SSS uu uuu Z ZZ ZZZ ZZZZ ZZZZZ z a X x c E M L ccc EEEE MMMMM LL y yy yyyy yyyyyy G GG GGGGG kk kkkk W WW o ooo q qq'
			.split(' ')
			.map((token) => [token]),
	)('may have the token %s', (token) => {
		expect(problemsOf({ pushDateFormat: `yyyy-MM-dd ${token}` })).toEqual([]);
	});
});
