import { freezeClock } from '../support/clock';
import { useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2026-11-01T12:00:00.000Z');
const node = useNode();

// At 09:30 in Berlin.
const date = new Date('2026-11-24T08:30:00Z');
const push = { ...order.pushSend, scheduleTimezone: 'Europe/Berlin' };
const field = "={{ $json['Sent at'] }}";
const timezone = 'UTC';

it.each([
	['as it is', date],
	['as n8n stores it', date.toISOString()],
])('A Date is a date and time, %s', async (_, value) => {
	const rows = [{ 'Sent at': value as string }];
	await node.run({ ...order.trackEvent, event_time: field }, { rows, timezone });
	expect(node.elements()).toMatchObject([{ event_time: '2026-11-24 08:30:00' }]);
	node.sandbox.reset();
	await node.run({ ...push, sendAt: 'at', scheduledFor: field }, { rows, timezone });
	expect(node.onlyArrival().body).toMatchObject({
		schedule_date: '2026-11-24',
		schedule_time: '08:30:00',
	});
});
