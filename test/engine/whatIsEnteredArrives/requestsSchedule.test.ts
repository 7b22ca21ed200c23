import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { freezeClock, keyCredential, onlyArrival, run, useSandbox } from '../support/service';

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
	it('has no schedule fields if it is sent now', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'now' })).toEqual(none);
	});

	it('writes a delay as a number of seconds', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'delay', time: 90 })).toEqual({
			...none,
			time: 90,
		});
	});

	it('writes an instant as date, time and time zone', async () => {
		expect(await timingOf({ ...parameters, ...inBerlin })).toEqual({
			...none,
			schedule_date: '2027-03-05',
			schedule_time: '08:30:00',
			time_zone: '0',
		});
	});

	it('writes the next weekday and time of day as date, time and time zone', async () => {
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
	it('writes the present as integers if it is sent now', async () => {
		expect(await timingOf({ ...parameters, sendAt: 'now' })).toEqual({
			...none,
			schedule_date: 20270304,
			schedule_time: 1506,
		});
	});

	it('writes the date and time of an instant as integers', async () => {
		expect(await timingOf({ ...parameters, ...inBerlin })).toEqual({
			...none,
			schedule_date: 20270305,
			schedule_time: 830,
		});
	});

	it('writes the next weekday and time of day as integers', async () => {
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

it("A time is read in the workflow's zone if no zone is chosen", async () => {
	const parameters = { ...order.smsSend, sendAt: 'at', scheduledFor: '2027-03-05T00:30' };
	expect(await timingOf(parameters, { timezone: 'Asia/Kolkata' })).toEqual({
		...none,
		schedule_date: 20270304,
		schedule_time: 1900,
	});
});

it("Schedules are written in the credential's formats and zone", async () => {
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

const asText = {
	customSchedule: true,
	campaignAsText: true,
	campaignDateFormat: 'yyyy-MM-dd',
	campaignTimeFormat: 'HH:mm',
};

describe.each(campaigns)('%s in an account with another shape of schedules', (_, parameters) => {
	it.each<[string, object, INodeParameters, object]>([
		['text', asText, inBerlin, { schedule_date: '2027-03-05', schedule_time: '08:30' }],
		['text of now', asText, {}, { schedule_date: '2027-03-04', schedule_time: '15:06' }],
		[
			'digits as text',
			{ customSchedule: true, campaignAsText: 'true' },
			inBerlin,
			{ schedule_date: '20270305', schedule_time: '0830' },
		],
		[
			'the next minute',
			{ customSchedule: true, campaignNow: 'nextMinute' },
			{},
			{ schedule_date: 20270304, schedule_time: 1507 },
		],
		['no keys for now', { customSchedule: true, campaignNow: 'leaveOut' }, {}, none],
		[
			'both keys for a later time',
			{ customSchedule: true, campaignNow: 'leaveOut' },
			inBerlin,
			{ schedule_date: 20270305, schedule_time: 830 },
		],
		[
			'its defaults while the switch is off',
			{ ...asText, campaignNow: 'leaveOut', customSchedule: false },
			{},
			{ schedule_date: 20270304, schedule_time: 1506 },
		],
	])('sends %s', async (_what, change, when, expected) => {
		const credential = { ...keyCredential(sandbox()), ...change };
		await run(sandbox(), { ...parameters, ...when }, { credential });
		const { schedule_date, schedule_time } = onlyArrival(sandbox()).body as Record<string, unknown>;
		expect({ ...none, schedule_date, schedule_time }).toEqual({ ...none, ...expected });
	});
});

describe.each(campaigns)('%s sent now', (_, parameters) => {
	const shown = {
		zone: 'Asia/Kolkata',
		local: '2027-03-04T20:36:07.000+05:30',
		utc: '2027-03-04T15:06:07.000Z',
	};

	it("shows the time that was sent, in the credential's zone", async () => {
		const credential = { ...keyCredential(sandbox()), scheduleZone: 'Asia/Kolkata' };
		const { output } = await run(sandbox(), parameters, { credential });
		expect(onlyArrival(sandbox()).body).toMatchObject({
			schedule_date: 20270304,
			schedule_time: 2036,
		});
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', schedule: shown });
	});

	it('shows it in a preview, after a refusal, and as the next minute', async () => {
		const credential = {
			...keyCredential(sandbox()),
			scheduleZone: 'Asia/Kolkata',
			customSchedule: true,
			campaignNow: 'nextMinute',
		};
		const schedule = {
			...shown,
			local: '2027-03-04T20:37:00.000+05:30',
			utc: '2027-03-04T15:07:00.000Z',
		};
		const options = { previewOnly: true };
		const preview = await run(sandbox(), { ...parameters, options }, { credential });
		expect(preview.output[0]?.json).toMatchObject({ outcome: 'preview', schedule });
		sandbox().faults.add({ kind: 'status', status: 400 });
		const refused = await run(sandbox(), parameters, {
			credential,
			onError: 'continueErrorOutput',
		});
		expect(refused.failed[0]?.json.details).toMatchObject({ outcome: 'rejected', schedule });
	});
});
