import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, push } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

describe('A parameter that holds for the whole run', () => {
	const rows = [{ test: true, key: 'apiKey' }];
	const read =
		'holds for the whole run, but its expression reads an item. Set it to one value for all items; to treat items differently, separate them with an If node before two of these nodes';

	it.each<[label: string, field: string, changes: INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Parallel Requests', 'concurrency', { options: { concurrency: '={{ $input.item.json.a }}' } }],
		['Max Wait (Minutes)', 'maxWait', { options: { maxWait: "={{ $('Source').item.json.a }}" } }],
		['Authentication', 'authentication', { authentication: '={{ $json.key }}' }],
		['Send Once', 'sendOnce', { sendOnce: '={{ $itemIndex === 0 }}' }],
		['Host', 'host', { ...order.customPost, host: '={{ $node["Source"].json.key }}' }],
	])('is refused if it reads an item, even the only one: %s', async (label, field, changes) => {
		const message = `'${label}' ${read}`;
		expect(await node.stops(push(changes), { rows })).toBe(`Nothing was sent: ${message}`);
		const { failed } = await node.run(push(changes), { rows, onError: 'continueErrorOutput' });
		const details = { outcome: 'invalid', problems: [{ field, message }] };
		expect(failed).toMatchObject([{ json: { ...rows[0], error: message, details } }]);
	});

	it('is evaluated once if its expression reads no item', async () => {
		const options = { previewOnly: "={{ $('Source').first().json.test }}", sendDuplicates: true };
		const { output } = await node.run(push({ options }), { rows: [...rows, { test: false }] });
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'preview']);
	});
});

it('A row whose expression cannot be read is refused, and names the parameter', async () => {
	const title = "={{ $json.a === 1 ? 'Hello' : $('Nowhere').item.json.title }}";
	expect(await node.refusals(push({ title }), [{ a: 1 }, { a: 2 }])).toEqual([
		expect.stringContaining("The expression in 'Title' cannot be evaluated: "),
	]);
	expect(node.sandbox.record).toHaveLength(1);
});

describe('A stopped workflow', () => {
	const stopped = async (parameters: INodeParameters, rows?: IDataObject[]) => {
		const { error } = await node.run(parameters, { rows });
		expect(node.sandbox.record).toEqual([]);
		const { message, description = '' } = error as unknown as {
			message: string;
			description?: string;
		};
		return { message, lines: description.split('<br>\n') };
	};
	const empty = '={{ "" }}';
	const wayOut = 'Correct it, or leave such items out with a Filter node';
	const sendOthers =
		"To send the other items anyway, set On Error in the node's Settings to Continue (using error output).";

	it('says of a single item just what is wrong', async () => {
		expect(await stopped(push({ url: empty }))).toEqual({
			message: `Nothing was sent: {{ "" }} in URL is empty. ${wayOut}`,
			lines: [''],
		});
	});

	it('says each of several things on a line of its own', async () => {
		const additionalFields = { image_url: 'x', consent: 'perhaps' };
		const wrong = { sendAt: '={{ "x" }}', url: empty, user_id: empty, platforms: ['fax'] };
		expect(await stopped(push({ ...wrong, additionalFields }))).toEqual({
			message:
				'Nothing was sent: 6 corrections are needed: URL, User ID, Platforms, Image URL, Send At and 1 more',
			lines: [
				`{{ "" }} in URL is empty. ${wayOut}.`,
				`{{ "" }} in User ID is empty. ${wayOut}.`,
				"Platforms cannot be 'fax'. Choose Android, iOS or Web. In an expression, write android, ios or web.",
				"Image URL 'x' is not an HTTPS link. Write it as https://example.com/image.png.",
				"Send At cannot be 'x'. Choose Now, After a Delay, At a Date and Time, Next Weekday and Time or Within Hours. In an expression, write now, delay, at, next or withinHours.",
				"Consent is 'perhaps'. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others. Compute yes or no in an Edit Fields node before.",
			],
		});
	});

	const titled = push({ user_id: '={{ $json.id }}', title: '={{ $json.title }}' });

	it('names one bad row among several by its number and its recipient', async () => {
		const rows = ['Hello', ''].map((title, index) => ({ id: `C-${index}`, title }));
		const why = `{{ $json.title }} in Title is empty. ${wayOut}`;
		expect(await stopped(titled, rows)).toEqual({
			message: `Nothing was sent: ${why} (item 1)`,
			lines: [`${why}. Item 1 (C-1).`, sendOthers],
		});
	});

	it('names each bad row of many, counted by field', async () => {
		const titles = new Map([
			[0, ''],
			[3, 'x'.repeat(71)],
			[17, '  '],
		]);
		const rows = Array.from({ length: 42 }, (_, index) => ({
			id: index === 10 ? null : `C-${index}`,
			title: titles.get(index) ?? 'It is on its way',
		}));
		expect(await stopped({ ...titled, platforms: ['android'] }, rows)).toEqual({
			message: 'Nothing was sent: 4 of 42 items need a correction: Title (3), User ID (1)',
			lines: [
				`{{ $json.title }} in Title is empty. ${wayOut}. Items 0 (C-0), 17 (C-17).`,
				'Title has 71 characters, but Android and iOS take at most 70. Shorten it. Item 3 (C-3).',
				`{{ $json.id }} in User ID is empty. ${wayOut}. Item 10 (It is on its way).`,
				sendOthers,
			],
		});
	});

	it('keeps what n8n would read as HTML, and its line breaks', async () => {
		const rows = [{ from: 'Acme <news@acme.example>' }, { from: 'Shop <shop@acme.example>' }];
		const { lines } = await stopped(email({ sender_email: '={{ $json.from }}' }), rows);
		expect(lines).toEqual([
			expect.stringMatching(
				/^Sender Email 'Acme &lt;news@acme\.example>' is not an email address\. Write it as name@example\.com\. Items 0 \(.*\), 1 \(.*\)\.$/,
			),
		]);
	});
});
