import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { push, sms } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf, wordsOn } from '../support/pages';

const node = useNode();

async function preview(parameters: INodeParameters, rows?: IDataObject[]) {
	const options = { previewOnly: true };
	const { urls } = node.sandbox;
	// With the limits of an account that has not raised them.
	const credential = { ...urls, brandId: 'sandbox-brand', apiKey: 'sandbox-key' };
	const report = await node.run({ options, ...parameters }, { rows, credential });
	expect(report.error).toBeUndefined();
	expect(node.sandbox.record).toEqual([]);
	return report;
}

const perRow = push({ user_id: '={{ $json.id }}', title: 'Hi 👩‍👩‍👧!' });
const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => ({ id: `u-${row}` }));

// By the GSM 03.38 alphabet: 160 characters in one part, 153 in each of several; with a character
// outside of it 70 and 67. The euro sign takes two places.
test.each([
	['a'.repeat(160), 160, 1, 'GSM-7'],
	['a'.repeat(306), 306, 2, 'GSM-7'],
	['a'.repeat(307), 307, 3, 'GSM-7'],
	[`${'a'.repeat(159)}€`, 160, 2, 'GSM-7'],
	['ж'.repeat(70), 70, 1, 'UCS-2'],
	['ж'.repeat(71), 71, 2, 'UCS-2'],
])('An SMS shows how it is cut (case %#)', async (message, count, parts, encoding) => {
	const [item] = (await preview(sms({ message }))).output;
	const said = { characters: { message: { count } }, sms: { parts, encoding } };
	expect(item?.json).toMatchObject(said);
});

const berlin = { sendAt: 'at', scheduleTimezone: 'Europe/Berlin' };

test('A preview shows the schedule in the chosen time zone and in UTC', async () => {
	const { output } = await preview(sms({ ...berlin, scheduledFor: '2099-07-01T09:30' }));
	const local = '2099-07-01T09:30:00.000+02:00';
	expect(output[0]?.json).toMatchObject({
		schedule: { zone: 'Europe/Berlin', local, utc: '2099-07-01T07:30:00.000Z' },
		body: { schedule_date: 20990701, schedule_time: 730 },
	});
});

test.each([
	[500, 'Preview: 500 requests in all.'],
	[1001, 'Preview: 1001 requests in all, to be sent in about 2 min at 500 per minute.'],
])('A preview of %i requests says how long they take', async (count, hint) => {
	expect(hintsOf(await preview(perRow, rowsOf(count)))).toEqual([
		"Nothing was sent: 'Preview Only' is on. It also holds when a trigger starts the workflow.",
		hint,
	]);
});

test('The first ten previews and the longest carry the message as a page that n8n can show', async () => {
	const rows = rowsOf(13).map((row) => ({ ...row, title: 'Hi 👩‍👩‍👧!' }));
	rows.splice(11, 1, { id: 'u-11', title: 'The longest of all titles' });
	const { output } = await preview({ ...perRow, title: '={{ $json.title }}' }, rows);
	expect(output.map(({ binary }) => Object.keys(binary ?? {}))).toEqual([
		...Array.from({ length: 10 }, () => ['preview']),
		...[[], ['preview'], []],
	]);
	// The viewer opens plain text only, and shows it by its file type.
	expect(output[9]?.binary?.preview).toMatchObject({
		mimeType: 'text/plain',
		fileType: 'html',
		fileName: 'item-9-web.html',
		fileExtension: 'html',
	});
	expect(pageOf(output[9])).toContain('<bdi>Hi 👩‍👩‍👧!</bdi>');
	expect(pageOf(output[9])).toContain('<bdi>User ID u-9</bdi>');
	expect(pageOf(output[11])).toContain('Of all messages: the longest text');
});

test('The card says below the message whom it reaches and when, and why to look again', async () => {
	const { output } = await preview({
		...{ ...order.pushToSegment, segment_id: 7, platforms: ['android'] },
		...{ ...berlin, scheduledFor: '2099-11-24T09:00:00', url: 'http://example.com/sale' },
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
	const { output } = await node.run(push({ options: {} }));
	expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
});
