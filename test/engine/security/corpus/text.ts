import * as order from '../../support/orders';
import { type Group, inAdditional, inAttributeValue, inColumn, inField } from '../support/places';

const android = { ...order.pushSend, platforms: ['android'] };

export const refused: Group[] = [
	{
		place: inField(android, 'title'),
		inputs: [['a line break too many', `${'x'.repeat(69)}\n\n`]],
	},
	{
		place: inField({ ...order.pushSend, platforms: ['web', 'ios'] }, 'message'),
		inputs: [['one letter too many for one of them', 'x'.repeat(131)]],
	},
	{
		place: inField(order.pushSend, 'message'),
		inputs: [
			['white space of many kinds', ' \t\n\r\u00a0\u2003\u3000\ufeff\u2028'],
			['a byte order mark alone', '\ufeff'],
		],
	},
	{
		place: inField(order.pushSend, 'message'),
		inputs: [
			['half a character at its end', 'Sale \ud83d'],
			['half a character at its start', '\ude00 Sale'],
			['two halves in the wrong order', '\ude00\ud83d'],
			['a null character', 'Sale\0'],
			['an escape sequence', '\u001b]0;title\u0007'],
			['a backspace', 'Sale\b'],
			['a deleted character', 'Sale\u007f'],
		],
	},
	{
		place: inField(order.pushSend, 'title'),
		inputs: [
			['half a character', 'Sale \ud83d'],
			['a null character', '\0'],
		],
	},
	{
		place: inField(order.pushSend, 'user_id'),
		inputs: [
			['a line break inside', 'C-1\nC-2'],
			['a null character', 'C-1\0'],
			['half a character', 'C-\ud83d'],
		],
	},
	{
		place: inField(order.createUser, 'userID'),
		inputs: [
			['a line break inside', 'C-1\r\nC-2'],
			['a null character', 'C\0'],
		],
	},
	{
		place: inField(order.trackEvent, 'event_name'),
		inputs: [
			['a line break inside', 'Order\nPlaced'],
			['a null character', 'Order\0'],
			['half a character', 'Order \ud83d'],
			['nothing to be seen', '\u200b'],
		],
	},
	{
		place: inField(order.createUser, 'name'),
		inputs: [
			['half a character', 'Ravi \ud83d'],
			['a null character', 'Ravi\0'],
		],
	},
	{
		place: inField(order.emailSend, 'content'),
		inputs: [
			['half a character', '<p>\udc00</p>'],
			['a null character', '<p>\0</p>'],
		],
	},
	{
		place: inAttributeValue,
		inputs: [
			['half a character', 'x\ud83d'],
			['a null character', 'x\0'],
			['a date that was missing', 'Invalid DateTime'],
		],
	},
	{
		place: inColumn('city'),
		inputs: [
			['half a character', 'x\ud83d'],
			['half a character deep inside', { a: ['\udc00'] }],
			['a date that was missing', 'since Invalid Date'],
			['a date that was missing deep inside', { a: ['Invalid DateTime'] }],
		],
	},
	{
		place: inField(order.pushSend, 'title'),
		inputs: [
			['a value that was missing', 'Hello undefined'],
			['a number that was none', 'NaN % off'],
			['an object', 'Hello [object Object]'],
			['an expression that was not evaluated', 'Hello {{ $json.name }}'],
			['a date that was missing', 'Your appointment: Invalid DateTime'],
			['a date that was missing, behind a dash', 'Termin–Invalid Date.'],
		],
	},
	...(
		[
			['message', order.smsSend],
			['subject', order.emailSend],
			['sender_name', order.emailSend],
			['campaign_name', order.smsSend],
			['name', order.createUser],
		] as const
	).map(([field, parameters]) => ({
		place: inField(parameters, field),
		inputs: [['a value that was missing', 'Hello undefined, hello'] as const],
	})),
	{
		place: inField(order.emailSend, 'content'),
		inputs: [
			['a value that was missing in HTML', '<style>p {}</style><p>undefined</p>'],
			['an expression that was not evaluated in HTML', '<h1>{{ $json.title }}</h1>'],
		],
	},
	{
		place: inAdditional(order.pushSend, 'button_one_title'),
		inputs: [['an object', '[object Object]']],
	},
	{
		place: inField(order.pushSend, 'message'),
		inputs: [['nothing to be seen', '\u200b\u200d\u2060']],
	},
	{ place: inField(order.pushSend, 'user_id'), inputs: [['nothing to be seen', '\u200b']] },
];
