import { type Arrival, startSandbox } from '../../sandbox';
import { startServer } from '../engine/support/localServer';
import { call, sandboxForTests, webPush } from './support/calls';

const held = sandboxForTests();
const json = { 'content-type': 'application/json' };
const control = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
	call(`${held.sandbox.url}/sandbox/${path}`, {
		...{ method, body, headers: { ...(body ? json : {}), ...more } },
	});

it('The sandbox adds, lists and removes faults', async () => {
	const fault = { kind: 'status', status: 503, first: 1 };
	const { id } = (await control('POST', 'faults', fault)).json as { id: number };
	expect((await held.send()).status).toBe(503);
	const other = { kind: 'hang', match: { channel: 'sms' } };
	expect((await control('POST', 'faults', other)).json).toEqual({ id: id + 1 });
	expect((await control('DELETE', `faults?id=${id}`)).status).toBe(200);
	expect((await control('DELETE', `faults?id=${id}`)).status).toBe(404);
	const left = { ...other, id: id + 1, matched: 0, struck: 0 };
	expect((await control('GET', 'faults')).json).toEqual([left]);
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

it('The record is served without secrets, continues its numbers and is emptied', async () => {
	const read = async (since: number) =>
		(await control('GET', `record?since=${since}`)).json as { arrivals: Arrival[] };
	await held.send();
	const headers = { 'x-api-key': 'short', authorization: 'Bearer sandbox-token' };
	await held.send('web/send', webPush, { ...headers, cookie: 'session=very-secret' });
	const [first, second] = held.sandbox.record;
	const { arrivals } = await read((first?.seq ?? 0) - 1);
	expect(arrivals).toEqual([
		{ ...first, headers: { ...first?.headers, 'x-api-key': 'sand…' } },
		{
			...{ ...second, seq: (first?.seq ?? 0) + 1 },
			headers: {
				...second?.headers,
				...{ 'x-api-key': '…', authorization: 'Bearer sand…', cookie: 'sess…' },
			},
		},
	]);
	expect(first?.headers['x-api-key']).toBe('sandbox-key');
	await control('DELETE', 'record');
	expect(await read(0)).toEqual({ dropped: 0, arrivals: [] });
	await held.send();
	expect(held.sandbox.record[0]?.seq).toBe((first?.seq ?? 0) + 2);
});

describe('Access to the sandbox', () => {
	const paths = [
		...['/', '/sandbox/record', '/api/v1/web/send', '/nowhere', '/%zz'],
		...['/sandbox/inbox/inbox.js', '/sandbox/inbox/events', '/sandbox/inbox/access'],
		...['/sandbox/inbox/arrivals/1', '/sandbox/inbox/email/1'],
	];
	it.each([
		['LOCALHOST:1234', 200],
		['[::1]', 200],
		['evil.example', 421],
		['127.0.0.1.evil.example:80', 421],
	])('of a page at %s is answered with %i', async (host, status) => {
		const { url, urls } = held.sandbox;
		const asked =
			status === 200 ? [`${url}/`] : paths.flatMap((path) => [url + path, urls.mailUrl + path]);
		for (const each of asked)
			for (const method of status === 200 ? ['GET'] : ['GET', 'POST'])
				expect((await call(each, { method, headers: { host } })).status).toBe(status);
		expect(held.sandbox.record).toEqual([]);
	});

	it.each(['https://evil.example', 'null', 'http://localhost:1'])(
		'lets a page of %s change nothing',
		async (origin) => {
			await held.send();
			for (const [method, path, body] of [
				['DELETE', 'record'],
				['POST', 'faults', { kind: 'hang' }],
				['DELETE', 'faults'],
				['PUT', 'settings', { latencyMs: 1 }],
				['POST', 'reset'],
			] as const)
				expect((await control(method, path, body, { origin })).status).toBe(403);
			const { record, faults, settings } = held.sandbox;
			expect([record.length, faults.list(), settings.latencyMs]).toEqual([1, [], 0]);
		},
	);
});

test('A sample row is handed to the example in n8n, or refused with what to do', async () => {
	const body = { userID: 'C-1', name: 'Asha Rao' };
	let status = 200;
	const n8n = await startServer((response) => void response.writeHead(status).end());
	const sandbox = await startSandbox({ separateHosts: false, editor: n8n.url });
	const send = async () => await call(`${sandbox.url}/sandbox/examples/crm-row`, { body });

	expect((await send()).status).toBe(200);
	const asked = { method: 'POST', path: '/webhook/crm-row', body: JSON.stringify(body) };
	expect(n8n.received).toMatchObject([asked]);
	expect(sandbox.record).toEqual([]);
	status = 404;
	for (const says of ['Switch on the example', 'n8n does not answer at http://127.0.0.1:']) {
		const refused = await send();
		expect([refused.status, refused.text]).toEqual([502, expect.stringContaining(says)]);
		await n8n.close();
	}
	await sandbox.close();
});
