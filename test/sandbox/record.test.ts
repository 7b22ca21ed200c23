import { startSandbox, type Arrival, type Sandbox, type SandboxOptions } from '../../sandbox';
import { brandHeaders, call, tokenHeaders, webPush } from './support/calls';

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
