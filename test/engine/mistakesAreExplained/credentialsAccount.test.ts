import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import * as order from '../support/orders';
import { keyCredential, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

async function refusedFields(change: ICredentialDataDecryptedObject): Promise<string[]> {
	const credential = { ...keyCredential(sandbox()), ...change };
	const { failed, output } = await run(sandbox(), order.smsSend, {
		credential,
		onError: 'continueErrorOutput',
	});
	const { error } = await run(sandbox(), order.smsSend, { credential });

	expect(sandbox().record).toEqual([]);
	expect(output).toEqual([]);
	const { outcome, problems } = failed[0]?.json.details as {
		outcome: string;
		problems: Array<{ field: string; message: string }>;
	};
	expect(outcome).toBe('invalid');
	for (const { message } of problems) expect(error?.message).toContain(message);
	return problems.map(({ field }) => field);
}

describe('Custom limits', () => {
	const names = [
		'userLimit',
		'eventLimit',
		'campaignLimit',
		'reportingLimit',
		'pushLimit',
		'emailLimit',
		'smsLimit',
	];

	describe.each(names)('%s', (field) => {
		it.each([
			['zero', 0],
			['less than zero', -500],
			['a fraction', 99.5],
			['words', 'unlimited'],
			['infinity', Infinity],
			['a list', [500]],
			['true', true],
		])('is refused: %s', async (_, value) => {
			expect(await refusedFields({ customLimits: true, [field]: value as number })).toEqual([
				field,
			]);
		});
	});
});

describe('Custom schedule', () => {
	it.each([
		['scheduleZone', 'Mars/Olympus'],
		['scheduleZone', ['UTC']],
		['scheduleZone', true],
		['campaignDateFormat', 20261124],
		['campaignDateFormat', 'yyyy-MM-dd'],
		['campaignDateFormat', 'YYYYMMDD'],
		['campaignDateFormat', 'cccc'],
		['campaignTimeFormat', 'HH:mm'],
		['campaignTimeFormat', 'HHMM'],
		['campaignTimeFormat', 'hhmm a'],
		['pushDateFormat', 'yyyy'],
		['pushDateFormat', 'FFFF'],
		['pushTimeFormat', 'HH:MM:ss'],
		['pushTimeFormat', "HH 'o'clock"],
		['pushTimeFormat', 'hh:mm'],
		['eventTimeFormat', 'yyyy-MM-dd'],
		['eventTimeFormat', 'YYYY-MM-dd HH:mm'],
		['campaignAsText', 'maybe'],
		['campaignNow', 'later'],
	])('%s is refused: %p', async (field, value) => {
		expect(await refusedFields({ customSchedule: true, [field]: value })).toEqual([field]);
	});
});

describe('Custom paths', () => {
	it.each([
		['without a slash', 'api/v1/event'],
		['another host', '//other.example.com/api'],
		['a whole address', 'https://other.example.com/api'],
		['two dots', '/api/v1/../event'],
		['a broadcast', '/api/v1/email/broadcast'],
		['a list', ['/api/v1/event']],
	])('refuse an event path: %s', async (_, eventPath) => {
		expect(await refusedFields({ customPaths: true, eventPath })).toEqual(['eventPath']);
	});

	const track = async (change: ICredentialDataDecryptedObject) => {
		const credential = { ...keyCredential(sandbox()), ...change };
		await run(sandbox(), { ...order.trackEvent, event_time: '2026-11-01T09:30Z' }, { credential });
		return onlyArrival(sandbox());
	};

	it('replace the path of events', async () => {
		const { path } = await track({ customPaths: true, eventPath: '/api/v1/event/track' });
		expect(path).toBe('/api/v1/event/track');
	});

	it.each([
		['without a slash', 'api/v1/web/broadcast/all'],
		['another host', '//other.example.com/api/v1/web/broadcast/all'],
		['two dots', '/api/v1/../web/broadcast/all'],
		['one person', '/api/v1/web/send'],
		['a path that a custom request may use', '/api/v1/push-to-all'],
	])('refuse a path of web broadcasts: %s', async (_, webBroadcastPath) => {
		const change = { customPaths: true, webBroadcastPath };
		expect(await refusedFields(change)).toEqual(['webBroadcastPath']);
	});

	it('replace the path of a push to everyone on web, and no other', async () => {
		const webBroadcastPath = '/api/v1/browser/web/broadcast/all';
		const credential = { ...keyCredential(sandbox()), customPaths: true, webBroadcastPath };
		const parameters = { ...order.pushToAll, platforms: ['web', 'ios'] };
		const { output } = await run(sandbox(), parameters, {
			credential,
			onError: 'continueRegularOutput',
		});
		expect(sandbox().record.map(({ path }) => path)).toEqual([
			webBroadcastPath,
			'/api/v1/ios/broadcast/all',
		]);
		expect(output).toHaveLength(2);
	});

	it('never send a broadcast to one path twice', async () => {
		const webBroadcastPath = '/api/v1/android/broadcast/all';
		const credential = { ...keyCredential(sandbox()), customPaths: true, webBroadcastPath };
		const parameters = { ...order.pushToAll, platforms: ['web', 'android'] };
		const { error } = await run(sandbox(), parameters, { credential });
		expect(error?.message).toContain('/api/v1/android/broadcast/all');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A field whose expression gives nothing counts as not filled in', () => {
	const switches = { customLimits: true, customSchedule: true, customPaths: true };
	const names = [
		...['userLimit', 'eventLimit', 'campaignLimit', 'reportingLimit', 'pushLimit', 'emailLimit'],
		...['smsLimit', 'campaignDateFormat', 'campaignTimeFormat', 'pushDateFormat'],
		...['pushTimeFormat', 'eventTimeFormat', 'scheduleZone', 'eventPath', 'webBroadcastPath'],
		...['campaignAsText', 'campaignNow'],
		'segments',
	];
	const orders = [
		order.pushSend,
		order.smsSend,
		{ resource: 'event', operation: 'track', userID: 'u', event_name: 'Paid' },
	];

	it.each([
		['undefined', undefined],
		['null', null],
		['empty text', ''],
	])('%s', async (_, nothing) => {
		const emptied = Object.fromEntries(names.map((name) => [name, nothing]));
		const change = { ...switches, ...emptied } as ICredentialDataDecryptedObject;
		const scheduled = { sendAt: 'at', scheduledFor: '2099-01-01T00:00:00Z' };
		for (const parameters of orders) {
			const credential = { ...keyCredential(sandbox()), ...change };
			const { output } = await run(sandbox(), { ...parameters, ...scheduled }, { credential });
			expect(output.map(({ json }) => json.outcome)).not.toContain('rejected');
			expect(output[0]?.json.outcome).toBe('accepted');
		}
		const bodies = sandbox().record.map(({ body }) => body);
		expect(bodies).toMatchObject([
			{ schedule_date: '2099-01-01', schedule_time: '00:00:00', time_zone: '0' },
			{ schedule_date: 20990101, schedule_time: 0 },
			{ nv: [{ event_name: 'Paid' }] },
		]);
	});
});
