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
			['__proto__ in an object from an expression', own('{ "__proto__": { "polluted": true } }')],
			['a key the node sets, given twice', '{ "user_id": "C-2", "user_id": "C-3" }'],
			['JavaScript', '(() => ({ polluted: true }))()'],
			['JSON with a comment', '{ "a": 1 /* b */ }'],
			['JSON with a comma too many', '{ "a": 1, }'],
			['two objects', '{ "a": 1 }{ "b": 2 }'],
			['a byte order mark inside', '{\ufeff"a": 1 }'],
		],
	},
	{ place: extra(order.createUser), inputs: [['__proto__', '{ "__proto__": { "nv": [] } }']] },
	{
		place: inAdditional(order.trackEvent, 'extraEventFields'),
		inputs: [
			['constructor deep inside', '{ "a": { "constructor": { "polluted": true } } }'],
			['too large a number', '{ "id": 1e400 }'],
		],
	},
	{
		place: extra(order.customPost),
		inputs: [['__proto__', '{ "__proto__": { "event": "other" } }']],
	},
	{
		place: inField(order.customPost, 'body'),
		inputs: [['a number that is none', '{ "a": NaN }']],
	},
	{
		place: inAttributeName,
		inputs: [
			['__proto__ with spaces', ' __proto__ '],
			['prototype', 'prototype'],
			['nothing', null],
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
