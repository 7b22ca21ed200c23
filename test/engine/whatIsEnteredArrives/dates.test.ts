import type { INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2026-11-01T12:00:00.000Z');
const node = useNode();

const timezone = 'UTC';
const tracked = (code: string) => ({ ...order.trackEvent, event_time: `={{ ${code} }}` });
const column = "$json['Sent at']";

async function refusal(value: unknown, code = column): Promise<string> {
	const rows = [{ 'Sent at': value as string }];
	const { error } = await node.run(tracked(code), { rows, timezone });
	expect(node.sandbox.record).toEqual([]);
	return error?.message ?? '';
}

/** The times of the events that arrive for these values of the column; undefined stands for none. */
async function times(code: string, values: unknown[]): Promise<unknown[]> {
	const parameters = { ...tracked(code), userID: '={{ "C-" + $itemIndex }}' };
	const rows = values.map((value) => (value === undefined ? {} : { 'Sent at': value as string }));
	const { error } = await node.run(parameters, { rows, timezone });
	expect(error).toBeUndefined();
	return node.elements().map(({ event_time }) => event_time);
}

describe('A time as another system writes it', () => {
	it.each([
		['2026-11-24T09:30', '2026-11-24 09:30:00'],
		['2026-11-24 09:30:15', '2026-11-24 09:30:15'],
		['2026-11-24T09:30:00+05:30', '2026-11-24 04:00:00'],
		['Tue, 24 Nov 2026 10:30:00 +0100', '2026-11-24 09:30:00'],
	])('is read in ISO form and as emails have it: %s', async (written, utc) => {
		expect(await times(column, [written])).toEqual([utc]);
	});

	it.each([
		...[46350.395833333336, 1795512600, '1795512600', '24.11.2026 09:30', '11/24/2026 9:30 PM'],
		...['Nov 24, 2026, 9:30 PM GMT+3', 'tomorrow', '2026/11/24 9:30'],
	])('is refused in any other form, with how to write it: %j', async (written) => {
		const message = await refusal(written);
		expect(message).toContain('Write it as 2026-11-23T09:30');
		expect(message).not.toContain('{{');
	});
});

describe('A Date of a Code node or a Data Table', () => {
	// A Tuesday, at 09:30 in Berlin, where it is 13:00 now.
	const date = new Date('2026-11-24T08:30:00Z');
	const push = { ...order.pushSend, scheduleTimezone: 'Europe/Berlin' };
	const field = `={{ ${column} }}`;
	it.each([
		['as it is', date],
		['as n8n stores it', date.toISOString()],
		['as text of JavaScript', 'Tue Nov 24 2026 09:30:00 GMT+0100 (Central European Standard Time)'],
	])('is a time in every field that takes one: %s', async (_, value) => {
		const rows = [{ 'Sent at': value as string }];
		expect(await times(column, [value])).toEqual(['2026-11-24 08:30:00']);
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

	it('is no time if it is invalid', async () => {
		expect(await refusal(new Date(NaN))).toContain('Event Time is not a date and time');
	});
});
