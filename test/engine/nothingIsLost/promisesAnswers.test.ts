import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { inShort, type Turn, useNode } from '../support/node';
import { customPost, smsSend } from '../support/orders';
import { createUsers, idOf, push, rowsOf, toldBy } from '../support/sends';

const node = useNode({ rows: rowsOf(1), onError: 'continueErrorOutput', maxTries: 2 });

const elsewhere = 'https://user:secret-pw@new.example.com/eu1/x?key=1';
test.each([
	['another host', elsewhere, 'https://new.example.com/eu1/x'],
	['a path with a slash more', '/api/v1/web/send/', '/api/v1/web/send/'],
	['nowhere', undefined, 'another address'],
])('A redirect is not followed, but where it leads is told: %s', async (_, location, shown) => {
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
});

test('What is sent arrives once the credential has the path that the account has', async () => {
	node.sandbox.configure({ pathPrefix: '/eu1' });
	const pushUrl = `${node.sandbox.urls.pushUrl}/eu1`;
	expect(await node.says()).toBe('1 rejected');
	expect(await node.says({ account: { pushUrl } })).toBe('1 accepted');
});

test('An answer whose body stops arriving, or breaks off, keeps its status', async () => {
	const answerTo = async (status: number, end: (response: ServerResponse) => unknown) => {
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
	};
	const ends = [() => {}, (response: ServerResponse) => setTimeout(() => response.destroy(), 100)];
	const seen = ends.flatMap((end) => [200, 400, 429].map(async (one) => await answerTo(one, end)));
	const expected = [
		{ told: { outcome: 'accepted', details: { response: null } } },
		{ told: { outcome: 'rejected', details: { statusCode: 400, response: null } } },
		{ told: { outcome: 'accepted' }, calls: 2 },
	];
	expect(await Promise.all(seen)).toMatchObject([...expected, ...expected]);
});

const kept = 64_000;
const answering = async (body: string, parameters = push()) =>
	(await node.against((response) => response.end(body), { parameters })).told[0];

test.each([
	[200, 'accepted'],
	[503, 'unknown'],
])('An answer %i without an end is %s, and only its beginning is kept', async (status, outcome) => {
	function* endless() {
		for (;;) yield 'ä'.repeat(10_000);
	}
	const { told } = await node.against((response) => {
		Readable.from(endless()).pipe(response.writeHead(status, { 'content-type': 'text/plain' }));
	});
	const details = { response: 'ä'.repeat(kept / 2), responseTruncated: true };
	expect(told).toMatchObject([{ outcome, details: { statusCode: status, ...details } }]);
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
	const response = json(kept + 1).slice(0, kept);
	const cut = await answering(json(kept + 1));
	expect(cut?.details).toMatchObject({ response, responseTruncated: true });
});

test.each([
	['says that it failed', { success: false }, 'unknown'],
	['says that it succeeded', { success: true }, 'accepted'],
])('A 2xx that is cut and %s is judged as a whole', async (_, says, outcome) => {
	const answer = JSON.stringify({ rows: 'y'.repeat(kept), ...says });
	const told = await answering(answer);
	const details = { response: answer.slice(0, kept), responseTruncated: true };
	expect(told).toMatchObject({ outcome, details });
	const advice = 'If such an answer means something else';
	if (outcome === 'unknown') expect(told?.details.description).toContain(advice);
});

test('A report of 1 MB that a custom request asked for is kept whole', async () => {
	const report = rowsOf(20_000).map(({ id }) => ({ id, name: 'a campaign of the whole year' }));
	const told = await answering(JSON.stringify(report), customPost);
	expect(told?.details.response).toEqual(report);
});

/** Runs an operation against answers with this body, under the credential's Custom Answers. */
const answered = async (
	parameters: INodeParameters,
	[answerField, acceptedValues]: [string, string],
	body: string,
	{ account, ...more }: Turn = {},
) => {
	const answers = { customAnswers: true, answerField, acceptedValues, ...account };
	return await node.against(
		(response) => response.writeHead(202, { 'x-ratelimit-remaining': '99' }).end(body),
		{ parameters, ...more, account: answers },
	);
};
const byStatus: [string, string] = ['status', 'ok, queued'];

test.each<[string, [string, string], string, string]>([
	['a value that accepts', byStatus, '{"status":"queued"}', 'accepted'],
	['another value', byStatus, '{"status":"invalid"}', 'rejected'],
	['no such field', byStatus, '{"success":false}', 'unknown'],
	['a value at a path', ['data.0.code', '0'], '{"data":[{"code":0}]}', 'accepted'],
	['an absent error', ['errors', ''], '{"status":"failed"}', 'accepted'],
	['an error', ['errors', ''], '{"errors":["no consent"]}', 'rejected'],
	['anything', ['', ''], '{"success":false}', 'accepted'],
	['a web page in place of anything', ['', ''], '<html><body>', 'unknown'],
])('With Custom Answers, an answer is judged: %s', async (_, rule, body, outcome) => {
	const { told } = await answered(smsSend, rule, body);
	expect(told).toMatchObject([{ outcome, details: { statusCode: 202 } }]);
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
	const off = await answered(smsSend, byStatus, '{}', { account: { customAnswers: false } });
	expect([custom, off].map(inShort)).toEqual(['1 accepted', '1 accepted']);
});

const ofNodeBefore = { outcome: 'accepted', platform: 'ios' };
const rows = [
	{ id: idOf(0), ...ofNodeBefore },
	{ id: idOf(1), ...ofNodeBefore },
	{ id: '', ...ofNodeBefore },
	{ id: idOf(3), user_id: 'of the row' },
	{ id: idOf(4), user_id: null },
];
/** The service accepts the first row only. */
const send = async (parameters = push({ concurrency: 1 }), more: Turn = {}) => {
	node.sandbox.faults.add({ kind: 'status', status: 400, after: 1 });
	return await node.start({ parameters, rows, ...more });
};
const told = (outcome: string, error: string) => ({
	error: expect.stringContaining(error) as string,
	outcome,
	details: expect.objectContaining({ outcome }) as object,
});

test('A failed item leaves by the error output with its input row and its own outcome, and its recipient if no column has that name', async () => {
	const { output, failed } = await send();
	expect(output).toMatchObject([{ json: { outcome: 'accepted' }, pairedItem: { item: 0 } }]);
	const why = ' on web (400): Caused by a fault of the sandbox';
	const rejected = (id: string) => told('rejected', `refused the request for ${id}${why}`);
	expect(failed.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
		[{ ...rows[1], user_id: idOf(1), ...rejected(idOf(1)) }, { item: 1 }],
		[{ ...rows[2], ...told('invalid', 'User ID') }, { item: 2 }],
		[{ ...rows[3], ...rejected(idOf(3)) }, { item: 3 }],
		[{ ...rows[4], ...rejected(idOf(4)) }, { item: 4 }],
	]);
});

test('A failed item has the same fields with Continue, and no recipient where the run cannot begin', async () => {
	const { output } = await send(undefined, { onError: 'continueRegularOutput' });
	expect(output[1]?.json).toMatchObject({ outcome: 'rejected' });
	expect(Object.keys(output[1]?.json ?? {})).toEqual(['error', 'outcome', 'user_id', 'details']);
	const [notBegun] = (await send(push({ concurrency: 'x' }))).failed;
	expect(notBegun?.json).toEqual({ ...rows[0], ...told('invalid', 'Parallel Requests') });
});

test('The output keeps the order of the input, however long each response takes', async () => {
	node.sandbox.configure({ latencyMs: [0, 60] });
	node.sandbox.faults.add({ kind: 'status', status: 400, every: 7 });
	const platforms = ['android', 'ios', 'web'];
	const parameters = push({ concurrency: 25 }, platforms);
	const onError = 'continueRegularOutput';
	const { output } = await node.start({ parameters, rows: rowsOf(100), onError });
	const given = output.flatMap((one) => toldBy({ output: [one], failed: [] }));
	const asked = rowsOf(100).flatMap((_, item) => platforms.map((platform) => ({ item, platform })));
	expect(given).toMatchObject(asked);
	expect(node.sandbox.record).toHaveLength(300);
});
