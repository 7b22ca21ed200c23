import type { ServerResponse } from 'node:http';

import { useFastClock } from '../support/clock';
import { startRefusingProxy, startServer } from '../support/localServer';
import { useNode } from '../support/node';
import { push, rowsOf, toldBy } from '../support/sends';

const node = useNode({ rows: rowsOf(1), onError: 'continueErrorOutput' });

test.each([
	[301, 'rejected'],
	[302, 'unknown'],
	[303, 'unknown'],
	[307, 'rejected'],
	[308, 'rejected'],
])(
	'A response with status %s is not followed to another host, and its request is %s',
	async (status, outcome) => {
		const elsewhere = await startServer((response) => response.end('{}'));
		// On a busy machine, an early answer would keep the last request from leaving.
		const held: Array<() => unknown> = [];
		const { told, server } = await node.against(
			(response) => {
				const location = `${elsewhere.url}/api/v1/web/send`;
				held.push(() => response.writeHead(status, { location }).end());
				if (held.length === 3) for (const answer of held) answer();
			},
			{ rows: rowsOf(3) },
		);
		await elsewhere.close();

		expect(told.map(({ outcome, details }) => [outcome, details.statusCode])).toEqual(
			rowsOf(3).map(() => [outcome, status]),
		);
		expect([server.requests, elsewhere.requests]).toEqual([3, 0]);
	},
);

test.each([
	[
		'another host',
		'https://user:secret-pw@new.example.com/eu1/x?key=1',
		'https://new.example.com/eu1/x',
		"If that address belongs to the service, enter it in the credential as the 'Push API URL'.",
	],
	[
		'a path with a slash more',
		'/api/v1/web/send/',
		'/api/v1/web/send/',
		'It only adds a slash at the end of the path. No setting changes the path of this operation: report it to the maintainers of the node.',
	],
	['nowhere', undefined, 'another address', 'If that address belongs to the service'],
])('The text for a redirect names where it leads: %s', async (_, location, shown, advice) => {
	for (const status of [307, 302]) {
		const { failed, server } = await node.against((response) =>
			response.writeHead(status, location === undefined ? {} : { location }).end(),
		);
		const target = shown.startsWith('/') ? `${server.url}${shown}` : shown;
		const { error, details } = failed[0]?.json as {
			error: string;
			details: { description: string };
		};
		const text = `${error}. ${details.description}`;
		expect(text).toContain(`redirects to ${target}`);
		expect(text).toContain(advice);
		expect(JSON.stringify(failed)).not.toMatch(/secret-pw|key=1/);
	}
});

describe('Where a proxy refuses to connect', () => {
	const before = process.env.HTTPS_PROXY;
	useFastClock(10);
	afterEach(() => {
		if (before === undefined) delete process.env.HTTPS_PROXY;
		else process.env.HTTPS_PROXY = before;
	});

	test('each message is tried again, and then not sent', async () => {
		let calls = 0;
		const proxy = await startRefusingProxy(() =>
			++calls % 2 === 0 ? '' : 'HTTP/1.1 407 Password, please\r\ncontent-length: 0\r\n\r\n',
		);
		// n8n reads it for each request.
		process.env.HTTPS_PROXY = proxy.url;
		const account = { pushUrl: 'https://push.example' };
		const told = toldBy(await node.start({ rows: rowsOf(2), account }));
		expect(told.map(({ details }) => details)).toMatchObject(
			rowsOf(2).map(() => ({ outcome: 'notSent', reason: 'noConnection', attempts: 4 })),
		);
		expect(calls).toBe(8);
		await proxy.close();
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
