import { type Arrival, startSandbox } from '../../sandbox';
import { startServer } from '../engine/support/localServer';
import { brandHeaders, call, sandboxForTests, tokenHeaders, webPush } from './support/calls';

const held = sandboxForTests();
const json = { 'content-type': 'application/json' };
const control = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
	call(`${held.sandbox.url}/sandbox/${path}`, {
		...{ method, body, headers: { ...(body ? json : {}), ...more } },
	});

it('The sandbox adds, lists and removes faults', async () => {
	const fault = { kind: 'status', status: 503, first: 1 };
	const { id } = (await control('POST', 'faults', fault)).json as { id: number };
	const other = { kind: 'hang', match: { channel: 'sms' } };
	expect((await control('POST', 'faults', other)).json).toEqual({ id: id + 1 });
	expect((await held.send()).status).toBe(503);
	expect((await control('GET', 'faults')).json).toEqual([
		{ ...fault, id, matched: 1, struck: 1 },
		{ ...other, id: id + 1, matched: 0, struck: 0 },
	]);
	expect((await control('DELETE', `faults?id=${id}`)).status).toBe(200);
	expect((await control('DELETE', `faults?id=${id}`)).status).toBe(404);
	expect(held.sandbox.faults.list()).toHaveLength(1);
	await control('DELETE', 'faults');
	expect(held.sandbox.faults.list()).toEqual([]);
});

it.each([{ limits: { push: -1 } }, { latencyMs: [0, 2 ** 31] }, { colour: 'red' }])(
	'The sandbox refuses the settings %j and keeps the old ones',
	async (patch) => {
		expect((await control('PUT', 'settings', patch)).status).toBe(400);
		expect((await control('GET', 'settings')).json).toMatchObject({ limits: { push: 500 } });
	},
);

describe('The record', () => {
	const read = async (query = '', url = held.sandbox.url) =>
		(await call(`${url}/sandbox/record${query}`, { method: 'GET' })).json as {
			dropped: number;
			arrivals: Arrival[];
		};

	it('is served without secrets', async () => {
		await held.send();
		await held.send('web/send', webPush, tokenHeaders);
		const short = { ...brandHeaders, 'x-api-key': 'short', cookie: 'session=very-secret' };
		await held.send('web/send', webPush, short);
		const { arrivals } = await read();
		expect(arrivals.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
			['sand…', undefined],
			[undefined, 'Bearer sand…'],
			['…', undefined],
		]);
		expect(arrivals[2]?.headers.cookie).toBe('sess…');
		const [first] = held.sandbox.record;
		expect(arrivals[0]).toEqual({ ...first, headers: { ...first?.headers, 'x-api-key': 'sand…' } });
		expect(first?.headers['x-api-key']).toBe('sandbox-key');
	});

	it('is emptied and continues its numbers', async () => {
		await held.send();
		const before = held.sandbox.record[0]?.seq ?? 0;
		await control('DELETE', 'record');
		expect(held.sandbox.record).toEqual([]);
		await held.send();
		const { dropped, arrivals } = await read(`?since=${before}`);
		expect([dropped, ...arrivals.map(({ seq }) => seq)]).toEqual([0, before + 1]);
	});
});

describe('Access to the sandbox', () => {
	const paths = [
		...['/', '/sandbox/record', '/api/v1/web/send', '/nowhere', '/%zz'],
		...['/sandbox/inbox/inbox.js', '/sandbox/inbox/events', '/sandbox/inbox/access'],
		...['/sandbox/inbox/arrivals/1', '/sandbox/inbox/email/1'],
	];
	const statusOf = async (path: string, method: string, host: string, url = held.sandbox.url) =>
		(await call(url + path, { method, headers: { host } })).status;

	it.each(['LOCALHOST:1234', '[::1]'])('answers to Host %s', async (host) => {
		expect(await statusOf('/', 'GET', host)).toBe(200);
	});

	it.each(['evil.example', '127.0.0.1.evil.example:80'])(
		'refuses Host %s everywhere',
		async (host) => {
			for (const url of [held.sandbox.url, held.sandbox.urls.mailUrl])
				for (const path of paths)
					for (const method of ['GET', 'POST'])
						expect(await statusOf(path, method, host, url)).toBe(421);
			expect(held.sandbox.record).toEqual([]);
		},
	);

	const changes = [
		['DELETE', 'record', undefined],
		['POST', 'faults', { kind: 'hang' }],
		['DELETE', 'faults', undefined],
		['PUT', 'settings', { latencyMs: 1 }],
		['POST', 'reset', undefined],
	] as const;
	const change = async (origin: string) => {
		const statuses = new Set<number>();
		for (const [method, path, body] of changes)
			statuses.add((await control(method, path, body, { origin })).status);
		return [...statuses];
	};

	it.each(['https://evil.example', 'null', 'http://localhost:1'])(
		'lets a page of %s change nothing',
		async (origin) => {
			await held.send();
			expect(await change(origin)).toEqual([403]);
			expect(held.sandbox.record).toHaveLength(1);
			expect(held.sandbox.faults.list()).toEqual([]);
			expect(held.sandbox.settings.latencyMs).toBe(0);
		},
	);
});

test('A sample row is handed to the example in n8n, or refused with what to do', async () => {
	const row = { userID: 'C-1', name: 'Asha Rao' };
	let status = 200;
	const n8n = await startServer((response) => void response.writeHead(status).end());
	const sandbox = await startSandbox({ separateHosts: false, editor: n8n.url });
	const send = () => call(`${sandbox.url}/sandbox/examples/crm-row`, { body: row, headers: json });
	const refusal = (words: string) => ({
		...{ status: 502, json: { error: expect.stringContaining(words) as string } },
	});

	expect((await send()).status).toBe(200);
	const asked = { method: 'POST', path: '/webhook/crm-row', body: JSON.stringify(row) };
	expect(n8n.received).toMatchObject([asked]);
	expect(sandbox.record).toEqual([]);
	status = 404;
	expect(await send()).toMatchObject(refusal('Switch on the example'));
	await n8n.close();
	expect(await send()).toMatchObject(refusal('n8n does not answer at http://127.0.0.1:'));
	await sandbox.close();
});
