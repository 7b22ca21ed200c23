import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { saidBy, useNode } from '../support/node';
import * as order from '../support/orders';
import { toldBy } from '../support/sends';

// A Thursday.
const present = '2027-03-04T15:06:07.000Z';
freezeClock(present);
afterEach(() => jest.setSystemTime(new Date(present)));
const node = useNode();

const emails = [order.emailSend, order.emailBroadcast, order.emailToAll, order.emailToSegment];
const messages = [order.smsSend, order.smsBroadcast, order.smsToAll, order.smsToSegment];
const timing = ['time', 'schedule_date', 'schedule_time', 'time_zone'];

const scheduleZone = 'Asia/Kolkata';
const at = (scheduledFor: string, scheduleTimezone = 'UTC') => {
	return { sendAt: 'at', scheduledFor, scheduleTimezone };
};
const next = (nextTime: string, day: string, scheduleTimezone = 'UTC') => {
	return { sendAt: 'next', nextTime, nextDays: [day], scheduleTimezone };
};
const inBerlin = at('2027-03-05T09:30', 'Europe/Berlin');

/** What the only message that arrives says about its time. */
async function timingOf(parameters: INodeParameters, fields: object = {}, timezone?: string) {
	node.sandbox.reset();
	const options = { sendDuplicates: true };
	await node.run({ ...parameters, options }, { account: fields, timezone });
	const { body, outcome } = node.onlyArrival();
	// The sandbox's account has the usual shape.
	if (!('customSchedule' in fields)) expect(outcome).toBe('accepted');
	return Object.fromEntries(Object.entries(body as object).filter(([key]) => timing.includes(key)));
}

const utc = (schedule_date: string, schedule_time: string, time_zone = '0') => {
	return { schedule_date, schedule_time, time_zone };
};
const onMonday = next('09:30', 'monday', scheduleZone);
const pushFormats = { pushDateFormat: 'dd/MM/yyyy', pushTimeFormat: 'HH:mm' };
const ofPush = { customSchedule: true, ...pushFormats, scheduleZone };
const inFormat = utc('05/03/2027', '14:00', '+0530');
it.each<[string, INodeParameters, object, INodeParameters]>([
	['now has no schedule fields', { sendAt: 'now' }, {}, {}],
	['after a delay writes seconds', { sendAt: 'delay', time: 90 }, {}, { time: 90 }],
	['at an instant writes date, time and zone', inBerlin, {}, utc('2027-03-05', '08:30:00')],
	['on the next weekday writes the same', onMonday, {}, utc('2027-03-08', '04:00:00')],
	['at an instant in the format of the credential', inBerlin, ofPush, inFormat],
])('A push sent %s', async (_, when, fields, expected) => {
	for (const parameters of [order.pushSend, order.pushToAll, order.pushToSegment])
		expect(await timingOf({ ...parameters, ...when }, fields)).toStrictEqual(expected);
});

const nextMinute = { customSchedule: true, campaignNow: 'nextMinute' };
const digits = { customSchedule: true, campaignAsText: 'true' };
const text = { ...digits, campaignDateFormat: 'yyyy-MM-dd', campaignTimeFormat: 'HH:mm' };
const leaveOut = { customSchedule: true, campaignNow: 'leaveOut' };
const off = { ...text, ...leaveOut, customSchedule: false };
it.each<[string, INodeParameters, object, unknown[]]>([
	['now writes the present', { sendAt: 'now' }, {}, [20270304, 1506]],
	['at an instant writes integers', inBerlin, {}, [20270305, 830]],
	['on the next weekday writes integers', next('17:00', 'thursday'), {}, [20270304, 1700]],
	['now as text', {}, text, ['2027-03-04', '15:06']],
	['at an instant as digits in text', inBerlin, digits, ['20270305', '0830']],
	['now as the next minute', {}, nextMinute, [20270304, 1507]],
	['now may leave the keys out', {}, leaveOut, []],
	['at an instant has both keys even then', inBerlin, leaveOut, [20270305, 830]],
	['now while the switch of the credential is off', {}, off, [20270304, 1506]],
])('A campaign sent %s', async (_, when, fields, expected) => {
	const [schedule_date, schedule_time] = expected;
	const keys = expected.length > 0 ? { schedule_date, schedule_time } : {};
	for (const parameters of [...emails, ...messages])
		expect(await timingOf({ ...parameters, ...when }, fields)).toStrictEqual(keys);
});

it("A time is read in the workflow's zone if no zone is chosen", async () => {
	const parameters = { ...order.smsSend, ...at('2027-03-05T00:30', '') };
	const sent = await timingOf(parameters, {}, 'Asia/Kolkata');
	expect(sent).toStrictEqual({ schedule_date: 20270304, schedule_time: 1900 });
});

it.each([order.emailToAll, order.smsSend])('$resource sent now shows its time', async (one) => {
	const told = async (fields: object, option: string) => {
		const account = { scheduleZone, ...fields };
		const parameters = { ...one, options: { [option]: true } };
		const report = await node.run(parameters, { account, onError: 'continueErrorOutput' });
		return toldBy(report).map(({ outcome, details }) => [outcome, details.schedule]);
	};
	const present = { local: '2027-03-04T20:36:07.000+05:30', utc: '2027-03-04T15:06:07.000Z' };
	const schedule = { zone: scheduleZone, ...present };
	expect(await told({}, 'sendDuplicates')).toEqual([['accepted', schedule]]);
	expect(node.onlyArrival().body).toMatchObject({ schedule_date: 20270304, schedule_time: 2036 });
	const next = { local: '2027-03-04T20:37:00.000+05:30', utc: '2027-03-04T15:07:00.000Z' };
	const later = { zone: scheduleZone, ...next };
	node.sandbox.faults.add({ kind: 'status', status: 400 });
	expect(await told(nextMinute, 'previewOnly')).toEqual([['preview', later]]);
	expect(await told(nextMinute, 'sendDuplicates')).toEqual([['rejected', later]]);
});

it('A time that lies ahead is refused if it is written as one that has passed', async () => {
	const soon = at('2027-03-04T15:06:30');
	expect(await node.stops({ ...order.emailSend, ...soon })).toContain(
		'2027-03-04 15:06:30 in UTC is sent to the service as 2027-03-04 15:06:00, which has passed',
	);
	// Push writes seconds.
	const pushed = await timingOf({ ...order.pushSend, ...soon });
	expect(pushed).toMatchObject({ schedule_time: '15:06:30' });
	const inNextMinute = await timingOf({ ...order.emailSend, ...at('2027-03-04T15:07:30') });
	expect(inNextMinute).toMatchObject({ schedule_time: 1507 });
});

it('A time that passes during the run keeps its row from being sent, and the row says so', async () => {
	const pass = () => jest.setSystemTime(new Date('2027-03-04T15:06:31Z'));
	const unsubscribe = node.sandbox.subscribe(pass);
	const [soon, later] = ['2027-03-04T15:06:30', '2027-03-04T16:00'];
	const fields = { user_id: '={{ $json.id }}', ...at('={{ $json.at }}') };
	const parameters = { ...order.pushSend, ...fields, options: { concurrency: 1 } };
	const rows = [later, soon, later].map((at, index) => ({ id: `u${index}`, at }));
	const report = await node.run(parameters, { rows, onError: 'continueRegularOutput' });
	unsubscribe();
	expect(saidBy(report)).toEqual(['accepted', 'notSent schedulePassed', 'accepted']);
	expect(node.bodies()).toMatchObject([{ user_id: 'u0' }, { user_id: 'u2' }]);
});
