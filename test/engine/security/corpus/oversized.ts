import * as order from '../../support/orders';
import { type Group, inAdditional, inAttributeName, inColumn, inField } from '../support/places';

const mega = 1_000_000;
const android = { ...order.pushSend, platforms: ['android'] };

/** Nested lists as text. JSON.stringify itself cannot write such depth. */
const nested = (depth: number) => `{ "a": ${'['.repeat(depth)}${']'.repeat(depth)} }`;

export const refused: Group[] = [
	{
		place: inField(android, 'title'),
		inputs: [
			['a hundred thousand letters', 'x'.repeat(mega / 10)],
			['a hundred thousand marks on one letter', `e${'\u0301'.repeat(mega / 10)}${'x'.repeat(70)}`],
		],
	},
	{
		place: inField(order.emailSend, 'email'),
		inputs: [['a million letters', `${'a'.repeat(mega)}@example.com`]],
	},
	{
		place: inField(order.emailSend, 'sender_email'),
		inputs: [['a million dots', `a@${'b.'.repeat(mega / 2)}example.com`]],
	},
	{
		place: inField(order.smsSend, 'mobile'),
		inputs: [
			['a million digits', `+${'9'.repeat(mega)}`],
			['a million spaces inside', `+91${' '.repeat(mega)}x`],
		],
	},
	{
		place: inField({ ...order.pushToSegment }, 'segment_id'),
		inputs: [['a million digits', '9'.repeat(mega)]],
	},
	{
		place: inField({ ...order.smsSend, sendAt: 'at' }, 'scheduledFor'),
		inputs: [['a million digits', '2'.repeat(mega)]],
	},
	{
		place: inField(order.pushSend, 'url'),
		inputs: [['a million letters of a scheme', `${'a'.repeat(mega)}:`]],
	},
	{ place: inField(order.customPost, 'path'), inputs: [['a million slashes', '/'.repeat(mega)]] },
	{
		place: inField(order.customPost, 'body'),
		inputs: [['a million letters, no JSON', 'x'.repeat(mega)]],
	},
	{
		place: inField(order.emailSend, 'content'),
		inputs: [['11 million letters', 'x'.repeat(11 * mega)]],
	},
	{
		place: inField(order.pushSend, 'message'),
		inputs: [['11 million letters on web', 'x'.repeat(11 * mega)]],
	},
	{
		place: inField(order.pushSend, 'user_id'),
		inputs: [['11 million letters', 'x'.repeat(11 * mega)]],
	},
	{
		place: inField(order.createUser, 'userID'),
		inputs: [['11 million letters', 'x'.repeat(11 * mega)]],
	},
	{
		place: inAdditional(order.pushSend, 'extraBodyFields'),
		inputs: [
			['lists a hundred thousand deep', nested(100_000)],
			['lists three thousand deep', nested(3_000)],
			['too large a number under a name of a million letters', `{ "${'k'.repeat(mega)}": 1e400 }`],
		],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [['lists a hundred thousand deep', nested(100_000)]],
	},
	{ place: inAttributeName, inputs: [['11 million letters', 'x'.repeat(11 * mega)]] },
	{ place: inColumn('blob'), inputs: [['11 million letters', 'x'.repeat(11 * mega)]] },
	{
		place: inField(order.customPost, 'body'),
		inputs: [['11 million letters', JSON.stringify({ a: 'x'.repeat(11 * mega) })]],
	},
	{
		place: inAdditional(order.emailSend, 'email_cc'),
		inputs: [
			['a hundred thousand recipients', `${'a@example.com,'.repeat(99_999)}a@example.com`],
			['a thousand that are none', 'anna,'.repeat(1000)],
		],
	},
];
