import type { INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { freezeClock } from '../support/clock';
import { full, minimal, present } from '../support/endpoints';
import { everythingIn } from '../support/everything';
import { startServerAnswering } from '../support/localServer';
import {
	accessToken,
	accountOf,
	ampleLimits,
	apiKey,
	brandId,
	hintsOf,
	useNode,
} from '../support/node';
import * as order from '../support/orders';

freezeClock(present);
const node = useNode();

const hosts = { base: 'baseUrl', push: 'pushUrl', mail: 'mailUrl' } as const;

const secrets = [
	['apiKey', { 'x-api-key': apiKey, 'x-brand-id': brandId }],
	['partnerToken', { authorization: `Bearer ${accessToken}` }],
] as const;

it('The endpoints are those of each operation that does not wait', () => {
	const offered = new CustomerMessaging().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((one) => [displayOptions?.show?.resource?.[0], 'value' in one && one.value]),
		);
	const covered = minimal.map(({ parameters }) => [parameters.resource, parameters.operation]);
	const asked = ['push', 'email', 'sms'].map((resource) => [resource, 'sendAndWait']);
	expect(new Set([...covered, ...asked].map(String))).toEqual(new Set(offered.map(String)));
});

it.each([
	...minimal.map((endpoint) => ({ ...endpoint, fields: 'the least it needs' })),
	...full.map((endpoint) => ({ ...endpoint, fields: 'every optional field' })),
])(
	'$name with $fields shows exactly its request in a preview, and sends it with a key or a token',
	async ({ parameters, host, path, body }) => {
		for (const [authentication, secret] of secrets) {
			node.sandbox.reset();
			const entered = { ...parameters, authentication };
			const options = { previewOnly: true, includeRequest: true };
			const preview = await node.run({ ...entered, options });
			expect(node.sandbox.record).toEqual([]);
			const { resource, operation } = parameters;
			const url = `${node.sandbox.urls[hosts[host]]}${path}`;
			const request = { outcome: 'preview', resource, operation, method: 'POST', url };
			expect(preview.output).toMatchObject([{ json: request, pairedItem: { item: 0 } }]);
			expect(preview.output[0]?.json.body).toStrictEqual(body);
			expect(everythingIn(preview.run)).not.toMatch(new RegExp(`${apiKey}|${accessToken}`));

			const { output } = await node.run({ ...entered, options: { sendDuplicates: true } });
			const { headers, ...arrived } = node.onlyArrival();
			const told = { method: 'POST', host, path, outcome: 'accepted', problems: [] };
			expect(arrived).toMatchObject(told);
			expect(arrived.body).toStrictEqual(body);
			const ours = /^(?:x-|authorization|accept$|content-type)/;
			const sent = Object.entries(headers).filter(([name]) => ours.test(name));
			const json = { accept: 'application/json', 'content-type': 'application/json' };
			expect(Object.fromEntries(sent)).toEqual({ ...json, ...secret });
			expect(output).toHaveLength(1);
		}
	},
);

it.each(minimal.filter(({ name }) => name.includes('broadcast')))(
	'A run started by hand only shows $name, and says so',
	async ({ parameters, body }) => {
		const report = await node.run(parameters, { mode: 'manual' });
		expect(node.sandbox.record).toEqual([]);
		expect(report.output).toHaveLength(1);
		expect(report.output[0]?.json).toMatchObject({ outcome: 'preview', body });
		expect(hintsOf(report)).toContainEqual(
			expect.stringMatching(/Nothing was sent.*When Run by Hand/s),
		);
	},
);

it('A preview shows each user of a batch by itself', async () => {
	const options = { previewOnly: true, batchSize: 2 };
	const parameters = { ...order.createUser, userID: '={{ $json.id }}', options };
	const rows = [{ id: 'A' }, { id: 'B' }, { id: 'C' }];
	const { output } = await node.run(parameters, { rows });
	const bodyOf = (userID: string) => ({ nv: [{ userID, user_attributes: {} }] });
	expect(output.map(({ json }) => [json.userID, json.body, json.batch])).toEqual([
		['A', bodyOf('A'), { index: 0, size: 2 }],
		['B', bodyOf('B'), { index: 0, size: 2 }],
		['C', bodyOf('C'), { index: 1, size: 1 }],
	]);
	expect(node.sandbox.record).toEqual([]);
});

/** Spec §4.2–§4.4 and the keys under which a recipient is named. */
const recipients = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];
const ofMail = { mobile: '+919812345670', user_id: 'C-7', campaign_id: 'camp-7' };

it.each<[string, INodeParameters, INodeParameters]>([
	['A push', order.pushSend, { user_id: 'C-7', subscription_id: 'sub-7' }],
	['An email', order.emailSend, { email: 'mira@example.com', ...ofMail }],
	['An SMS', order.smsSend, ofMail],
])(
	'%s to one person names it in the way that was chosen and in no other',
	async (_, base, ways) => {
		for (const [key, value] of Object.entries(ways)) {
			node.sandbox.reset();
			await node.run({ ...base, ...ways, recipientBy: key });
			const { body, outcome } = node.onlyArrival();
			const named = Object.entries(body as object).filter(([name]) => recipients.includes(name));
			expect(named).toEqual([[key, value]]);
			expect(outcome).toBe('accepted');
		}
	},
);

describe('Several platforms at once', () => {
	const send = async (platforms: string[]) => {
		const parameters = { ...order.pushSend, platforms, additionalFields: order.devices };
		return (await node.run(parameters)).output;
	};

	it('are a request and an item each, with their own device identifiers', async () => {
		const output = await send(['web', 'android', 'ios']);
		const common = { user_id: 'C-1', ...order.notification };
		const arrived = node.sandbox.record.map(({ path, body }): [string, unknown] => [path, body]);
		expect(Object.fromEntries(arrived)).toStrictEqual({
			'/api/v1/web/send': common,
			'/api/v1/android/send': { ...common, android_id: '9774d56d682e549c' },
			'/api/v1/ios/send': { ...common, ios_ifv: '6D92078A-8246-4BA4' },
		});
		expect(arrived).toHaveLength(3);
		expect(output.map(({ json }) => json.platform)).toEqual(['web', 'android', 'ios']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	});

	it('are sent to once where one is named twice', async () => {
		expect(await send(['ios', 'ios', 'web', 'ios'])).toHaveLength(2);
		const paths = node.sandbox.record.map(({ path }) => path);
		expect(paths.sort()).toEqual(['/api/v1/ios/send', '/api/v1/web/send']);
	});
});

describe('The output of an accepted request', () => {
	const answer = 'statusCode,response,rateLimitRemaining,attempts';
	const later = { sendAt: 'at', scheduledFor: '2099-07-01T09:30' };
	const schedule = expect.objectContaining({ zone: 'UTC' }) as object;
	const ios = { ...order.pushSend, platforms: ['ios'] };
	const toUser = { user_id: 'C-1', platform: 'ios' };
	const ofUser = { userID: 'C-1', batch: { index: 0, size: 1 } };

	it.each<[string, INodeParameters, object, keys: string]>([
		['a push', ios, toUser, `user_id,platform,${answer}`],
		[
			'a push for a time',
			{ ...ios, ...later },
			{ ...toUser, schedule },
			`user_id,platform,schedule,${answer}`,
		],
		// It says which time was sent for Now.
		['an email', order.emailToAll, { audience: 'everyone', schedule }, `audience,${answer}`],
		['an SMS', order.smsBroadcast, { segment_id: 42, schedule }, `segment_id,${answer}`],
		['a user', order.createUser, ofUser, `userID,${answer},batch`],
	])('begins with whom %s was for, and tells what became of it', async (...one) => {
		const [, parameters, to, keys] = one;
		const { output } = await node.run(parameters, { timezone: 'UTC' });
		const { resource, operation } = parameters;
		const json = {
			...{ outcome: 'accepted', statusCode: 200, attempts: 1, resource, operation, ...to },
			response: { status: 'ok', id: String(node.onlyArrival().seq) },
			rateLimitRemaining: ampleLimits.push - 1,
		};
		const told = output.map(({ binary: __, ...item }) => item);
		expect(told).toEqual([{ json, pairedItem: { item: 0 } }]);
		expect(Object.keys(output[0]?.json ?? {}).join()).toMatch(`outcome,${keys},resource,operation`);
	});

	it('holds the request if that option is on', async () => {
		const options = { includeRequest: true };
		const { output } = await node.run({ ...order.pushSend, options });
		expect(output[0]?.json.request).toEqual({
			method: 'POST',
			url: `${node.sandbox.urls.pushUrl}/api/v1/web/send`,
			body: { user_id: 'C-1', ...order.notification },
		});
	});

	it.each([
		['a JSON object', 'application/json', '{"id":7}', { id: 7 }],
		['a JSON list', 'application/json', '[1,"two"]', [1, 'two']],
		['a JSON text', 'application/json', '"queued"', 'queued'],
		['an empty JSON object', 'application/json', '{}', {}],
		['a web page', 'text/html; charset=utf-8', '<h1>Thanks</h1>', '<h1>Thanks</h1>'],
		['plain text', 'text/plain', 'queued', 'queued'],
		['broken JSON', 'application/json', '{"id":', '{"id":'],
		['nothing, called JSON', 'application/json', '', null],
		['nothing', 'text/plain', '', null],
	])('holds the response unchanged: %s', async (_, type, body, response) => {
		const server = await startServerAnswering(200, { 'content-type': type }, body);
		const { output } = await node.run(order.smsSend, { credential: accountOf(server) });
		await server.close();
		const told = { outcome: 'accepted', statusCode: 200, response, rateLimitRemaining: null };
		expect(output).toMatchObject([{ json: told }]);
	});
});
