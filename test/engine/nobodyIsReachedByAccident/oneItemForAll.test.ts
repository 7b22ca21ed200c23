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

const id = "$('Source').first().json.id";
const idOfLast = "$('Source').last().json.id";
const idOfInput = '$input.first().json.id';
const inBrackets = "$('Source').first().json['a b'].c";
const mail = "$('Source').first().json.mail";
const agreed = "$('Source').first().json.agreed";
const toSegment = { ...order.pushToSegment, maxBroadcasts: 9 };
const ofId = `={{ ${id} }}`;

it.each<[label: string, parameters: INodeParameters, code?: string]>([
	['User ID', push({ user_id: `={{ ${idOfLast} }}` }), idOfLast],
	['User ID', push({ user_id: `={{ ${idOfInput} }}` }), idOfInput],
	['User ID', push({ user_id: `={{ ${inBrackets} }}` }), inBrackets],
	['User ID', push({ user_id: `=customer-{{ ${id} }}` })],
	['User ID', push({ user_id: `={{ $json.other || ${id} }}` })],
	['Email', email({ email: `={{ ${mail} }}` }), mail],
	['Campaign ID', { ...toCampaign, maxBroadcasts: 9, campaign_id: ofId }],
	['Segment', { ...toSegment, segment_id: { __rl: true, mode: 'id', value: ofId } }],
	['CC Email', email(more({ email_cc: `={{ ${mail} }}` })), mail],
	['Tag', push({ ...own, ...more({ tag: ofId }) })],
	['Consent', push({ ...own, ...more({ consent: `={{ ${agreed} }}` }) }), agreed],
	['Send Once Key', push({ ...own, sendOnce: true, sendOnceKey: `=Sale {{ ${id} }}` })],
])('One item that decides for all as %s is refused: %j', async (label, parameters, code = id) => {
	const [which] = code.match(/first|last/) ?? [];
	const better = code.replace(`${which}()`, 'item');
	expect(await node.stops(parameters, { rows: people })).toBe(
		`Nothing was sent: ${label}: of several items that differ, everybody gets the ${which} item's value of {{ ${code} }}. For each item's own, write {{ ${better} }}`,
	);
});

const once = { ...own, sendOnce: true };
const tagged = (tag: string) => push({ ...own, ...more({ tag: `=${tag}` }) });

it.each<[why: string, parameters: INodeParameters, rows?: IDataObject[]]>([
	['in a run of one item', push({ user_id: ofId }), people.slice(0, 1)],
	['where the items do not differ in that column', tagged("{{ $('Source').first().json.same }}")],
	['where nothing of it decides', tagged("{{ $('Source').all().length }} offers")],
	['in a key that reads its own item', push({ ...once, sendOnceKey: `${ofId} {{ $json.id }}` })],
	['in a text', push({ ...own, title: "={{ $('Source').first().json.title }}" })],
	['where the check fails', tagged("{{ $if(false, $('Nobody').first().json.id, 'Hi') }}")],
])('One item may decide %s: %j', async (_, parameters, rows = people) => {
	const report = await node.run(parameters, { rows });
	expect(report.error).toBeUndefined();
	expect(node.bodies()).toHaveLength(rows.length);
});

it('One item may decide where its node gave no other', async () => {
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
