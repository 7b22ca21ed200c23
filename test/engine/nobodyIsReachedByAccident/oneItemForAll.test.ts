import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, push, toCampaign, user } from '../support/mistakes';
import { hintsIn, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const people: IDataObject[] = [
	['u-1', 'Ana', true, 'x'] as const,
	['u-2', 'Ben', false, 'y'] as const,
	['u-3', 'Cem', true, 'z'] as const,
].map(([id, name, agreed, c]) => ({
	...{ id, agreed, title: `For ${name}`, mail: `${name}@example.com` },
	...{ same: 'Spring', 'a b': { c } },
}));
const own = { user_id: '={{ $json.id }}' };
const once = { ...own, sendOnce: true };
const more = (additionalFields: INodeParameters) => ({ additionalFields });

async function refusalOf(parameters: INodeParameters, rows = people): Promise<string> {
	const { error } = await node.run(parameters, { rows });
	expect(node.sandbox.record).toEqual([]);
	return error?.message ?? '';
}

const says = (label: string, code: string, better: string, whose = "item 0's") =>
	`Nothing was sent: ${label}: of several items that differ, everybody gets ${whose} value of {{ ${code} }}. For each item's own, write {{ ${better} }}`;

const itsOwn = "$('Source').item.json";

describe('One item decides for all', () => {
	it.each<[code: string, better: string, whose: string]>([
		["$('Source').first().json.id", `${itsOwn}.id`, "item 0's"],
		['$("Source").first().json.id', '$("Source").item.json.id', "item 0's"],
		["$('Source').first().json['id']", `${itsOwn}['id']`, "item 0's"],
		["$('Source')?.first()?.json?.id", `$('Source').item?.json?.id`, "item 0's"],
		["$( 'Source' ) . first ( ) . json . id", `$( 'Source' ).item . json . id`, "item 0's"],
		["$('Source').last().json.id", `${itsOwn}.id`, "the last item's"],
		["$('Source').all()[0].json.id", `${itsOwn}.id`, "item 0's"],
		["$('Source').all()[1].json.id", `${itsOwn}.id`, "item 1's"],
		["$('Source').first(0, 0).json.id", `${itsOwn}.id`, "item 0's"],
		['$input.first().json.id', '$input.item.json.id', "item 0's"],
		['$input.last().json["id"]', '$input.item.json["id"]', "the last item's"],
		['$input.all()[0].json.id', '$input.item.json.id', "item 0's"],
		['$items()[0].json.id', '$input.item.json.id', "item 0's"],
		["$items('Source')[0].json.id", `${itsOwn}.id`, "item 0's"],
		["$items('Source', 0)[0].json['id']", `${itsOwn}['id']`, "item 0's"],
		["$('Source').first().json['a b'].c", `${itsOwn}['a b'].c`, "item 0's"],
	])('as a recipient, which is refused: %s', async (code, better, whose) => {
		expect(await refusalOf(push({ user_id: `={{ ${code} }}` }))).toBe(
			says('User ID', code, better, whose),
		);
	});

	const id = "$('Source').first().json.id";
	const inCode = `={{ ${id} }}`;
	const mail = "$('Source').first().json.mail";
	const agreed = "$('Source').first().json.agreed";
	const toSegment = { ...order.pushToSegment, maxBroadcasts: 9 };
	it.each<[label: string, parameters: INodeParameters, code?: string]>([
		['User ID', push({ user_id: `=customer-{{ ${id} }}` })],
		['User ID', push({ user_id: `={{ ${id}.toUpperCase() }}` })],
		['User ID', push({ user_id: `={{ $json.other || ${id} }}` })],
		['Email', email({ email: `={{ ${mail} }}` }), mail],
		['User ID', user({ userID: inCode })],
		['User ID', { ...order.trackEvent, userID: inCode }],
		['Campaign ID', { ...toCampaign, maxBroadcasts: 9, campaign_id: inCode }],
		['Segment', { ...toSegment, segment_id: { __rl: true, mode: 'id', value: inCode } }],
		['CC Email', email(more({ email_cc: `={{ ${mail} }}` })), mail],
		['Tag', push({ ...own, ...more({ tag: inCode }) })],
		['Consent', push({ ...own, ...more({ consent: `={{ ${agreed} }}` }) }), agreed],
		['Send Once Key', push({ ...own, sendOnce: true, sendOnceKey: `=Sale {{ ${id} }}` })],
	])('as %s, which is refused: %j', async (label, parameters, code = id) => {
		const better = code.replace('first()', 'item');
		expect(await refusalOf(parameters)).toBe(says(label, code, better));
	});

	it('as a text, for which one hint names field and code', async () => {
		const title = "=Hi {{ $('Source').first().json.title }}";
		const message = '={{ $input.last().json.title }}';
		const extra = more({ extraBodyFields: '={ "n": "{{ $items()[0].json.id }}" }' });
		const report = await node.run(push({ ...own, title, message, ...extra }), { rows: people });
		expect(node.bodies()).toEqual(
			people.map(({ id: user_id }) => ({
				...{ user_id, url: order.notification.url, n: 'u-1' },
				...{ title: 'Hi For Ana', message: 'For Cem' },
			})),
		);
		expect(hintsIn(report)).toContain(
			"Of several items that differ, everybody gets item 0's value of {{ $('Source').first().json.title }} in Title, the last item's value of {{ $input.last().json.title }} in Message, item 0's value of {{ $items()[0].json.id }} in Extra Body Fields. For each item's own, write {{ $('Source').item.json.title }}.",
		);
		expect(report.hints.filter(({ message }) => message.includes('everybody gets'))).toHaveLength(
			1,
		);
	});

	it('as an attribute or a schedule, for which a hint says so', async () => {
		const value = "={{ $('Source').first().json.title }}";
		const assignments = [{ id: '1', name: 'greeting', type: 'string', value }];
		const users = await node.run(
			user({ userID: '={{ $json.id }}', customAttributes: { assignments } }),
			{ rows: people },
		);
		expect(hintsIn(users)).toContain(
			"Of several items that differ, everybody gets item 0's value of {{ $('Source').first().json.title }} in Custom Attributes.",
		);
	});
});

describe('One item may decide', () => {
	const id = "={{ $('Source').first().json.id }}";
	const titled = (title: string) => push({ ...own, title: `=${title}` });
	const keyed = (code: string) => push({ ...once, sendOnceKey: `${id} ${code}` });

	it.each<[why: string, parameters: INodeParameters, rows?: IDataObject[]]>([
		['in a run of one item', push({ user_id: id }), people.slice(0, 1)],
		['where the items do not differ in that column', titled("{{ $('Source').first().json.same }}")],
		['where the items do not differ in that column', titled('{{ $input.first().json.same }}')],
		['in a key that reads its own item too', keyed('{{ $json.id }}')],
		['in a key that reads its own item too', keyed("{{ $('Source').item.json.id }}")],
		['where nothing of it decides', titled("{{ $('Source').all().length }} offers")],
		['where nobody reads it', push({ ...own, title: "$('Source').first().json.title" })],
		['where the check fails', titled("{{ $if(false, $('Nobody').first().json.id, 'Hi') }}")],
	])('%s: %j', async (_, parameters, rows = people) => {
		const report = await node.run(parameters, { rows });
		expect(report.error).toBeUndefined();
		expect(node.bodies()).toHaveLength(rows.length);
		expect(hintsIn(report)).not.toContain('everybody gets');
	});

	it('where that node gave one item', async () => {
		const title = "={{ $('Config').first().json.title }}";
		const report = await node.run(push({ ...own, title, ...more({ tag: title }) }), {
			rows: [{ title: 'Spring' }],
			connections: [
				['Source', 0, 'Config'],
				['Config', 0, 'People'],
				['People', 0, 'Customer Messaging'],
			],
			splits: { People: () => [people.map((json) => ({ json, pairedItem: { item: 0 } })), []] },
		});
		expect(report.error).toBeUndefined();
		expect(node.arrived('tag')).toEqual(['Spring', 'Spring', 'Spring']);
		expect(hintsIn(report)).not.toContain('everybody gets');
	});
});
