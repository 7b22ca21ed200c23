import type { IDataObject } from 'n8n-workflow';

import { correctionsIn } from '../support/corrections';
import * as order from '../support/orders';
import { run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** What is wrong in which of the 42 rows, and the fields that must be named. */
const wrong = new Map<number, { row: IDataObject; fields: string[] }>([
	[0, { row: { title: '' }, fields: ['title'] }],
	[3, { row: { title: 'x'.repeat(71) }, fields: ['title'] }],
	[4, { row: { message: '😀'.repeat(131) }, fields: ['message'] }],
	[9, { row: { link: 'javascript:alert(1)' }, fields: ['url'] }],
	[10, { row: { id: null }, fields: ['user_id'] }],
	[11, { row: { image: 'http://cdn.example.com/a.png' }, fields: ['image_url'] }],
	[17, { row: { title: '  ', message: '', link: 'shop' }, fields: ['title', 'message', 'url'] }],
	[25, { row: { id: { a: 1 } }, fields: ['user_id'] }],
	[26, { row: { number: 1.5 }, fields: ['notification_id'] }],
	[33, { row: { number: '9223372036854775808' }, fields: ['notification_id'] }],
	[40, { row: { message: undefined, image: 'none' }, fields: ['message', 'image_url'] }],
	[41, { row: { link: 'https://exa mple.com' }, fields: ['url'] }],
]);

/** The labels with which the messages begin. */
const labels: Record<string, string> = {
	title: 'Title',
	message: 'Message',
	url: 'URL',
	user_id: 'User ID',
	image_url: 'Image URL',
	notification_id: 'Notification ID',
};
const fieldOf = (text: string) =>
	Object.keys(labels).find((field) => text.startsWith(`${labels[field]} `));

const rows = Array.from({ length: 42 }, (_, index): IDataObject => ({
	row: index,
	id: `C-${index}`,
	title: 'Your order is on its way',
	message: `It arrives on day ${index}`,
	link: 'https://shop.example.com',
	image: 'https://cdn.example.com/a.png',
	number: index + 1,
	note: `kept ${index}`,
	...wrong.get(index)?.row,
}));

const parameters = {
	...order.pushSend,
	platforms: ['android'],
	user_id: '={{ $json.id }}',
	title: '={{ $json.title }}',
	message: '={{ $json.message }}',
	url: '={{ $json.link }}',
	additionalFields: { image_url: '={{ $json.image }}', notification_id: '={{ $json.number }}' },
};

describe('With On Error set to Stop Workflow', () => {
	it('sends nothing and names all twelve rows with their fields', async () => {
		const { error, output } = await run(sandbox(), parameters, { rows });

		expect(sandbox().record).toEqual([]);
		expect(output).toEqual([]);
		expect(error?.message).toContain('12 of 42');
		const named = correctionsIn(error).flatMap(({ items, text }) =>
			items.map((item) => `${item} ${fieldOf(text)}`),
		);
		expect(named.sort()).toEqual(
			[...wrong].flatMap(([item, { fields }]) => fields.map((field) => `${item} ${field}`)).sort(),
		);
	});

	it('says of each field what is wrong, and names rows by their recipients', async () => {
		const { error } = await run(sandbox(), parameters, { rows });

		for (const { text } of correctionsIn(error))
			expect(text).toMatch(
				/^(\w+ )+(is empty\.(?: .* gives nothing\.)? Fill it in|must be|has \d+|'.*)/,
			);
		const { description } = error as unknown as { description: string };
		expect(description).toMatch(
			/^Title is empty\. \{\{ \$json\.title \}\} gives nothing\. .* Items 0 \(C-0\), 17 \(C-17\)\.<br>$/m,
		);
		expect(description).toMatch(
			/^Title has 71 characters, but Android and iOS take at most 70\. Shorten it\. Item 3 \(C-3\)\./m,
		);
		expect(description).toContain('Items count from 0.');
	});
});
