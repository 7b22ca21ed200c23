import type { INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { hintsOf } from '../support/arrived';
import { full, minimal, present } from '../support/endpoints';
import { everythingIn } from '../support/everything';
import { startServerAnswering } from '../support/localServer';
import * as order from '../support/orders';
import {
	accessToken,
	ampleLimits,
	apiKey,
	brandId,
	freezeClock,
	keyCredential,
	onlyArrival,
	run,
	useSandbox,
} from '../support/service';

freezeClock(present);
const sandbox = useSandbox();

const hosts = { base: 'baseUrl', push: 'pushUrl', mail: 'mailUrl' } as const;

it('The list of endpoints has all operations that do not wait, with push on three platforms', () => {
	const listed = minimal.map(({ name }) => name.replace(/ on \w+$/, ''));
	const offered = new CustomerMessaging().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map(
				(one) => `${displayOptions?.show?.resource?.[0] as string} ${'value' in one && one.value}`,
			),
		)
		.filter((name) => !name.endsWith(' sendAndWait'));
	expect([...new Set(listed)].sort()).toEqual(offered.sort());
	expect(offered.length).toBeGreaterThan(13);
	expect(minimal).toHaveLength(offered.length + 3 * 2);
});

const secrets = [
	['apiKey', { 'x-api-key': apiKey, 'x-brand-id': brandId }],
	['partnerToken', { authorization: `Bearer ${accessToken}` }],
] as const;

it.each([
	...minimal.map((endpoint) => ({ ...endpoint, fields: 'the least it needs' })),
	...full.map((endpoint) => ({ ...endpoint, fields: 'every optional field' })),
])(
	'$name with $fields shows exactly its request in a preview, and sends it with a key or a token',
	async ({ parameters, host, path, body }) => {
		for (const [authentication, secret] of secrets) {
			sandbox().reset();
			const entered = { ...parameters, authentication };
			const preview = await run(sandbox(), { ...entered, options: { previewOnly: true } });
			expect(sandbox().record).toEqual([]);
			expect(preview.error).toBeUndefined();
			const [shown, ...others] = preview.output;
			expect(others).toEqual([]);
			const { resource, operation } = parameters;
			const url = `${sandbox().urls[hosts[host]]}${path}`;
			const request = { outcome: 'preview', resource, operation, method: 'POST', url };
			expect(shown).toMatchObject({ json: request, pairedItem: { item: 0 } });
			expect(shown?.json.body).toStrictEqual(body);

			const report = await run(sandbox(), { ...entered, options: { sendDuplicates: true } });
			const { headers, outcome, problems, ...arrived } = onlyArrival(sandbox());
			expect([arrived.method, arrived.host, arrived.path]).toEqual(['POST', host, path]);
			expect(arrived.body).toStrictEqual(body);
			const told = Object.entries(headers).filter(([name]) =>
				/^(?:x-|authorization|accept$|content-type)/.test(name),
			);
			const json = { accept: 'application/json', 'content-type': 'application/json' };
			expect(Object.fromEntries(told)).toEqual({ ...json, ...secret });
			expect({ outcome, problems }).toEqual({ outcome: 'accepted', problems: [] });
			expect(report.error).toBeUndefined();
			expect(report.output).toHaveLength(1);
		}
	},
);

it.each(minimal.filter(({ name }) => name.includes('broadcast')))(
	'A run started by hand only shows $name, and says so',
	async ({ parameters, body }) => {
		const report = await run(sandbox(), parameters, { mode: 'manual' });
		expect(sandbox().record).toEqual([]);
		expect(report.output).toHaveLength(1);
		expect(report.output[0]?.json).toMatchObject({ outcome: 'preview', body });
		expect(hintsOf(report)).toContainEqual(
			expect.stringMatching(/Nothing was sent.*When Run by Hand/s),
		);
	},
);

it.each(['apiKey', 'partnerToken'])('A preview holds no secret with %s', async (authentication) => {
	const options = { previewOnly: true, includeRequest: true };
	const parameters = { ...order.emailSend, authentication, options };
	const { run: all, output } = await run(sandbox(), parameters);
	expect(output[0]?.json.outcome).toBe('preview');
	const told = JSON.stringify(all) + everythingIn(all);
	expect(told).not.toContain(apiKey);
	expect(told).not.toContain(accessToken);
});

it('A preview shows each user of a batch by itself', async () => {
	const options = { previewOnly: true, batchSize: 2 };
	const { output } = await run(
		sandbox(),
		{ ...order.createUser, userID: '={{ $json.id }}', options },
		{ rows: [{ id: 'A' }, { id: 'B' }, { id: 'C' }] },
	);
	expect(output.map(({ json }) => [json.userID, json.body, json.batch])).toEqual([
		['A', { nv: [{ userID: 'A', user_attributes: {} }] }, { index: 0, size: 2 }],
		['B', { nv: [{ userID: 'B', user_attributes: {} }] }, { index: 0, size: 2 }],
		['C', { nv: [{ userID: 'C', user_attributes: {} }] }, { index: 1, size: 1 }],
	]);
	expect(sandbox().record).toEqual([]);
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
			sandbox().reset();
			await run(sandbox(), { ...base, ...ways, recipientBy: key });
			const { body, outcome } = onlyArrival(sandbox());
			const named = Object.entries(body as object).filter(([name]) => recipients.includes(name));
			expect(named).toEqual([[key, value]]);
			expect(outcome).toBe('accepted');
		}
	},
);

describe('Several platforms at once', () => {
	const everywhere = { ...order.pushSend, platforms: ['web', 'android', 'ios'] };

	it('are a request and an item each, with their own device identifiers', async () => {
		const { output } = await run(sandbox(), { ...everywhere, additionalFields: order.devices });
		const common = { user_id: 'C-1', ...order.notification };
		const arrived = sandbox().record.map(({ path, body }): [string, unknown] => [path, body]);
		expect(arrived).toHaveLength(3);
		expect(Object.fromEntries(arrived)).toStrictEqual({
			'/api/v1/web/send': common,
			'/api/v1/android/send': { ...common, android_id: '9774d56d682e549c' },
			'/api/v1/ios/send': { ...common, ios_ifv: '6D92078A-8246-4BA4' },
		});
		expect(output.map(({ json, pairedItem }) => [json.platform, pairedItem])).toEqual([
			['web', { item: 0 }],
			['android', { item: 0 }],
			['ios', { item: 0 }],
		]);
	});

	it('are sent to once where one is named twice', async () => {
		const platforms = ['ios', 'ios', 'web', 'ios'];
		const { output } = await run(sandbox(), { ...everywhere, platforms });
		const paths = sandbox().record.map(({ path }) => path);
		expect(paths.sort()).toEqual(['/api/v1/ios/send', '/api/v1/web/send']);
		expect(output).toHaveLength(2);
	});
});

describe('The output of an accepted request', () => {
	const answer = ['statusCode', 'response', 'rateLimitRemaining', 'attempts'];
	const later = { sendAt: 'at', scheduledFor: '2099-07-01T09:30' };
	const schedule = expect.objectContaining({ zone: 'UTC' }) as object;
	const whole = [...answer, 'resource', 'operation'];

	it.each<[string, INodeParameters, object, string[]]>([
		[
			'a push',
			{ ...order.pushSend, platforms: ['ios'] },
			{ platform: 'ios', user_id: 'C-1' },
			['user_id', 'platform', ...whole],
		],
		[
			'a push for a time',
			{ ...order.pushSend, ...later },
			{ platform: 'web', user_id: 'C-1', schedule },
			['user_id', 'platform', 'schedule', ...whole],
		],
		// It says which time was sent for Now.
		[
			'an email to everyone',
			order.emailToAll,
			{ audience: 'everyone', schedule },
			['audience', ...whole, 'schedule'],
		],
		[
			'an SMS to a segment',
			order.smsBroadcast,
			{ segment_id: 42, schedule },
			['segment_id', ...whole, 'schedule'],
		],
		[
			'a user',
			order.createUser,
			{ userID: 'C-1', batch: { index: 0, size: 1 } },
			['userID', ...answer, 'batch', 'resource', 'operation'],
		],
	])(
		'begins with whom %s was for, and tells what became of it',
		async (_, parameters, to, keys) => {
			const { output, failed } = await run(sandbox(), parameters, { timezone: 'UTC' });
			const { seq } = onlyArrival(sandbox());
			expect(failed).toEqual([]);
			const json = {
				outcome: 'accepted',
				statusCode: 200,
				response: { status: 'ok', id: String(seq) },
				attempts: 1,
				rateLimitRemaining: ampleLimits.push - 1,
				resource: parameters.resource,
				operation: parameters.operation,
				...to,
			};
			const told = output.map(({ binary: __, ...item }) => item);
			expect(told).toEqual([{ json, pairedItem: { item: 0 } }]);
			expect(Object.keys(output[0]?.json ?? {})).toEqual(['outcome', ...keys]);
		},
	);

	it('holds the request if that option is on', async () => {
		const options = { includeRequest: true };
		const { output } = await run(sandbox(), { ...order.pushSend, options });
		expect(output[0]?.json.request).toEqual({
			method: 'POST',
			url: `${sandbox().urls.pushUrl}/api/v1/web/send`,
			body: { user_id: 'C-1', ...order.notification },
		});
	});

	it('leaves the rate limit empty if the response has no such header', async () => {
		sandbox().configure({ sendRateLimitHeader: false });
		const { output } = await run(sandbox(), order.pushSend);
		sandbox().configure({ sendRateLimitHeader: true });
		expect(output[0]?.json.rateLimitRemaining).toBeNull();
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
		const { output } = await run(sandbox(), order.smsSend, { credential: keyCredential(server) });
		await server.close();
		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', statusCode: 200, response });
	});
});
