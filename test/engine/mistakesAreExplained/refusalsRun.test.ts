import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { email, push, user } from '../support/mistakes';
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

describe('A parameter that holds for the whole run', () => {
	const rows = [{ a: 1, test: true, key: 'apiKey' }];
	const read =
		'holds for the whole run, but its expression reads an item. Set it to one value for all items; to treat items differently, separate them with an If node before two of these nodes';

	it.each<[label: string, field: string, changes: INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Parallel Requests', 'concurrency', { options: { concurrency: '={{ $input.item.json.a }}' } }],
		['Max Wait (Minutes)', 'maxWait', { options: { maxWait: "={{ $('Source').item.json.a }}" } }],
		['Batch Size', 'batchSize', { ...order.createUser, options: { batchSize: '={{ $json.a }}' } }],
		['Authentication', 'authentication', { authentication: '={{ $json.key }}' }],
		['Send Once', 'sendOnce', { sendOnce: '={{ $itemIndex === 0 }}' }],
		['Host', 'host', { ...order.customPost, host: '={{ $node["Source"].json.key }}' }],
	])('is refused if it reads an item, even the only one: %s', async (label, field, changes) => {
		expect(await node.stops(push(changes), { rows })).toBe(`Nothing was sent: '${label}' ${read}`);
		expect(await fieldsOf(push(changes), rows)).toEqual([field]);
	});

	it('is evaluated once if its expression reads no item', async () => {
		const options = { previewOnly: "={{ $('Source').first().json.test }}", sendDuplicates: true };
		const { output } = await node.run(push({ options }), { rows: [...rows, { test: false }] });
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'preview']);
	});
});

it('A row whose expression cannot be read is refused, and names the parameter', async () => {
	const title = "={{ $json.a === 1 ? 'Hello' : $('Nowhere').item.json.title }}";
	const parameters = push({ title });
	const why = "The expression in 'Title' cannot be evaluated: ";
	expect(await node.refusals(parameters, two)).toEqual([expect.stringContaining(why)]);
	expect(node.sandbox.record).toHaveLength(1);

	node.sandbox.reset();
	expect(await node.stops(parameters, { rows: two })).toMatch(
		new RegExp(`^Nothing was sent: ${why}.* \\(item 1\\)$`),
	);
});

it('A workflow that stops names each bad row of many with its fields, and sends nothing', async () => {
	const wrong = new Map<number, IDataObject>([
		[0, { title: '' }],
		[3, { title: 'x'.repeat(71) }],
		[9, { link: 'javascript:alert(1)' }],
		[10, { id: null }],
		[17, { title: '  ', message: '', link: 'shop' }],
		[25, { id: { a: 1 } }],
		[41, { link: 'https://exa mple.com' }],
	]);
	const texts = { title: '={{ $json.title }}', message: '={{ $json.message }}' };
	const to = { platforms: ['android'], user_id: '={{ $json.id }}', url: '={{ $json.link }}' };
	const rows = Array.from({ length: 42 }, (_, index): IDataObject => ({
		...{ id: `C-${index}`, title: 'It is on its way', message: `It arrives on day ${index}` },
		...{ link: 'https://shop.example.com', ...wrong.get(index) },
	}));
	const { error, output } = await node.run(push({ ...to, ...texts }), { rows });

	expect([node.sandbox.record, output]).toEqual([[], []]);
	expect(error?.message).toBe(
		'Nothing was sent: 7 of 42 items need a correction: Title (3), URL (3), User ID (2), Message (1)',
	);
	const lines = String(error?.description).split('<br>\n');
	const named = /^(?:\{\{.*\}\} in )?((?:[A-Z]\w+ ?)+) (?:is|has|must|').* Items? (?=\d)(.*?)\.$/;
	expect(lines.map((line) => named.exec(line)?.slice(1).join(': '))).toEqual([
		...['Title: 0 (C-0), 17 (C-17)', 'Title: 3 (C-3)', 'URL: 9 (C-9), 17 (C-17), 41 (C-41)'],
		...['User ID: 10 (It is on its way)', 'Message: 17 (C-17)', 'User ID: 25 (It is on its way)'],
		undefined,
	]);
	const words = /^Title has 71 characters, but Android and iOS take at most 70\. Shorten it\./;
	expect(lines[1]).toMatch(words);
	expect(lines.at(-1)).toContain('To send the other items anyway, ');
});

async function stopped(parameters: INodeParameters, rows?: Order['rows']) {
	const { error } = await node.run(parameters, { rows });
	return error as unknown as { message: string; description?: string };
}

describe('A stopped workflow', () => {
	const empty = '={{ "" }}';

	it('says of a single item just what is wrong', async () => {
		const { message, description = '' } = await stopped(push({ url: empty }));
		expect(message).toBe(
			'Nothing was sent: {{ "" }} in URL is empty. Correct it, or leave such items out with a Filter node',
		);
		expect(description).toBe('');
	});

	it('says each of several things on a line of its own', async () => {
		const additionalFields = { image_url: 'x', consent: 'perhaps' };
		const wrong = { sendAt: '={{ "x" }}', url: empty, user_id: empty };
		const parameters = push({ additionalFields, platforms: ['fax'], ...wrong });
		const { message, description } = await stopped(parameters);
		expect(message).toBe(
			'Nothing was sent: 6 corrections are needed: URL, User ID, Platforms, Image URL, Send At and 1 more',
		);
		expect(description?.split('<br>\n')).toEqual([
			'{{ "" }} in URL is empty. Correct it, or leave such items out with a Filter node.',
			'{{ "" }} in User ID is empty. Correct it, or leave such items out with a Filter node.',
			"Platforms cannot be 'fax'. Choose Android, iOS or Web. In an expression, write android, ios or web.",
			"Image URL 'x' is not an HTTPS link. Write it as https://example.com/image.png.",
			"Send At cannot be 'x'. Choose Now, After a Delay, At a Date and Time, Next Weekday and Time or Within Hours. In an expression, write now, delay, at, next or withinHours.",
			"Consent is 'perhaps'. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others. Compute yes or no in an Edit Fields node before.",
		]);
	});

	it('names one bad row among several by its number and its recipient', async () => {
		const ids = ['C-1001', 'C-1002'];
		const rows = ids.map((id, index) => ({ id, title: index === 0 ? 'Hello' : '' }));
		const why =
			'{{ $json.title }} in Title is empty. Correct it, or leave such items out with a Filter node';
		const parameters = push({ user_id: '={{ $json.id }}', title: '={{ $json.title }}' });
		expect(await stopped(parameters, rows)).toMatchObject({
			message: `Nothing was sent: ${why} (item 1)`,
			description: `${why}. Item 1 (C-1002).<br>\nTo send the other items anyway, set On Error in the node's Settings to Continue (using error output).`,
		});
	});

	it('keeps what n8n would read as HTML, and its line breaks', async () => {
		const rows = [{ from: 'Acme <news@acme.example>' }, { from: 'Shop <shop@acme.example>' }];
		const { description } = await stopped(email({ sender_email: '={{ $json.from }}' }), rows);
		expect(description).toMatch(
			/^Sender Email 'Acme &lt;news@acme\.example>' is not an email address\. Write it as name@example\.com\. Items 0 \(.*\), 1 \(.*\)\.$/,
		);
	});
});

describe('A run that ends because of a request', () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ id: `C-${1001 + index}` }));
	const perRow = push({ user_id: '={{ $json.id }}', options: { concurrency: 1 } });

	it('names the rows that were not accepted by number and recipient', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 400, match: { bodyText: 'C-1002' } });
		const { message, description } = await stopped(perRow, rows(4));
		expect(message).toBe(
			'The service refused the request (400) (item 1 on web). 1 accepted, 3 not sent: refused by the service (1), run ended (2)',
		);
		expect(description).toMatch(/^The service answered: Caused by a fault of the sandbox\./);
		expect(description).toContain(
			'Refused: 1, item 1 (C-1002) on web.<br>\nNot sent: 2, items 2 (C-1003), 3 (C-1004) on web.<br>\nRetry sends the 3 that were not sent: in Executions, the arrow beside this run.',
		);
	});

	it('names many rows by their numbers, and the recipient of the first', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 404 });
		const { message, description } = await stopped(perRow, rows(20));
		expect(message).toMatch(/ \(item 0 on web\)\. 0 accepted, 20 not sent: /);
		expect(description).toContain('Not sent: 19, items 1–19 (the first is C-1002) on web.');
	});

	it('quotes the answer to a single user, without counts and without advice about batches', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 400 });
		const { message, description } = await stopped(user({ userID: 'me-1' }));
		expect(message).toBe('The service refused the request (400)');
		const words =
			/^The service answered: Caused by a fault of the sandbox\. If the answer does not tell the cause, check .*\nRecipient: me-1\./;
		expect(description).toMatch(words);
		expect(description).not.toMatch(/under response|Batch Size|Accepted|Refused|items? 0/);
	});

	it('says that a user without an answer is no message', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 503 });
		const { message } = await stopped(user());
		expect(message).toBe('The service answered 503, so the user may or may not have been saved');
	});
});
