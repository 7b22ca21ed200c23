import { ExecutionList } from '../support/executionList';
import * as order from '../support/orders';
import { pageOf } from '../support/pages';
import { toldBy } from '../support/sends';
import { bodies, freezeClock, keyCredential, run, useSandbox } from '../support/service';

// A Thursday.
const present = '2027-03-04T15:06:07.000Z';
freezeClock(present);
const sandbox = useSandbox();
beforeEach(() => {
	jest.setSystemTime(new Date(present));
});

const hours = { sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '20:00' };
const berlin = { ...hours, scheduleTimezone: 'Europe/Berlin' };
const kolkata = { ...hours, scheduleTimezone: 'Asia/Kolkata' };

const campaignNow = { schedule_date: 20270304, schedule_time: 1506 };
const pushLater = { schedule_date: '2027-03-05', schedule_time: '03:30:00', time_zone: '0' };
const campaignLater = { schedule_date: 20270305, schedule_time: 330 };

describe.each([
	['push', order.pushSend, {}, pushLater, 'schedule_date'],
	['email', order.emailSend, campaignNow, campaignLater, 'time'],
	['SMS', order.smsSend, campaignNow, campaignLater, 'time'],
	['a broadcast', order.emailToAll, campaignNow, campaignLater, 'time'],
])('Within hours, %s', (_, parameters, now, later, leftOut) => {
	it('goes at once while clocks show one of the hours', async () => {
		const { output } = await run(sandbox(), { ...parameters, ...berlin });
		expect(bodies(sandbox())).toMatchObject([now]);
		expect(bodies(sandbox())[0]).not.toHaveProperty(leftOut);
		expect(output[0]?.json).not.toHaveProperty('schedule');
	});

	it('is scheduled for when they next begin otherwise, as the output says, and a preview before', async () => {
		const { output } = await run(sandbox(), { ...parameters, ...kolkata });
		expect(bodies(sandbox())).toMatchObject([later]);
		const schedule = {
			zone: 'Asia/Kolkata',
			local: '2027-03-05T09:00:00.000+05:30',
			utc: '2027-03-05T03:30:00.000Z',
		};
		expect(output[0]?.json.schedule).toEqual(schedule);

		const options = { previewOnly: true };
		const preview = await run(sandbox(), { ...parameters, ...kolkata, options });
		expect(preview.output[0]?.json).toMatchObject({ body: later, schedule: { utc: schedule.utc } });
		expect(pageOf(preview.output[0])).toContain('Fri 5 Mar 2027, 09:00, Asia/Kolkata');
		expect(bodies(sandbox())).toHaveLength(1);
	});
});

const perRow = {
	...order.pushSend,
	...hours,
	user_id: '={{ $json.id }}',
	scheduleTimezone: '={{ $json.zone }}',
	options: { concurrency: 1 },
};

it("The hours can be those of each recipient's own timezone", async () => {
	const rows = [
		{ id: 'u0', zone: 'Europe/Berlin' },
		{ id: 'u1', zone: 'Asia/Kolkata' },
		{ id: 'u2', zone: 'America/Los_Angeles' },
	];
	await run(sandbox(), perRow, { rows });
	expect(
		bodies(sandbox()).map((body) => {
			const { user_id, schedule_date, schedule_time } = body as Record<string, unknown>;
			return [user_id, schedule_date, schedule_time];
		}),
	).toEqual([
		['u0', undefined, undefined],
		['u1', '2027-03-05', '03:30:00'],
		['u2', '2027-03-04', '17:00:00'],
	]);
});

it('A message that waits until the hours are over is scheduled for the next day', async () => {
	jest.setSystemTime(new Date('2027-03-04T18:59:59.000Z'));
	sandbox().faults.add({ kind: 'delay', delayMs: 400, first: 1 });
	setTimeout(() => jest.setSystemTime(new Date('2027-03-04T19:00:00.000Z')), 200);
	const rows = ['u0', 'u1'].map((id) => ({ id, zone: 'Europe/Berlin' }));
	const { output } = await run(sandbox(), perRow, { rows });
	expect(bodies(sandbox())).toMatchObject([
		{ user_id: 'u0' },
		{ user_id: 'u1', schedule_date: '2027-03-05', schedule_time: '08:00:00' },
	]);
	expect(bodies(sandbox())[0]).not.toHaveProperty('schedule_date');
	expect(output.map(({ json }) => json.schedule)).toMatchObject([
		undefined,
		{ utc: '2027-03-05T08:00:00.000Z' },
	]);
});

it('A message that is sent once more is decided anew', async () => {
	jest.setSystemTime(new Date('2027-03-04T18:59:59.000Z'));
	sandbox().faults.add({ kind: 'resetBeforeAccept', first: 1 });
	setTimeout(() => jest.setSystemTime(new Date('2027-03-04T19:00:00.000Z')), 400);
	const rows = [{ id: 'u0', zone: 'Europe/Berlin' }];
	const options = { concurrency: 1, retryUnknown: true };
	const { output } = await run(sandbox(), { ...perRow, options }, { rows });
	expect(sandbox().record).toHaveLength(2);
	expect(bodies(sandbox())[0]).not.toHaveProperty('schedule_date');
	expect(bodies(sandbox())[1]).toMatchObject({ schedule_time: '08:00:00' });
	expect(output[0]?.json.schedule).toMatchObject({ utc: '2027-03-05T08:00:00.000Z' });
}, 60_000);

it('A retry sends what is missing by its own time, and tells when the rest was sent for', async () => {
	const executions = new ExecutionList();
	const rows = [
		{ id: 'u0', zone: 'Asia/Kolkata' },
		{ id: 'u1', zone: 'Europe/Berlin' },
	];
	sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: '"u1"' }, first: 1 });
	const credential = keyCredential(sandbox());
	const failed = await executions.start({ parameters: perRow, rows, credential });
	expect(failed.error).toBeDefined();

	jest.setSystemTime(new Date('2027-03-05T05:00:00.000Z'));
	const retried = await executions.retry(failed);
	expect(retried.error).toBeUndefined();
	const seen = toldBy(retried).map(({ details }) => [details.sentBefore, details.schedule]);
	expect(seen).toMatchObject([
		[true, { utc: '2027-03-05T03:30:00.000Z' }],
		[undefined, { utc: '2027-03-05T08:00:00.000Z' }],
	]);
	expect(sandbox().accepted()).toHaveLength(2);
});
