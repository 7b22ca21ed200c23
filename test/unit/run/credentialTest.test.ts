import type { ICredentialTestFunctions } from 'n8n-workflow';

import { testAccount } from '../../../nodes/CustomerMessaging/run/credentialTest';

const [base, push, mail] = [
	'https://api.example.com',
	'https://push.example.com',
	'https://mail.example.com',
];
const user = '/api/v1/user/create';
const webSend = '/api/v1/web/send';

interface Answer {
	statusCode?: number;
	headers?: Record<string, unknown>;
	body?: string;
}

/** @param answer to each question by its address; 400, as to an empty list, if there is none */
async function testOf(
	answers: Record<string, Answer | (() => never)> = {},
	hosts: Partial<Record<'baseUrl' | 'pushUrl' | 'mailUrl', string>> = {},
) {
	const asked: string[] = [];
	const request = async ({ uri }: { uri: string }) => {
		asked.push(uri);
		const answer = answers[uri] ?? {};
		return typeof answer === 'function' ? answer() : { statusCode: 400, headers: {}, ...answer };
	};
	const data = {
		brandId: 'brand',
		apiKey: 'key-12345',
		baseUrl: base,
		pushUrl: push,
		mailUrl: mail,
		...hosts,
	};
	const credential = { id: '1', name: 'Account', type: 'customerMessagingApi', data };
	const context = { helpers: { request } } as unknown as ICredentialTestFunctions;
	const { status, message } = await testAccount.call(context, credential);
	return { asked, status, message };
}

const laterHint = 'The first message will show whether the credentials are valid there.';

test.each([
	[
		'three addresses',
		{},
		[base + user, push + webSend, mail + user],
		`${base} accepts the credentials. ${push} and ${mail} can be reached. ${laterHint} Nothing was sent to anyone.`,
	],
	[
		'one address for all',
		{ pushUrl: base, mailUrl: base },
		[base + user, base + webSend],
		`${base} accepts the credentials. Nothing was sent to anyone.`,
	],
	[
		'one address for push and email',
		{ mailUrl: push },
		[base + user, push + webSend],
		`${base} accepts the credentials. ${push} can be reached. ${laterHint} Nothing was sent to anyone.`,
	],
	[
		'one address for users and email',
		{ mailUrl: base },
		[base + user, push + webSend],
		`${base} accepts the credentials. ${push} can be reached. ${laterHint} Nothing was sent to anyone.`,
	],
])(
	'With %s, each is asked once, and the message says what was proven',
	async (_, hosts, asked, message) => {
		expect(await testOf({}, hosts)).toEqual({ asked, status: 'OK', message });
	},
);

test.each([200, 204, 299])('The status %i accepts the credentials too', async (statusCode) => {
	expect(await testOf({ [base + user]: { statusCode } })).toMatchObject({ status: 'OK' });
});

test.each<[Answer, string]>([
	[
		{ statusCode: 401 },
		`Invalid credentials: ${base} answered 401. Enter them again. A key that was replaced no longer works`,
	],
	[
		{ statusCode: 404 },
		`Wrong address: ${base} answered 404 where the user API should be. Check the 'User and Event Address'`,
	],
	[
		{ statusCode: 200, body: '<!DOCTYPE html>' },
		`Wrong address: ${base} answered with a web page (200), not as an API. Check the 'User and Event Address'`,
	],
	[
		{ statusCode: 429 },
		`${base} answered 429: the rate limit is used up, so the credentials could not be tested. Try again in a minute`,
	],
	...[199, 300, 503].map((statusCode): [Answer, string] => [
		{ statusCode },
		`${base} answered ${statusCode}, which says nothing about the credentials. Check the 'User and Event Address', or try again later`,
	]),
])(
	'The answer %j ends the test with the reason, and no other address is asked',
	async (answer, message) => {
		expect(await testOf({ [base + user]: answer })).toEqual({
			asked: [base + user],
			status: 'Error',
			message,
		});
	},
);

test('An address without the push API is named, although the credentials are accepted', async () => {
	expect(await testOf({ [push + webSend]: { statusCode: 404 } })).toMatchObject({
		status: 'Error',
		message: `${base} accepts the credentials, but wrong address: ${push} answered 404 where the push API should be. Check the 'Push Address'`,
	});
});

test.each<[unknown, string]>([
	[{ code: 'ENOTFOUND', message: 'x' }, 'ENOTFOUND'],
	[{ message: 'bad header key-12345' }, 'bad header …'],
	[{}, 'no reason given'],
])('An address that cannot be reached is named with the reason: %j', async (thrown, reason) => {
	const fail = () => {
		throw thrown;
	};
	const notReached = (address: string) =>
		`ddress not reached: no answer came from ${address} (${reason}). Check the address and the network of this n8n`;
	expect((await testOf({ [base + user]: fail })).message).toBe(`A${notReached(base)}`);
	expect((await testOf({ [mail + user]: fail })).message).toBe(
		`${base} accepts the credentials, but a${notReached(mail)}`,
	);
});
