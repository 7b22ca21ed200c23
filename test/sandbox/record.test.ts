import { startSandbox, type Arrival, type Sandbox, type SandboxOptions } from '../../sandbox';
import { brandHeaders, call, sms, tokenHeaders, webPush } from './support/calls';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function sandboxWith(options: SandboxOptions = {}): Promise<void> {
	sandbox = await startSandbox(options);
}
const push = (userID: string, headers: Record<string, string> = brandHeaders) =>
	call(`${sandbox.url}/api/v1/web/send`, { headers, body: { ...webPush, user_id: userID } });
const read = async (query = '') =>
	(await call(`${sandbox.url}/sandbox/record${query}`, { method: 'GET' })).json as {
		dropped: number;
		arrivals: Arrival[];
	};

it('The sandbox records everything that is known about a request', async () => {
	await sandboxWith({ now: () => 1_800_000_000_000 });
	const rawBody = '{ "user_id":"u1", "title":"T", "message":"M", "url":"U" }';
	await call(`${sandbox.url}/api/v1/ios/send`, { body: rawBody });
	expect(sandbox.record).toEqual([
		{
			seq: 1,
			time: 1_800_000_000_000,
			host: 'any',
			method: 'POST',
			path: '/api/v1/ios/send',
			headers: expect.objectContaining(brandHeaders) as unknown,
			rawBody,
			body: { user_id: 'u1', title: 'T', message: 'M', url: 'U' },
			identity: 'brand:sandbox-brand',
			api: 'push',
			channel: 'push',
			platform: 'ios',
			outcome: 'accepted',
			accepted: true,
			problems: [],
			status: 200,
			remaining: 499,
			answer: '{"status":"ok","id":"1"}',
		},
	]);
});

it('The sandbox serves the record over HTTP without secrets', async () => {
	await sandboxWith();
	await push('u1');
	await push('u2', tokenHeaders);
	await push('u3', { ...brandHeaders, 'x-api-key': 'short', cookie: 'session=very-secret' });
	const { arrivals } = await read();
	expect(arrivals.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
		['sand…', undefined],
		[undefined, 'Bearer sand…'],
		['…', undefined],
	]);
	expect(arrivals[2]?.headers.cookie).toBe('sess…');
	expect(arrivals[0]).toEqual({
		...sandbox.record[0],
		headers: { ...sandbox.record[0]?.headers, 'x-api-key': 'sand…' },
	});
	expect(sandbox.record[0]?.headers['x-api-key']).toBe('sandbox-key');
});

it('The sandbox filters the record by number, channel, outcome and limit', async () => {
	await sandboxWith();
	for (const userID of ['a', 'b', 'c']) await push(userID);
	await call(`${sandbox.url}/api/v1/sendMessage`, { body: { ...sms, user_id: 'd' } });
	await call(`${sandbox.url}/api/v1/web/send`, { body: {} });
	const numbers = async (query: string) => (await read(query)).arrivals.map(({ seq }) => seq);
	expect(await numbers('')).toEqual([1, 2, 3, 4, 5]);
	expect(await numbers('?since=3')).toEqual([4, 5]);
	expect(await numbers('?since=9')).toEqual([]);
	expect(await numbers('?channel=sms')).toEqual([4]);
	expect(await numbers('?channel=push&outcome=accepted')).toEqual([1, 2, 3]);
	expect(await numbers('?outcome=rejected')).toEqual([5]);
	expect(await numbers('?limit=2')).toEqual([4, 5]);
	expect(await numbers('?since=0&limit=2')).toEqual([1, 2]);
	for (const wrong of ['?since=x', '?limit=0', '?channel=fax', '?sinse=1']) {
		expect((await call(`${sandbox.url}/sandbox/record${wrong}`, { method: 'GET' })).status).toBe(
			400,
		);
	}
});

it('The sandbox empties the record over HTTP and continues its numbers', async () => {
	await sandboxWith();
	await push('u1');
	await call(`${sandbox.url}/sandbox/record`, { method: 'DELETE', headers: {} });
	expect(sandbox.record).toEqual([]);
	await push('u2');
	expect(await read('?since=1')).toMatchObject({ dropped: 0, arrivals: [{ seq: 2 }] });
});

it('The sandbox drops the oldest arrivals beyond its maximum and counts them', async () => {
	await sandboxWith({ maxRecords: 3 });
	for (const userID of ['a', 'b', 'c', 'd', 'e']) await push(userID);
	expect(sandbox.record.map(({ seq }) => seq)).toEqual([3, 4, 5]);
	expect(sandbox.dropped).toBe(2);
	expect(await read('?since=1')).toMatchObject({ dropped: 2, arrivals: [{ seq: 3 }, {}, {}] });
});

it('The sandbox limits the memory for bodies, headers and paths', async () => {
	const seqs = () => sandbox.record.map(({ seq }) => seq);
	await sandboxWith({ maxRecordBytes: 20_000 });
	for (const userID of ['a', 'b', 'c']) await push(userID.repeat(2_500));
	expect(seqs()).toEqual([2, 3]);
	await push('z', { ...brandHeaders, 'x-note': 'n'.repeat(6_000) });
	expect(seqs()).toEqual([4]);
	await call(`${sandbox.url}/api/v1/${'p'.repeat(3_000)}`);
	expect(seqs()).toEqual([5]);
	await push('z'.repeat(10_000));
	expect(seqs()).toEqual([]);
	expect(sandbox.dropped).toBe(6);
});

it('The sandbox keeps the order of arrival with many requests at once', async () => {
	await sandboxWith({ limits: { push: 10_000 }, latencyMs: [0, 20] });
	const userIDs = Array.from({ length: 500 }, (_, index) => `u${index}`);
	await Promise.all(userIDs.map((userID) => push(userID)));
	expect(sandbox.record.map(({ seq }) => seq)).toEqual(userIDs.map((_, index) => index + 1));
	const arrived = sandbox.accepted().map(({ body }) => (body as typeof webPush).user_id);
	expect([...arrived].sort()).toEqual([...userIDs].sort());
	// A new minute may begin in between.
	const counted = sandbox.record.map(({ remaining }) => remaining ?? NaN);
	for (const [index, remaining] of counted.entries())
		expect([9_999, (counted[index - 1] ?? NaN) - 1]).toContain(remaining);
});
