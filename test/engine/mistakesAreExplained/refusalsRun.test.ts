import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { push } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();
const two = [{ a: 1 }, { a: 2 }];

/** What is wrong with a whole run, from the error output. It must be the same for every row. */
async function problemsOf(parameters: INodeParameters, rows: IDataObject[] = two) {
	const each = { rows, onError: 'continueErrorOutput' } as const;
	const { output, failed } = await node.run(parameters, each);
	expect(node.sandbox.record).toEqual([]);
	expect(output).toEqual([]);
	expect(failed.map(({ json }) => json.a)).toEqual(rows.map(({ a }) => a));
	const [details, ...others] = failed.map(({ json }) => json.details as IDataObject);
	for (const other of others) expect(other).toEqual(details);
	expect(details?.outcome).toBe('invalid');
	return details?.problems as Array<{ field: string; label: string; message: string }>;
}

const fieldsOf = async (parameters: INodeParameters, rows?: IDataObject[]) =>
	(await problemsOf(parameters, rows)).map(({ field }) => field);

describe('Too many broadcasts', () => {
	it.each([
		...[order.pushToAll, order.pushToSegment, order.emailBroadcast, order.emailToAll],
		...[order.emailToSegment, order.smsBroadcast, order.smsToAll, order.smsToSegment],
	])('$resource $operation for two rows sends nothing at all by default', async (parameters) => {
		const message = expect.stringContaining('Max Broadcasts') as string;
		expect(await problemsOf(parameters)).toEqual([
			{ field: 'maxBroadcasts', label: 'Max Broadcasts', message },
		]);
	});
});

const optionOf = (option: string, parameters: INodeParameters, ...values: Array<string | number>) =>
	values.map((value): [string, string, INodeParameters] => [
		option,
		`${option} ${value}`,
		{ ...parameters, options: { [option]: value } },
	]);

it.each<[string, string, INodeParameters]>([
	['operation', 'an unknown resource', push({ resource: 'fax' })],
	['operation', 'an unknown operation', push({ operation: 'shout' })],
	['testRuns', 'test runs of an unknown kind', { ...order.pushToAll, testRuns: 'Send' }],
	['maxBroadcasts', 'no broadcasts at all', { ...order.pushToAll, maxBroadcasts: 0 }],
	['maxBroadcasts', 'a fraction of a broadcast', { ...order.pushToAll, maxBroadcasts: 1.5 }],
	...optionOf('batchSize', order.createUser, 0, 1.5),
	...optionOf('batchSize', order.trackEvent, 1_001),
	...optionOf('concurrency', order.pushSend, 0, -1, 501),
	...optionOf('requestTimeout', order.pushSend, 0),
	...optionOf('maxWait', order.pushSend, -1, 10_001, '={{ "long" }}'),
	...optionOf('previewOnly', order.pushSend, '={{ "maybe" }}'),
	['host', 'an unknown host', { ...order.customPost, host: 'elsewhere' }],
	['api', 'an unknown limit', { ...order.customPost, api: 'fax' }],
])('The %s refuses a whole run: %s', async (field, _, parameters) => {
	expect(await fieldsOf(parameters)).toEqual([field]);
});

describe('A parameter that holds for the whole run', () => {
	const rows = [
		{ a: 1, test: false, key: 'apiKey' },
		{ a: 2, test: true, key: 'partnerToken' },
	];

	it.each<[string, string, INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Concurrency', 'concurrency', { options: { concurrency: '={{ $json.a }}' } }],
		['Authentication', 'authentication', { authentication: '={{ $json.key }}' }],
	])('is refused by its label if it differs between items: %s', async (label, field, changes) => {
		const { error } = await node.run(push(changes), { rows });
		expect(error?.message).toContain(`'${label}' holds for the whole run`);
		expect(error?.message).toContain('for item 1');
		expect(await fieldsOf(push(changes), rows)).toEqual([field]);
	});

	it('is followed if its expression gives the same for all items', async () => {
		const options = { previewOnly: '={{ $json.a > 0 }}', sendDuplicates: true };
		const { output } = await node.run(push({ options }), { rows });
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'preview']);
	});
});

it('A row whose expression cannot be read is refused, and names the parameter', async () => {
	const parameters = push({
		title: "={{ $json.a === 1 ? 'Hello' : $('Nowhere').item.json.title }}",
	});
	const why = "The expression in 'Title' cannot be evaluated: ";
	expect(await node.refusals(parameters, two)).toEqual([expect.stringContaining(why)]);
	expect(node.sandbox.record).toHaveLength(1);

	node.sandbox.reset();
	const { error } = await node.run(parameters, { rows: two });
	expect(node.sandbox.record).toEqual([]);
	expect(error?.message).toMatch(new RegExp(`^Nothing was sent: ${why}.* \\(item 1\\)$`));
});

it('A workflow that stops names all twelve bad rows of 42 with their fields, and sends nothing', async () => {
	const wrong = new Map<number, IDataObject>([
		[0, { title: '' }],
		[3, { title: 'x'.repeat(71) }],
		[4, { message: '😀'.repeat(131) }],
		[9, { link: 'javascript:alert(1)' }],
		[10, { id: null }],
		[11, { image: 'http://cdn.example.com/a.png' }],
		[17, { title: '  ', message: '', link: 'shop' }],
		[25, { id: { a: 1 } }],
		[26, { number: 1.5 }],
		[33, { number: '9223372036854775808' }],
		[40, { message: undefined, image: 'none' }],
		[41, { link: 'https://exa mple.com' }],
	]);
	const texts = { title: '={{ $json.title }}', message: '={{ $json.message }}' };
	const parameters = push({
		...{ platforms: ['android'], user_id: '={{ $json.id }}', ...texts, url: '={{ $json.link }}' },
		additionalFields: { image_url: '={{ $json.image }}', notification_id: '={{ $json.number }}' },
	});
	const rows = Array.from({ length: 42 }, (_, index): IDataObject => ({
		...{ id: `C-${index}`, title: 'It is on its way', message: `It arrives on day ${index}` },
		...{ link: 'https://shop.example.com', image: 'https://cdn.example.com/a.png' },
		...{ number: index + 1, ...wrong.get(index) },
	}));
	const { error, output } = await node.run(parameters, { rows });

	expect([node.sandbox.record, output]).toEqual([[], []]);
	expect(error?.message).toBe(
		'Nothing was sent: 12 of 42 items need a correction: Title (3), Message (3), URL (3), User ID (2), Image URL (2) and 1 more',
	);
	const lines = String(error?.description).split('<br>\n');
	const named = /^((?:[A-Z]\w+ ?)+) (?:is|has|must|').* Items? (\d.*?)\.(?: Found: .*)?$/;
	expect(lines.map((line) => named.exec(line)?.slice(1).join(': '))).toEqual([
		...['Title: 0 (C-0), 17 (C-17)', 'Title: 3 (C-3)', 'Message: 4 (C-4)'],
		...['URL: 9 (C-9), 17 (C-17), 41 (C-41)', 'User ID: 10', 'Image URL: 11 (C-11)'],
		...['Message: 17 (C-17), 40 (C-40)', 'User ID: 25', 'Notification ID: 26 (C-26)'],
		...['Notification ID: 33 (C-33)', 'Image URL: 40 (C-40)', undefined],
	]);
	expect(lines[1]).toMatch(
		/^Title has 71 characters, but Android and iOS take at most 70\. Shorten it\./,
	);
	expect(lines[11]).toContain('Items count from 0.');
});
