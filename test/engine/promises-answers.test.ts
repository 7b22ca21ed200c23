import { execute } from './support/engine';
import { accountOf, push, roomySandbox, rowsOf, toldBy } from './support/sends';
import { startServer } from './support/localServer';

test.each([301, 302, 303, 307, 308])(
	'A response with status %s is not followed to another host',
	async (status) => {
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
			rowsOf(3).map(() => ['rejected', status]),
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

test('A web page in place of a response is output as text, and a hint says so', async () => {
	const sandbox = await roomySandbox();
	sandbox.faults.add({ kind: 'html', accepted: true });
	const { output, hints } = await execute({
		parameters: push(),
		rows: rowsOf(1),
		credential: accountOf(sandbox),
	});

	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringContaining('1 request was accepted, but answered with a web page'),
	]);
	expect(output[0]?.json).toMatchObject({ outcome: 'accepted', statusCode: 200 });
	expect(output[0]?.json.response).toContain('<h1>A page in place of an answer</h1>');
	await sandbox.close();
});
