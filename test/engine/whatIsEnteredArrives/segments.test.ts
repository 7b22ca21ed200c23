import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf } from '../support/pages';

const node = useNode();

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const fromList = (value: string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});
const ofRow = '={{ $json.segment }}';

const required = [
	...[order.pushToSegment, order.emailBroadcast, order.emailToSegment],
	...[order.smsBroadcast, order.smsToAll, order.smsToSegment],
];
/** Operations in which the segment is one of the Additional Fields. */
const optional = [order.emailSend, order.emailToAll, order.smsSend];
const everyOperation = (segment_id: INodeParameters[string]) => [
	...required.map((one) => ({ ...one, segment_id })),
	...optional.map((one) => ({ ...one, additionalFields: { segment_id } })),
];

it.each<[string, INodeParameters[string]]>([
	['from the list', fromList('17', 'VIP (ID 17)')],
	['by its ID with spaces around it', byId(' 17 ')],
	['by an expression in either mode', byId(ofRow)],
	['by an expression in place of both', ofRow],
	['as a plain number', 17],
])('A segment chosen %s is sent as a number', async (_, segment_id) => {
	const run = { account: { segments: '17 VIP' }, rows: [{ segment: 17 }] };
	for (const parameters of everyOperation(segment_id)) {
		node.sandbox.reset();
		await node.run({ ...parameters, options: { sendDuplicates: true } }, run);
		expect(node.onlyArrival().body).toMatchObject({ segment_id: 17 });
	}
});

const withoutIt = (what: string) =>
	`${what} is empty, and without it the message could reach more people. Fill it in, or remove '${what}'`;

it.each<[string, INodeParameters]>([
	['as a plain value', { segment_id: ofRow, dnd: true }],
	['by a longer expression', { segment_id: '={{ $json.segment ?? undefined }}' }],
	['in the locator', { segment_id: byId(ofRow) }],
])('A segment %s under Additional Fields is refused without one', async (_, additionalFields) => {
	const empty = [{}, { segment: '' }, { segment: '  ' }, { segment: null }];
	const parameters = { ...order.emailToAll, additionalFields, maxBroadcasts: 9 };
	const told = await node.refusals(parameters, [{ segment: 42 }, ...empty]);
	expect(told).toEqual(empty.map(() => withoutIt('Segment')));
	expect(node.bodies()).toMatchObject([{ segment_id: 42 }]);
});

test('An empty tag is refused, because it may narrow the audience, and other empty fields are not sent', async () => {
	const tag = '={{ $json.tag }}';
	const additionalFields = { tag, image_url: '', android_id: '={{ $json.id }}' };
	const parameters = { ...order.pushToAll, additionalFields, maxBroadcasts: 9 };
	expect(await node.refusals(parameters, [{ tag: 'news' }, {}])).toEqual([withoutIt('Tag')]);
	expect(node.bodies()).toEqual([{ ...order.notification, tag: 'news' }]);
});

describe('A segment is named as the credential names it', () => {
	const named = async (parameters: INodeParameters) => {
		const account = { segments: '42 VIP customers\n43 Friends <b>& family</b>\nno ID' };
		const toSegment = { ...order.pushToSegment, ...parameters };
		return await node.run(toSegment, { account, mode: 'manual' });
	};

	it.each<[told: string, INodeParameters[string]]>([
		['segment VIP customers (ID 42)', byId('42')],
		['segment 7', 7],
	])('in what a run by hand says, and only its ID is sent: %s', async (told, segment_id) => {
		const report = await named({ testRuns: 'send', segment_id });
		expect(hintsOf(report).join('\n')).toContain(`to real people: ${told} on web.`);
		const body = { ...order.notification, segment_id: Number(/\d+/.exec(told)?.[0]) };
		expect(report.output[0]?.json.segment_id).toBe(body.segment_id);
		expect(node.onlyArrival().body).toEqual(body);
	});

	it('in a preview, as text if it holds HTML', async () => {
		const { output } = await named({ segment_id: 43, testRuns: 'preview' });
		const words = '<bdi>segment Friends &lt;b&gt;&amp; family&lt;/b&gt; (ID 43)</bdi>';
		expect(pageOf(output[0])).toContain(words);
		expect(output).toMatchObject([{ json: { segment_id: 43, body: { segment_id: 43 } } }]);
	});
});

describe('A segment that was chosen from the list by its name', () => {
	const long = 'Customers who bought twice in the last season and live in the north';
	const segments = `42 VIP customers\n43 ${long}\n44 Café (ID 44)\n45 ${'x'.repeat(59)}🎉 and more`;
	const account = { segments };

	it.each([
		['has another name', '42', "in the credential 42 is now 'VIP customers'"],
		['is no longer there', '7', 'Segments in the credential no longer has 7'],
	])('is refused if its ID %s', async (_, id, why) => {
		const segment_id = fromList(id, `All customers (ID ${id})`);
		const told = `Nothing was sent: Segment was chosen as 'All customers (ID ${id})', but ${why}. Choose it again`;
		for (const parameters of everyOperation(segment_id))
			for (const options of [{}, { previewOnly: true }])
				expect(await node.stops({ ...parameters, options }, { account })).toBe(told);
	});

	it.each<[string, INodeParameters[string]]>([
		['in other letters and spaces', fromList('42', ' vip  Customers (ID 42)')],
		['stored without its ID', fromList('42', 'VIP customers')],
		['without a stored name', fromList('42', '')],
		['with a name that the list shows cut short', fromList('43', `${long.slice(0, 60)}… (ID 43)`)],
		['with a name that n8n stored in part', fromList('43', long.slice(0, 30))],
		['with an ID in its name', fromList('44', 'Café (ID 44) (ID 44)')],
		['with an emoji cut in two', fromList('45', `${'x'.repeat(59)}\ufffd… (ID 45)`)],
		['by ID, which has another name', { ...byId('42'), cachedResultName: 'All' }],
		['by an expression in the list', fromList(ofRow, 'All (ID 42)')],
	])('is sent %s', async (_, segment_id) => {
		const parameters = { ...order.pushToSegment, segment_id };
		const { output } = await node.run(parameters, { account, rows: [{ segment: 7 }] });
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
	});
});

describe('The list of segments in the form', () => {
	const listed = async (segments: unknown, filter?: string) => {
		const editor = {
			getNodeParameter: (_: string, otherwise: unknown) => otherwise,
			getCredentials: async () => ({ segments }),
			getNode: () => ({ name: 'Customer Messaging' }),
		} as unknown as ILoadOptionsFunctions;
		const { searchSegments } = new CustomerMessaging().methods.listSearch;
		return (await searchSegments.call(editor, filter)).results;
	};
	const late = { name: 'Late payers (ID 421)', value: '421' };
	const vip = { name: 'VIP customers (ID 42)', value: '42' };

	it.each([
		[undefined, [late, { name: 'Newsletter (ID 7)', value: '7' }, vip]],
		[' Customers ', [vip]],
		['42', [late, vip]],
	])('shows names with their IDs, sorted by name, that match %j', async (filter, found) => {
		const text = '42 VIP customers\r\n\n 7\tNewsletter \n421 Late payers';
		expect(await listed(text, filter)).toEqual(found);
	});

	it.each([
		['', /no segments.*under 'Segments'.*By ID/],
		['42 VIP\nNewsletter', /Line 2 of Segments, 'Newsletter', is not a segment/],
		['42 VIP\n42 Others', /Line 2 of Segments repeats the ID 42/],
	])('says what is wrong with %j', async (text, message) => {
		await expect(listed(text)).rejects.toThrow(message);
	});
});
