import {
	checkFormat,
	isWholeNumber,
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

test('A campaign is never written with something that is not a whole number', () => {
	const format = { ...defaultScheduleFormat, campaignTimeFormat: 'HH:mm' };
	expect(() => campaignSchedule.fields(schedule, format, exact)).toThrow(
		"'HH:mm' writes '19:07', not a whole number",
	);
});

test.each([
	['0', true],
	['0830', true],
	['9007199254740991', true],
	['9007199254740992', false],
	['-5', false],
	['+5', false],
	['1e3', false],
	['5.0', false],
	['0x1', false],
	['', false],
])('%j is a whole number: %p', (text, expected) => {
	expect(isWholeNumber(text)).toBe(expected);
});

describe('A format', () => {
	const problemsOf = (format: Partial<typeof defaultScheduleFormat>) =>
		checkFormat({ ...defaultScheduleFormat, ...format });

	it('is refused if it writes too large a number at some times only', () => {
		expect(problemsOf({ campaignTimeFormat: 'HHmmssSSSyyyyMMdd' })).toEqual([
			{
				field: 'campaignTimeFormat',
				message:
					"'HHmmssSSSyyyyMMdd' writes '23595999920261231', but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X",
			},
		]);
	});

	it('may have a token on each side of a text in quotes', () => {
		expect(problemsOf({ pushDateFormat: "dd'-'dd.MM.yyyy" })).toEqual([]);
	});

	it('without any token always writes the same', () => {
		expect(problemsOf({ campaignDateFormat: '1', campaignTimeFormat: '2' })).toEqual([
			{
				field: 'campaignTimeFormat',
				message:
					"'1' and '2' write 2026-03-04T05:06Z and 2026-03-04T05:07Z alike, as 1 and 2. Change one of them: in Luxon's formats minutes are mm, while MM is the month",
			},
		]);
	});

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
