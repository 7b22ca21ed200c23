import type { Fault } from '../../../sandbox';
import { at, freezeClock, passMinutes } from '../support/clock';
import { inShort, useNode } from '../support/node';
import * as order from '../support/orders';

// One message is sent again after a real wait.
jest.setTimeout(60_000);
// A Thursday.
freezeClock('2027-03-04T15:06:07.000Z');
const node = useNode();

const hours = { sendAt: 'withinHours', hoursFrom: '09:00', hoursTo: '20:00' };

const campaignNow = { schedule_date: 20270304, schedule_time: 1506 };
const pushLater = { schedule_date: '2027-03-05', schedule_time: '03:30:00', time_zone: '0' };
const campaignLater = { schedule_date: 20270305, schedule_time: 330 };

describe.each([
	['push', order.pushSend, {}, pushLater, 'schedule_date'],
	['email', order.emailSend, campaignNow, campaignLater, 'time'],
	['a broadcast', order.emailToAll, campaignNow, campaignLater, 'time'],
])('Within hours, %s', (_, parameters, now, later, leftOut) => {
	it('goes at once while clocks show one of the hours', async () => {
		const inBerlin = { ...parameters, ...hours, scheduleTimezone: 'Europe/Berlin' };
		const { output } = await node.start({ parameters: inBerlin });
		expect(node.bodies()).toMatchObject([now]);
		expect(node.bodies()[0]).not.toHaveProperty(leftOut);
		expect(output[0]?.json).not.toHaveProperty('schedule');
	});

	it('is scheduled for when they next begin otherwise, as the output says, and a preview before', async () => {
		const scheduled = { ...parameters, ...hours, scheduleTimezone: 'Asia/Kolkata' };
		const options = { previewOnly: true };
		const preview = await node.start({ parameters: { ...scheduled, options } });
		const local = '2027-03-05T09:00:00.000+05:30';
		const schedule = { zone: 'Asia/Kolkata', local, utc: '2027-03-05T03:30:00.000Z' };
		expect(preview.output[0]?.json).toMatchObject({ body: later, schedule });
		expect(node.bodies()).toEqual([]);
		const { output } = await node.start({ parameters: scheduled });
		expect(node.bodies()).toMatchObject([later]);
		expect(output[0]?.json.schedule).toEqual(schedule);
	});
});

const perRow = {
	...order.pushSend,
	...hours,
	user_id: '={{ $json.id }}',
	scheduleTimezone: '={{ $json.zone }}',
	options: { concurrency: 1 },
};

const later = { utc: '2027-03-05T08:00:00.000Z' };
it.each<[string, ids: string[], Fault, schedules: Array<object | undefined>]>([
	['has waited', ['u0', 'u1'], { kind: 'delay', delayMs: 800 }, [undefined, later]],
	['is sent again', ['u0'], { kind: 'resetBeforeAccept' }, [later]],
])('When the hours are over, a message that %s waits for the next day', async (...one) => {
	const [, ids, fault, schedules] = one;
	at('2027-03-04T18:59:59Z');
	node.sandbox.faults.add({ ...fault, first: 1 });
	setTimeout(() => at('2027-03-04T19:00:00Z'), 400);
	const rows = ids.map((id) => ({ id, zone: 'Europe/Berlin' }));
	const options = { concurrency: 1, retryUnknown: true };
	const { output } = await node.start({ parameters: { ...perRow, options }, rows });
	const nextDay = { schedule_date: '2027-03-05', schedule_time: '08:00:00' };
	expect(node.bodies()).toMatchObject([{ user_id: 'u0' }, { user_id: ids.at(-1), ...nextDay }]);
	expect(node.bodies()[0]).not.toHaveProperty('schedule_date');
	expect(output.map(({ json }) => json.schedule)).toMatchObject(schedules);
});

it('A retry sends what is missing by its own time, and tells when the rest was sent for', async () => {
	const zones = ['Asia/Kolkata', 'Europe/Berlin'];
	const rows = zones.map((zone, row) => ({ id: `u${row}`, zone }));
	node.refuseOnce('"u1"', 400);
	const failed = await node.start({ parameters: perRow, rows });
	at('2027-03-05T05:00:00Z');
	const { output } = await node.retry(failed);
	expect(output.map(({ json }) => [json.sentBefore, json.schedule])).toMatchObject([
		[true, { utc: '2027-03-05T03:30:00.000Z' }],
		[undefined, later],
	]);
	expect(node.accepted(['"u0"', '"u1"'])).toEqual([1, 1]);
});

it.each([-60, 60])('A clock that is set by %i minutes changes no wait', async (minutes) => {
	const cameAtMs: number[] = [];
	const answer: Parameters<typeof node.against>[0] = (response) => {
		const isLimited = cameAtMs.push(performance.now()) === 1;
		if (isLimited) setTimeout(() => passMinutes(minutes), 300);
		response.writeHead(isLimited ? 429 : 200, { 'retry-after': '1' }).end('{}');
	};
	expect(inShort(await node.against(answer, { parameters: order.pushSend }))).toBe('1 accepted');
	const [limitedAtMs = NaN, nextAtMs] = cameAtMs;
	expect(nextAtMs).toBeGreaterThan(limitedAtMs + 990);
});
