import dns from 'node:dns';
import { isIP } from 'node:net';

import { execute, type Order } from '../support/engine';
import { useFastClock } from '../support/fastClock';
import { startServer, unusedAddress } from '../support/localServer';
import * as order from '../support/orders';
import { countsOf, createUsers, idOf, push, rowsOf, toldBy } from '../support/sends';
import { keyCredential } from '../support/service';

type Answer = Parameters<typeof startServer>[0];
const answering =
	(status: number, body = '', headers: Record<string, string> = {}): Answer =>
	(response) =>
		response.writeHead(status, headers).end(body);
const ok = answering(200, '{}');

/** Sends to a service that answers so, and waits for it as a run of a trigger does. */
async function sendTo(answer: Answer, change: Partial<Order> = {}, account: object = {}) {
	const server = await startServer(answer);
	const report = await execute({
		parameters: push(),
		rows: rowsOf(60),
		onError: 'continueErrorOutput',
		mode: 'trigger',
		...change,
		credential: { ...keyCredential(server), ...account },
	});
	await server.close();
	return { ...report, server, told: toldBy(report) };
}

const notSentOf = (told: ReturnType<typeof toldBy>) =>
	told.filter(({ outcome }) => outcome === 'notSent').map(({ details }) => details);

test('Twelve neighbouring rows that the service cannot digest cost no other row', async () => {
	const bad = Array.from({ length: 12 }, (_, row) => idOf(100 + row));
	const { told, server } = await sendTo(
		(response, _, body) =>
			response.writeHead(bad.some((id) => body.includes(id)) ? 500 : 200).end('{}'),
		{ rows: rowsOf(200) },
	);
	expect(countsOf(told)).toEqual({ accepted: 188, unknown: 12 });
	const messages = server.received.filter(({ body }) => body.includes('"user_id"'));
	expect(messages).toHaveLength(200);
});

test.each([
	[40, false, 10],
	[40, true, 100],
	[199, true, 10],
])(
	'Row %i of 200, always answered 429, costs no other row and no time, with Send Once %s and %i in flight',
	async (row, sendOnce, concurrency) => {
		const startedMs = Date.now();
		const { told } = await sendTo(
			(response, _, body) =>
				response
					.writeHead(body.includes(idOf(row)) ? 429 : 200, { 'x-ratelimit-remaining': '400' })
					.end('{}'),
			{
				parameters: { ...push({ concurrency, maxWait: 1 }), sendOnce },
				rows: rowsOf(200),
			},
		);

		expect(countsOf(told)).toEqual({ accepted: 199, notSent: 1 });
		const { reason, retryAt, attempts } = told[row]?.details ?? {};
		expect([reason, typeof retryAt, Number(attempts) < 5]).toEqual(['rateLimit', 'string', true]);
		// Waiting for the limit would take a minute, and for a limit of another kind half a minute.
		expect(Date.now() - startedMs).toBeLessThan(20_000);
	},
);

describe('Where a row waits two seconds for its next try', () => {
	useFastClock(0.5);

	test('no other row waits', async () => {
		const arrived: string[] = [];
		await sendTo(
			(response, _, body) => {
				const { user_id: id } = JSON.parse(body) as { user_id: string };
				const fails = id === idOf(40) && !arrived.includes(id);
				arrived.push(id);
				response.writeHead(fails ? 500 : 200).end('{}');
			},
			{ parameters: push({ concurrency: 100, retryUnknown: true }), rows: rowsOf(100) },
		);
		expect(arrived.lastIndexOf(idOf(40))).toBe(100);
	});
});

describe('While the service is down,', () => {
	useFastClock(5);

	test('a run with a raised limit leaves at most 15 in doubt', async () => {
		const { told } = await sendTo(answering(503), {
			parameters: push({ maxWait: 0.05 }),
			rows: rowsOf(200),
		});
		expect(countsOf(told).unknown).toBeLessThanOrEqual(15);
		expect(countsOf(told).notSent).toBeGreaterThanOrEqual(185);
		for (const { reason, retryAt } of notSentOf(told)) {
			expect(reason).toBe('serviceUnavailable');
			expect(Date.parse(retryAt as string)).toBeGreaterThan(Date.now() - 5_000);
		}
	});

	test('a row that is always answered 429 without a header stops the others once at most', async () => {
		let firstMs = NaN;
		const { told } = await sendTo(
			(response, _, body) => {
				firstMs ||= performance.now();
				// The service's minute ends after two seconds, and then after another minute.
				const date = new Date(Date.UTC(2026, 0, 5, 12, 0, 58) + performance.now() - firstMs);
				const headers = { date: date.toUTCString() };
				response.writeHead(body.includes(idOf(40)) ? 429 : 200, headers).end('{}');
			},
			{ parameters: push({ concurrency: 10, maxWait: 0.1 }), rows: rowsOf(100) },
			{ pushLimit: 500 },
		);
		expect(countsOf(told)).toEqual({ accepted: 99, notSent: 1 });
	});

	test.each([
		['nothing', 0],
		['health checks', 5],
	])(
		'of 3,000 events in batches, at most 10 are in doubt and one for each trial, if it answers %s',
		async (_, trials) => {
			const { told } = await sendTo(
				(response, __, body) =>
					response.writeHead(trials > 0 && body === '{"nv":[]}' ? 400 : 503).end('{}'),
				{
					parameters: {
						...order.trackEvent,
						userID: '={{ $json.id }}',
						options: { batchSize: 100, maxWait: 0.1 },
					},
					rows: rowsOf(3_000),
				},
			);
			const { unknown, notSent } = countsOf(told);
			expect(unknown).toBeGreaterThanOrEqual(10);
			expect(unknown).toBeLessThanOrEqual(10 + trials);
			expect(notSent).toBe(3_000 - (unknown ?? 0));
		},
	);

	test('each message left says when to try again as the service does, also beyond five minutes', async () => {
		const startedMs = Date.now();
		const down = answering(503, '', { 'retry-after': '3600' });
		const { told } = await sendTo(down, { parameters: push({ maxWait: 0.05 }) });
		const minutes = (Date.parse(notSentOf(told)[0]?.retryAt as string) - startedMs) / 60_000;
		expect(minutes).toBeGreaterThan(59.9);
		expect(minutes).toBeLessThan(61);
	});
});

describe('Where a web page answers with 200', () => {
	const page = '<!DOCTYPE html><html><h1>Log in</h1></html>';

	test('nothing is accepted, and the run ends after the first few, as with a wrong address', async () => {
		const { told } = await sendTo(answering(200, page, { 'content-type': 'text/html' }));
		expect(countsOf(told).accepted).toBeUndefined();
		expect(countsOf(told).unknown).toBeLessThanOrEqual(10);
		const left = notSentOf(told);
		expect(left.length).toBeGreaterThanOrEqual(50);
		expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['addressRefused']));
	});

	test('the message says where to look', async () => {
		const { failed, server } = await sendTo(answering(200, page), { rows: rowsOf(1) });
		const change = { rows: rowsOf(1), parameters: createUsers() };
		const { failed: users, server: other } = await sendTo(answering(200, page), change);
		expect(failed[0]?.json).toMatchObject({
			error: `${server.url} answered with a web page (200), so it may or may not have been delivered`,
			details: {
				...{ outcome: 'unknown', statusCode: 200, response: page },
				description: expect.stringContaining(
					"Check the 'Push API URL' in the credential",
				) as string,
			},
		});
		expect(users[0]?.json.error).toBe(
			`${other.url} answered with a web page (200), so the user may or may not have been saved`,
		);
	});
});

describe('Where a 2xx says that it failed,', () => {
	const declined = { success: false, reason: 'not subscribed' };
	const declining = async (isDeclined: (row: number) => boolean) =>
		await sendTo(
			(response, _, body) =>
				response.end(
					isDeclined(Number(/u(\d{6})/.exec(body)?.[1])) ? JSON.stringify(declined) : '{}',
				),
			{ rows: rowsOf(300) },
		);
	const whereToLook = "'Custom Answers' in the credential";

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
			details: {
				...{ outcome: 'unknown', statusCode: 200, response: declined },
				description: expect.stringContaining(whereToLook) as string,
			},
		});
	});

	test.each([
		['ten rows and no success', () => true, 10, 20],
		['fifty in a row', (row: number) => row >= 60, 110, 211],
	])('%s end the run, and the rest says why', async (_, isDeclined, least, most) => {
		const { told, failed, server } = await declining(isDeclined);
		expect(server.requests).toBeGreaterThanOrEqual(least);
		expect(server.requests).toBeLessThan(most);
		expect(notSentOf(told)).toHaveLength(300 - server.requests);
		expect(failed.at(-1)?.json).toMatchObject({
			error: `${server.url} said of many messages in a row that they failed, so it was not sent`,
			details: { reason: 'serviceUnavailable' },
		});
		const text = JSON.stringify(failed.at(-1)?.json.details);
		expect(text).toContain('not subscribed');
		expect(text).toContain(whereToLook);
	});
});

describe('An address that is wrong', () => {
	useFastClock(10);
	const whereToLook = "Check the 'Push API URL' in the credential";

	test('by its host ends a run after the usual tries, and the message says what to check', async () => {
		const { told, failed } = await sendTo(ok, {}, { pushUrl: 'https://nowhere.invalid' });
		expect(countsOf(told)).toEqual({ notSent: 60 });
		expect(new Set(told.map(({ details }) => details.reason))).toEqual(new Set(['noConnection']));
		for (const { json } of failed) {
			expect(json.error).toBe('No connection to https://nowhere.invalid, so it was not sent');
			expect(JSON.stringify(json)).toContain(whereToLook);
		}
	});

	test('by its port ends a run once it may wait no longer, and the message says what to check', async () => {
		const pushUrl = unusedAddress();
		const parameters = push({ maxWait: 0.02 });
		const { told, failed } = await sendTo(ok, { parameters }, { pushUrl });
		expect(countsOf(told)).toEqual({ notSent: 60 });
		expect(failed.at(-1)?.json).toMatchObject({
			error: `No connection to ${pushUrl} for as long as the run could wait, so it was not sent`,
			details: {
				...{ reason: 'serviceUnavailable', code: 'ECONNREFUSED' },
				description: expect.stringContaining(whereToLook) as string,
			},
		});
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
	useFastClock(10);
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
		const { told } = await sendTo(ok, { rows: rowsOf(2) }, { pushUrl: `https://${host}:1` });
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
	const parameters = { ...push(), sendOnce };
	const { output, failed, hints } = await sendTo(answering(401), { parameters, onError });
	expect(JSON.stringify([output, failed])).toContain(advice);
	expect(JSON.stringify(hints)).toContain(advice);
	expect(JSON.stringify([output, failed, hints])).not.toMatch(/retry (the|this) execution/i);
});
