import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { useFastClock } from '../support/clock';
import { push } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

async function failedWith(fault: Fault, parameters: INodeParameters) {
	node.sandbox.faults.add(fault);
	const { output } = await node.run(parameters, { onError: 'continueRegularOutput' });
	const json = output[0]?.json as { outcome: string; error: string; details: object };
	return { ...json, ...(json.details as { description: string }) };
}

const ofRequest = /^If the answer does not tell the cause, check the recipient, .*A preview shows/;
test.each([
	[400, ofRequest],
	[422, ofRequest],
	[403, /^The key may lack the right.*plan.*list.*the key may be wrong/],
])('%d names what to check first', async (status, words) => {
	expect((await failedWith({ kind: 'status', status }, push())).description).toMatch(words);
});

const forbidden = 'The service does not permit the request for C-1 on web (403)';
const unclear = 'so it may or may not have been delivered';
useFastClock(20);

test.each([
	[403, 'No', `${forbidden}: No`],
	[403, '{"why":"plan"}', `${forbidden}: {"why":"plan"}`],
	[407, '', 'No connection to http://127.0.0.1:*, so it was not sent'],
	[418, '<html>', 'The service refused the request for C-1 on web (418)'],
	[503, '{}', `The service answered 503, ${unclear}`],
	[502, 'Bad Gateway', `The service answered 502, ${unclear}: Bad Gateway`],
])('An answer of %d is quoted, if it is in words: %j', async (status, body, told) => {
	const parameters = push({ options: { maxWait: 0 } });
	const answer = (response: ServerResponse) => response.writeHead(status).end(body);
	const { output } = await node.against(answer, { parameters, onError: 'continueRegularOutput' });
	expect((output[0]?.json.error as string).replace(/:\d+/, ':*')).toBe(told);
});

const userApi = "the 'User and Event API URL'";

test.each<[string, INodeParameters, 'baseUrl' | 'pushUrl' | 'mailUrl', string]>([
	['user create', order.createUser, 'baseUrl', userApi],
	['event track', order.trackEvent, 'baseUrl', `${userApi} and 'Custom API Paths'`],
	['push broadcastAll', order.pushToAll, 'pushUrl', "the 'Push API URL'"],
	['email send', order.emailSend, 'mailUrl', "the 'Email and SMS API URL'"],
	['customRequest post', order.customPost, 'baseUrl', `'Path' and 'Host', and ${userApi}`],
])('%s: 404 names the address alone, where nothing was found', async (...one) => {
	const [, parameters, host, check] = one;
	const { error, description } = await failedWith({ kind: 'status', status: 404 }, parameters);
	expect(error).toBe(
		`Nothing was found at ${node.sandbox.urls[host]} (404): Caused by a fault of the sandbox`,
	);
	expect(description).toBe(
		`Check ${check} in the credential. Each API may have a host of its own.`,
	);
});

const repeat =
	"With the option 'Resend Unconfirmed', the node repeats such requests, and some people may get the message twice.";
const again = 'Run it again: creating or updating a user a second time does no harm.';
const shortly = push({ options: { requestTimeout: 1 } });
const inAccount = 'Check in the account whether it arrived before you send it again.';

test.each<[string, Fault, INodeParameters, string]>([
	['a 503', { kind: 'status', status: 503 }, order.pushSend, `${inAccount} ${repeat}`],
	['no answer in time', { kind: 'hang' }, shortly, `${inAccount} ${repeat} Reported: `],
	['a cut', { kind: 'resetAfterAccept' }, order.pushSend, `${inAccount} ${repeat} Reported: `],
	['a user', { kind: 'resetAfterAccept' }, order.createUser, `${again} Reported: `],
])('What may have been delivered is told with the safe way first: %s', async (...one) => {
	const [, fault, parameters, expected] = one;
	const { outcome, description } = await failedWith(fault, parameters);
	expect(outcome).toBe('unknown');
	expect(description.slice(0, expected.length)).toBe(expected);
});
