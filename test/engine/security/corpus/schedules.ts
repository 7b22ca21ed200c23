import * as order from '../../support/orders';
import { behindSwitch, type Group, inField } from '../support/places';

const at = { ...order.smsSend, sendAt: 'at', scheduleTimezone: 'Europe/Berlin' };
const next = { ...order.smsSend, sendAt: 'next', nextTime: '09:30', nextDays: ['monday'] };

export const refused: Group[] = [
	{
		place: inField({ ...order.trackEvent, scheduleTimezone: 'Europe/Berlin' }, 'event_time'),
		inputs: [
			['the year 0', '0000-01-01T00:00'],
			['a year of five digits', '+010000-01-01T00:00'],
			['30 February', '2026-02-30T09:30'],
			['an offset of 24 hours', '2026-01-01T09:30+24:00'],
			['words', 'last Monday'],
			['seconds', 1_793_525_400],
			['a date that is none', new Date(NaN)],
			['an object that acts as a date', { getTime: () => 'soon' }],
		],
	},
	{
		place: inField(at, 'scheduledFor'),
		inputs: [
			['the past', '2020-01-01T09:30'],
			['the first instant of computers', '1970-01-01T00:00:00Z'],
			['the year 0', '0000-01-01T00:00'],
			['a year before Christ', '-000001-01-01T00:00'],
			['a year of five digits', '+010000-01-01T00:00'],
			['30 February', '2099-02-30T09:30'],
			['29 February of no leap year', '2099-02-29T09:30'],
			['month 13', '2099-13-01T09:30'],
			['day 0', '2099-01-00T09:30'],
			["24 o'clock", '2099-01-01T24:00'],
			['minute 60', '2099-01-01T09:60'],
			['a leap second', '2099-06-30T23:59:60Z'],
			['an offset of 24 hours', '2099-01-01T09:30+24:00'],
			['an offset of 99 minutes', '2099-01-01T09:30+01:99'],
			['a named zone behind it', '2099-01-01T09:30[Europe/Berlin]'],
			['an abbreviation behind it', '2099-01-01T09:30 CEST'],
			['American order', '01/31/2099 09:30'],
			['a week date', '2099-W05-1T09:30'],
			['an ordinal date', '2099-031T09:30'],
			['a repeating interval', 'R/2099-01-01T09:30/P1D'],
			['an interval', '2099-01-01T09:30/2099-01-02T09:30'],
			['a cron expression', '30 9 * * 1'],
			['a day alone', '2099-01-01'],
			['a time alone', '09:30'],
			['words', 'next Monday'],
			['seconds', 4_070_908_800],
			['milliseconds as text', '4070908800000'],
			['Arabic digits', '٢٠٩٩-٠١-٠١T٠٩:٣٠'],
			['a date that is none', new Date(NaN)],
			['an object that acts as a date', { getTime: () => 'soon' }],
			['a list', ['2099-01-01T09:30']],
			['a line break inside', '2099-01-01\nT09:30'],
		],
	},
	{
		place: inField({ ...at, scheduledFor: '2099-01-01T09:30' }, 'scheduleTimezone'),
		inputs: [
			['a place that is none', 'Mars/Olympus'],
			['an abbreviation of summer time', 'CEST'],
			['an offset', '+05:30'],
			['climbing', '../../etc/passwd'],
			['a path to zone files', '/usr/share/zoneinfo/UTC'],
			['__proto__', '__proto__'],
			['markup', '<b>UTC</b>'],
			['a null character', 'UTC\0'],
			['an object', { zone: 'UTC' }],
		],
	},
	{
		place: inField(next, 'nextTime'),
		inputs: [
			["24 o'clock", '24:00'],
			['minute 60', '09:60'],
			['twelve hours past noon', '13:30 PM'],
			['seconds', '09:30:00'],
			['a comma', '09,30'],
			['a number', 930],
			['full-width digits', '０９:３０'],
		],
	},
	{
		place: inField(next, 'nextDays'),
		inputs: [
			['none', []],
			['the eighth', [8]],
			['the zeroth', [0]],
			['less than the first', [-1]],
			['another language', ['Montag']],
			['half a name', ['mon']],
			['__proto__', ['__proto__']],
			['an object', { monday: true }],
		],
	},
	{
		place: inField(
			{ ...order.smsSend, ...next, ...at, time: 60, scheduledFor: '2099-01-01T09:30' },
			'sendAt',
		),
		inputs: [
			['a delay, which campaigns do not have', 'delay'],
			['an unknown choice', 'soon'],
			['__proto__', '__proto__'],
			['capitals', 'NOW'],
			['nothing', null],
		],
	},
	{
		place: behindSwitch('scheduleZone', 'customSchedule'),
		inputs: [
			['no zone', 'Nowhere'],
			['a fixed offset', 'UTC+2'],
		],
	},
	{
		place: behindSwitch('campaignDateFormat', 'customSchedule'),
		inputs: [
			['letters', 'MMMM'],
			['signs between', 'yyyy-MM-dd'],
			['more digits than a number holds', 'yyyyMMddHHmmssSSS'],
			['a quote that stays open', "'yyyyMMdd"],
			['the local language', 'D'],
		],
	},
	{
		place: behindSwitch('pushTimeFormat', 'customSchedule'),
		inputs: [
			['months for minutes', 'HH:MM:ss'],
			['one half of the day', 'hh:mm'],
		],
	},
	{
		place: inField(at, 'scheduledFor'),
		inputs: [['an instant in the year 10000', '9999-12-31T23:59:59-12:00']],
	},
	{ place: inField(next, 'nextTime'), inputs: [['a list of one', ['09:30']]] },
	{
		place: inField({ ...at, scheduledFor: '2099-01-01T09:30' }, 'scheduleTimezone'),
		inputs: [['a list of one', ['Europe/Berlin']]],
	},
];
