import dns from 'node:dns';
import { isIP } from 'node:net';

import { useFastClock } from '../support/clock';
import { startRefusingProxy, unusedAddress } from '../support/localServer';
import { inShort, useNode } from '../support/node';
import * as order from '../support/orders';
import { countsOf, createUsers, push, rowsOf, toldBy } from '../support/sends';

// It waits for a service that is down as a run of a trigger does.
const node = useNode({ rows: rowsOf(60), onError: 'continueErrorOutput', mode: 'trigger' });
const answering =
	(status: number, body = '', headers = {}): Parameters<typeof node.against>[0] =>
	(response) =>
		response.writeHead(status, headers).end(body);

const notSentOf = (told: ReturnType<typeof toldBy>) =>
	told.filter(({ outcome }) => outcome === 'notSent').map(({ details }) => details);

useFastClock(10);
const checkUrl = expect.stringContaining("Check the 'Push API URL' in the credential") as unknown;

test('While the service is down, few of 3,000 events are in doubt', async () => {
	const options = { batchSize: 100, maxWait: 0.1 };
	const parameters = { ...order.trackEvent, userID: '={{ $json.id }}', options };
	const { told } = await node.against(
		(response, _, body) => response.writeHead(body === '{"nv":[]}' ? 400 : 503).end('{}'),
		{ parameters, rows: rowsOf(3_000) },
	);
	const { unknown = 0, notSent } = countsOf(told);
	expect(unknown).toBeGreaterThanOrEqual(10);
	expect(unknown).toBeLessThanOrEqual(15);
	expect(notSent).toBe(3_000 - unknown);
});

test('Each message left says when to try again as the service does, also beyond five minutes', async () => {
	const startedMs = Date.now();
	const down = answering(503, '', { 'retry-after': '3600' });
	const { told } = await node.against(down, { parameters: push({ maxWait: 0.05 }) });
	const left = notSentOf(told);
	expect(left.length).toBeGreaterThanOrEqual(45);
	for (const { reason, retryAt } of left) {
		const minutes = Math.round((Date.parse(retryAt as string) - startedMs) / 60_000);
		expect([reason, minutes]).toEqual(['serviceUnavailable', 60]);
	}
});

test('Where a web page answers with 200, the message says where to look', async () => {
	const page = '<!DOCTYPE html><html><h1>Log in</h1></html>';
	const rows = rowsOf(1);
	const { failed, server } = await node.against(answering(200, page), { rows });
	const users = await node.against(answering(200, page), { rows, parameters: createUsers() });
	expect(failed[0]?.json).toMatchObject({
		error: `${server.url} answered with a web page (200), so it may or may not have been delivered`,
		details: { outcome: 'unknown', statusCode: 200, response: page, description: checkUrl },
	});
	expect(users.failed[0]?.json.error).toBe(
		`${users.server.url} answered with a web page (200), so the user may or may not have been saved`,
	);
});

const declined = { success: false, reason: 'not subscribed' };
const declining = async (isDeclined: (row: number) => boolean) =>
	await node.against(
		(response, _, body) => {
			const row = Number(/u(\d{6})/.exec(body)?.[1]);
			response.end(JSON.stringify(isDeclined(row) ? declined : {}));
		},
		// On a busy machine, an answer may take a while.
		{ rows: rowsOf(300), parameters: push({ requestTimeout: 600 }) },
	);
const description = expect.stringContaining("'Custom Answers' in the credential") as string;

test('Where a 2xx says that it failed, nine of ten rows cost no other row and no pause', async () => {
	const { told, failed, hints, server } = await declining((row) => row % 10 !== 9);
	expect(countsOf(told)).toEqual({ accepted: 30, unknown: 270 });
	expect(server.requests).toBe(300);
	expect(JSON.stringify(hints)).not.toMatch(/paused/);
	expect(failed[0]?.json).toMatchObject({
		error:
			'The service answered 200, but said that it failed, so it may or may not have been delivered: not subscribed',
		details: { outcome: 'unknown', statusCode: 200, response: declined, description },
	});
});

test.each([
	['ten rows and no success', 0, 10, 20],
	['fifty in a row', 60, 110, 211],
])('If a 2xx says that it failed, %s end the run and say why', async (_, first, least, most) => {
	const { told, failed, server } = await declining((row) => row >= first);
	expect(server.requests).toBeGreaterThanOrEqual(least);
	expect(server.requests).toBeLessThan(most);
	expect(notSentOf(told)).toHaveLength(300 - server.requests);
	expect(failed.at(-1)?.json).toMatchObject({
		error: `${server.url} said of many messages in a row that they failed, so it was not sent`,
		details: { reason: 'serviceUnavailable', description },
	});
	expect(JSON.stringify(failed.at(-1)?.json.details)).toContain('not subscribed');
});

const unknownHost = 'https://nowhere.invalid';
const closed = unusedAddress();
const unavailable = `${closed} was not available for as long as the run could wait`;
test.each([
	['host', unknownHost, 60, 'noConnection', 'ENOTFOUND', `No connection to ${unknownHost}`],
	['port', closed, 0.02, 'serviceUnavailable', 'ECONNREFUSED', unavailable],
])('A wrong %s ends a run and says what to check', async (...one) => {
	const [, pushUrl, maxWait, reason, code, error] = one;
	const report = await node.start({ parameters: push({ maxWait }), account: { pushUrl } });
	expect(inShort(report)).toBe(`60 notSent ${reason}`);
	expect(report.failed.at(-1)?.json).toMatchObject({
		error: `${error}, so it was not sent`,
		details: { reason, code, description: checkUrl },
	});
});

const neverConnected = { outcome: 'notSent', reason: 'noConnection', attempts: 4 };

// A TCP connection to a broadcast or multicast address is refused on this machine.
test.each([
	['its last one refuses', ['224.0.0.1', '127.0.0.1']],
	['one is not valid on this machine', ['fe80::1', '127.0.0.1']],
])('Where no address of a host answers and %s, it is not sent', async (_, addresses) => {
	// A host that cannot be reached makes later runs wait.
	const host = `${addresses.join('-').replaceAll(':', '')}.example`;
	const others = dns.lookup as (...args: unknown[]) => void;
	jest.spyOn(dns, 'lookup').mockImplementation((name: string, ...rest: unknown[]) => {
		if (name !== host) return others(name, ...rest);
		const answer = rest.pop() as (error: null, found: dns.LookupAddress[]) => void;
		const found = addresses.map((address) => ({ address, family: isIP(address) }));
		setImmediate(() => answer(null, found));
	});
	const account = { pushUrl: `https://${host}:1` };
	const told = toldBy(await node.start({ rows: rowsOf(2), account }));
	expect(told).toMatchObject([{ details: neverConnected }, { details: neverConnected }]);
});
afterEach(() => jest.restoreAllMocks());

test('Where a proxy refuses to connect, a message is tried again, and then not sent', async () => {
	let calls = 0;
	const proxy = await startRefusingProxy(() =>
		++calls % 2 === 0 ? '' : 'HTTP/1.1 407 Password, please\r\ncontent-length: 0\r\n\r\n',
	);
	// n8n reads it for each request.
	jest.replaceProperty(process, 'env', { ...process.env, HTTPS_PROXY: proxy.url });
	const account = { pushUrl: 'https://push.example' };
	const told = toldBy(await node.start({ rows: rowsOf(1), account }));
	await proxy.close();
	expect(told).toMatchObject([{ details: neverConnected }]);
	expect(calls).toBe(4);
});

test.each([
	['continueErrorOutput', false, 'the items whose outcome is notSent'],
	['continueRegularOutput', true, 'all items: Send Once skips'],
] as const)('With %s and Send Once %s, the advice is %s', async (onError, sendOnce, items) => {
	const advice = `start the workflow again with ${items}`;
	const parameters = { ...push(), sendOnce };
	const { output, failed, hints } = await node.against(answering(401), { parameters, onError });
	expect(JSON.stringify([output, failed])).toContain(advice);
	expect(JSON.stringify(hints)).toContain(advice);
	expect(JSON.stringify([output, failed, hints])).not.toMatch(/retry (the|this) execution/i);
});
