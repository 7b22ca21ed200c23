import { startSandbox, type Sandbox } from '../../sandbox';
import { call } from './support/calls';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ rejectUserIDs: ['u13'] });
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const create = (body: unknown) => call(`${sandbox.url}/api/v1/user/create`, { body });
const ann = { userID: 'u1', user_attributes: { name: 'Ann', email: 'a@x.example', mobile: '+49' } };

it('The sandbox accepts users with attributes of any type', async () => {
	const bob = { userID: 'u2', user_attributes: { age: 5, vip: true, tags: ['a'], left: null } };
	const answered = await create({ nv: [ann, bob, { userID: 'u3' }] });
	expect(answered.status).toBe(200);
	expect(sandbox.accepted()[0]?.body).toEqual({ nv: [ann, bob, { userID: 'u3' }] });
});

it.each<[string, unknown, Array<{ path: string; rule: string }>]>([
	['no object', [ann], [{ path: '', rule: 'must be a JSON object' }]],
	['no list', {}, [{ path: 'nv', rule: 'must be an array' }]],
	['an object as list', { nv: ann }, [{ path: 'nv', rule: 'must be an array' }]],
	['an empty list', { nv: [] }, [{ path: 'nv', rule: 'must not be empty' }]],
	[
		'a row that is no object',
		{ nv: [ann, 'u2'] },
		[{ path: 'nv[1]', rule: 'must be a JSON object' }],
	],
	['no userID', { nv: [{}] }, [{ path: 'nv[0].userID', rule: 'is required' }]],
	['an empty userID', { nv: [{ userID: '' }] }, [{ path: 'nv[0].userID', rule: 'is required' }]],
	[
		'a numeric userID',
		{ nv: [{ userID: 5 }] },
		[{ path: 'nv[0].userID', rule: 'must be a string' }],
	],
	[
		'attributes that are no object',
		{ nv: [{ userID: 'u1', user_attributes: ['a'] }] },
		[{ path: 'nv[0].user_attributes', rule: 'must be an object' }],
	],
	[
		'attributes of the wrong type',
		{ nv: [ann, { userID: 'u2', user_attributes: { name: 1, email: null, mobile: 49 } }] },
		[
			{ path: 'nv[1].user_attributes.name', rule: 'must be a string' },
			{ path: 'nv[1].user_attributes.email', rule: 'must be a string' },
			{ path: 'nv[1].user_attributes.mobile', rule: 'must be a string' },
		],
	],
	[
		'a user that the service refuses',
		{ nv: [ann, { userID: 'u13' }] },
		[{ path: 'nv[1].userID', rule: 'is refused by the service' }],
	],
])('answers 400 to %s, and accepts nothing of the batch', async (_name, body, problems) => {
	const answered = await create(body);
	expect(answered.status).toBe(400);
	expect(answered.json).toEqual({ error: 'Invalid resource', problems });
	expect(sandbox.accepted()).toEqual([]);
	expect(sandbox.record[0]).toMatchObject({ outcome: 'rejected', accepted: false, problems });
});

it.each([
	['no body', undefined],
	['broken JSON', '{"nv":['],
	['two values', '{} {}'],
])('The sandbox answers 400 to %s', async (_name, body) => {
	const answered = await create(body);
	expect(answered.status).toBe(400);
	expect(answered.json).toEqual({
		error: 'Invalid resource',
		problems: [{ path: '', rule: 'must be JSON' }],
	});
	expect(sandbox.record[0]).toMatchObject({ rawBody: body ?? '', status: 400 });
	expect(sandbox.record[0]?.body).toBeUndefined();
});
