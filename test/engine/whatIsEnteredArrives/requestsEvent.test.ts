import type { ServerResponse } from 'node:http';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { execute, type Report } from '../support/engine';
import { startServer } from '../support/localServer';
import * as order from '../support/orders';
import { freezeClock, keyCredential, onlyArrival, run, useSandbox } from '../support/service';

freezeClock('2027-03-04T15:06:07.890Z');
const sandbox = useSandbox();

interface Events {
	nv: IDataObject[];
}
const present = '2027-03-04 15:06:07';
const fromRows = { ...order.trackEvent, userID: '={{ $json.id }}' };
const eventsOf = () => sandbox().record.flatMap(({ body }) => (body as Events).nv);
const messagesOf = ({ hints }: Report) => hints.map(({ message }) => message);

async function elementOf(parameters: INodeParameters, row: IDataObject = {}, timezone?: string) {
	await run(sandbox(), parameters, { rows: [row], timezone });
	const { body, outcome } = onlyArrival(sandbox());
	expect(outcome).toBe('accepted');
	return (body as Events).nv[0];
}

describe('Defined below', () => {
	it('keeps lists and objects in attributes, such as the items of an order', async () => {
		const items = [{ sku: 'A-1', price: 19.9, quantity: 2 }];
		const assignments = [
			{ id: '1', name: 'items', value: '={{ $json.items }}', type: 'array' },
			{ id: '2', name: 'total', value: '={{ $json.total }}', type: 'number' },
		];
		const element = await elementOf(
			{ ...order.trackEvent, attributes: { assignments } },
			{ items, total: '39.80' },
		);
		expect(element?.attributes).toStrictEqual({ items, total: 39.8 });
	});

	it('sends a lifetime value that is text as a number, and zero too', async () => {
		const withLtv = (ltv: string | number) => ({ ...order.trackEvent, additionalFields: { ltv } });
		expect((await elementOf(withLtv('49.90')))?.ltv).toBe(49.9);
		sandbox().reset();
		expect((await elementOf(withLtv(0)))?.ltv).toBe(0);
	});
});

describe('Mapped from the input', () => {
	const mapped = {
		resource: 'event',
		operation: 'track',
		dataMode: 'autoMapInputData',
		event_name: '={{ $json.event }}',
		userIdField: 'customer',
		ignoreFields: 'event, at',
	};

	it('makes every other field an attribute and keeps its type', async () => {
		const row = {
			customer: 'C-7',
			event: 'Signed Up',
			plan: 'pro',
			seats: 3,
			trial: false,
			no: '',
		};
		expect(await elementOf(mapped, row)).toStrictEqual({
			userID: 'C-7',
			event_name: 'Signed Up',
			attributes: { plan: 'pro', seats: 3, trial: false },
			event_time: present,
		});
	});

	it('can take the time from a column too', async () => {
		const row = { customer: 'C-7', event: 'Signed Up', at: '2027-03-01T10:00:00Z' };
		const element = await elementOf({ ...mapped, event_time: '={{ $json.at }}' }, row);
		expect(element?.event_time).toBe('2027-03-01 10:00:00');
	});
});

describe('The time of an event', () => {
	it.each([
		[
			'without an offset, in the timezone that was chosen',
			'2026-07-01T09:30',
			'Asia/Kolkata',
			'2026-07-01 04:00:00',
		],
		[
			"without an offset, in the workflow's timezone",
			'2026-07-01 09:30:15',
			'',
			'2026-07-01 07:30:15',
		],
		['with an offset', '2026-07-01T09:30:00+0530', 'Europe/Berlin', '2026-07-01 04:00:00'],
		['in the future', '2028-01-01T00:00:00Z', '', '2028-01-01 00:00:00'],
	])('is sent in UTC if it is given %s', async (_, event_time, scheduleTimezone, written) => {
		const parameters = { ...order.trackEvent, event_time, scheduleTimezone };
		expect((await elementOf(parameters, {}, 'Europe/Berlin'))?.event_time).toBe(written);
	});

	it('is the earlier one of two, with a hint, where clocks go back', async () => {
		const report = await run(
			sandbox(),
			{ ...order.trackEvent, event_time: '2026-10-25T02:30', scheduleTimezone: 'Europe/Berlin' },
			{},
		);
		expect(eventsOf()[0]?.event_time).toBe('2026-10-25 00:30:00');
		expect(messagesOf(report)).toEqual([
			"02:30 on 2026-10-25 comes twice in Europe/Berlin, because clocks go back. The earlier one counts, 2026-10-25T02:30:00.000+02:00. For the later one, switch 'Event Time' to Expression and enter 2026-10-25T02:30:00.000+01:00.",
		]);
	});
});

describe('Many events', () => {
	it('travel a hundred in a request, paired with their rows, several of one user among them', async () => {
		const rows = Array.from({ length: 250 }, (_, index) => ({ id: `C-${index % 10}` }));
		const report = await run(sandbox(), { ...fromRows, options: { concurrency: 1 } }, { rows });
		expect(sandbox().record.map(({ body }) => (body as Events).nv.length)).toEqual([100, 100, 50]);
		expect(sandbox().record.map(({ api }) => api)).toEqual(['event', 'event', 'event']);
		expect(eventsOf().map(({ userID }) => userID)).toEqual(rows.map(({ id }) => id));
		expect(report.output.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.map((_, item) => ({ item })),
		);
		expect(report.output[149]?.json).toMatchObject({
			outcome: 'accepted',
			resource: 'event',
			operation: 'track',
			userID: 'C-9',
			batch: { index: 1, size: 100 },
		});
		expect(messagesOf(report)).toEqual([]);
	});

	it('do not wait for earlier events of the same user', async () => {
		const held: ServerResponse[] = [];
		let isFirst = true;
		// After the first, no response is sent before the other five requests have arrived.
		const server = await startServer((response) => {
			if (isFirst) response.writeHead(200).end('{}');
			else held.push(response);
			isFirst = false;
			if (held.length === 5) for (const one of held) one.writeHead(200).end('{}');
		});
		const { output } = await execute({
			parameters: { ...fromRows, options: { batchSize: 1, concurrency: 6 } },
			rows: Array.from({ length: 6 }, () => ({ id: 'C-1' })),
			credential: keyCredential(server),
		});
		await server.close();
		expect(output.map(({ json }) => json.outcome)).toEqual(Array(6).fill('accepted'));
	});
});
