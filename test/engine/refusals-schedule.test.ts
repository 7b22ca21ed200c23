import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { absent, itRefuses } from './support/refusing';
import { freezeClock, useSandbox } from './support/service';

freezeClock('2027-03-04T15:06:07.000Z');
const sandbox = useSandbox();

const noDateTime: Array<[string, unknown]> = [
	['a minute ago', '2027-03-04T15:05:00Z'],
	['last year', '2026-03-04T15:05'],
	['a minute ago elsewhere', '2027-03-04T20:35:00+05:30'],
	['a day without a time', '2027-03-05'],
	['a day that does not exist', '2027-02-30T09:30'],
	['an hour that does not exist', '2027-03-05T25:00'],
	['an offset that does not exist', '2027-03-05T09:30+19:00'],
	['an hour that a clock change skips', '2027-03-28T02:30'],
	['words', 'tomorrow at nine'],
	['another order', '05.03.2027 09:30'],
	['seconds', 1_804_000_000],
	['milliseconds', 1_804_000_000_000],
	['empty', ''],
	['spaces', '  '],
	['null', null],
	['absent', absent],
	['an object', { date: '2027-03-05' }],
	['a list', ['2027-03-05T09:30']],
	['the year 0', '0000-01-01T00:00'],
	['a named zone behind it', '2027-03-05T09:30[Europe/Berlin]'],
	['an abbreviation behind it', '2027-03-05T09:30 CET'],
	['a week date', '2027-W09-5T09:30'],
	['an interval', '2027-03-05T09:30/2027-03-06T09:30'],
	['a cron expression', '30 9 * * 1'],
	['digits of another script', '٢٠٢٧-٠٣-٠٥T٠٩:٣٠'],
	['a line break inside', '2027-03-05\nT09:30'],
];
const operations: Array<[string, INodeParameters]> = [
	['push send', order.pushSend],
	['email send', order.emailSend],
	['sms send', order.smsSend],
];

describe.each(operations)('%s at a time that cannot be', (_, parameters) => {
	itRefuses(sandbox, {
		field: 'scheduledFor',
		parameters: { ...parameters, sendAt: 'at', scheduleTimezone: 'Europe/Berlin' },
		good: '2027-03-05T09:30',
		bad: noDateTime,
	});
});

describe.each(operations)('%s in a zone that is none', (_, parameters) => {
	itRefuses(sandbox, {
		field: 'scheduleTimezone',
		parameters: { ...parameters, sendAt: 'at', scheduledFor: '2027-03-05T09:30' },
		good: 'Asia/Kolkata',
		bad: [
			['a planet', 'Mars/Olympus'],
			['an abbreviation', 'CEST'],
			['a number', 5],
			['an object', { zone: 'UTC' }],
			['a path to zone files', '../../usr/share/zoneinfo/UTC'],
			['the prototype', '__proto__'],
		],
	});
});

describe('The next time of day', () => {
	itRefuses(sandbox, {
		field: 'nextTime',
		parameters: { ...order.smsSend, sendAt: 'next', nextDays: ['monday'] },
		good: '09:30',
		bad: [
			['no minutes', '9'],
			['an hour that does not exist', '24:30'],
			['a minute that does not exist', '09:60'],
			['words', 'noon'],
			['empty', ''],
			['null', null],
			['a number', 930],
			['full-width digits', '０９:３０'],
			['a list of one', ['09:30']],
		],
	});
});

describe('The next weekday', () => {
	itRefuses(sandbox, {
		field: 'nextDays',
		parameters: { ...order.smsSend, sendAt: 'next', nextTime: '09:30' },
		good: ['monday'],
		bad: [
			['none', []],
			['null', null],
			['no weekday', ['someday']],
			['one that is none', ['monday', 'someday']],
			['the eighth', [8]],
			['the prototype', ['__proto__']],
		],
	});
});

const everyChoice = {
	time: 60,
	scheduledFor: '2027-03-05T09:30',
	nextTime: '09:30',
	nextDays: ['monday'],
};

describe.each(operations)('When to send %s', (_, parameters) => {
	itRefuses(sandbox, {
		field: 'sendAt',
		parameters: { ...parameters, ...everyChoice },
		good: 'now',
		bad: [
			['unknown', 'later'],
			['empty', ''],
			['null', null],
			['absent', absent],
			['a list', ['now']],
			['the prototype', '__proto__'],
			['true', true],
		],
	});
});

// Only push can have a delay. Campaigns have no field for it (spec §2.3, §2.4).
describe.each(operations.slice(1))('%s after a delay', (_, parameters) => {
	itRefuses(sandbox, {
		field: 'sendAt',
		parameters: { ...parameters, ...everyChoice },
		good: 'now',
		bad: [['a delay', 'delay']],
	});
});
