import type { INodeParameters } from 'n8n-workflow';

import * as order from './orders';
import { freezeClock, keyCredential, onlyArrival, run, useSandbox } from './service';

// A Thursday.
freezeClock('2027-03-04T15:06:07.000Z');
const sandbox = useSandbox();

const pushes: Array<[string, INodeParameters]> = [
	['push send', order.pushSend],
	['push broadcastAll', order.pushToAll],
	['push broadcastSegment', order.pushToSegment],
];
const campaigns: Array<[string, INodeParameters]> = [
	['email send', order.emailSend],
	['email broadcast', order.emailBroadcast],
	['email broadcastAll', order.emailToAll],
	['email broadcastSegment', order.emailToSegment],
	['sms send', order.smsSend],
	['sms broadcast', order.smsBroadcast],
	['sms broadcastAll', order.smsToAll],
	['sms broadcastSegment', order.smsToSegment],
];

async function timingOf(parameters: INodeParameters, rest: object = {}): Promise<object> {
	await run(sandbox(), parameters, rest);
	const { body, outcome } = onlyArrival(sandbox());
	expect(outcome).toBe('accepted');
	const { time, schedule_date, schedule_time, time_zone } = body as Record<string, unknown>;
	return { time, schedule_date, schedule_time, time_zone };
}
const none = {
	time: undefined,
	schedule_date: undefined,
	schedule_time: undefined,
	time_zone: undefined,
};
const inBerlin = {
	sendAt: 'at',
	scheduledFor: '2027-03-05T09:30',
	scheduleTimezone: 'Europe/Berlin',
};

describe.each(pushes)('%s', (_, parameters) => {
	it('says nothing of time where it goes now', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'now' })).toEqual(none);
	});

	it('gives the seconds of a delay as a number', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'delay', time: 90 })).toEqual({
			...none,
			time: 90,
		});
	});

	it('gives date, time and zone of an instant', async () => {
		expect(await timingOf({ ...parameters, ...inBerlin })).toEqual({
			...none,
			schedule_date: '2027-03-05',
			schedule_time: '08:30:00',
			time_zone: '0',
		});
	});

	it('gives the next weekday and time', async () => {
		const next = {
			sendAt: 'next',
			nextTime: '09:30',
			nextDays: ['monday'],
			scheduleTimezone: 'Asia/Kolkata',
		};
		expect(await timingOf({ ...parameters, ...next })).toEqual({
			...none,
			schedule_date: '2027-03-08',
			schedule_time: '04:00:00',
			time_zone: '0',
		});
	});
});

describe.each(campaigns)('%s', (_, parameters) => {
	it('gives the present as integers where it goes now', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'now' })).toEqual({
			...none,
			schedule_date: 20270304,
			schedule_time: 1506,
		});
	});

	it('gives date and time of an instant as integers', async () => {
		expect(await timingOf({ ...parameters, ...inBerlin })).toEqual({
			...none,
			schedule_date: 20270305,
			schedule_time: 830,
		});
	});

	it('gives the next weekday and time as integers', async () => {
		const next = {
			sendAt: 'next',
			nextTime: '17:00',
			nextDays: ['thursday'],
			scheduleTimezone: 'UTC',
		};
		expect(await timingOf({ ...parameters, ...next })).toEqual({
			...none,
			schedule_date: 20270304,
			schedule_time: 1700,
		});
	});
});

it("reads a time in the workflow's zone where none is chosen", async () => {
	const parameters = { ...order.smsSend, sendAt: 'at', scheduledFor: '2027-03-05T00:30' };
	expect(await timingOf(parameters, { timezone: 'Asia/Kolkata' })).toEqual({
		...none,
		schedule_date: 20270304,
		schedule_time: 1900,
	});
});

it("writes schedules in the credential's formats and zone", async () => {
	const credential = {
		...keyCredential(sandbox()),
		customSchedule: true,
		pushDateFormat: 'dd/MM/yyyy',
		pushTimeFormat: 'HH:mm',
		scheduleZone: 'Asia/Kolkata',
	};
	expect(await timingOf({ ...order.pushSend, ...inBerlin }, { credential })).toEqual({
		...none,
		schedule_date: '05/03/2027',
		schedule_time: '14:00',
		time_zone: '+0530',
	});
});

it('tells the instant in the output, in its zone and in UTC', async () => {
	const { output } = await run(sandbox(), { ...order.emailSend, ...inBerlin });
	expect(output[0]?.json.schedule).toEqual({
		zone: 'Europe/Berlin',
		local: '2027-03-05T09:30:00.000+01:00',
		utc: '2027-03-05T08:30:00.000Z',
	});
});
