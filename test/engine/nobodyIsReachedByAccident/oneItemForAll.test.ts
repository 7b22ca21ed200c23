import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, push, toCampaign } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const people: IDataObject[] = ['ana', 'ben', 'cem'].map((id) => ({
	id,
	agreed: id !== 'ben',
	title: `For ${id}`,
	mail: `${id}@example.com`,
	same: 'Spring',
	'a b': { c: id },
}));
const own = { user_id: '={{ $json.id }}' };
const more = (additionalFields: INodeParameters) => ({ additionalFields });

const says = (label: string, code: string, better: string, which = 'first') =>
	`Nothing was sent: ${label}: of several items that differ, everybody gets the ${which} item's value of {{ ${code} }}. For each item's own, write {{ ${better} }}`;

const itsOwn = "$('Source').item.json";

describe('One item decides for all', () => {
	it.each<[code: string, better: string, which?: string]>([
		["$('Source').last().json.id", `${itsOwn}.id`, 'last'],
		['$input.first().json.id', '$input.item.json.id'],
		["$('Source').first().json['a b'].c", `${itsOwn}['a b'].c`],
	])('as a recipient, which is refused: %s', async (code, better, which = 'first') => {
		expect(await node.stops(push({ user_id: `={{ ${code} }}` }), { rows: people })).toBe(
			says('User ID', code, better, which),
		);
	});

	const id = "$('Source').first().json.id";
	const inCode = `={{ ${id} }}`;
	const mail = "$('Source').first().json.mail";
	const agreed = "$('Source').first().json.agreed";
	const toSegment = { ...order.pushToSegment, maxBroadcasts: 9 };
	it.each<[label: string, parameters: INodeParameters, code?: string]>([
		['User ID', push({ user_id: `=customer-{{ ${id} }}` })],
		['User ID', push({ user_id: `={{ $json.other || ${id} }}` })],
		['Email', email({ email: `={{ ${mail} }}` }), mail],
		['Campaign ID', { ...toCampaign, maxBroadcasts: 9, campaign_id: inCode }],
		['Segment', { ...toSegment, segment_id: { __rl: true, mode: 'id', value: inCode } }],
		['CC Email', email(more({ email_cc: `={{ ${mail} }}` })), mail],
		['Tag', push({ ...own, ...more({ tag: inCode }) })],
		['Consent', push({ ...own, ...more({ consent: `={{ ${agreed} }}` }) }), agreed],
		['Send Once Key', push({ ...own, sendOnce: true, sendOnceKey: `=Sale {{ ${id} }}` })],
	])('as %s, which is refused: %j', async (label, parameters, code = id) => {
		const better = code.replace('first()', 'item');
		expect(await node.stops(parameters, { rows: people })).toBe(says(label, code, better));
	});
});

describe('One item may decide', () => {
	const id = "={{ $('Source').first().json.id }}";
	const once = { ...own, sendOnce: true };
	const tagged = (tag: string) => push({ ...own, ...more({ tag: `=${tag}` }) });

	it.each<[why: string, parameters: INodeParameters, rows?: IDataObject[]]>([
		['in a run of one item', push({ user_id: id }), people.slice(0, 1)],
		['where the items do not differ in that column', tagged("{{ $('Source').first().json.same }}")],
		['where nothing of it decides', tagged("{{ $('Source').all().length }} offers")],
		['in a key that reads its own item', push({ ...once, sendOnceKey: `${id} {{ $json.id }}` })],
		['in a text', push({ ...own, title: "={{ $('Source').first().json.title }}" })],
		['where the check fails', tagged("{{ $if(false, $('Nobody').first().json.id, 'Hi') }}")],
	])('%s: %j', async (_, parameters, rows = people) => {
		const report = await node.run(parameters, { rows });
		expect(report.error).toBeUndefined();
		expect(node.bodies()).toHaveLength(rows.length);
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
	});
});
