import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { execute, type Order, type Report } from '../support/engine';
import { pageOf, wordsOn } from '../support/pages';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterEach(() => sandbox.reset());
afterAll(async () => await sandbox.close());

async function preview(parameters: INodeParameters, order: Partial<Order> = {}): Promise<Report> {
	const report = await execute({
		parameters: { options: { previewOnly: true }, ...parameters },
		credential: { ...sandbox.urls, brandId: 'sandbox-brand', apiKey: 'sandbox-key' },
		...order,
	});
	expect(report.error).toBeUndefined();
	expect(sandbox.record).toEqual([]);
	return report;
}

const hintsOf = ({ hints }: Report) => hints.map(({ message }) => message);
const words = { title: 'Hi 👩‍👩‍👧!', message: 'Your parcel is here', url: 'https://example.com' };
const sms = {
	resource: 'sms',
	operation: 'send',
	recipientBy: 'mobile',
	mobile: '+4915112345678',
	senderFrom: 'define',
	sender_name: 'Acme',
	campaign_name: 'Reminders',
	sender_mobile: '+4915100000000',
	serviceproviderID: 7,
};

// By the GSM 03.38 alphabet: 160 characters in one part, 153 in each of several; with a character
// outside of it 70 and 67. The euro sign takes two places.
test.each([
	['a'.repeat(160), 160, { parts: 1, encoding: 'GSM-7' }],
	['a'.repeat(161), 161, { parts: 2, encoding: 'GSM-7' }],
	['a'.repeat(306), 306, { parts: 2, encoding: 'GSM-7' }],
	['a'.repeat(307), 307, { parts: 3, encoding: 'GSM-7' }],
	[`${'a'.repeat(158)}€`, 159, { parts: 1, encoding: 'GSM-7' }],
	[`${'a'.repeat(159)}€`, 160, { parts: 2, encoding: 'GSM-7' }],
	['ж'.repeat(70), 70, { parts: 1, encoding: 'UCS-2' }],
	['ж'.repeat(71), 71, { parts: 2, encoding: 'UCS-2' }],
])('An SMS shows how it is cut (case %#)', async (message, count, parts) => {
	const { output } = await preview({ ...sms, message });
	expect(output[0]?.json).toMatchObject({ characters: { message: { count } }, sms: parts });
});

test('A preview shows the schedule in the chosen time zone and in UTC', async () => {
	const { output } = await preview({
		...sms,
		message: 'Tomorrow at 10',
		sendAt: 'at',
		scheduledFor: '2099-07-01T09:30',
		scheduleTimezone: 'Europe/Berlin',
	});
	expect(output[0]?.json.schedule).toEqual({
		zone: 'Europe/Berlin',
		local: '2099-07-01T09:30:00.000+02:00',
		utc: '2099-07-01T07:30:00.000Z',
	});
	expect(output[0]?.json.body).toMatchObject({ schedule_date: 20990701, schedule_time: 730 });
});

test.each([
	[500, 'Preview: 500 requests in all.'],
	[1001, 'Preview: 1001 requests in all, to be sent in about 2 min at 500 per minute.'],
])('A preview of %i requests says how long they take', async (count, hint) => {
	const report = await preview(
		{
			resource: 'push',
			operation: 'send',
			platforms: ['web'],
			user_id: '={{ $json.id }}',
			...words,
		},
		{ rows: Array.from({ length: count }, (_, id) => ({ id: `u-${id}` })) },
	);
	expect(hintsOf(report)).toEqual([
		"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
		hint,
	]);
});

test('The longest message has a page too, although ten come before it', async () => {
	const { output } = await preview(
		{
			resource: 'push',
			operation: 'send',
			platforms: ['web'],
			user_id: '={{ $json.id }}',
			...words,
			title: '={{ $json.title }}',
		},
		{
			rows: Array.from({ length: 13 }, (_, row) => ({
				id: `u-${row}`,
				title: row === 11 ? 'The longest of all titles' : 'A title',
			})),
		},
	);
	expect(output.slice(10).map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
		[],
		['preview'],
		[],
	]);
	const page = pageOf(output[11]);
	expect(page).toContain('Of all messages: the longest text');
});

test('The first ten previews carry the message as a page that n8n can show', async () => {
	const { output } = await preview(
		{
			resource: 'push',
			operation: 'send',
			platforms: ['web'],
			user_id: '={{ $json.id }}',
			...words,
		},
		{ rows: Array.from({ length: 12 }, (_, row) => ({ id: `u-${row}` })) },
	);
	expect(output.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
		...Array.from({ length: 10 }, () => ['preview']),
		[],
		[],
	]);
	// The viewer opens plain text only, and shows it by its file type.
	expect(output[9]?.binary?.preview).toMatchObject({
		mimeType: 'text/plain',
		fileType: 'html',
		fileName: 'item-9-web.html',
		fileExtension: 'html',
	});
	const page = pageOf(output[9]);
	expect(page).toContain('<bdi>Hi 👩‍👩‍👧!</bdi>');
	expect(page).toContain('<bdi>User ID u-9</bdi>');
});

test('The card says below the message whom it reaches and when, and why to look again', async () => {
	const { output } = await preview({
		resource: 'push',
		operation: 'broadcastSegment',
		platforms: ['android'],
		segment_id: 7,
		...words,
		url: 'http://example.com/sale',
		sendAt: 'at',
		scheduledFor: '2099-11-24T09:00:00',
		scheduleTimezone: 'Europe/Berlin',
	});
	const page = pageOf(output[0]);
	const said = wordsOn(page);
	expect(said).toContain(' To Segment 7 ! reaches a whole segment ');
	expect(said).toContain(' When Tue 24 Nov 2099, 09:00, Europe/Berlin ');
	expect(said).toContain(' Leads to http://example.com/sale ! is not encrypted ');
	expect(page.match(/class="phone"/g)).toHaveLength(1);
});

test('Preview Only is on as soon as it is added, and off where it is absent', async () => {
	const { options } = new CustomerMessaging().description.properties.find(
		({ name }) => name === 'options',
	) as { options: INodeProperties[] };
	expect(options.find(({ name }) => name === 'previewOnly')?.default).toBe(true);
	const { output } = await execute({
		parameters: {
			...{ resource: 'push', operation: 'send', platforms: ['web'], ...words },
			...{ recipientBy: 'user_id', user_id: 'u1', options: {} },
		},
		credential: { ...sandbox.urls, brandId: 'sandbox-brand', apiKey: 'sandbox-key' },
	});
	expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
});
