import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { freezeClock } from '../support/clock';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const all = (meant: string, ...written: Array<string | number>) =>
	written.map((one) => [one, meant] as const);
const morning = '2026-11-24 09:30:00';
const evening = '2026-11-24 18:30:00';

/**
 * A time as other systems write it, and the instant that it means where clocks show UTC: days since 1899-12-30, as
 * spreadsheets count, seconds and less since 1970, RFC 2822, HTTP, and with or without an offset after its name.
 */
const foreignTimes: Array<readonly [written: string | number, utc: string]> = [
	...all(morning, 46350.395833333336, '46350,395833333336', 1795512600, '1795512600.5'),
	...all(morning, '1795512600000', '1795512600000000', '1795512600000000000'),
	...all(morning, 'Tue, 24 Nov 2026 09:30:00 +0000', 'Tue, 24 Nov 2026 04:30:00 EST'),
	...all(morning, 'Tue, 24 Nov 2026 10:30:00 +0100 (CET)', '24 Nov 2026 10:30 +0100'),
	...all(morning, 'Tuesday, 24-Nov-26 09:30:00 GMT', '24-Nov-2026 9:30 am GMT'),
	...all(morning, '2026-11-24 09:30:00 UTC', '2026-11-24T9:30:00.5Z', '24.11.2026 09:30'),
	...all(evening, '11/24/2026 09:30 PM GMT+3', 'Nov 24, 2026, 9:30 PM GMT+3'),
	...all(evening, 'November 24, 2026 at 9:30 PM GMT+3', '2026-11-24 09:30 PM GMT+3'),
	...all(evening, 'Tuesday, November 24, 2026, 9:30\u202fPM GMT+03:00'),
	[25569.5, '1970-01-01 12:00:00'],
	[20000.25, '1954-10-03 06:00:00'],
	[79999.999988, '2119-01-10 23:59:59'],
	['946684800', '2000-01-01 00:00:00'],
	['11/24/2026 9:30:15 PM GMT+3', '2026-11-24 18:30:15'],
	['24 November 2026 21:30 UTC-05:30', '2026-11-25 03:00:00'],
	['2026/11/24 09:30:00 +0300', '2026-11-24 06:30:00'],
	['2026/11/24 9:30:15', '2026-11-24 09:30:15'],
	['Nov 24, 2026 9:30 PM', '2026-11-24 21:30:00'],
];

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

/** The code that a refusal advises after certain words. */
async function advised(value: unknown, words = ', or convert it: '): Promise<string> {
	const message = await refusal(value);
	const [, code = ''] = /^\{\{ (.*?) \}\}/.exec(message.split(words)[1] ?? '') ?? [];
	expect(code).toContain(column);
	return code;
}

/** The times of the events that arrive for these values of the column; undefined stands for none. */
async function times(code: string, values: unknown[]): Promise<unknown[]> {
	const parameters = { ...tracked(code), userID: '={{ "C-" + $itemIndex }}' };
	const rows = values.map((value) => (value === undefined ? {} : { 'Sent at': value as string }));
	const { error } = await node.run(parameters, { rows, timezone });
	expect(error).toBeUndefined();
	return node.elements().map(({ event_time }) => event_time);
}

const now = '2026-11-01 12:00:00';

describe('A time as another system writes it', () => {
	it.each(foreignTimes)('is refused with the expression that reads it: %j', async (...one) => {
		const [written, utc] = one;
		const code = await advised(written);
		expect(await times(code, [written, undefined, null])).toEqual([utc, now, now]);

		// Another text of the column is refused, instead of being now or 1970.
		node.sandbox.reset();
		const told = await refusal('tomorrow', code);
		expect(told).toContain("'Invalid DateTime' is not in the expected format");
	});

	const ofDay = ', or convert it and choose a time of day: ';
	const days = [46350, '46350.0', '24 Nov 2026', 'November 24, 2026', '2026/11/24'];
	it.each(days)('without a time needs one: %j', async (written) => {
		expect(await times(await advised(written, ofDay), [written])).toEqual([morning]);
	});

	it('keeps the times of the rows that have one', async () => {
		const code = await advised(46350, ofDay);
		const sent = await times(code, [46350, 46350.75, undefined, null]);
		expect(sent).toEqual([morning, '2026-11-24 18:00:00', now, now]);
	});

	it.each([
		...[19999, 80001, 7, 46350395, '1795512', '17955126001', 'PM', 'Nov 31, 2026 9:30 PM'],
		...['24 Nov 2026 25:30 GMT', '24 Nov 2026 9:30 PM GMT+3 or so'],
	])('gets no expression if it is none: %j', async (written) => {
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

		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: field };
		const asking = { ...push, operation: 'sendAndWait', options: { limitWaitTime: { values } } };
		expect(hintsOf(await node.run(asking, { rows, timezone }))).toEqual([
			'The execution waits for the answer until Tue 24 Nov 2026, 08:30, UTC.',
		]);
	});

	it('is no time if it is invalid', async () => {
		expect(await refusal(new Date(NaN))).toContain('Event Time is not a date and time');
	});
});

describe('A mapped column with dates as a spreadsheet stores them', () => {
	const mapped = { dataMode: 'autoMapInputData', userIdField: 'id' };
	const ofUser = { resource: 'user', operation: 'create', ...mapped };
	const rowsOf = (name: string, values: readonly unknown[]) =>
		values.map((value, index) => ({ id: `C-${index}`, [name]: value }) as IDataObject);

	async function hinted(rows: IDataObject[], parameters: INodeParameters = ofUser) {
		node.sandbox.reset();
		const report = await node.run(parameters, { rows });
		expect(report.error).toBeUndefined();
		return hintsOf(report);
	}

	/** What n8n's Edit Fields node makes of the column by an expression. */
	async function editFields(value: string, rows: IDataObject[]) {
		node.sandbox.reset();
		const customAttributes = { assignments: [{ id: '1', name: 'x', type: 'string', value }] };
		const options = { sendEmptyValues: true };
		const parameters = { ...order.createUser, userID: '={{ "C-" + $itemIndex }}' };
		await node.run({ ...parameters, customAttributes, options }, { rows });
		return node.elements().map((one) => (one.user_attributes as IDataObject).x);
	}

	it.each<[column: string, values: Array<string | number | null>, dates: string[]]>([
		['Kaufdatum', [46350, 46351], ['2026-11-24', '2026-11-25']],
		['created_at', [46350.395833333336, 46350], [morning, '2026-11-24 00:00:00']],
		['signupDate', ['46350', '46351'], ['2026-11-24', '2026-11-25']],
		['Date of birth', [25569, null, 33000], ['1970-01-01', '', '1990-05-07']],
		['last seen', [46350.395833333336], [morning]],
		['joined', ['46350'], ['2026-11-24']],
		['Datum', ['46350,5'], ['2026-11-24 12:00:00']],
	])('gets a hint with the conversion: %s, %j', async (name, values, sent) => {
		const rows = rowsOf(name, values);
		for (const parameters of [ofUser, { ...order.trackEvent, ...mapped }]) {
			const [told, ...others] = await hinted(rows, parameters);
			expect(others).toEqual([]);
			expect(told).toContain(`'${name}' (such as '${values[0]}'): {{`);
			const [, code = ''] = /: (\{\{ .* \}\})\.$/.exec(told ?? '') ?? [];
			expect(await editFields(`=${code}`, [...rows, { id: 'without' }])).toEqual([...sent, '']);
		}
	});

	it.each<[column: string, values: Array<string | number>]>([
		['salary', [46350, 52000]],
		['zip', ['20095', '80331']],
		['candidate', [46350]],
		['price', [45000.5, 46350.75]],
		['created_at', [46350, '2026-11-24']],
		['order date', [19999, 80001]],
	])('gets none if they are other numbers: %s, %j', async (name, values) => {
		const hints = await hinted(rowsOf(name, values));
		expect(hints.filter((message) => message.includes('spreadsheet'))).toEqual([]);
	});
});
