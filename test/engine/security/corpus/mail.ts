import * as order from '../../support/orders';
import { type Group, inAdditional, inColumn, inField } from '../support/places';

export const refused: Group[] = [
	{
		place: inField(order.emailSend, 'sender_email'),
		inputs: [
			['a line break and a header', 'news@example.com\r\nBcc: all@example.com'],
			['a carriage return alone', 'news@example.com\rBcc: all@example.com'],
			['a folded line', 'news@example.com\r\n\tBcc: all@example.com'],
			['an encoded line break', 'news@example.com%0d%0aBcc:all@example.com'],
			['a line break as text', 'news@example.com\\r\\nBcc: all@example.com'],
			['a line separator', 'news@example.com\u2028Bcc: all@example.com'],
			['a next-line character', 'news@example.com\u0085Bcc: all@example.com'],
			['a null character', 'news@example.com\0@evil.example'],
			['an encoded word', '=?utf-8?q?news=40example.com?='],
			['angle brackets', '<news@example.com>'],
			['a comment', 'news(all@evil.example)@example.com'],
			['a quoted name', '"a@evil.example "@example.com'],
			['a number for a host', 'news@[127.0.0.1]'],
			['a route', '@evil.example:news@example.com'],
			['SMTP behind it', 'news@example.com> SIZE=1\r\nRCPT TO:<all@evil.example'],
			['a full-width at sign', 'news＠example.com'],
			['a mark of reading direction', '\u202emoc.elpmaxe@swen'],
			['a host that begins with a dot', 'news@.example.com'],
			['a host that begins with a dash', 'news@-example.com'],
			['a host without a domain', 'news@localhost'],
			['a template left in', '{{ sender }}@example.com'],
		],
	},
	{
		place: inAdditional(order.emailSend, 'email_cc'),
		inputs: [
			[
				'a line break and a header in one of them',
				'a@example.com, b@example.com\r\nBcc: c@example.com',
			],
			['a group', 'team: a@example.com, b@example.com;'],
			['a list', ['a@example.com']],
		],
	},
	{
		place: inField(order.emailSend, 'email'),
		inputs: [
			['an SQL condition', "a@example.com' OR '1'='1"],
			['markup', '<script>@example.com'],
		],
	},
	{ place: inColumn('email'), inputs: [['a line break and a header', 'a@example.com\nX: 1']] },
	{
		place: inField(order.smsSend, 'mobile'),
		inputs: [
			['a line break and a second number', '+919812345679\n+919812345670x'],
			['a plus between', '+9198+12345679'],
			['a tel link with an extension', 'tel:+919812345679;ext=42'],
			['a tel link to a service code', 'tel:*#06#'],
			['a service code', '*#06#'],
			['a pause and digits', '+919812345679,,,42#'],
			['a null character', '+919812345679\0'],
		],
	},
	...(
		[
			['subject', order.emailSend],
			['sender_name', order.emailSend],
			['campaign_name', order.emailSend],
			['sender_name', order.smsSend],
			['campaign_name', order.smsSend],
		] as const
	).map(([field, parameters]) => ({
		place: inField(parameters, field),
		inputs: [
			['a line break and a header', 'Spring sale\r\nBcc: all@evil.example'] as const,
			['a null character', 'Spring\0sale'] as const,
		],
	})),
	{
		place: inField(order.emailSend, 'subject'),
		inputs: [
			['a carriage return alone', 'Spring sale\rBcc: all@evil.example'],
			['a line separator', 'Spring sale\u2028Bcc: all@evil.example'],
			['a next-line character', 'Spring sale\u0085Bcc: all@evil.example'],
			['an escape character', 'Spring\u001b[2Jsale'],
		],
	},
];
