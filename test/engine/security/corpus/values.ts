import * as order from '../../support/orders';
import {
	type Group,
	inAdditional,
	inAttributeValue,
	inColumn,
	inField,
	inWorkflow,
} from '../support/places';

function circular(): object {
	const loop: Record<string, unknown> = { name: 'loop' };
	loop.self = loop;
	return loop;
}

function unreadable(): object {
	return Object.defineProperty({}, 'a', {
		enumerable: true,
		get: () => {
			throw new Error('no');
		},
	});
}

/** Values that JSON cannot contain, and values of the wrong type. */
export const refused: Group[] = [
	{
		place: inField(order.pushSend, 'title'),
		inputs: [
			['a BigInt', 10n],
			['a symbol', Symbol('title')],
			['a function', () => 'Sale'],
			['an object that reads as text', { toString: () => 'Sale' }],
			['a boxed text', Object('Sale')],
			['a date', new Date(0)],
			['a regular expression', /Sale/],
			['bytes', Buffer.from('Sale')],
			['a map', new Map([['title', 'Sale']])],
			['a promise', Promise.resolve('Sale')],
			['infinity', Infinity],
		],
	},
	{
		place: inField(order.pushSend, 'user_id'),
		inputs: [
			['a BigInt', 10n],
			['a list of users', ['C-1', 'C-2']],
			['a condition', { $ne: null }],
			['false', false],
		],
	},
	{
		place: inField(order.createUser, 'userID'),
		inputs: [
			['a symbol', Symbol('C-1')],
			['a function', () => 'C-1'],
		],
	},
	{
		place: inField({ ...order.smsSend, recipientBy: 'campaign_id' }, 'campaign_id'),
		inputs: [
			['a condition', { $gt: '' }],
			['a BigInt', 1n],
		],
	},
	{
		place: inField(order.pushSend, 'platforms'),
		inputs: [
			['all', '*'],
			['climbing', ['../email']],
			['a path', ['web/broadcast/all']],
			['a path in one text', 'web/broadcast/all?'],
			['__proto__', ['__proto__']],
			['a function', () => ['web']],
		],
	},
	{
		place: inAdditional(order.emailSend, 'track_open'),
		inputs: [['a boxed true', Object(true)]],
	},
	{
		place: inAdditional(order.pushSend, 'extraBodyFields'),
		inputs: [
			['a BigInt', 10n],
			['a symbol', Symbol('extra')],
		],
	},
	{
		place: { ...inWorkflow(order.pushSend, 'resource'), field: 'operation' },
		inputs: [
			['an unknown one', 'fax'],
			['__proto__', '__proto__'],
		],
	},
	{
		place: { ...inWorkflow(order.pushSend, 'authentication'), field: 'operation' },
		inputs: [
			['an unknown one', 'none'],
			['a method that every object has', 'constructor'],
		],
	},
	{
		place: inWorkflow(order.customPost, 'host'),
		inputs: [
			['an address', 'https://evil.example'],
			['__proto__', '__proto__'],
		],
	},
	{
		place: inWorkflow(order.customPost, 'api'),
		inputs: [
			['an unknown one', 'fax'],
			['a method that every object has', 'toString'],
		],
	},
	{
		place: inAdditional(order.pushSend, 'extraBodyFields'),
		inputs: [
			['a BigInt inside', { id: 10n }],
			['a function inside', { run: () => 1 }],
			['a symbol inside', { kind: Symbol('x') }],
			['a map', new Map([['channel', 'promo']])],
			['a set inside', { tags: new Set(['a']) }],
			['a date that is none', { at: new Date(NaN) }],
			['an object whose JSON is a text', { toJSON: () => 'text' }],
			['a promise', Promise.resolve({ channel: 'promo' })],
			['bytes', Buffer.from('{}')],
		],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [
			['a BigInt inside', [1n]],
			['a map', new Map([['event', 'x']])],
			['a date', new Date(0)],
		],
	},
	{
		place: inAttributeValue,
		inputs: [
			['a BigInt', 10n],
			['a function', () => 1],
			['a symbol', Symbol('x')],
			['a map', new Map([['a', 1]])],
		],
	},
	{
		place: inColumn('points'),
		inputs: [
			['a BigInt', 10n],
			['a function', () => 1],
			['a symbol', Symbol('x')],
			['an object that contains itself', circular()],
		],
	},
	{
		place: inField(order.pushSend, 'title'),
		inputs: [['an object that contains itself', circular()]],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [['an object that contains itself', circular()]],
	},
	{ place: inAttributeValue, inputs: [['an object that contains itself', circular()]] },
	{
		// n8n reads the whole collection at once.
		place: { ...inAdditional(order.pushSend, 'extraBodyFields'), field: 'additionalFields' },
		inputs: [
			['an object that contains itself', circular()],
			['an object whose value cannot be had', unreadable()],
		],
	},
	{
		place: inField({ ...order.pushSend, subscription_id: 's-1' }, 'recipientBy'),
		inputs: [['a list of one', ['user_id']]],
	},
];
