import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { useFastClock } from '../support/clock';
import type { Course } from '../support/executionList';
import { startRefusingProxy } from '../support/localServer';
import { inShort, useNode } from '../support/node';
import { customPost, smsSend } from '../support/orders';
import { createUsers, idOf, push, rowsOf, toldBy } from '../support/sends';

const node = useNode({ rows: rowsOf(1), onError: 'continueErrorOutput', maxTries: 2 });

const elsewhere = 'https://user:secret-pw@new.example.com/eu1/x?key=1';
test.each([
	['another host', elsewhere, 'https://new.example.com/eu1/x'],
	['a path with a slash more', '/api/v1/web/send/', '/api/v1/web/send/'],
	['nowhere', undefined, 'another address'],
])(
	'A redirect is not followed, and the text names where it leads: %s',
	async (_, location, shown) => {
		for (const status of [307, 302]) {
			const { failed, server } = await node.against((response) =>
				response.writeHead(status, location === undefined ? {} : { location }).end(),
			);
			expect(server.requests).toBe(1);
			const target = shown.startsWith('/') ? `${server.url}${shown}` : shown;
			const text = JSON.stringify(failed[0]?.json);
			expect(text).toContain(`redirects to ${target}`);
			expect(text).toContain("Check the 'Push API URL' in the credential.");
			expect(failed[0]?.json.outcome).toBe(status === 302 ? 'unknown' : 'rejected');
			expect(text).not.toMatch(/secret-pw|key=1/);
		}
	},
);

test('What is sent arrives once the credential has the path that the account has', async () => {
	node.sandbox.configure({ pathPrefix: '/eu1' });
	const pushUrl = `${node.sandbox.urls.pushUrl}/eu1`;
	expect(await node.says()).toBe('1 rejected');
	expect(await node.says({ account: { pushUrl } })).toBe('1 accepted');
});

describe('Where a proxy refuses to connect,', () => {
	useFastClock(10);

	test('a message is tried again, and then not sent', async () => {
		let calls = 0;
		const proxy = await startRefusingProxy(() =>
			++calls % 2 === 0 ? '' : 'HTTP/1.1 407 Password, please\r\ncontent-length: 0\r\n\r\n',
		);
		// n8n reads it for each request.
		jest.replaceProperty(process, 'env', { ...process.env, HTTPS_PROXY: proxy.url });
		const [told] = toldBy(await node.start({ account: { pushUrl: 'https://push.example' } }));
		jest.restoreAllMocks();
		await proxy.close();
		expect(told?.details).toMatchObject({
			outcome: 'notSent',
			reason: 'noConnection',
			attempts: 4,
		});
		expect(calls).toBe(4);
	});
});

/** Sends to a server whose first answer has headers, and a body that breaks off or stops arriving. */
async function stalling(status: number, end: (response: ServerResponse) => unknown) {
	let calls = 0;
	const { told } = await node.against(
		(response) => {
			if (++calls > 1) return void response.end('{}');
			response.writeHead(status).write('{"a');
			end(response);
		},
		{ parameters: push({ requestTimeout: 1 }) },
	);
	return { told: told[0], calls };
}

test('An answer whose body stops arriving, or breaks off, keeps its status', async () => {
	const ends = [() => {}, (response: ServerResponse) => setTimeout(() => response.destroy(), 100)];
	const seen = await Promise.all(
		ends.flatMap((end) => [200, 400, 429].map(async (status) => await stalling(status, end))),
	);
	const expected = [
		{ told: { outcome: 'accepted', details: { response: null } } },
		{ told: { outcome: 'rejected', details: { statusCode: 400, response: null } } },
		{ told: { outcome: 'accepted' }, calls: 2 },
	];
	expect(seen).toMatchObject([...expected, ...expected]);
});

const kept = 64_000;
const answering = async (body: string, parameters = push()) =>
	(await node.against((response) => response.end(body), { parameters })).told[0];

function endless(status: number) {
	return (response: ServerResponse): void => {
		const text = 'ä'.repeat(10_000);
		const more = (): void => {
			while (!response.destroyed && response.write(text));
		};
		response.writeHead(status, { 'content-type': 'text/plain' }).on('drain', more);
		more();
	};
}

test.each([
	[200, 'accepted'],
	[503, 'unknown'],
])('An answer %i without an end is %s, and only its beginning is kept', async (status, outcome) => {
	const { told } = await node.against(endless(status));
	const response = 'ä'.repeat(kept / 2);
	expect(told).toMatchObject([
		{ outcome, details: { statusCode: status, response, responseTruncated: true } },
	]);
});

test('Of 200 MB that travel as 200 kB of gzip, the beginning is kept', async () => {
	const packed = gzipSync(Buffer.alloc(200_000_000, 'a'), { level: 1 });
	const before = process.memoryUsage().rss;
	const { told } = await node.against((response) =>
		response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
	);
	expect(told[0]?.details).toMatchObject({ response: 'a'.repeat(kept), responseTruncated: true });
	expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
});

test('JSON of the full size is parsed, and JSON that was cut is text', async () => {
	const json = (length: number) => JSON.stringify({ a: 'x'.repeat(length - '{"a":""}'.length) });
	const whole = await answering(json(kept));
	expect(whole?.details.response).toEqual(JSON.parse(json(kept)));
	expect(whole?.details).not.toHaveProperty('responseTruncated');

	const cut = await answering(json(kept + 1));
	expect(cut?.details).toMatchObject({
		response: json(kept + 1).slice(0, kept),
		responseTruncated: true,
	});
});

test.each([
	['says that it failed', { success: false }, 'unknown'],
	['says it only at its end', { a: 'x'.repeat(kept), status: 'error' }, 'unknown'],
	['says that it succeeded', { success: true }, 'accepted'],
])('A 2xx that is cut and %s is judged as a whole', async (_, says, outcome) => {
	const answer = JSON.stringify({ rows: 'y'.repeat(kept), ...says });
	const description = expect.stringContaining('If such an answer means something else') as unknown;
	expect(await answering(answer)).toMatchObject({
		outcome,
		details: {
			...{ response: answer.slice(0, kept), responseTruncated: true },
			...(outcome === 'unknown' && { description }),
		},
	});
});

test('A report of 1 MB that a custom request asked for is kept whole', async () => {
	const report = {
		rows: Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'a campaign of the year' })),
	};
	const told = await answering(JSON.stringify(report), customPost);
	expect(told?.details.response).toEqual(report);
});

/** Runs an operation against answers with this body, under the credential's Custom Answers. */
const answered = async (
	parameters: INodeParameters,
	[answerField, acceptedValues]: [unknown, unknown],
	body: string,
	{ status = 200, customAnswers = true, ...more }: Course & Record<string, unknown> = {},
) =>
	await node.against(
		(response) => response.writeHead(Number(status), { 'x-ratelimit-remaining': '99' }).end(body),
		{ parameters, ...more, account: { customAnswers, answerField, acceptedValues } },
	);

const byStatus: [string, string] = ['status', 'ok, queued'];

test.each<[string, [unknown, unknown], string, string]>([
	['a value that accepts', byStatus, '{"status":"queued"}', 'accepted'],
	['another value', byStatus, '{"status":"invalid"}', 'rejected'],
	['no such field', byStatus, '{"success":false}', 'unknown'],
	['a value at a path', ['data.0.code', '0'], '{"data":[{"code":0}]}', 'accepted'],
	['an absent error', ['errors', ''], '{"status":"failed"}', 'accepted'],
	['an error', ['errors', ''], '{"errors":["no consent"]}', 'rejected'],
	['anything', ['', ''], '{"success":false}', 'accepted'],
	['a web page in place of anything', ['', ''], '<html><body>', 'unknown'],
])('With Custom Answers, an answer is judged: %s', async (_, rule, body, outcome) => {
	const { told } = await answered(smsSend, rule, body, { status: 202 });
	expect(told.map((one) => one.outcome)).toEqual([outcome]);
	expect(told[0]?.details.statusCode).toBe(202);
});

test('A batch is refused as a whole and not sent in halves, and after ten refusals and no success, the rest is not sent', async () => {
	const batch = { rows: rowsOf(6) };
	const refused = await answered(createUsers(), byStatus, '{"status":"no"}', batch);
	expect(inShort(refused)).toBe('6 rejected');
	expect(refused.server.requests).toBe(1);

	const parameters = { ...smsSend, message: '=For {{ $json.id }}', options: { concurrency: 1 } };
	const rows = rowsOf(15);
	const report = await answered(parameters, byStatus, '{"status":"wrong key"}', { rows });
	expect(inShort(report)).toBe('10 rejected, 5 notSent serviceUnavailable');
});

test('Custom Answers do not concern custom requests, and nothing while they are off', async () => {
	const custom = await answered(customPost, byStatus, '{"rows":[]}');
	const off = await answered(smsSend, byStatus, '{}', { customAnswers: false });
	expect([custom, off].map(inShort)).toEqual(['1 accepted', '1 accepted']);
});

describe('A failed item', () => {
	const send = async (ids: string[], before: object = {}, more: Course = {}) => {
		node.sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: idOf(1) } });
		return await node.start({ rows: ids.map((id) => ({ id, ...before })), ...more });
	};
	const ofNodeBefore = { outcome: 'accepted', platform: 'ios' };
	const told = (outcome: string, error: string) => ({
		error: expect.stringContaining(error) as string,
		outcome,
		details: expect.objectContaining({ outcome }) as object,
	});

	test('leaves by the error output with its input row, and an accepted one by the first output', async () => {
		const { output, failed } = await send([0, 1, 2].map((row) => idOf(row)));
		expect(output.map(({ json, pairedItem }) => [json.outcome, pairedItem])).toEqual([
			['accepted', { item: 0 }],
			['accepted', { item: 2 }],
		]);
		const error = `The service refused the request for ${idOf(1)} on web (400): Caused by a fault of the sandbox`;
		expect(failed).toMatchObject([{ json: { id: idOf(1), error }, pairedItem: { item: 1 } }]);
	});

	test('has its own outcome, not that of the node before, also where a run cannot begin', async () => {
		const { failed } = await send([idOf(1), ''], ofNodeBefore);
		const ids = { id: idOf(1), user_id: idOf(1) };
		expect(failed.map(({ json }) => json)).toEqual([
			{ ...ids, platform: 'ios', ...told('rejected', '(400)') },
			{ id: '', platform: 'ios', ...told('invalid', 'User ID') },
		]);
		const parameters = push({ concurrency: 'x' });
		const [notBegun] = (await send([idOf(1)], ofNodeBefore, { parameters })).failed;
		expect(notBegun?.json).toMatchObject({ id: idOf(1), outcome: 'invalid' });
		expect(notBegun?.json).not.toHaveProperty('user_id');
	});

	test.each(['of the row', null])('keeps a column user_id that holds %j', async (user_id) => {
		const { failed } = await send([idOf(1)], { user_id });
		expect(failed[0]?.json).toMatchObject({ user_id, outcome: 'rejected' });
	});

	test('has the same fields with Continue', async () => {
		const goingOn = { onError: 'continueRegularOutput' } as const;
		const { output } = await send([idOf(1)], ofNodeBefore, goingOn);
		expect(Object.keys(output[0]?.json ?? {})).toEqual(['error', 'outcome', 'user_id', 'details']);
		expect(output[0]?.json.outcome).toBe('rejected');
	});
});

test('The output keeps the order of the input, however long each response takes', async () => {
	node.sandbox.configure({ latencyMs: [0, 60] });
	node.sandbox.faults.add({ kind: 'status', status: 400, every: 7 });
	const platforms = ['android', 'ios', 'web'];
	const parameters = push({ concurrency: 25 }, platforms);
	const onError = 'continueRegularOutput';
	const { output } = await node.start({ parameters, rows: rowsOf(100), onError });
	const given = output.flatMap((one) => toldBy({ output: [one], failed: [] }));
	expect(given.map(({ item, details }) => [item, details.platform])).toEqual(
		rowsOf(100).flatMap((_, row) => platforms.map((platform) => [row, platform])),
	);
	expect(node.sandbox.record).toHaveLength(300);
});
