import { startSandbox, type Sandbox } from '../../sandbox';
import type { Person } from '../../sandbox/inbox/person';
import { call, email, webPush } from './support/calls';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ separateHosts: false });
});
afterEach(() => sandbox.close());

const post = async (path: string, body: unknown) => await call(sandbox.url + path, { body });
const ask = async (query: string) =>
	await call(`${sandbox.url}/sandbox/inbox/users${query}`, { method: 'GET', headers: {} });
const personOf = async (userID: string) =>
	(await ask(`?id=${encodeURIComponent(userID)}`)).json as Person;

describe('The page of a user', () => {
	it('holds attributes, events and messages, also those to the address of the user', async () => {
		const created = (user_attributes: object) => ({ nv: [{ userID: 'C-1', user_attributes }] });
		await post('/api/v1/user/create', created({ name: 'Asha', email: 'asha@example.com' }));
		await post('/api/v1/user/create', created({ name: 'Asha Rao' }));
		await post('/api/v1/user/create', created({ name: 7 }));
		const event = (userID: string, event_name: string, event_time: string) => ({
			...{ userID, event_name, event_time },
		});
		await post('/api/v1/event/create', {
			nv: [
				event('C-1', 'Order Placed', '2026-11-21 09:30:00'),
				event('C-2', 'Cart Left', '2026-11-21 09:30:00'),
				event('C-1', 'Signed Up', '2026-11-20 09:30:00'),
			],
		});
		await post('/api/v1/web/send', { ...webPush, user_id: 'C-1' });
		await post('/api/v1/sendMessage', { ...email, email: 'asha@example.com' });
		await post('/api/v1/web/send', { ...webPush, user_id: 'C-10' });
		await post('/api/v1/web/broadcast/all', { ...webPush, user_id: undefined, title: 'C-1' });

		const { attributes, created: when, events, messages } = await personOf('C-1');
		expect(attributes).toEqual({ name: 'Asha Rao', email: 'asha@example.com' });
		expect(when?.seq).toBe(1);
		expect(events.map(({ name, seq }) => [name, seq])).toEqual([
			['Signed Up', 4],
			['Order Placed', 4],
		]);
		expect(messages.map(({ seq, channel }) => [seq, channel])).toEqual([
			[6, 'email'],
			[5, 'push'],
		]);
	});

	it('of an unknown user is empty, and needs an ID', async () => {
		expect(await personOf('"nobody"')).toEqual({
			...{ userID: '"nobody"', attributes: {}, created: null, events: [], messages: [] },
		});
		expect((await ask('')).status).toBe(400);
	});

	it('keeps hostile attributes as they are', async () => {
		const rawBody = '{"nv":[{"userID":"C-1","user_attributes":{"__proto__":{"polluted":1}}}]}';
		await post('/api/v1/user/create', rawBody);
		expect((await ask('?id=C-1')).text).toContain('"attributes":{"__proto__":{"polluted":1}}');
		expect(Object.keys(await personOf('toString'))).toContain('userID');
	});
});
