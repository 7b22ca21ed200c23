import { execute } from '../support/engine';
import { accountOf, push, roomySandbox, rowsOf } from '../support/sends';
import { startServer } from '../support/localServer';

// Hundreds of real requests, with real waits.
jest.setTimeout(60_000);

test('The output keeps the order of the input, however long each response takes', async () => {
	const sandbox = await roomySandbox({ latencyMs: [0, 60] });
	sandbox.faults.add({ kind: 'status', status: 400, every: 7 });
	const { output } = await execute({
		parameters: push({ concurrency: 25 }, ['android', 'ios', 'web']),
		rows: rowsOf(200),
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});

	const arrived = sandbox.record.map(
		({ platform, body }) => `${platform} ${(body as { user_id: string }).user_id}`,
	);
	const given = output.map(({ json, pairedItem }) => [
		(pairedItem as { item: number }).item,
		json.platform ?? (json.details as { platform: string }).platform,
	]);
	expect(given).toEqual(
		rowsOf(200).flatMap((_, row) => ['android', 'ios', 'web'].map((platform) => [row, platform])),
	);
	expect(new Set(arrived).size).toBe(600);
	await sandbox.close();
});

test.each([1, 7])('No more than %s requests are ever under way', async (concurrency) => {
	const service = await startServer((response) => {
		setTimeout(
			() => response.setHeader('x-ratelimit-remaining', '100000').end('{}'),
			Math.random() * 10,
		);
	});
	const sandbox = await roomySandbox();
	const { output } = await execute({
		parameters: push({ concurrency }),
		rows: rowsOf(200),
		credential: { ...accountOf(sandbox), pushUrl: service.url },
	});

	expect(output).toHaveLength(200);
	expect(service.mostAtOnce).toBe(concurrency);
	await Promise.all([sandbox.close(), service.close()]);
});
