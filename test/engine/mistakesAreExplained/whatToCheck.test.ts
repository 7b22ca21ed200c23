import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { useFastClock } from '../support/clock';
import { push } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

/** What the output says of a request with such a fault. */
async function failedWith(fault: Fault, parameters: INodeParameters) {
	node.sandbox.faults.add(fault);
	const { output } = await node.run(parameters, { onError: 'continueRegularOutput' });
	const json = output[0]?.json as { outcome: string; error: string; details: object };
	return { ...json, ...(json.details as { description: string }) };
}

const refusedWith = async (status: number, parameters: INodeParameters) =>
	await failedWith({ kind: 'status', status }, parameters);

const address = (name: string) => `${name} API URL in the credential`;
const schedule = 'Custom Time Formats and Schedule Zone in the credential';
const provider = 'Service Provider ID, here or under Default Senders in the credential';
const campaign = ['Segment', provider, schedule, address('Email and SMS')];
const recipient = 'Recipient By and its field';
const ofCustom = ['Path and Body', 'Host', address('User and Event')];
const options = { sendDuplicates: true };
const byHand = "With 'When Run by Hand' on Show Only";
const preview = "With 'Preview Only' under Options";

/** What is worth checking after a refusal, by its name in the editor, and nothing else. */
test.each<[string, INodeParameters, string[], string]>([
	['user create', order.createUser, [address('User and Event')], preview],
	['push send', order.pushSend, [recipient, schedule, address('Push')], byHand],
	['push broadcastAll', order.pushToAll, [schedule, address('Push')], byHand],
	['email send', order.emailSend, [recipient, ...campaign], byHand],
	['email broadcast', order.emailBroadcast, campaign, byHand],
	['customRequest post', order.customPost, ofCustom, preview],
])('%s: 400 and 422 name what to check, and how to see the request', async (...one) => {
	const [, parameters, whatToCheck, seen] = one;
	for (const status of [400, 422]) {
		node.sandbox.reset();
		const { description } = await refusedWith(status, { ...parameters, options });
		const named = /does not specify them: (.*?)\. With '(?:Preview|When)/.exec(description)?.[1];
		expect(named?.split('; ')).toEqual(whatToCheck);
		expect(description).toContain(seen);
	}
});

test('403 says what it may mean before it says that the key may be wrong', async () => {
	const { description } = await refusedWith(403, order.pushSend);
	expect(description).toMatch(/^The key may lack the right.*plan.*list.*the key may be wrong/);
});

const unclear = 'so it may or may not have been delivered';

describe('An answer', () => {
	useFastClock(20);

	test.each([
		[403, 'No', 'The service or a proxy does not permit the push to C-1 (403): No'],
		[403, '{"why":"plan"}', 'The service does not permit the push to C-1 (403): {"why":"plan"}'],
		[407, '', 'No connection to http://127.0.0.1:*, so it was not sent'],
		[418, '<html>', 'The service or a proxy refused the push to C-1 (418)'],
		[502, 'Bad Gateway', `The service or a proxy answered 502, ${unclear}`],
		[503, '{}', `The service answered 503, ${unclear}`],
	])('of %d with %j may be that of a proxy, unless it is JSON', async (status, body, told) => {
		const parameters = push({ options: { maxWait: 0 } });
		const answer = (response: ServerResponse) => response.writeHead(status).end(body);
		const onError = 'continueRegularOutput';
		const { output } = await node.against(answer, { parameters, onError });
		expect((output[0]?.json.error as string).replace(/:\d+/, ':*')).toBe(told);
	});
});

const userApi = "the 'User and Event API URL'";
const pushApi = "the 'Push API URL'";

test.each<[string, INodeParameters, 'baseUrl' | 'pushUrl' | 'mailUrl', string]>([
	['user create', order.createUser, 'baseUrl', userApi],
	['event track', order.trackEvent, 'baseUrl', `${userApi} and 'Custom API Paths'`],
	['push broadcastAll', order.pushToAll, 'pushUrl', pushApi],
	['email send', order.emailSend, 'mailUrl', "the 'Email and SMS API URL'"],
	['customRequest post', order.customPost, 'baseUrl', `'Path' and 'Host', and ${userApi}`],
])('%s: 404 names the address alone, where nothing was found', async (...one) => {
	const [name, parameters, host, check] = one;
	const { error, description } = await refusedWith(404, parameters);
	const what = name === 'user create' ? 'Not saved' : 'Not sent';
	expect(error).toBe(`${what}: nothing was found at ${node.sandbox.urls[host]} (404)`);
	expect(description).toBe(
		`Check ${check} in the credential. The user and event, push, and email and SMS APIs may each have their own host.`,
	);
});

const repeat =
	"With the option 'Resend Unconfirmed', the node repeats such requests, and some people may get the message twice.";
const late = 'No answer came in time (ECONNABORTED).';
const cut = 'The connection was cut off (ECONNRESET).';
const again = 'Run it again: creating or updating a user a second time does no harm.';
const shortly = push({ options: { requestTimeout: 1 } });
const inAccount = 'Check in the account whether it arrived before you send it again.';

test.each<[string, Fault, INodeParameters, string]>([
	['a 503', { kind: 'status', status: 503 }, order.pushSend, `${inAccount} ${repeat}`],
	['no answer in time', { kind: 'hang' }, shortly, `${inAccount} ${late} ${repeat}`],
	['a cut', { kind: 'resetAfterAccept' }, order.pushSend, `${inAccount} ${cut} ${repeat}`],
	['a user', { kind: 'resetAfterAccept' }, order.createUser, `${again} ${cut}`],
])('What may have been delivered is told with the safe way first: %s', async (...one) => {
	const [, fault, parameters, expected] = one;
	const { outcome, description } = await failedWith(fault, parameters);
	expect(outcome).toBe('unknown');
	expect(description).toBe(expected);
});
