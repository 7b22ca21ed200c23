import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { itRefuses, noText } from './support/refusing';
import { useSandbox } from './support/service';

const sandbox = useSandbox();

// So that the guard of broadcasts cannot hide that a bad row was sent.
const many = { maxBroadcasts: 50 };
const push = ['title', 'message', 'url'];
const email = ['sender_name', 'sender_email', 'subject', 'campaign_name', 'content'];
const sms = ['sender_name', 'campaign_name', 'sender_mobile', 'message'];

const texts: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, ['userID']],
	['event track', order.trackEvent, ['event_name', 'userID']],
	['push send', order.pushSend, ['user_id', ...push]],
	[
		'push send to a subscription',
		{ ...order.pushSend, recipientBy: 'subscription_id', subscription_id: 's-1' },
		['subscription_id'],
	],
	['push broadcastAll', { ...order.pushToAll, ...many }, push],
	['push broadcastSegment', { ...order.pushToSegment, ...many }, push],
	['email send', order.emailSend, ['email', ...email]],
	[
		'email send to a user',
		{ ...order.emailSend, recipientBy: 'user_id', user_id: 'C-1' },
		['user_id'],
	],
	[
		'email send to a mobile',
		{ ...order.emailSend, recipientBy: 'mobile', mobile: '+919812345679' },
		['mobile'],
	],
	[
		'email send by campaign',
		{ ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 'c-1' },
		['campaign_id'],
	],
	['email broadcast', { ...order.emailBroadcast, ...many }, email],
	['email broadcastAll', { ...order.emailToAll, ...many }, email],
	['email broadcastSegment', { ...order.emailToSegment, ...many }, email],
	['sms send', order.smsSend, ['mobile', ...sms]],
	['sms send to a user', { ...order.smsSend, recipientBy: 'user_id', user_id: 'C-1' }, ['user_id']],
	[
		'sms send by campaign',
		{ ...order.smsSend, recipientBy: 'campaign_id', campaign_id: 'c-1' },
		['campaign_id'],
	],
	['sms broadcast', { ...order.smsBroadcast, ...many }, sms],
	['sms broadcastAll', { ...order.smsToAll, ...many }, sms],
	['sms broadcastSegment', { ...order.smsToSegment, ...many }, sms],
	['customRequest post', order.customPost, ['path']],
];

const integers: Array<[string, INodeParameters, string[]]> = [
	['push broadcastSegment', { ...order.pushToSegment, ...many }, ['segment_id']],
	['email send', order.emailSend, ['serviceproviderID']],
	['email broadcast', { ...order.emailBroadcast, ...many }, ['segment_id', 'serviceproviderID']],
	['email broadcastAll', { ...order.emailToAll, ...many }, ['serviceproviderID']],
	[
		'email broadcastSegment',
		{ ...order.emailToSegment, ...many },
		['segment_id', 'serviceproviderID'],
	],
	['sms send', order.smsSend, ['serviceproviderID']],
	['sms broadcast', { ...order.smsBroadcast, ...many }, ['segment_id', 'serviceproviderID']],
	['sms broadcastAll', { ...order.smsToAll, ...many }, ['segment_id', 'serviceproviderID']],
	['sms broadcastSegment', { ...order.smsToSegment, ...many }, ['segment_id', 'serviceproviderID']],
];

const each = (table: typeof texts) =>
	table.flatMap(([name, parameters, fields]) =>
		fields.map((field) => [name, field, parameters] as const),
	);

describe.each(each(texts))('%s without %s', (_, field, parameters) => {
	itRefuses(sandbox, { field, parameters, good: parameters[field], bad: noText });
});

describe.each(each(integers))('%s without a whole %s', (_, field, parameters) => {
	itRefuses(sandbox, {
		field,
		parameters,
		good: parameters[field],
		bad: [
			['empty', ''],
			['null', null],
			['zero', 0],
			['a fraction', 1.5],
			['text', 'seven'],
		],
	});
});
