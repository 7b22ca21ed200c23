import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { absent, itRefuses } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();

/** What is no whole number from 1 on, or no int64 (spec §2.2), or a number that JavaScript has rounded. */
const noInteger: Array<[string, unknown]> = [
	['zero', 0],
	['zero as text', '0'],
	['a negative number', -7],
	['a negative number as text', '-7'],
	['a fraction', 7.5],
	['a fraction as text', '7.5'],
	['2^53', 2 ** 53],
	['more than the largest int64 as text', '9223372036854775808'],
	['twenty digits as text', '10000000000000000000'],
	['the largest int64', 9223372036854775807],
	['not a number', NaN],
	['infinity', Infinity],
	['letters', 'seven'],
	['digits and letters', '7a'],
	['an exponent', '1e3'],
	['hexadecimal', '0x10'],
	['a thousands separator', '1,000'],
	['true', true],
	['a list', [7]],
	['an object', { id: 7 }],
];
const notThere: Array<[string, unknown]> = [
	['empty', ''],
	['spaces', '  '],
	['null', null],
	['absent', absent],
];

const many = { maxBroadcasts: 50 };
const required: Array<[string, string, INodeParameters]> = [
	['push broadcastSegment', 'segment_id', { ...order.pushToSegment, ...many }],
	['email send', 'serviceproviderID', order.emailSend],
	['sms broadcastAll', 'segment_id', { ...order.smsToAll, ...many }],
];
const optional: Array<[string, string, INodeParameters]> = [
	['push send', 'notification_id', order.pushSend],
	['email broadcastAll', 'segment_id', { ...order.emailToAll, ...many }],
	['email send', 'segment_id', order.emailSend],
	['sms send', 'segment_id', order.smsSend],
];

describe.each(required)('%s with %s', (_, field, parameters) => {
	itRefuses(sandbox, { field, parameters, good: 42, bad: [...noInteger, ...notThere] });
});

describe.each(optional)('%s with the optional %s', (_, field, parameters) => {
	itRefuses(sandbox, { field, isAdditional: true, parameters, good: 42, bad: noInteger });
});

describe('The seconds of a delay', () => {
	itRefuses(sandbox, {
		field: 'time',
		parameters: { ...order.pushSend, sendAt: 'delay' },
		good: 60,
		bad: [...noInteger, ...notThere, ['2^53 as text', '9007199254740992']],
	});
});

const noFlag: Array<[string, unknown]> = [
	['one', 1],
	['yes', 'yes'],
	['a list', [true]],
	['an object', { on: true }],
];
const flags: Array<[string, string, INodeParameters]> = [
	['email send', 'track_open', order.emailSend],
	['email send', 'track_click', order.emailSend],
	['email send', 'track_reply', order.emailSend],
	['email send', 'frequency_capping', order.emailSend],
	['email send', 'dnd', order.emailSend],
	['sms send', 'frequency_capping', order.smsSend],
	['sms send', 'dnd', order.smsSend],
];

describe.each(flags)('%s with %s, which is yes or no', (_, field, parameters) => {
	itRefuses(sandbox, { field, isAdditional: true, parameters, good: true, bad: noFlag });
});
