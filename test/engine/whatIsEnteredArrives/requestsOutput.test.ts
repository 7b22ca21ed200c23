import type { INodeParameters } from 'n8n-workflow';

import { startServerAnswering } from '../support/localServer';
import * as order from '../support/orders';
import { ampleLimits, keyCredential, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
const left = ampleLimits.push - 1;

describe('An accepted request', () => {
	const accepted = (seq: number) => ({
		outcome: 'accepted',
		statusCode: 200,
		response: { status: 'ok', id: String(seq) },
		attempts: 1,
		rateLimitRemaining: left,
	});

	const answer = ['statusCode', 'response', 'rateLimitRemaining', 'attempts'];

	it('names the platform of a push', async () => {
		const { output, failed } = await run(sandbox(), { ...order.pushSend, platforms: ['ios'] });
		const { seq } = onlyArrival(sandbox());
		expect(output).toEqual([
			{
				json: {
					...accepted(seq),
					resource: 'push',
					operation: 'send',
					platform: 'ios',
					user_id: order.pushSend.user_id,
				},
				pairedItem: { item: 0 },
			},
		]);
		expect(failed).toEqual([]);
	});

	it.each([
		['email', order.emailToAll, 'broadcastAll', { audience: 'everyone' }],
		['sms', order.smsBroadcast, 'broadcast', { segment_id: 42 }],
	])(
		'names resource, operation and recipients of %s',
		async (resource, parameters, operation, to) => {
			const { output } = await run(sandbox(), parameters);
			const { seq } = onlyArrival(sandbox());
			// It says which time was sent for Now.
			const { schedule, ...rest } = output[0]?.json ?? {};
			expect(schedule).toMatchObject({ zone: 'UTC' });
			expect(rest).toEqual({ ...accepted(seq), resource, operation, ...to });
			expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		},
	);

	const later = { sendAt: 'at', scheduledFor: '2099-07-01T09:30' };
	it.each<[string, INodeParameters, string[]]>([
		[
			'for now',
			order.emailToSegment,
			['segment_id', ...answer, 'resource', 'operation', 'schedule'],
		],
		[
			'for a time',
			{ ...order.pushSend, ...later },
			['user_id', 'platform', 'schedule', ...answer, 'resource', 'operation'],
		],
		['of a batch', order.createUser, ['userID', ...answer, 'batch', 'resource', 'operation']],
	])('begins with its outcome and whom it was for: %s', async (_, parameters, keys) => {
		const { output } = await run(sandbox(), parameters);
		expect(Object.keys(output[0]?.json ?? {})).toEqual(['outcome', ...keys]);
	});

	it('names user and batch of a created user', async () => {
		const { output } = await run(
			sandbox(),
			{ ...order.createUser, userID: '={{ $json.id }}' },
			{ rows: [{ id: 'A' }, { id: 'B' }] },
		);
		const { seq } = onlyArrival(sandbox());
		const about = { resource: 'user', operation: 'create', batch: { index: 0, size: 2 } };
		expect(output).toEqual([
			{ json: { ...accepted(seq), ...about, userID: 'A' }, pairedItem: { item: 0 } },
			{ json: { ...accepted(seq), ...about, userID: 'B' }, pairedItem: { item: 1 } },
		]);
	});

	it('holds the request if that option is on', async () => {
		const { output } = await run(sandbox(), {
			...order.pushSend,
			options: { includeRequest: true },
		});
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
});

describe("The service's response", () => {
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
	])('is output unchanged: %s', async (_, type, body, response) => {
		const server = await startServerAnswering(200, { 'content-type': type }, body);
		const { output } = await run(sandbox(), order.smsSend, { credential: keyCredential(server) });
		await server.close();

		expect(output).toHaveLength(1);
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', statusCode: 200 });
		expect(output[0]?.json.response).toEqual(response);
	});
});
