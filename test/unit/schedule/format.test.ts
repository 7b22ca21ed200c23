// Expected values were worked out before the code ran, from the tz database 2025b with Python's
// zoneinfo: every instant converted to the zone and written with strftime;
// the other formats were worked out by hand.
import { Settings } from 'luxon';

import type { Decided } from '../../../nodes/CustomerMessaging/schedule/choice';
import * as schedules from '../../../nodes/CustomerMessaging/schedule/format';
import { refusal } from './support/readings';

const { campaignSchedule, checkFormat, defaultScheduleFormat, pushSchedule } = schedules;

const at = (utc: string, zone = 'UTC') =>
	({ kind: 'at', instantMs: Date.parse(utc), zone }) satisfies Decided;
const formatOf = (change: object) => ({ ...defaultScheduleFormat, ...change });
const nowMs = Date.parse('2026-11-21T12:34:56Z');

// A Monday, the 327th day, in ISO week 48; `date -u -d … +%s` is 1795421107
const monday = at('2026-11-23T08:05:07.089Z');

test('Date and time are written in the formats of the credential', () => {
	const ofCampaign = formatOf({ campaignDateFormat: 'X', campaignTimeFormat: 'HHmm' });
	const campaign = campaignSchedule.fields(monday, ofCampaign, nowMs);
	expect(campaign).toEqual({ schedule_date: 1795421107, schedule_time: 805 });

	const formats = { pushDateFormat: "'KW' W kkkk ccc", pushTimeFormat: 'hh:mm:ss.SSS a' };
	const ofPush = formatOf({ ...formats, scheduleZone: 'Asia/Kolkata' });
	expect(checkFormat(ofPush)).toEqual([]);
	const time = { schedule_date: 'KW 48 2026 Mon', schedule_time: '01:35:07.089 PM' };
	expect(pushSchedule.fields(monday, ofPush)).toEqual({ ...time, time_zone: '+0530' });
});

test("The host's Luxon settings do not change what is written", () => {
	const { defaultLocale, defaultNumberingSystem, defaultOutputCalendar, defaultZone } = Settings;
	try {
		Settings.defaultLocale = 'ar-EG';
		Settings.defaultNumberingSystem = 'arab';
		Settings.defaultOutputCalendar = 'islamic';
		Settings.defaultZone = 'Asia/Tokyo';
		const format = formatOf({ pushDateFormat: 'EEE d MMM yyyy' });
		expect(checkFormat(format)).toEqual([]);
		const push = Object.values(pushSchedule.fields(monday, format));
		expect(push).toEqual(['Mon 23 Nov 2026', '08:05:07', '0']);
		expect(Object.values(campaignSchedule.fields(monday, format, nowMs))).toEqual([20261123, 805]);
		const { local } = schedules.describeSchedule({ ...monday, zone: 'Europe/Berlin' }) ?? {};
		expect(local).toBe('2026-11-23T09:05:07.089+01:00');
	} finally {
		Object.assign(Settings, { defaultLocale, defaultNumberingSystem });
		Object.assign(Settings, { defaultOutputCalendar, defaultZone });
	}
});

describe('A format', () => {
	const epoch = { campaignDateFormat: 'X', campaignTimeFormat: 'x', pushDateFormat: 'x' };

	it.each([
		defaultScheduleFormat,
		{ ...epoch, pushTimeFormat: 'X', eventTimeFormat: 'X', scheduleZone: 'Pacific/Apia' },
		...'S s m h H d u ss mm hh HH dd SSS uu uuu Z ZZ ZZZ ZZZZ ZZZZZ z a X x c E M L ccc EEEE MMMMM LL y yy yyyy yyyyyy G GG GGGGG kk kkkk W WW o ooo q qq'
			.split(' ')
			.map((token) => ({ pushDateFormat: `yyyy-MM-dd ${token}` })),
	])('may be %j', (change) => {
		expect(checkFormat(formatOf(change))).toEqual([]);
	});

	const numbers =
		'but email and SMS take whole numbers of at most 15 digits. Use tokens that write digits only, e.g. yyyyMMdd, HHmm or X, or turn on Campaign Times As Text';
	const known =
		'is not a Luxon token that can be used here. Use tokens such as yyyy, MM, dd, HH, mm and ss, and put text in single quotes';
	const unclosed = "'HH 'o' opens a quote and does not close it. Add the closing quote";
	const alike =
		"'yyyyMMdd' and 'HHMM' cannot tell 2026-03-04T05:06Z from 2026-03-04T05:07Z: both become 20260304 and 0503. In Luxon's formats minutes are mm, while MM is the month";
	const fullDate = 'yyyyMMddHHmmssSSS';
	const zones = 'is not known. Use its IANA name, e.g. UTC or Europe/Berlin';

	it.each([
		['campaignTimeFormat', 'HH:mm', `'HH:mm' writes '05:06', ${numbers}`],
		['campaignDateFormat', fullDate, `'${fullDate}' writes '20260304050600000', ${numbers}`],
		['campaignDateFormat', 'YYYYMMDD', `'YYYY' in 'YYYYMMDD' ${known}`],
		['pushDateFormat', 'yyyy-MM-ddTHH:mm', `'T' in 'yyyy-MM-ddTHH:mm' ${known}`],
		['pushTimeFormat', 'HH:mm uhr', `'r' in 'HH:mm uhr' ${known}`],
		...'yyyyy uuuu HHH SSSS oo'
			.split(' ')
			.map((token) => ['pushDateFormat', `MM ${token}`, `'${token}' in 'MM ${token}' ${known}`]),
		['pushTimeFormat', "HH 'o", unclosed],
		['pushTimeFormat', '', 'Enter a format in Luxon tokens, e.g. yyyyMMdd or HHmm'],
		['scheduleZone', 'Berlin', `Schedule Zone 'Berlin' ${zones}`],
		['campaignTimeFormat', 'HHMM', alike],
	])('is refused if the %s is %p', (field, value, message) => {
		const { problems } = refusal(message, field);
		expect(checkFormat(formatOf({ [String(field)]: value }))).toEqual(problems);
	});

	it.each([
		['campaignTimeFormat', 'hhmm', 'formats hours from 00 to 23 are HH'],
		['campaignTimeFormat', 'Hm', 'formats two digits for each are HHmm'],
		['campaignDateFormat', 'yyyymmdd', 'formats months are MM, while mm is the minute'],
		['campaignDateFormat', 'MMdd', 'formats years are yyyy'],
	])('is refused if the %s is %p, which writes different minutes alike', (field, value, advice) => {
		const rule = expect.stringContaining(advice) as string;
		expect(checkFormat(formatOf({ [field]: value }))).toEqual([{ field, rule }]);
	});

	it('is refused with every problem at once', () => {
		const wrong = {
			...{ scheduleZone: 'Nowhere', campaignDateFormat: 'YYYY', campaignTimeFormat: 'HH:mm' },
			...{ pushDateFormat: '', pushTimeFormat: 'Q', eventTimeFormat: 'YYYY' },
		};
		expect(checkFormat(formatOf(wrong)).map(({ field }) => field)).toEqual(Object.keys(wrong));
	});
});
