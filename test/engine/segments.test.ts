import type { INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { bodies, onlyArrival, run, useSandbox } from './support/service';

const sandbox = useSandbox();

const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
const fromList = (value: string) =>
	({ __rl: true, mode: 'list', value, cachedResultName: `VIP (${value})` }) as INodeParameters;

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
				{ ...parameters, additionalFields: { segment_id } },
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

describe('A segment by an expression', () => {
	it.each([
		['a name', 'VIP customers'],
		['zero', 0],
		['a fraction', 1.5],
		['a list', [42]],
		['true', true],
		['nothing', null],
	])('is refused where it gives %s', async (_, segment) => {
		const parameters = { ...order.pushToSegment, segment_id: byId('={{ $json.segment }}') };
		const { error } = await run(sandbox(), parameters, { rows: [{ segment }] });
		expect(error?.message).toMatch(/^Nothing was sent: Segment /);
		expect(sandbox().record).toEqual([]);
	});
});
