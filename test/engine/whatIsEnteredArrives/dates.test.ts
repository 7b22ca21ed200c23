import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, freezeClock, run, useSandbox } from '../support/service';
import {
	foreignDays,
	foreignTimes,
	noSerialColumns,
	noTimes,
	serialColumns,
} from '../support/values/dates';

freezeClock('2026-11-01T12:00:00.000Z');
const sandbox = useSandbox();

const timezone = 'UTC';
const tracked = (event_time: string): INodeParameters => ({ ...order.trackEvent, event_time });
const column = "$json['Sent at']";

async function refusal(written: string | number): Promise<string> {
	const rows = [{ 'Sent at': written }];
	const { error } = await run(sandbox(), tracked(`={{ ${column} }}`), { rows, timezone });
	expect(sandbox().record).toEqual([]);
	return error?.message ?? '';
}

/** The times of the events that arrived for these values of the column. */
async function times(code: string, rows: IDataObject[]) {
	const parameters = { ...tracked(`=${code}`), userID: '={{ "C-" + $itemIndex }}' };
	const { error } = await run(sandbox(), parameters, { rows, timezone });
	expect(error).toBeUndefined();
	return (bodies(sandbox()) as Array<{ nv: IDataObject[] }>).flatMap(({ nv }) =>
		nv.map(({ event_time }) => event_time),
	);
}

const missing: IDataObject[] = [{}, { 'Sent at': null }];
const now = '2026-11-01 12:00:00';

describe('A time as another system writes it', () => {
	it.each(foreignTimes)(
		'is refused with the expression that reads it: %j',
		async (written, utc) => {
			const [, code = ''] = /, or convert it: (\{\{ .* \}\})/.exec(await refusal(written)) ?? [];
			expect(code).toContain(column);
			expect(await times(code, [{ 'Sent at': written }, ...missing])).toEqual([utc, now, now]);

			// Another text of the column is refused, instead of being now or 1970.
			sandbox().reset();
			const rows = [{ 'Sent at': 'tomorrow' }];
			const { error } = await run(sandbox(), tracked(`=${code}`), { rows, timezone });
			expect(error?.message).toContain("'Invalid DateTime' is not in the expected format");
		},
	);

	it.each(foreignDays)('without a time needs one: %j', async (written, day) => {
		const [, code = ''] =
			/, or convert it and choose a time of day: (\{\{ .* \}\})/.exec(await refusal(written)) ?? [];
		expect(code).toContain(column);
		expect(await times(code, [{ 'Sent at': written }])).toEqual([`${day} 09:30:00`]);
	});

	it('keeps the times of the rows that have one', async () => {
		const [, code = ''] = /(\{\{ .* \}\})/.exec(await refusal(46350)) ?? [];
		const rows = [46350, 46350.75].map((value) => ({ 'Sent at': value }));
		expect(await times(code, [...rows, ...missing])).toEqual([
			'2026-11-24 09:30:00',
			'2026-11-24 18:00:00',
			...[now, now],
		]);
	});

	it.each([...noTimes])('gets no expression if it is none: %j', async (written) => {
		const message = await refusal(written);
		expect(message).toContain('Write it as 2026-11-23T09:30');
		expect(message).not.toContain('{{');
	});
});

describe('A Date of a Code node or a Data Table', () => {
	const date = new Date('2026-11-24T08:30:00Z');
	// A Tuesday, at 09:30 in Berlin.
	const at = { push: '2026-11-24', time: '08:30:00' };
	const zone = { scheduleTimezone: 'Europe/Berlin' };
	const push: INodeParameters = { ...order.pushSend, ...zone };
	const days = { nextDays: ['tuesday'] };

	const written: Array<[string, unknown]> = [
		['as it is', date],
		['as n8n stores it', date.toISOString()],
		['as text of JavaScript', 'Tue Nov 24 2026 09:30:00 GMT+0100 (Central European Standard Time)'],
	];
	it.each(written)('is a time in every field that takes one: %s', async (_, value) => {
		const rows = [{ when: value } as IDataObject];
		const field = '={{ $json.when }}';
		expect(await times('{{ $json.when }}', rows)).toEqual(['2026-11-24 08:30:00']);
		for (const choice of [
			{ ...push, sendAt: 'at', scheduledFor: field },
			{ ...push, sendAt: 'next', ...days, nextTime: field },
		]) {
			sandbox().reset();
			await run(sandbox(), choice, { rows, timezone });
			const next = choice.sendAt === 'next' ? '2026-11-03' : at.push;
			expect(bodies(sandbox())).toMatchObject([{ schedule_date: next, schedule_time: at.time }]);
		}
		sandbox().reset();
		// It is 13:00 in Berlin.
		const hours = { ...push, sendAt: 'withinHours', hoursFrom: field, hoursTo: '10:00' };
		await run(sandbox(), hours, { rows, timezone });
		expect(bodies(sandbox())).toMatchObject([
			{ schedule_date: '2026-11-02', schedule_time: at.time },
		]);
		sandbox().reset();
		const until = { ...push, sendAt: 'withinHours', hoursFrom: '12:00', hoursTo: field };
		await run(sandbox(), until, { rows, timezone });
		expect(bodies(sandbox())).toHaveLength(1);
		expect(bodies(sandbox())[0]).not.toHaveProperty('schedule_date');
	});

	it.each(written)('ends the wait for an answer: %s', async (_, value) => {
		const limit = { limitType: 'atSpecifiedTime', maxDateAndTime: '={{ $json.when }}' };
		const { hints } = await run(
			sandbox(),
			{ ...push, operation: 'sendAndWait', options: { limitWaitTime: { values: limit } } },
			{ rows: [{ when: value } as IDataObject], timezone },
		);
		expect(hints.map(({ message }) => message)).toEqual([
			'The execution waits for the answer until Tue 24 Nov 2026, 08:30, UTC.',
		]);
	});

	it('is no time if it is invalid', async () => {
		const rows = [{ when: new Date(NaN) as unknown as string }];
		const { error } = await run(sandbox(), tracked('={{ $json.when }}'), { rows });
		expect(error?.message).toContain('Event Time is not a date and time');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A mapped column with dates as a spreadsheet stores them', () => {
	const mapped = { dataMode: 'autoMapInputData', userIdField: 'id' };

	/** The hint, and what n8n's Edit Fields node makes of the column by it. */
	async function hinted(rows: IDataObject[], event?: INodeParameters) {
		const parameters = { resource: 'user', operation: 'create', ...mapped, ...event };
		const { hints, error } = await run(sandbox(), parameters, { rows });
		expect(error).toBeUndefined();
		sandbox().reset();
		return hints.map(({ message }) => message);
	}

	async function editFields(value: string, rows: IDataObject[]) {
		const customAttributes = { assignments: [{ id: '1', name: 'x', type: 'string', value }] };
		const userID = '={{ "C-" + $itemIndex }}';
		const parameters = { ...order.createUser, userID, customAttributes };
		await run(sandbox(), { ...parameters, options: { sendEmptyValues: true } }, { rows });
		return (bodies(sandbox()) as Array<{ nv: IDataObject[] }>).flatMap(({ nv }) =>
			nv.map((one) => (one.user_attributes as IDataObject).x),
		);
	}

	it.each(serialColumns)(
		'gets a hint with the conversion: %s, %j',
		async (column, values, sent) => {
			const rows = values.map((value, index) => ({ id: `C-${index}`, [column]: value }));
			for (const event of [undefined, { ...order.trackEvent, ...mapped }]) {
				const [told, ...others] = await hinted(rows, event);
				expect(others).toEqual([]);
				expect(told).toContain(`'${column}' (such as '${values[0]}'): {{`);
				const [, code = ''] = /: (\{\{ .* \}\})\.$/.exec(told ?? '') ?? [];
				const input = [...(rows as IDataObject[]), { id: 'without' }];
				expect(await editFields(`=${code}`, input)).toEqual([...sent, '']);
			}
		},
	);

	it.each(noSerialColumns)(
		'gets none if they are other numbers: %s, %j',
		async (column, values) => {
			const rows = values.map((value, index) => ({ id: `C-${index}`, [column]: value }));
			const hints = await hinted(rows);
			expect(hints.filter((message) => message.includes('spreadsheet'))).toEqual([]);
		},
	);
});
