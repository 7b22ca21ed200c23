import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { bodies, freezeClock, keyCredential, run, useSandbox } from './support/service';

freezeClock('2026-10-20T15:06:07.000Z');
const sandbox = useSandbox();

/** The times in a body, or in each element of its list. */
function timesIn(body: unknown): object[] {
	const { nv: elements = [body] } = body as { nv?: unknown[] };
	return elements.map((element) => {
		const { schedule_date, schedule_time, event_time } = element as IDataObject;
		return { schedule_date, schedule_time, event_time };
	});
}

async function hintsOf(
	parameters: INodeParameters,
	rows: IDataObject[],
	schedule: IDataObject = {},
): Promise<string[]> {
	const credential = { ...keyCredential(sandbox()), customSchedule: true, ...schedule };
	const { hints, output } = await run(sandbox(), parameters, { rows, credential });
	expect(output.map(({ json }) => json.outcome)).toEqual(rows.map(() => 'accepted'));
	return hints.map(({ message }) => message);
}

describe('A hint about events without a time', () => {
	const track = { ...order.trackEvent, event_time: '={{ $json.at }}' };
	const at = '2026-10-19T10:00:00Z';

	it('names their items if others have one', async () => {
		expect(await hintsOf(track, [{ at }, {}, { at: '' }, { at }, { at: null }])).toEqual([
			'3 events have no Event Time and get the time of sending, while others have a time of their own: items 1–2, 4. If that is not meant, fill in their time',
		]);
		expect(bodies(sandbox())).toMatchObject([
			{
				nv: [
					{ event_time: '2026-10-19 10:00:00' },
					{ event_time: '2026-10-20 15:06:07' },
					{},
					{},
					{},
				],
			},
		]);
	});

	it('names a single one too', async () => {
		expect(await hintsOf(track, [{ at }, {}])).toEqual([
			'1 event has no Event Time and gets the time of sending, while others have a time of their own: item 1. If that is not meant, fill in their time',
		]);
	});

	it('is not given if all have a time, or none', async () => {
		expect(await hintsOf(track, [{ at }, { at }])).toEqual([]);
		expect(await hintsOf(track, [{}, {}])).toEqual([]);
	});

	it('is not given for messages, where each says when it is sent', async () => {
		const push = {
			...order.pushSend,
			sendAt: '={{ $json.when }}',
			scheduledFor: '={{ $json.at }}',
		};
		const rows = [{ when: 'now' }, { when: 'at', at: '2026-10-21T10:00:00Z' }];
		expect(await hintsOf(push, rows)).toEqual([]);
	});
});

describe('A hint about times that are written the same where clocks go back', () => {
	const [earlier, later] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'];
	const rows = [{ at: earlier }, { at: later }];
	const at = { sendAt: 'at', scheduledFor: '={{ $json.at }}' };
	const berlin = { scheduleZone: 'Europe/Berlin' };
	const campaign = { schedule_date: 20261025, schedule_time: 230 };
	const hint = (recipient: string) =>
		`Clocks go back in Europe/Berlin, the Schedule Zone of the credential, so the service cannot tell two times apart that are written the same: 2026-10-25T00:30:00.000Z (item 0, ${recipient}) like 2026-10-25T01:30:00.000Z, 2026-10-25T01:30:00.000Z (item 1, ${recipient}) like 2026-10-25T00:30:00.000Z. Schedule Zone UTC avoids this, if the account reads times in UTC`;

	it.each<[string, INodeParameters, string, object]>([
		['emails', { ...order.emailSend, ...at }, 'ravi@example.com', campaign],
		['SMS', { ...order.smsSend, ...at }, '+919812345679', campaign],
		[
			'events',
			{ ...order.trackEvent, event_time: '={{ $json.at }}' },
			'C-1',
			{ event_time: '2026-10-25 02:30:00' },
		],
	])('names both for %s', async (_, parameters, recipient, written) => {
		expect(await hintsOf(parameters, rows, berlin)).toContain(hint(recipient));
		const [one, other] = bodies(sandbox()).flatMap(timesIn);
		expect(one).toEqual(written);
		expect(other).toEqual(written);
	});

	it('is given for one of them alone, also if the workflow has another zone', async () => {
		const hints = await hintsOf({ ...order.emailSend, ...at }, [{ at: later }], berlin);
		expect(hints).toEqual([expect.stringContaining(`${later.replace('Z', '.000Z')} (item 0`)]);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		['in UTC', { ...order.emailSend, ...at }, { scheduleZone: 'UTC' }],
		['for push, which sends the offset', { ...order.pushSend, ...at }, berlin],
		[
			'if a number of seconds is written',
			{ ...order.emailSend, ...at },
			{ ...berlin, campaignDateFormat: 'yyyyMMdd', campaignTimeFormat: 'X' },
		],
		[
			'if the offset is written',
			{ ...order.trackEvent, event_time: '={{ $json.at }}' },
			{ ...berlin, eventTimeFormat: "yyyy-MM-dd'T'HH:mm:ssZZ" },
		],
	])('is not given %s', async (_, parameters, schedule) => {
		expect(await hintsOf(parameters, rows, schedule)).toEqual([]);
	});

	it('is not given an hour before or after', async () => {
		const outside = [{ at: '2026-10-24T23:59:59Z' }, { at: '2026-10-25T02:00:00Z' }];
		expect(await hintsOf({ ...order.emailSend, ...at }, outside, berlin)).toEqual([]);
	});
});

describe('A hint about letters beyond ASCII before the @', () => {
	it('names each address once, with its first item', async () => {
		const to = ['müller@exämple.de', 'ravi@exämple.de', 'müller@exämple.de', '用户@example.com'];
		const parameters = {
			...order.emailSend,
			email: '={{ $json.to }}',
			subject: '={{ $json.subject }}',
		};
		expect(
			await hintsOf(
				parameters,
				to.map((address, index) => ({ to: address, subject: `Sale ${index}` })),
			),
		).toEqual([
			"Some mail systems do not accept letters beyond ASCII before the @: 'müller@xn--exmple-cua.de' (item 0), '用户@example.com' (item 3). Check in the account whether these emails arrive",
		]);
		expect(bodies(sandbox())).toMatchObject([
			{ email: 'müller@xn--exmple-cua.de' },
			{ email: 'ravi@xn--exmple-cua.de' },
			{ email: 'müller@xn--exmple-cua.de' },
			{ email: '用户@example.com' },
		]);
	});

	it.each<[string, INodeParameters]>([
		['senders', { ...order.emailSend, sender_email: 'müller@example.com' }],
		[
			'addresses in copy',
			{ ...order.emailSend, additionalFields: { email_cc: 'a@example.com,müller@example.com' } },
		],
		[
			'reply addresses',
			{ ...order.emailSend, additionalFields: { reply_to: 'müller@example.com' } },
		],
		['users', { ...order.createUser, email: 'müller@example.com' }],
	])('names those of %s', async (_, parameters) => {
		expect(await hintsOf(parameters, [{}])).toEqual([
			expect.stringContaining("before the @: 'müller@example.com' (item 0"),
		]);
	});

	it('is not given for other fields and events', async () => {
		const subject = { ...order.emailSend, subject: 'Write to müller@example.com' };
		expect(await hintsOf(subject, [{}])).toEqual([]);
	});
});
