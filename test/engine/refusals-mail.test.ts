import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { absent, itRefuses } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();

const noAddress: Array<[string, unknown]> = [
	['a word', 'ravi'],
	['no host', 'ravi@'],
	['no name', '@example.com'],
	['no domain', 'ravi@example'],
	['two at signs', 'ravi@@example.com'],
	['a space inside', 'ravi iyer@example.com'],
	['a display name', 'Ravi <ravi@example.com>'],
	['two addresses', 'a@example.com, b@example.com'],
	['two addresses with a semicolon', 'a@example.com;b@example.com'],
	['a dot at the end', 'ravi@example.com.'],
	['two dots', 'ravi..iyer@example.com'],
	['a line break and a header', 'ravi@example.com\nBcc: all@example.com'],
	['a mailto link', 'mailto:ravi@example.com'],
	['more than 254 characters', `${'a'.repeat(60)}@${'b.'.repeat(120)}example.com`],
	['a number', 42],
	['a list', ['ravi@example.com']],
	['an object', { address: 'ravi@example.com' }],
];

const noMobile: Array<[string, unknown]> = [
	['no country code', '0151 2345678'],
	['no country code and ten digits', '9812345679'],
	['a country code without its plus', '919812345679'],
	['a number without its plus', 919812345679],
	['a zero behind the plus', '+0915112345678'],
	['too short', '+49151'],
	['more than fifteen digits', '+4915112345678901'],
	['letters inside', '+49151CALLNOW'],
	['two numbers', '+4915112345678, +4915112345679'],
	['two plus signs', '++4915112345678'],
	['a plus at the end', '4915112345678+'],
	['an extension', '+4915112345678 ext 7'],
	['longer than numbers of its country', '+123456789012'],
	['a plus alone', '+'],
	['digits of another script', '+९१९८१२३४५६७९'],
	['a negative number', -4915112345678],
	['a fraction', 4915112345678.5],
	['a list', ['+4915112345678']],
	['an object', { number: '+4915112345678' }],
];

const byMobile = { ...order.emailSend, recipientBy: 'mobile', mobile: '+919812345679' };
const addresses: Array<[string, string, INodeParameters, boolean]> = [
	['email send', 'email', order.emailSend, false],
	['email send', 'sender_email', order.emailSend, false],
	['email send', 'reply_to', order.emailSend, true],
	['user create', 'email', order.createUser, false],
];
const numbers: Array<[string, string, INodeParameters]> = [
	['email send', 'mobile', byMobile],
	['sms send', 'mobile', order.smsSend],
	['sms send', 'sender_mobile', order.smsSend],
	['user create', 'mobile', order.createUser],
];

describe.each(addresses)('%s with %s', (_, field, parameters, isAdditional) => {
	itRefuses(sandbox, {
		field,
		isAdditional,
		parameters,
		good: 'ravi.iyer+shop@example.co.in',
		bad: noAddress,
	});
});

describe.each(numbers)('%s with %s', (_, field, parameters) => {
	const noSender: Array<[string, unknown]> = [
		['a name of twelve characters', 'Acme Company'],
		['two digits', '42'],
		['nine digits', '123456789'],
		['a name in letters that networks do not show', 'Магазин'],
		['a name with a line break', 'Ac\nme'],
		['angle brackets', '<Acme>'],
	];
	itRefuses(sandbox, {
		field,
		parameters,
		good: '+919812345679',
		bad: [
			...noMobile,
			...(field === 'sender_mobile' ? noSender : [['a word', 'mobile'] as [string, unknown]]),
		],
	});
});

describe('email_cc', () => {
	itRefuses(sandbox, {
		field: 'email_cc',
		isAdditional: true,
		parameters: order.emailSend,
		good: 'a@example.com, b@example.com',
		bad: [
			['one that is none', 'a@example.com, ben'],
			['the first is none', 'anna, b@example.com'],
			['semicolons', 'a@example.com; b@example.com'],
			['spaces alone between', 'a@example.com b@example.com'],
			['a comma at the end', 'a@example.com,'],
			['two commas', 'a@example.com,,b@example.com'],
			['a comma alone', ','],
			['a display name', 'Anna <a@example.com>'],
			['a line break and a header', 'a@example.com\nBcc: all@example.com'],
			['an object', { to: 'a@example.com' }],
			['a number', 42],
		],
	});
});

describe.each([
	[
		'email',
		order.emailSend,
		['subscription_id', 'userID', 'Email', '', null, absent, ['email', 'mobile'], {}],
	],
	[
		'sms',
		order.smsSend,
		['email', 'subscription_id', 'phone', '', null, absent, ['mobile', 'user_id'], {}],
	],
])('%s send by an unknown way to name someone', (_, parameters, unknown) => {
	itRefuses(sandbox, {
		field: 'recipientBy',
		parameters: {
			...{
				mobile: '+919812345679',
				campaign_id: 'c-1',
				subscription_id: 's-1',
				email: 'a@example.com',
			},
			...parameters,
			user_id: 'C-1',
		},
		good: 'user_id',
		bad: unknown.map((value): [string, unknown] => [JSON.stringify(value) ?? 'absent', value]),
	});
});

describe('campaign_id', () => {
	itRefuses(sandbox, {
		field: 'campaign_id',
		parameters: { ...order.smsSend, recipientBy: 'campaign_id' },
		good: 5501,
		bad: [
			['zero', 0],
			['a negative number', -1],
			['a fraction', 1.5],
			['2^53', 2 ** 53],
			['a list', [5501]],
			['true', true],
		],
	});
});
