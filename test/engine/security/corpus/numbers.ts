import * as order from '../../support/orders';
import {
	behindSwitch,
	type Group,
	inAdditional,
	inColumn,
	inField,
	inOption,
	inWorkflow,
} from '../support/places';

export const refused: Group[] = [
	{
		place: inField({ ...order.pushToSegment, maxBroadcasts: 9 }, 'segment_id'),
		inputs: [
			['zero, which might mean everyone', 0],
			['minus zero', -0],
			['less than all numbers', -Infinity],
			['2^53 + 1', 2 ** 53 + 2],
			['more digits than a number has', '9'.repeat(400)],
			['octal', '0o52'],
			['binary', '0b101010'],
			['a thousands point', '1.042'],
			['digits with a space between', '4 2'],
			['digits with an underscore between', '4_2'],
			['a plus in front', '+42'],
			['Arabic digits', '٤٢'],
			['full-width digits', '４２'],
			['a Roman numeral', 'XLII'],
			['a currency', '€42'],
			['a percentage', '42%'],
			['a letter O for a zero', '4O'],
			['an SQL condition', '42 OR 1=1'],
			['several', '42,43'],
			['a wildcard', '*'],
			['words', 'all'],
			['an object that reads as a number', { valueOf: () => 42 }],
			['a date', new Date(42)],
			['a number too large for JavaScript, as BigInt', 42n],
		],
	},
	{
		place: inField(order.emailSend, 'serviceproviderID'),
		inputs: [
			['letters behind the digits', '7px'],
			['a null character behind the digits', '7\0'],
		],
	},
	{ place: inAdditional(order.pushSend, 'notification_id'), inputs: [['beyond int64', 2 ** 64]] },
	{
		place: inField({ ...order.pushSend, sendAt: 'delay' }, 'time'),
		inputs: [
			['no time at all', 0],
			['the past', -60],
			['half a second', 0.5],
			['a span in words', '1h'],
			['a span as ISO writes it', 'PT1M'],
			['infinity', Infinity],
		],
	},
	{
		place: inOption(order.pushSend, 'requestTimeout'),
		inputs: [
			['less than zero', -30],
			['words', 'never'],
			['more than a timer holds', 3_000_000],
			['the largest whole number', Number.MAX_SAFE_INTEGER],
		],
	},
	{
		place: inOption(order.pushSend, 'maxWait'),
		inputs: [
			['not a number', NaN],
			['infinity', Infinity],
			['an exponent beyond all numbers', '1e999'],
			['hexadecimal', '0x10'],
			['white space alone', ' \n'],
		],
	},
	{
		place: inWorkflow(order.pushToAll, 'maxBroadcasts'),
		inputs: [
			['zero', 0],
			['less than zero', -1],
			['infinity', Infinity],
			['words', 'unlimited'],
		],
	},
	{
		place: behindSwitch('smsLimit', 'customLimits'),
		inputs: [
			['not a number', NaN],
			['a rate', '500/min'],
		],
	},
	{
		place: inColumn('points'),
		inputs: [
			['not a number', NaN],
			['infinity deep inside', { a: [{ b: Infinity }] }],
		],
	},
];
