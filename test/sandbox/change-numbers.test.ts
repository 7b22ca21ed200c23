import { startSandbox, type Sandbox } from '../../sandbox';
import { call } from './support/calls';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ separateHosts: false });
});
afterEach(() => sandbox.close());

async function changeNumber(
	method: string,
	path: string,
	body?: unknown,
): Promise<number | undefined> {
	const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
	const { headers: answered } = await call(`${sandbox.url}/sandbox/${path}`, {
		method,
		headers,
		body,
	});
	return answered['x-sandbox-change'] === undefined
		? undefined
		: Number(answered['x-sandbox-change']);
}

it('The sandbox numbers only changes that were made', async () => {
	const first = Number(await changeNumber('PUT', 'settings', {}));
	expect(first).toBeGreaterThan(0);
	expect(await changeNumber('GET', 'settings')).toBeUndefined();
	expect(await changeNumber('PUT', 'settings', { colour: 'red' })).toBeUndefined();
	expect(await changeNumber('DELETE', 'faults?id=1')).toBeUndefined();
	expect(await changeNumber('POST', 'faults', { kind: 'hang' })).toBe(first + 1);
	expect(await changeNumber('DELETE', 'faults?id=1')).toBe(first + 2);
});

it('The sandbox gives higher numbers to the changes of a sandbox that is started later', async () => {
	const later = await startSandbox({ separateHosts: false, now: () => Date.now() + 1000 });
	const before = Number(await changeNumber('PUT', 'settings', {}));
	await sandbox.close();
	sandbox = later;
	expect(await changeNumber('PUT', 'settings', {})).toBeGreaterThan(before);
});
