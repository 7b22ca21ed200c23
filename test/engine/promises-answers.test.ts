import { execute } from './support/engine';
import { accountOf, createUsers, push, roomySandbox, rowsOf, toldBy } from './support/sends';
import { startRefusingProxy, startServer } from './support/localServer';

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
		const service = await startServer((response) => {
			response.writeHead(status, { location: `${elsewhere.url}/api/v1/web/send` }).end();
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

test('A redirect within the same host is not followed either', async () => {
	const sandbox = await roomySandbox();
	const paths: Array<string | undefined> = [];
	const service = await startServer((response, { url }) => {
		paths.push(url);
		response.writeHead(307, { location: '/elsewhere' }).end();
	});
	const { error } = await execute({
		parameters: push(),
		rows: rowsOf(1),
		credential: { ...accountOf(sandbox), pushUrl: service.url },
	});

	expect(error?.message).toContain('(307), which is not followed');
	expect(paths).toEqual(['/api/v1/web/send']);
	await Promise.all([sandbox.close(), service.close()]);
});

test.each([302, 303, 408])(
	'After status %s, Retry On Fail repeats no message, and Retry Unknown does',
	async (status) => {
		const sandbox = await roomySandbox();
		for (const retryUnknown of [false, true]) {
			let calls = 0;
			const service = await startServer((response) =>
				response.writeHead(++calls === 1 ? status : 200, { location: '/' }).end('{}'),
			);
			const { output, failed } = await execute({
				parameters: push({ retryUnknown }),
				rows: rowsOf(1),
				credential: { ...accountOf(sandbox), pushUrl: service.url },
				onError: 'continueErrorOutput',
				retryOnFail: true,
				maxTries: 2,
			});

			expect(toldBy({ output, failed }).map((told) => told.outcome)).toEqual([
				retryUnknown ? 'accepted' : 'unknown',
			]);
			expect(service.requests).toBe(retryUnknown ? 2 : 1);
			await service.close();
		}
		await sandbox.close();
	},
);

test.each([302, 303, 408])(
	'A batch of users answered %s is neither split nor repeated',
	async (status) => {
		const sandbox = await roomySandbox();
		const service = await startServer((response) => response.writeHead(status).end());
		const { output, failed } = await execute({
			parameters: createUsers(),
			rows: rowsOf(3),
			credential: { ...accountOf(sandbox), baseUrl: service.url },
			onError: 'continueErrorOutput',
		});

		expect(toldBy({ output, failed }).map(({ outcome }) => outcome)).toEqual(
			rowsOf(3).map(() => 'unknown'),
		);
		expect(service.requests).toBe(1);
		await Promise.all([sandbox.close(), service.close()]);
	},
);

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
