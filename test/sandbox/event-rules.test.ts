import { startSandbox, type Sandbox } from '../../sandbox';
import { call, remainingOf } from './support/calls';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rejectUserIDs: ['u13'] });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const track = (body: unknown) => call(`${sandbox.url}/api/v1/event/create`, { body });
const placed = { userID: 'u1', event_name: 'Order Placed' };

it('The sandbox accepts events with everything that public descriptions name', async () => {
	const full = {
		...placed,
		ltv: 49.9,
		attributes: { total: 49.9, items: ['scarf'], gift: null },
		user_params: { name: 'Ann', email: 'a@x.example', mobile: '+49' },
		context: { channel: 'web' },
		event_time: '2026-11-21 09:30:00',
	};
	const answered = await track({ nv: [full, placed, { ...placed, event_time: 1795252800 }] });
	expect(answered.status).toBe(200);
	expect(sandbox.accepted()).toHaveLength(1);
	expect(sandbox.record[0]).toMatchObject({ api: 'event', channel: 'event', host: 'any' });
});

it('The sandbox counts requests with events against the event limit alone', async () => {
	expect(remainingOf(await track({ nv: [placed, placed] }))).toBe('499');
	expect(remainingOf(await track({ nv: [] }))).toBe('498');
	const users = await call(`${sandbox.url}/api/v1/user/create`, { body: { nv: [placed] } });
	expect(remainingOf(users)).toBe('99');
});

it('The sandbox accepts up to 1,000 events in a request', async () => {
	const events = (count: number) => ({ nv: Array.from({ length: count }, () => placed) });
	expect((await track(events(1_000))).status).toBe(200);
	const answered = await track(events(1_001));
	expect(answered.status).toBe(400);
	expect(answered.json).toEqual({
		error: 'Invalid resource',
		problems: [{ path: 'nv', rule: 'must have at most 1,000 elements' }],
	});
});

it.each<[string, unknown, Array<{ path: string; rule: string }>]>([
	['a list in place of the body', [placed], [{ path: '', rule: 'must be a JSON object' }]],
	['no list', placed, [{ path: 'nv', rule: 'must be an array' }]],
	['an empty list', { nv: [] }, [{ path: 'nv', rule: 'must not be empty' }]],
	[
		'an event that is no object',
		{ nv: [placed, 'x'] },
		[{ path: 'nv[1]', rule: 'must be a JSON object' }],
	],
	[
		'an event without user and name',
		{ nv: [{}] },
		[
			{ path: 'nv[0].userID', rule: 'is required' },
			{ path: 'nv[0].event_name', rule: 'is required' },
		],
	],
	[
		'an event name of 50 characters',
		{ nv: [{ ...placed, event_name: 'x'.repeat(50) }] },
		[{ path: 'nv[0].event_name', rule: 'must be at most 49 characters' }],
	],
	[
		'fields of the wrong type',
		{
			nv: [
				placed,
				{
					...{ userID: 1, event_name: 2, ltv: '3', event_time: true },
					...{ attributes: [], user_params: 'x', context: null },
				},
			],
		},
		[
			{ path: 'nv[1].userID', rule: 'must be a string' },
			{ path: 'nv[1].event_name', rule: 'must be a string' },
			{ path: 'nv[1].ltv', rule: 'must be a number' },
			{ path: 'nv[1].event_time', rule: 'must be a string or an integer' },
			{ path: 'nv[1].attributes', rule: 'must be an object' },
			{ path: 'nv[1].user_params', rule: 'must be an object' },
			{ path: 'nv[1].context', rule: 'must be an object' },
		],
	],
	[
		'an event of a user that the service refuses',
		{ nv: [placed, { ...placed, userID: 'u13' }] },
		[{ path: 'nv[1].userID', rule: 'is refused by the service' }],
	],
])('answers 400 to %s, and accepts nothing of the batch', async (_name, body, problems) => {
	const answered = await track(body);
	expect(answered.status).toBe(400);
	expect(answered.json).toEqual({ error: 'Invalid resource', problems });
	expect(sandbox.accepted()).toEqual([]);
});
