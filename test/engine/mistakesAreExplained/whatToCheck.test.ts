import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';

import { execute } from '../support/engine';
import { startServerAnswering } from '../support/localServer';
import * as order from '../support/orders';
import { keyCredential } from '../support/service';
import { accountOf, roomySandbox } from '../support/sends';

const address = (name: string) => `${name} API URL in the credential`;
const schedule = 'Custom Time Formats and Schedule Zone in the credential';
const paths = 'Custom API Paths in the credential';
const provider = 'Service Provider ID, here or under Default Senders in the credential';
const mail = [schedule, address('Email and SMS')];

/** What is worth checking after a refusal, by its name in the editor, and nothing else. */
const cases: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, [address('User and Event')]],
	['push send', order.pushSend, ['Recipient By and its field', schedule, address('Push')]],
	['push broadcastAll', order.pushToAll, [schedule, paths, address('Push')]],
	['push broadcastSegment', order.pushToSegment, ['Segment', schedule, address('Push')]],
	['email send', order.emailSend, ['Recipient By and its field', 'Segment', provider, ...mail]],
	['email broadcast', order.emailBroadcast, ['Segment', provider, ...mail]],
	['email broadcastAll', order.emailToAll, ['Segment', provider, ...mail]],
	['email broadcastSegment', order.emailToSegment, ['Segment', provider, ...mail]],
	['sms send', order.smsSend, ['Recipient By and its field', 'Segment', provider, ...mail]],
	['sms broadcast', order.smsBroadcast, ['Segment', provider, ...mail]],
	['sms broadcastAll', order.smsToAll, ['Segment', provider, ...mail]],
	['sms broadcastSegment', order.smsToSegment, ['Segment', provider, ...mail]],
	['customRequest post', order.customPost, ['Path and Body', 'Host', address('User and Event')]],
];

/** What the output says of a request that was answered with a status. */
async function refusedWith(status: number, parameters: INodeParameters) {
	const sandbox = await roomySandbox();
	sandbox.faults.add({ kind: 'status', status });
	const { output } = await execute({
		parameters,
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});
	await sandbox.close();
	const { error, details } = output[0]?.json as { error: string; details: { description: string } };
	return { error, description: details.description, urls: sandbox.urls };
}

describe.each(cases)('%s', (_name, parameters, listWhatToCheck) => {
	test('400 names what to check, and how to see the request', async () => {
		const { description } = await refusedWith(400, parameters);
		const named = /does not specify them: (.*?)\. With '(?:Preview|When)/.exec(description)?.[1];
		expect(named?.split('; ')).toEqual(listWhatToCheck);
		const isMessage = ['push', 'email', 'sms'].includes(parameters.resource as string);
		expect(description).toContain(
			isMessage ? "With 'When Run by Hand' on Show Only" : "With 'Preview Only' under Options",
		);
	});
});

test('403 says what it may mean before it says that the key may be wrong', async () => {
	const { error, description } = await refusedWith(403, order.pushSend);
	expect(error).toBe(
		'The service does not permit the push to C-1 (403): Caused by a fault of the sandbox',
	);
	expect(description).toMatch(/^The key may lack the right.*plan.*list.*the key may be wrong/);
});

test.each([
	[
		403,
		'Access denied',
		'The service or a proxy does not permit the push to C-1 (403): Access denied',
	],
	[403, '{"why":"plan"}', 'The service does not permit the push to C-1 (403): {"why":"plan"}'],
	[407, '', 'No connection to http://127.0.0.1:*, so it was not sent'],
	[413, '', 'The service or a proxy refused the request because it is too large (413)'],
	[418, '<html>', 'The service or a proxy refused the push to C-1 (418)'],
	[
		502,
		'Bad Gateway',
		'The service or a proxy answered 502, so it may or may not have been delivered',
	],
	[503, '{}', 'The service answered 503, so it may or may not have been delivered'],
])('%d with %j may be the answer of a proxy, unless it is JSON', async (status, body, told) => {
	const server = await startServerAnswering(status, {}, body);
	const { output } = await execute({
		parameters: { ...order.pushSend, options: { maxWait: 0 } },
		credential: keyCredential(server),
		onError: 'continueRegularOutput',
	});
	await server.close();
	const { error } = output[0]?.json as { error: string };
	expect(error.replace(/:\d+/, ':*')).toBe(told);
});

test('422 names what to check, as 400 does', async () => {
	const { error, description } = await refusedWith(422, order.smsSend);
	expect(error).toContain('The service refused the SMS to +919812345679 (422)');
	expect(description).toContain(schedule);
});

const ownHosts = 'The user and event, push, and email and SMS APIs may each have their own host.';

test.each<[string, INodeParameters, 'baseUrl' | 'pushUrl' | 'mailUrl', string]>([
	['user create', order.createUser, 'baseUrl', "the 'User and Event API URL'"],
	[
		'event track',
		order.trackEvent,
		'baseUrl',
		"the 'User and Event API URL' and 'Custom API Paths'",
	],
	['push send', order.pushSend, 'pushUrl', "the 'Push API URL'"],
	['push broadcastAll', order.pushToAll, 'pushUrl', "the 'Push API URL' and 'Custom API Paths'"],
	['email send', order.emailSend, 'mailUrl', "the 'Email and SMS API URL'"],
	[
		'customRequest post',
		order.customPost,
		'baseUrl',
		"'Path' and 'Host', and the 'User and Event API URL'",
	],
])(
	'%s: 404 says that nothing was sent, and names the address alone',
	async (name, parameters, host, check) => {
		const { error, description, urls } = await refusedWith(404, parameters);
		const what = name === 'user create' ? 'Not saved' : 'Not sent';
		expect(error).toBe(`${what}: nothing was found at ${urls[host]} (404)`);
		expect(description).toBe(`Check ${check} in the credential. ${ownHosts}`);
	},
);

describe('What may have been delivered is told with the safe way first', () => {
	const repeat =
		"With the option 'Retry Unknown', the node repeats such requests, and some people may get the message twice.";
	const check = 'Check in the account whether it arrived before you send it again.';
	test.each<[string, Fault, INodeParameters, string]>([
		['a 503', { kind: 'status', status: 503 }, order.pushSend, `${check} ${repeat}`],
		[
			'no answer in time',
			{ kind: 'hang' },
			{ ...order.pushSend, options: { requestTimeout: 1 } },
			`${check} No answer came in time (ECONNABORTED). ${repeat}`,
		],
		[
			'a connection that was cut off',
			{ kind: 'resetAfterAccept' },
			order.pushSend,
			`${check} The connection was cut off (ECONNRESET). ${repeat}`,
		],
		[
			'a user',
			{ kind: 'resetAfterAccept' },
			order.createUser,
			'Run it again: creating or updating a user a second time does no harm. The connection was cut off (ECONNRESET).',
		],
	])('%s', async (_, fault, parameters, expected) => {
		const sandbox = await roomySandbox();
		sandbox.faults.add(fault);
		const { output } = await execute({
			parameters,
			credential: accountOf(sandbox),
			onError: 'continueRegularOutput',
		});
		await sandbox.close();
		const json = output[0]?.json ?? {};
		expect(json.outcome).toBe('unknown');
		expect(json.details).toMatchObject({ description: expected });
	});
});
