import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import type { Order, Report } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { pageOf } from '../support/pages';
import { keyCredential, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const segments = '42 VIP customers\n43 Friends <b>& family</b>\nno ID';
const toVip = { ...order.pushToSegment, segment_id: 42 };

async function named(parameters: INodeParameters, rest: Partial<Order> = {}): Promise<Report> {
	const credential = { ...keyCredential(sandbox()), segments };
	return await run(sandbox(), parameters, { credential, ...rest });
}

const hintsOf = ({ hints }: Report) => hints.map(({ message }) => message).join('\n');
const preview = { testRuns: 'preview' };
const byHand = { mode: 'manual' } as const;

describe('A segment is named as the credential names it', () => {
	it.each<[string, INodeParameters[string]]>([
		['a plain number', 42],
		['its ID', { __rl: true, mode: 'id', value: '42' }],
		['an expression', '={{ $json.segment }}'],
		[
			'the list, where it had another name then',
			{ __rl: true, mode: 'list', value: '42', cachedResultName: 'Old customers (ID 42)' },
		],
	])('where it was chosen by %s, and only its ID is sent', async (_, segment_id) => {
		const report = await named(
			{ ...order.pushToSegment, segment_id, testRuns: 'send' },
			{ ...byHand, rows: [{ segment: '42' }] },
		);
		expect(hintsOf(report)).toContain('to real people: segment VIP customers (ID 42) on web.');
		expect(report.output[0]?.json).toMatchObject({ outcome: 'accepted', segment_id: 42 });
		expect(onlyArrival(sandbox()).body).toEqual({ ...order.notification, segment_id: 42 });
	});

	it('in a preview, beside the number that would be sent', async () => {
		const report = await named({ ...toVip, ...preview }, byHand);
		expect(pageOf(report.output[0])).toMatch(/<bdi>Segment VIP customers \(ID 42\)<\/bdi>/);
		expect(report.output[0]?.json).toMatchObject({ segment_id: 42, body: { segment_id: 42 } });
	});

	it('in a preview as text, if the name holds HTML', async () => {
		const parameters = { ...order.emailToSegment, segment_id: 43, ...preview };
		const report = await named(parameters, byHand);
		expect(pageOf(report.output[0])).toContain(
			'Segment Friends &lt;b&gt;&amp; family&lt;/b&gt; (ID 43)',
		);
	});

	it('where Max Broadcasts refuses it', async () => {
		const { error } = await named(toVip, { rows: [{}, {}] });
		expect(error?.message).toContain(
			'This would make 2 broadcasts to segment VIP customers (ID 42) on web in one execution',
		);
	});

	it('by its ID alone, if the credential has no name for it', async () => {
		const report = await named({ ...toVip, segment_id: 7, testRuns: 'send' }, byHand);
		expect(hintsOf(report)).toContain('to real people: segment 7 on web.');
	});
});

describe('The list of segments in the form', () => {
	const listed = async (text: unknown, filter?: string) => {
		const { searchSegments } = new CustomerMessaging().methods.listSearch;
		const editor = {
			getNodeParameter: (_: string, otherwise: unknown) => otherwise,
			getCredentials: async () => ({ segments: text }),
			getNode: () => ({ name: 'Customer Messaging' }),
		};
		return (await searchSegments.call(editor as unknown as ILoadOptionsFunctions, filter)).results;
	};
	const some = '42 VIP customers\r\n\n 7\tNewsletter \n421 Late payers';

	it('shows names with their IDs, sorted by name', async () => {
		expect(await listed(some)).toEqual([
			{ name: 'Late payers (ID 421)', value: '421' },
			{ name: 'Newsletter (ID 7)', value: '7' },
			{ name: 'VIP customers (ID 42)', value: '42' },
		]);
	});

	it.each([
		['vip', ['42']],
		[' Customers ', ['42']],
		['42', ['421', '42']],
		['nobody', []],
	])('is searched for %j', async (filter, ids) => {
		expect((await listed(some, filter)).map(({ value }) => value)).toEqual(ids);
	});

	it.each([
		['', /no segments.*under 'Segments'.*By ID/],
		['42 VIP\nNewsletter', /Line 2 of Segments, 'Newsletter', is not a segment/],
		['42 VIP\n42 Others', /Line 2 of Segments repeats the ID 42/],
		[42, /Segments must be text/],
	])('says what is wrong with %j', async (text, message) => {
		await expect(listed(text)).rejects.toThrow(message);
	});
});
