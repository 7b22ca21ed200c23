import dns from 'node:dns';
import { isIP } from 'node:net';

import { execute, type Order } from '../support/engine';
import { useFastClock } from '../support/fastClock';
import { startServer, startServerAnswering, unusedAddress } from '../support/localServer';
import * as order from '../support/orders';
import {
	accountOf,
	countsOf,
	createUsers,
	idOf,
	push,
	roomySandbox,
	rowsOf,
	toldBy,
} from '../support/sends';

const page = '<!DOCTYPE html><html><h1>Log in</h1></html>';

async function sendTo(account: object, change: Partial<Order> = {}) {
	const sandbox = await roomySandbox();
	const report = await execute({
		parameters: push(),
		rows: rowsOf(60),
		onError: 'continueErrorOutput',
		mode: 'trigger',
		...change,
		credential: { ...accountOf(sandbox), ...account },
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

test.each([
	[40, false, 10],
	[40, true, 100],
	[399, true, 10],
])(
	'Row %i of 400, always answered 429, costs no other row and no time, with Send Once %s and %i in flight',
	async (row, sendOnce, concurrency) => {
		const server = await startServer((response, _request, body) => {
			const status = body.includes(idOf(row)) ? 429 : 200;
			response.writeHead(status, { 'x-ratelimit-remaining': '400' }).end('{}');
		});
		const startedMs = Date.now();
		const parameters = { ...push({ concurrency, maxWait: 1 }), sendOnce };
		const { told } = await sendTo(server.urls, { parameters, rows: rowsOf(400) });
		await server.close();

		expect(countsOf(told)).toEqual({ accepted: 399, notSent: 1 });
		const { reason, retryAt, attempts } = told[row]?.details ?? {};
		expect([reason, typeof retryAt, Number(attempts) < 5]).toEqual(['rateLimit', 'string', true]);
		// Waiting for the limit would take a minute, and for a limit of another kind half a minute.
		expect(Date.now() - startedMs).toBeLessThan(20_000);
	},
);

test('A row that is always answered 429 without a header stops the others once at most', async () => {
	let firstMs = NaN;
	const server = await startServer((response, _request, body) => {
		firstMs ||= Date.now();
		// The service's minute ends after two seconds, and then after another minute.
		const date = new Date(Date.UTC(2026, 0, 5, 12, 0, 58) + Date.now() - firstMs);
		const headers = { date: date.toUTCString() };
		response.writeHead(body.includes(idOf(40)) ? 429 : 200, headers).end('{}');
	});
	const { told } = await sendTo(
		{ ...server.urls, pushLimit: 500 },
		{
			parameters: push({ concurrency: 10, maxWait: 0.1 }),
			rows: rowsOf(100),
		},
	);
	await server.close();

	expect(countsOf(told)).toEqual({ accepted: 99, notSent: 1 });
});

describe('Where a row waits four seconds for its next try', () => {
	useFastClock(0.25);

	it('no other row waits', async () => {
		const arrived: string[] = [];
		const server = await startServer((response, _request, body) => {
			const { user_id: id } = JSON.parse(body) as { user_id: string };
			const fails = id === idOf(40) && !arrived.includes(id);
			arrived.push(id);
			response.writeHead(fails ? 500 : 200).end('{}');
		});
		const parameters = push({ concurrency: 100, retryUnknown: true });
		await sendTo(server.urls, { parameters, rows: rowsOf(200) });
		await server.close();

		expect(arrived.lastIndexOf(idOf(40))).toBe(200);
	});
});

test.each([
	['answers nothing', 0],
	['answers health checks', 5],
])(
	'Of 3,000 events in batches, at most 10 are in doubt and one for each trial if a service that is down %s',
	async (_, trials) => {
		const server = await startServer((response, _request, body) => {
			const isCheck = trials > 0 && body === '{"nv":[]}';
			response.writeHead(isCheck ? 400 : 503).end('{}');
		});
		const { told } = await sendTo(server.urls, {
			parameters: {
				...order.trackEvent,
				userID: '={{ $json.id }}',
				options: { batchSize: 100, maxWait: 0.1 },
			},
			rows: rowsOf(3_000),
		});
		await server.close();

		const { unknown, notSent } = countsOf(told);
		expect(unknown).toBeGreaterThanOrEqual(10);
		expect(unknown).toBeLessThanOrEqual(10 + trials);
		expect(notSent).toBe(3_000 - (unknown ?? 0));
	},
);

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
});

describe('Where a 2xx says that it failed,', () => {
	const declined = { success: false, reason: 'not subscribed' };
	/** A service that answers so for each row but every n-th, or for every n-th only. */
	async function declining(isDeclined: (row: number) => boolean) {
		const server = await startServer((response, _, body) => {
			const row = Number(/u(\d{6})/.exec(body)?.[1]);
			response.end(isDeclined(row) ? JSON.stringify(declined) : '{}');
		});
		const report = await sendTo(server.urls, { rows: rowsOf(300) });
		await server.close();
		return { ...report, server };
	}

	test.each([
		['every third', (row: number) => row % 3 === 0, 100],
		['nine of ten', (row: number) => row % 10 !== 9, 270],
	])('%s of 300 rows costs no other row and no pause', async (_, isDeclined, unknown) => {
		const { told, failed, hints, server } = await declining(isDeclined);
		expect(countsOf(told)).toEqual({ accepted: 300 - unknown, unknown });
		expect(server.requests).toBe(300);
		expect(JSON.stringify(hints)).not.toMatch(/paused/);
		expect(failed[0]?.json).toMatchObject({
			error:
				'The service answered 200, but said that it failed (not subscribed), so it may or may not have been delivered',
			details: { outcome: 'unknown', statusCode: 200, response: declined },
		});
		expect(failed[0]?.json.details).toMatchObject({
			description: expect.stringContaining("'Custom Answers' in the credential") as string,
		});
	});

	test.each([
		['ten rows and no success', () => true, 10, 20],
		['fifty in a row', (row: number) => row >= 60, 110, 211],
	])('%s end the run, and the rest says why', async (_, isDeclined, least, most) => {
		const { told, failed, server } = await declining(isDeclined);
		expect(server.requests).toBeGreaterThanOrEqual(least);
		expect(server.requests).toBeLessThan(most);
		const left = told.filter(({ outcome }) => outcome === 'notSent');
		expect(left).toHaveLength(300 - server.requests);
		expect(failed.at(-1)?.json).toMatchObject({
			error: `${server.url} said of many messages in a row that they failed, so it was not sent`,
			details: { reason: 'serviceUnavailable' },
		});
		const text = JSON.stringify(failed.at(-1)?.json.details);
		expect(text).toContain('not subscribed');
		expect(text).toContain("'Custom Answers' in the credential");
	});
});

describe('An address that is wrong', () => {
	useFastClock(5);

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

describe('Where no address of a host can be reached, each message is tried again and then not sent:', () => {
	/** Answers for a host as a name server would. */
	function resolve(host: string, addresses: readonly string[]): void {
		const others = dns.lookup as (...args: unknown[]) => void;
		jest.spyOn(dns, 'lookup').mockImplementation((name: string, ...rest: unknown[]) => {
			if (name !== host) return others(name, ...rest);
			const answer = rest.pop() as (error: null, found: dns.LookupAddress[]) => void;
			const found = addresses.map((address) => ({ address, family: isIP(address) }));
			setImmediate(() => answer(null, found));
		});
	}
	useFastClock(5);
	afterEach(() => jest.restoreAllMocks());

	// A TCP connection to a broadcast or multicast address is refused on this machine.
	test.each([
		['the network is down', ['255.255.255.255', '224.0.0.1']],
		['the last one refuses', ['224.0.0.1', '127.0.0.1']],
		['the first one refuses', ['127.0.0.1', '224.0.0.1']],
		['one is not valid on this machine', ['fe80::1', '127.0.0.1']],
	])('%s', async (_, addresses) => {
		// A host that cannot be reached makes later runs wait.
		const host = `${addresses.join('-').replaceAll(':', '')}.example`;
		resolve(host, addresses);
		const { told } = await sendTo({ pushUrl: `https://${host}:1` }, { rows: rowsOf(2) });
		expect(told.map(({ details }) => details)).toMatchObject(
			rowsOf(2).map(() => ({ outcome: 'notSent', reason: 'noConnection', attempts: 4 })),
		);
	});
});

test.each([
	[
		'continueErrorOutput',
		false,
		'start the workflow again with the items whose outcome is notSent',
	],
	['continueRegularOutput', true, 'start the workflow again with all items: Send Once skips'],
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
