import { execute } from '../support/engine';
import { accountOf, push, roomySandbox, rowsOf, toldBy } from '../support/sends';
import { startRefusingProxy, startServer } from '../support/localServer';

test.each([
	[301, 'rejected'],
	[302, 'unknown'],
	[303, 'unknown'],
	[307, 'rejected'],
	[308, 'rejected'],
])(
	'A response with status %s is not followed to another host, and its request is %s',
	async (status, outcome) => {
		const sandbox = await roomySandbox();
		const elsewhere = await startServer((response) => response.end('{}'));
		// On a busy machine, an early answer would keep the last request from leaving.
		const held: Array<() => unknown> = [];
		const service = await startServer((response) => {
			const location = `${elsewhere.url}/api/v1/web/send`;
			held.push(() => response.writeHead(status, { location }).end());
			if (held.length === 3) for (const answer of held) answer();
		});
		const report = await execute({
			parameters: push(),
			rows: rowsOf(3),
			credential: { ...accountOf(sandbox), pushUrl: service.url },
			onError: 'continueRegularOutput',
		});

		expect(toldBy(report).map(({ outcome, details }) => [outcome, details.statusCode])).toEqual(
			rowsOf(3).map(() => [outcome, status]),
		);
		expect(service.requests).toBe(3);
		expect(elsewhere.requests).toBe(0);
		expect(sandbox.record).toEqual([]);
		await Promise.all([sandbox.close(), elsewhere.close(), service.close()]);
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
	const sandbox = await roomySandbox();
	for (const status of [307, 302]) {
		const service = await startServer((response) => {
			response.writeHead(status, location === undefined ? {} : { location }).end();
		});
		const target = shown.startsWith('/') ? `${service.url}${shown}` : shown;
		const { output } = await execute({
			parameters: push(),
			rows: rowsOf(1),
			credential: { ...accountOf(sandbox), pushUrl: service.url },
			onError: 'continueRegularOutput',
		});
		const { error, details } = output[0]?.json as {
			error: string;
			details: { description: string };
		};
		const text = `${error}. ${details.description}`;
		expect(text).toContain(`redirects to ${target}`);
		expect(text).toContain(advice);
		expect(JSON.stringify(output)).not.toMatch(/secret-pw|key=1/);
		await service.close();
	}
	await sandbox.close();
});

test('What a proxy refuses to connect is not sent', async () => {
	const sandbox = await roomySandbox();
	let calls = 0;
	const proxy = await startRefusingProxy(() =>
		++calls % 2 === 0 ? '' : 'HTTP/1.1 407 Password, please\r\ncontent-length: 0\r\n\r\n',
	);
	const before = process.env.HTTPS_PROXY;
	// n8n reads it for each request.
	process.env.HTTPS_PROXY = proxy.url;
	try {
		const report = await execute({
			parameters: push(),
			rows: rowsOf(2),
			credential: { ...accountOf(sandbox), pushUrl: 'https://push.example' },
			onError: 'continueErrorOutput',
		});
		expect(toldBy(report).map(({ details }) => details)).toMatchObject(
			rowsOf(2).map(() => ({ outcome: 'notSent', reason: 'noConnection', attempts: 4 })),
		);
		expect(calls).toBe(8);
	} finally {
		if (before === undefined) delete process.env.HTTPS_PROXY;
		else process.env.HTTPS_PROXY = before;
		await Promise.all([sandbox.close(), proxy.close()]);
	}
}, 20_000);

describe('An answer whose body stops arriving', () => {
	/** Answers with headers, and with a body that breaks off or stops arriving. */
	async function stalling(status: number, ends: 'stops' | 'breaks off') {
		let calls = 0;
		const server = await startServer((response) => {
			if (++calls > 1) return void response.end('{}');
			response.writeHead(status).write('{"a');
			if (ends === 'breaks off') setTimeout(() => response.destroy(), 100);
		});
		const sandbox = await roomySandbox();
		const report = await execute({
			parameters: push({ requestTimeout: 1 }),
			rows: rowsOf(1),
			credential: { ...accountOf(sandbox), pushUrl: server.url },
			onError: 'continueErrorOutput',
		});
		const told = toldBy(report);
		await Promise.all([sandbox.close(), server.close()]);
		return { told, calls };
	}

	test.each(['stops', 'breaks off'] as const)('keeps its status if it %s', async (ends) => {
		const [accepted, rejected, queued] = await Promise.all([
			stalling(200, ends),
			stalling(400, ends),
			stalling(429, ends),
		]);
		expect(accepted.told[0]).toMatchObject({ outcome: 'accepted', details: { response: null } });
		expect(rejected.told[0]).toMatchObject({
			outcome: 'rejected',
			details: { statusCode: 400, response: null },
		});
		expect(queued).toMatchObject({ calls: 2, told: [{ outcome: 'accepted' }] });
	});
});
