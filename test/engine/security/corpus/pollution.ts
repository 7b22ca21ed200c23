import * as order from '../../support/orders';
import {
	type Group,
	inAdditional,
	inAttributeName,
	inColumn,
	inField,
	inWorkflow,
} from '../support/places';

const extra = (parameters: Parameters<typeof inAdditional>[0]) =>
	inAdditional(parameters, 'extraBodyFields');

/** As JSON.parse gives it: an own key of that name. */
const own = (json: string): unknown => JSON.parse(json);

export const refused: Group[] = [
	{
		place: extra(order.pushSend),
		inputs: [
			['__proto__', '{ "__proto__": { "polluted": true } }'],
			['__proto__ with an escape', '{ "\\u005f_proto__": { "polluted": true } }'],
			['__proto__ beside a good key', '{ "channel": "promo", "__proto__": { "polluted": true } }'],
			['__proto__ that is null', '{ "__proto__": null }'],
			['constructor', '{ "constructor": { "prototype": { "polluted": true } } }'],
			['prototype', '{ "prototype": { "polluted": true } }'],
			['__proto__ in an object from an expression', own('{ "__proto__": { "polluted": true } }')],
			['a list', '[["__proto__", { "polluted": true }]]'],
			['a key the node sets', '{ "title": "Other" }'],
			['a key the node sets, given twice', '{ "user_id": "C-2", "user_id": "C-3" }'],
			['no JSON', '{ __proto__: { polluted: true } }'],
			['JavaScript', '(() => ({ polluted: true }))()'],
			['JSON with a comment', '{ "a": 1 /* b */ }'],
			['JSON with a comma too many', '{ "a": 1, }'],
			['two objects', '{ "a": 1 }{ "b": 2 }'],
			['a byte order mark inside', '{\ufeff"a": 1 }'],
			['a text', '"polluted"'],
			['nothing, in JSON', 'null'],
		],
	},
	{
		place: extra(order.createUser),
		inputs: [
			['the list of users', '{ "nv": [{ "userID": "C-2" }] }'],
			['__proto__', '{ "__proto__": { "nv": [] } }'],
			['an integer that is no longer itself', { id: 2 ** 53 }],
			['a number beyond all numbers', '{ "id": 1e400 }'],
		],
	},
	{
		place: inAdditional(order.trackEvent, 'extraEventFields'),
		inputs: [
			['the user', '{ "userID": "C-2" }'],
			['the time', '{ "event_time": "2020-01-01 00:00:00" }'],
			['__proto__', '{ "__proto__": { "userID": "C-2" } }'],
			['constructor deep inside', '{ "a": { "constructor": { "polluted": true } } }'],
			['too large a number', '{ "id": 1e400 }'],
		],
	},
	{
		place: extra(order.customPost),
		inputs: [
			['a key the body has', '{ "event": "other" }'],
			['__proto__', '{ "__proto__": { "event": "other" } }'],
		],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [
			['a text', '"event"'],
			['no JSON', 'event=signed_up'],
			['JSON that breaks off', '{ "event": "signed'],
			['a number that is none', '{ "a": NaN }'],
			['a number that JSON cannot hold', '{ "a": 1e999 }'],
			['an integer that JavaScript cannot hold', { a: [1, { b: 18446744073709551615 }] }],
		],
	},
	{
		place: inAttributeName,
		inputs: [
			['__proto__', '__proto__'],
			['__proto__ with spaces', ' __proto__ '],
			['constructor', 'constructor'],
			['prototype', 'prototype'],
			['not filled in', ''],
			['white space alone', ' \t '],
			['nothing', null],
			['a number', 7],
			['a list', ['__proto__']],
		],
	},
	{ place: inColumn('__proto__'), inputs: [['a column of that name', { polluted: true }]] },
	{
		place: inColumn('constructor'),
		inputs: [['a column of that name', { prototype: { polluted: true } }]],
	},
	{ place: inColumn('prototype'), inputs: [['a column of that name', { polluted: true }]] },
	{
		place: {
			...inWorkflow({ ...order.createUser, dataMode: 'autoMapInputData' }, 'userIdField'),
			field: 'userID',
		},
		inputs: [
			['__proto__', '__proto__'],
			['constructor', 'constructor'],
			['a method that every object has', 'toString'],
		],
	},
	{
		place: inField({ ...order.pushSend, subscription_id: 's-1' }, 'recipientBy'),
		inputs: [
			['__proto__', '__proto__'],
			['a method that every object has', 'hasOwnProperty'],
		],
	},
	{
		place: extra(order.pushSend),
		inputs: [
			['__proto__ deep inside', '{ "a": { "__proto__": { "polluted": true } } }'],
			[
				'constructor deep inside a list',
				'{ "a": [{ "constructor": { "prototype": { "polluted": true } } }] }',
			],
		],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [
			['__proto__', '{ "event": "x", "__proto__": { "polluted": true } }'],
			['__proto__ in a list', '[{ "__proto__": { "polluted": true } }]'],
			[
				'constructor deep inside',
				'{ "a": { "constructor": { "prototype": { "polluted": true } } } }',
			],
		],
	},
	{
		place: inColumn('profile'),
		inputs: [['__proto__ deep inside', own('{ "__proto__": { "polluted": true } }')]],
	},
];
