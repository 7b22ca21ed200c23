import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { useNode } from '../support/node';
import { customPost } from '../support/orders';
import { push, rowsOf } from '../support/sends';

const node = useNode({ rows: rowsOf(1), onError: 'continueErrorOutput', maxTries: 2 });
const kept = 64_000;
/** What is told of an answer with this body. */
const answering = async (body: string, parameters = push()) =>
	(await node.against((response) => response.end(body), { parameters })).told[0];

/** Writes until the connection is closed. */
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
	[400, 'rejected'],
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
	['says it beyond a million characters', { a: 'x'.repeat(1_200_000), ok: 0 }, 'unknown'],
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

test.each([kept - 11, kept - 5, kept - 1, kept + 16_384 - 5])(
	'A key at character %i is not cut in half but masked',
	async (at) => {
		const told = await answering(`${'x'.repeat(at)}sandbox-key${'y'.repeat(100_000)}`);
		expect(told?.details.response).not.toContain('s');
		expect(told?.details).toMatchObject({ outcome: 'accepted', responseTruncated: true });
	},
);

test('A report of 1 MB that a custom request asked for is kept whole', async () => {
	const report = {
		rows: Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'a campaign of the year' })),
	};
	const told = await answering(JSON.stringify(report), customPost);
	expect(told?.details.response).toEqual(report);
});

test('What Retry On Fail restores still says that the answer was cut', async () => {
	let calls = 0;
	const { told, server } = await node.against(
		(response) =>
			++calls === 1
				? response.writeHead(400).end()
				: response.writeHead(200).end('x'.repeat(kept + 1)),
		{ rows: rowsOf(2), retryOnFail: true, parameters: push({ concurrency: 1 }) },
	);
	expect(server.requests).toBe(3);
	expect(told.map(({ details }) => details.responseTruncated)).toEqual([true, true]);
});
