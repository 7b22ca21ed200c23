import { timeHints } from '../../../nodes/CustomerMessaging/report/timeHints';
import { defaultScheduleFormat } from '../../../nodes/CustomerMessaging/schedule/scheduleFormat';
import type { Delivery, Schedule } from '../../../nodes/CustomerMessaging/shared/delivery';
import { VirtualClock } from '../../../simulation/virtualClock';
import { deliveryOf, operationOf } from './support/results';

const nowMs = Date.UTC(2026, 9, 25, 0, 30);
const berlin = { ...defaultScheduleFormat, scheduleZone: 'Europe/Berlin' };
const track = operationOf('event', 'track');
const email = operationOf('email', 'send');

async function hintsOf(operation: typeof track, ...schedules: Array<Schedule | undefined>) {
	const deliveries = schedules.map((schedule, item): Delivery => deliveryOf(item, { schedule }));
	const times = { clock: new VirtualClock(nowMs), now: () => nowMs };
	return await timeHints(operation, berlin, deliveries, times);
}

const at = (instantMs: number) => ({ kind: 'at', instantMs, zone: 'UTC' }) as const;
const now = { kind: 'now' } as const;

test('Events without a time among others are named', async () => {
	expect(await hintsOf(track, at(0), now, now)).toEqual([
		'2 events have no Event Time and get the time of sending, while others have a time of their own: items 1–2. If that is not meant, fill in their time',
	]);
	expect(await hintsOf(track, at(0), now)).toEqual([
		'1 event has no Event Time and gets the time of sending, while others have a time of their own: item 1. If that is not meant, fill in their time',
	]);
	expect(await hintsOf(track, now, now)).toEqual([]);
	expect(await hintsOf(track, at(0), at(0))).toEqual([]);
	expect(await hintsOf(email, at(0), now)).toEqual([]);
});

test('A time that is written like another one is named once, with the first item', async () => {
	expect(await hintsOf(email, undefined, now, at(nowMs), at(nowMs))).toEqual([
		'Clocks go back in Europe/Berlin, the Schedule Zone of the credential, so the service cannot tell two times apart that are written the same: 2026-10-25T00:30:00.000Z (item 2) like 2026-10-25T01:30:00.000Z. Schedule Zone UTC avoids this, if the account reads times in UTC',
	]);
	expect(await hintsOf(operationOf('user', 'create'), at(nowMs))).toEqual([]);
});

test('A time that is chosen by hours is decided first', async () => {
	const within = (fromMs: number, zone = 'UTC') =>
		({ kind: 'within', fromMs, toMs: fromMs + 60_000, zone }) as const;
	const [hint] = await hintsOf(email, within(1.5 * 3_600_000));
	expect(hint).toContain('2026-10-25T01:30:00.000Z (item 0) like 2026-10-25T00:30:00.000Z');
	expect(await hintsOf(email, within(0.5 * 3_600_000))).toEqual([]);
});
