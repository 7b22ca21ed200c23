import { startSandbox, type Sandbox } from '../../sandbox';
import { call, webPush } from './support/calls';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** A push whose notification ID is written as given. */
const pushWith = async (notificationId: string) =>
	await call(`${sandbox.url}/api/v1/web/send`, {
		body: `${JSON.stringify(webPush).slice(0, -1)},"notification_id":${notificationId}}`,
	});

// Spec §2.2: int64.
it.each(['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808', '42.0'])(
	'The sandbox accepts the notification ID %s',
	async (id) => {
		expect((await pushWith(id)).status).toBe(200);
	},
);

it.each([
	'9223372036854775808',
	'-9223372036854775809',
	'99999999999999999999999999999999999999999999',
	'1e19',
	'0.5',
	'"9223372036854775807"',
	'null',
])('The sandbox refuses the notification ID %s', async (id) => {
	const { status, json } = await pushWith(id);
	expect([status, json]).toEqual([
		400,
		{
			error: 'Invalid resource',
			problems: [{ path: 'notification_id', rule: 'must be an integer' }],
		},
	]);
});

it('The sandbox serves a body with a large integer as it was sent', async () => {
	await pushWith('9223372036854775807');
	expect(sandbox.record.at(-1)?.rawBody).toContain(':9223372036854775807}');
});
