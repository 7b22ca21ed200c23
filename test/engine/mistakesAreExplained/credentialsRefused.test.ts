import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { everythingIn } from '../support/everything';
import { event } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

type Change = ICredentialDataDecryptedObject;
const credentialWith = (change: Change): Change => ({ ...node.credential, ...change });

/** The field that makes a credential unusable, and all that the run says of it. Nothing may have been sent. */
async function refused(change: Change, parameters: INodeParameters = order.smsSend) {
	const credential = credentialWith(change);
	const report = await node.run(parameters, { credential, onError: 'continueErrorOutput' });
	expect([node.sandbox.record, report.output]).toEqual([[], []]);
	const [item] = report.failed;
	const details = item?.json.details as { problems: Array<{ field: string; message: string }> };
	expect(details).toMatchObject({ outcome: 'invalid', problems: [{}] });
	const [problem] = details.problems;
	expect(item?.json.error).toContain(problem?.message);
	return { field: problem?.field, error: item?.json.error, report };
}

/** For each address, an order that uses it, and its path. */
const addresses = {
	baseUrl: [order.createUser, '/api/v1/user/create'],
	pushUrl: [order.pushSend, '/api/v1/web/send'],
	mailUrl: [order.smsSend, '/api/v1/sendMessage'],
} as const;

it.each([
	['baseUrl', ''],
	['pushUrl', ''],
	['mailUrl', ''],
	['mailUrl', 443],
	['mailUrl', 'http://api.example.com'],
	['baseUrl', 'https://user:hunter2@api.example.com'],
	['pushUrl', 'user:hunter2@api.example.com'],
	['mailUrl', 'https:user:hunter2@api.example.com'],
	['baseUrl', 'https:\\\\user:hunter2@api.example.com'],
] as const)('The %s is refused, without showing a password: %j', async (name, value) => {
	const { field, error, report } = await refused({ [name]: value }, addresses[name][0]);
	expect(field).toBe(name);
	expect(everythingIn([error, report.failed])).not.toContain('hunter2');
});

it.each([
	['mailUrl', 'http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
	['baseUrl', ' http://127.9.9.9 ', 'http://127.9.9.9'],
	['pushUrl', 'http://localhost:5000/base/', 'http://localhost:5000/base'],
	['mailUrl', 'HTTP://[::1]:5000', 'http://[::1]:5000'],
	['baseUrl', 'https://API.example.com:443/v2', 'https://api.example.com/v2'],
	['mailUrl', 'https://api.example.com/eu1/api/v1/user/create?x=1', 'https://api.example.com/eu1'],
	['pushUrl', 'https://api.example.com/eu1/t_7/API/v1', 'https://api.example.com/eu1/t_7'],
	['baseUrl', 'https://api.example.com/eu1?region=2#top', 'https://api.example.com/eu1'],
	['pushUrl', 'https://api.example.com/eu1/../eu2/', 'https://api.example.com/eu2'],
	['mailUrl', 'https://192.168.0.10:8443', 'https://192.168.0.10:8443'],
] as const)('The %s %j is used as %s', async (name, address, used) => {
	const [parameters, path] = addresses[name];
	const credential = credentialWith({ [name]: address });
	const previewed = { ...parameters, options: { previewOnly: true } };
	const { output } = await node.run(previewed, { credential });
	expect(output.map(({ json }) => json.url)).toEqual([`${used}${path}`]);
	expect(node.sandbox.record).toEqual([]);
});

describe('With an address that has a path,', () => {
	it.each([
		...['/broadcast', '/eu1/Email/BROADCAST', '/sendMessage', '/%62roadcast', '/eu1//x'],
		...['/.well-known', '/eu1;x'],
	])('%s is refused', async (path) => {
		const pushUrl = `${node.sandbox.urls.pushUrl}${path}`;
		const { field, error } = await refused({ pushUrl }, order.pushSend);
		expect(field).toBe('pushUrl');
		expect(error).toContain('Enter the address up to /api/v1');
	});

	const paths = ['/api/v1/email/broadcast', '/../broadcast/all', '//evil.example/x'];
	it.each(paths)('a custom request is guarded too: %s', async (path) => {
		const credential = credentialWith({ baseUrl: `${node.sandbox.urls.baseUrl}/eu1` });
		const { error } = await node.run({ ...order.customPost, path }, { credential });
		expect(error?.message).toMatch(/^Nothing was sent: .*Path /);
		expect(node.sandbox.record).toEqual([]);
	});
});

const apis = ['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'];
const limits = apis.map((api) => `${api}Limit`);

it.each<[string, unknown]>([
	...limits.map((limit): [string, unknown] => [limit, 0]),
	['smsLimit', 'unlimited'],
	['smsLimit', 99.5],
	['smsLimit', [500]],
])('The custom limit %s is refused: %j', async (field, value) => {
	const change = { customLimits: true, [field]: value } as Change;
	expect((await refused(change)).field).toBe(field);
});

it.each(
	Object.entries({
		scheduleZone: ['Mars/Olympus', ['UTC'], true],
		campaignDateFormat: [20261124, 'cccc'],
		campaignTimeFormat: ['HH:mm', 'hhmm a'],
		pushDateFormat: ['yyyy', 'FFFF'],
		pushTimeFormat: ['HH:MM:ss', 'hh:mm'],
		eventTimeFormat: ['yyyy-MM-dd', 'YYYY-MM-dd HH:mm'],
		campaignAsText: ['maybe'],
		campaignNow: ['later'],
	}).flatMap(([field, values]) => values.map((value) => [field, value] as const)),
)('In a custom schedule, %s is refused: %p', async (field, value) => {
	expect((await refused({ customSchedule: true, [field]: value })).field).toBe(field);
});

describe('Custom paths', () => {
	const ofBroadcast = (path: string): [string, string] => ['webBroadcastPath', path];
	const pathsWith = (paths: Change) => ({ customPaths: true, ...paths });

	it.each([
		['eventPath', 'api/v1/event'],
		// The last one is a path that a custom request may use.
		...['//other.example.com/api/v1/web/broadcast/all', '/api/v1/push-to-all'].map(ofBroadcast),
	])('refuse %s: %j', async (field, path) => {
		expect((await refused(pathsWith({ [field]: path }))).field).toBe(field);
	});

	it('replace the path of events', async () => {
		const credential = credentialWith(pathsWith({ eventPath: '/api/v1/event/track' }));
		await node.run(event({ event_time: '2026-11-01T09:30Z' }), { credential });
		expect(node.onlyArrival().path).toBe('/api/v1/event/track');
	});

	it('replace the path of a push to everyone on web, and no other', async () => {
		const webBroadcastPath = '/api/v1/browser/web/broadcast/all';
		const credential = credentialWith(pathsWith({ webBroadcastPath }));
		const parameters = { ...order.pushToAll, platforms: ['web', 'ios'] };
		const onError = 'continueRegularOutput';
		const { output } = await node.run(parameters, { credential, onError });
		const paths = [webBroadcastPath, '/api/v1/ios/broadcast/all'];
		expect(node.sandbox.record.map(({ path }) => path)).toEqual(paths);
		expect(output).toHaveLength(2);
	});

	it('never send a broadcast to one path twice', async () => {
		const webBroadcastPath = '/api/v1/android/broadcast/all';
		const credential = credentialWith(pathsWith({ webBroadcastPath }));
		const parameters = { ...order.pushToAll, platforms: ['web', 'android'] };
		const { error } = await node.run(parameters, { credential });
		expect(error?.message).toContain('/api/v1/android/broadcast/all');
		expect(node.sandbox.record).toEqual([]);
	});
});

it.each([[undefined], [null], ['']])('A field that gives %j counts as empty', async (nothing) => {
	const names = [
		...[...limits, 'campaignDateFormat', 'campaignTimeFormat', 'pushDateFormat'],
		...['pushTimeFormat', 'eventTimeFormat', 'scheduleZone', 'eventPath', 'webBroadcastPath'],
		...['campaignAsText', 'campaignNow', 'segments'],
	];
	const credential = credentialWith({
		...{ customLimits: true, customSchedule: true, customPaths: true },
		...(Object.fromEntries(names.map((name) => [name, nothing])) as Change),
	});
	const scheduled = { sendAt: 'at', scheduledFor: '2099-01-01T00:00:00Z' };
	for (const parameters of [order.pushSend, order.smsSend, order.trackEvent]) {
		const { output } = await node.run({ ...parameters, ...scheduled }, { credential });
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
	}
	expect(node.sandbox.record.map(({ body }) => body)).toMatchObject([
		{ schedule_date: '2099-01-01', schedule_time: '00:00:00', time_zone: '0' },
		{ schedule_date: 20990101, schedule_time: 0 },
		{ nv: [{ event_name: 'Order Placed' }] },
	]);
});
