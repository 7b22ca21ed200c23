import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2026-11-01T12:00:00.000Z');
const node = useNode();

// A Tuesday, at 09:30 in Berlin, where it is 13:00 now.
const date = new Date('2026-11-24T08:30:00Z');
const push = { ...order.pushSend, scheduleTimezone: 'Europe/Berlin' };
const field = "={{ $json['Sent at'] }}";
const timezone = 'UTC';

it.each([
	['as it is', date],
	['as n8n stores it', date.toISOString()],
	['as text of JavaScript', 'Tue Nov 24 2026 09:30:00 GMT+0100 (Central European Standard Time)'],
])('A Date is a time in every field that takes one: %s', async (_, value) => {
	const rows = [{ 'Sent at': value as string }];
	await node.run({ ...order.trackEvent, event_time: field }, { rows, timezone });
	expect(node.elements()).toMatchObject([{ event_time: '2026-11-24 08:30:00' }]);
	const bodyOf = async (when: INodeParameters) => {
		node.sandbox.reset();
		await node.run({ ...push, ...when }, { rows, timezone });
		return node.onlyArrival().body;
	};
	const hours = { sendAt: 'withinHours', hoursFrom: '12:00', hoursTo: '10:00' };
	for (const [when, schedule_date] of [
		[{ sendAt: 'at', scheduledFor: field }, '2026-11-24'],
		[{ sendAt: 'next', nextDays: ['tuesday'], nextTime: field }, '2026-11-03'],
		[{ ...hours, hoursFrom: field }, '2026-11-02'],
	] as Array<[INodeParameters, string]>)
		expect(await bodyOf(when)).toMatchObject({ schedule_date, schedule_time: '08:30:00' });
	expect(await bodyOf({ ...hours, hoursTo: field })).not.toHaveProperty('schedule_date');
});
