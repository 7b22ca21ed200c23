import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
const fromList = (value: string) =>
	({ __rl: true, mode: 'list', value, cachedResultName: `VIP (ID ${value})` }) as INodeParameters;

const operations: Array<[string, INodeParameters]> = [
	['push broadcastSegment', order.pushToSegment],
	['email broadcast', order.emailBroadcast],
	['email broadcastSegment', order.emailToSegment],
	['sms broadcast', order.smsBroadcast],
	['sms broadcastAll', order.smsToAll],
	['sms broadcastSegment', order.smsToSegment],
];

describe.each(operations)('The segment of %s', (_, parameters) => {
	it.each<[string, INodeParameters[string]]>([
		['from the list', fromList('17')],
		['by its ID', byId('17')],
		['by its ID with spaces around it', byId(' 17 ')],
		['by its ID as a number', byId(17)],
		['by an expression in either mode', byId('={{ $json.segment }}')],
		['by an expression in place of both', '={{ $json.segment }}'],
		['as a plain number', 17],
		['as plain text', '17'],
	])('is sent as a number where it is chosen %s', async (__, segment_id) => {
		await run(sandbox(), { ...parameters, segment_id }, { rows: [{ segment: 17 }] });
		expect(onlyArrival(sandbox()).body).toMatchObject({ segment_id: 17 });
	});
});

const optional: Array<[string, INodeParameters]> = [
	['email send', order.emailSend],
	['email broadcastAll', order.emailToAll],
	['sms send', order.smsSend],
];

describe.each(optional)('The segment of %s, under Additional Fields', (_, parameters) => {
	it('is sent as a number', async () => {
		for (const segment_id of [fromList('17'), byId('={{ $json.segment }}'), 17])
			await run(
				sandbox(),
				{ ...parameters, additionalFields: { segment_id }, options: { sendDuplicates: true } },
				{ rows: [{ segment: '17' }] },
			);
		expect(bodies(sandbox())).toMatchObject([
			{ segment_id: 17 },
			{ segment_id: 17 },
			{ segment_id: 17 },
		]);
	});

	it('is refused where it was added but not chosen, because more people could be reached', async () => {
		for (const segment_id of [fromList(''), byId('={{ $json.none }}'), byId('={{ null }}')]) {
			const { error } = await run(sandbox(), { ...parameters, additionalFields: { segment_id } });
			expect(error?.message).toMatch(/^Nothing was sent: Segment /);
		}
		expect(sandbox().record).toEqual([]);
	});
});

const rowsWithout: Array<[string, IDataObject]> = [
	['has no such column', {}],
	['is an empty text', { segment: '' }],
	['is a text of spaces', { segment: '  ' }],
	['is null', { segment: null }],
];
const expressions: Array<[string, INodeParameters]> = [
	['as a plain value', { segment_id: '={{ $json.segment }}' }],
	['as a plain value beside others', { segment_id: '={{ $json.segment }}', dnd: true }],
	['by a longer expression', { segment_id: '={{ $json.segment ?? undefined }}' }],
	['in the locator', { segment_id: byId('={{ $json.segment }}') }],
];

describe.each(expressions)('A segment %s under Additional Fields', (__, additionalFields) => {
	it.each(rowsWithout)('is refused in a row whose segment %s', async (_, row) => {
		const { output, failed } = await run(
			sandbox(),
			{ ...order.emailToAll, additionalFields, maxBroadcasts: 2 },
			{ rows: [{ segment: 42 }, row], onError: 'continueErrorOutput' },
		);
		expect(bodies(sandbox())).toMatchObject([{ segment_id: 42 }]);
		expect(output).toHaveLength(1);
		expect(failed.map(({ json }) => json.error)).toEqual([
			"Segment is empty, and without it the message could reach more people. Fill it in, or remove 'Segment'",
		]);
	});
});

test('An empty tag is refused, because it may narrow the audience, and other empty fields are not sent', async () => {
	const additionalFields = {
		tag: '={{ $json.tag }}',
		image_url: '',
		android_id: '={{ $json.id }}',
	};
	const { failed } = await run(
		sandbox(),
		{ ...order.pushToAll, additionalFields, maxBroadcasts: 9 },
		{ rows: [{ tag: 'news' }, {}], onError: 'continueErrorOutput' },
	);
	expect(bodies(sandbox())).toEqual([{ ...order.notification, tag: 'news' }]);
	expect(failed.map(({ json }) => json.error)).toEqual([
		"Tag is empty, and without it the message could reach more people. Fill it in, or remove 'Tag'",
	]);
});
