import { execute, type Order } from './support/engine';
import { startServer, startServerAnswering, unusedAddress } from './support/localServer';
import * as order from './support/orders';
import {
	accountOf,
	countsOf,
	createUsers,
	idOf,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
} from './support/sends';

const page = '<!DOCTYPE html><html><h1>Log in</h1></html>';

async function sendTo(urls: Record<string, string>, change: Partial<Order> = {}) {
	const sandbox = await roomySandbox();
	const report = await execute({
		parameters: push(),
		rows: rowsOf(60),
		onError: 'continueErrorOutput',
		mode: 'trigger',
		...change,
		credential: { ...accountOf(sandbox), ...urls },
	});
	await sandbox.close();
	return { ...report, told: toldBy(report) };
}

test('Twelve neighbouring rows that the service cannot digest cost no other row', async () => {
	const sandbox = await roomySandbox();
	const bad = Array.from({ length: 12 }, (_, row) => idOf(100 + row));
	for (const bodyText of bad)
		sandbox.faults.add({ kind: 'status', status: 500, match: { bodyText } });
	const report = await execute({
		parameters: push(),
		rows: rowsOf(300),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});

	expect(countsOf(toldBy(report))).toEqual({ accepted: 288, unknown: 12 });
	expect(sandbox.accepted()).toHaveLength(288);
	await sandbox.close();
});

test('A service that is down when a run with a raised limit begins leaves at most 15 in doubt', async () => {
	const sandbox = await roomySandbox();
	sandbox.faults.add({ kind: 'status', status: 503 });
	const report = await execute({
		parameters: push({ maxWait: 0.05 }),
		rows: rowsOf(200),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});

	const told = toldBy(report);
	expect(countsOf(told).unknown).toBeLessThanOrEqual(15);
	expect(countsOf(told).notSent).toBeGreaterThanOrEqual(185);
	for (const { details } of told.filter(({ outcome }) => outcome === 'notSent')) {
		expect(details.reason).toBe('serviceUnavailable');
		expect(Date.parse(details.retryAt as string)).toBeGreaterThan(Date.now() - 5_000);
	}
	await sandbox.close();
});

test('An outage says when to try again as the service does, also beyond five minutes', async () => {
	const server = await startServerAnswering(503, { 'retry-after': '3600' }, '');
	const startedMs = Date.now();
	const { told } = await sendTo(server.urls, { parameters: push({ maxWait: 0.05 }) });
	await server.close();

	const [left] = told.filter(({ outcome }) => outcome === 'notSent');
	const minutes = (Date.parse(left?.details.retryAt as string) - startedMs) / 60_000;
	expect(minutes).toBeGreaterThan(59.9);
	expect(minutes).toBeLessThan(61);
});

describe('Where a web page answers with 200', () => {
	test('nothing is accepted, and the run ends after the first few, as with a wrong address', async () => {
		const server = await startServerAnswering(200, { 'content-type': 'text/html' }, page);
		const { told } = await sendTo(server.urls);
		await server.close();

		expect(countsOf(told).accepted).toBeUndefined();
		expect(countsOf(told).unknown).toBeLessThanOrEqual(10);
		const left = told.filter(({ outcome }) => outcome === 'notSent');
		expect(left.length).toBeGreaterThanOrEqual(50);
		expect(new Set(left.map(({ details }) => details.reason))).toEqual(new Set(['addressRefused']));
	});

	test('the message says where to look', async () => {
		const server = await startServerAnswering(200, {}, page);
		const { failed } = await sendTo(server.urls, { rows: rowsOf(1) });
		const { failed: users } = await sendTo(server.urls, {
			rows: rowsOf(1),
			parameters: createUsers(),
		});
		await server.close();

		expect(failed[0]?.json).toMatchObject({
			error: `${server.url} answered with a web page (200), so it may or may not have been delivered`,
			details: {
				outcome: 'unknown',
				statusCode: 200,
				response: page,
				description: expect.stringContaining(
					"Check the 'Push API URL' in the credential",
				) as string,
			},
		});
		expect(users[0]?.json.error).toBe(
			`${server.url} answered with a web page (200), so the user may or may not have been saved`,
		);
	});

	test('a custom request may ask for it', async () => {
		const server = await startServerAnswering(200, {}, page);
		const { output } = await sendTo(server.urls, {
			parameters: order.customPost,
			rows: [{ id: '' }],
		});
		await server.close();
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', response: page });
	});
});

describe('An answer whose body stops arriving', () => {
	/** Answers with headers, and with a body that breaks off or stops arriving. */
	async function stalling(status: number, ends: 'stops' | 'breaks off', start = '{"a') {
		let calls = 0;
		const server = await startServer((response) => {
			if (++calls > 1) return void response.end('{}');
			response.writeHead(status).write(start);
			if (ends === 'breaks off') setTimeout(() => response.destroy(), 100);
		});
		const { told } = await sendTo(server.urls, {
			parameters: push({ requestTimeout: 1 }),
			rows: rowsOf(1),
		});
		await server.close();
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

	test('is not accepted if what arrived of it is a web page', async () => {
		expect((await stalling(200, 'stops', page)).told[0]?.outcome).toBe('unknown');
	});
});

describe('An address that is wrong', () => {
	test('by its host ends a run after the usual tries, and the message says what to check', async () => {
		const { told, failed } = await sendTo({ pushUrl: 'https://nowhere.invalid' });
		expect(countsOf(told)).toEqual({ notSent: 60 });
		expect(new Set(told.map(({ details }) => details.reason))).toEqual(new Set(['noConnection']));
		for (const { json } of failed) {
			expect(json.error).toBe('No connection to https://nowhere.invalid, so it was not sent');
			expect(JSON.stringify(json)).toContain("Check the 'Push API URL' in the credential");
		}
	});

	test('by its port ends a run once it may wait no longer, and the message says what to check', async () => {
		const pushUrl = unusedAddress();
		const { told, failed } = await sendTo({ pushUrl }, { parameters: push({ maxWait: 0.02 }) });
		expect(countsOf(told)).toEqual({ notSent: 60 });
		const { error, details } = failed.at(-1)?.json as {
			error: string;
			details: { reason: string; code: string; description: string };
		};
		expect(error).toBe(
			`No connection to ${pushUrl} for as long as the run could wait, so it was not sent`,
		);
		expect(details).toMatchObject({ reason: 'serviceUnavailable', code: 'ECONNREFUSED' });
		expect(details.description).toContain("Check the 'Push API URL' in the credential");
	});
});

test.each([
	['continueErrorOutput', false, 'start the workflow again with the rows whose outcome is notSent'],
	['continueRegularOutput', true, 'start the workflow again with all rows: Send Once skips'],
] as const)('With %s and Send Once %s, the advice is: %s', async (onError, sendOnce, advice) => {
	const sandbox = await roomySandbox();
	const { output, failed, hints } = await execute({
		parameters: { ...push(), sendOnce },
		rows: rowsOf(30),
		credential: { ...accountOf(sandbox), apiKey: 'wrong' },
		onError,
	});
	await sandbox.close();
	expect(JSON.stringify([output, failed])).toContain(advice);
	expect(JSON.stringify(hints)).toContain(advice);
	expect(JSON.stringify([output, failed, hints])).not.toMatch(/retry (the|this) execution/i);
});
