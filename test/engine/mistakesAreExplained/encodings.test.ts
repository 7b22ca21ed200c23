import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { arrived, email, event, hintsOf, mapped, push, sms, user } from '../support/mistakes';
import * as order from '../support/orders';
import { run, useSandbox } from '../support/service';
import { misread, wellRead } from '../support/values/encodings';

const sandbox = useSandbox();

const lost = 'J\ufffdrg';

describe('A character that was lost because a file was read in the wrong encoding', () => {
	const attribute = (value: string, name = 'city') =>
		user({ customAttributes: { assignments: [{ name, type: 'string', value }] } });
	const row = (columns: IDataObject) => ({ userID: 'C-1', ...columns });
	const skipTextCheck = true;

	it.each<[string, INodeParameters, IDataObject?]>([
		['a title', push({ title: lost })],
		['a text with Skip Text Check', push({ title: lost, options: { skipTextCheck } })],
		['a link', push({ url: `https://shop.example.com/${lost}` })],
		['a link, encoded', push({ url: 'https://shop.example.com/?q=J%ef%bf%bdrg' })],
		['an ID', push({ user_id: lost })],
		['a subject', email({ subject: lost })],
		['the content of an email', email({ content: `<p>${lost}</p>` })],
		['a sender', email({ sender_name: lost })],
		['an address', email({ email: `${lost}@example.com` })],
		['an SMS', sms({ message: lost })],
		['a button', push({ additionalFields: { button_one_title: lost } })],
		['a key', push({ sendOnce: true, sendOnceKey: lost })],
		['a name', user({ name: lost })],
		['an attribute', attribute(lost)],
		['the name of an attribute', attribute('x', 'Stra\ufffde')],
		['a column', mapped('user'), row({ city: lost })],
		['the name of a column', mapped('user'), row({ 'Stra\ufffde': 'x' })],
		['a column, deep inside', mapped('user'), row({ list: { a: [{ b: lost }] } })],
		['the name of a field, deep inside', mapped('user'), row({ list: { a: [{ [lost]: 1 }] } })],
		['the name of an event', event({ event_name: lost })],
		['a custom request', { ...order.customPost, body: { a: { b: lost } } }],
		['extra fields', push({ additionalFields: { extraBodyFields: { a: lost } } })],
	])('is refused in %s', async (_, parameters, columns = {}) => {
		const { error } = await run(sandbox(), parameters, { rows: [columns] });
		const told = `${error?.message} ${error?.description}`;
		expect(told).toContain('read in the wrong encoding');
		expect(told).toContain('Save the file as UTF-8 (in Excel: CSV UTF-8)');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A text that looks as if it was read in the wrong encoding', () => {
	const named = async (parameters: INodeParameters, rows: IDataObject[] = [{}]) =>
		hintsOf(await run(sandbox(), parameters, { rows })).filter((hint) => hint.includes('encoding'));

	it.each(misread)('is sent with a hint: %j', async (title, word) => {
		expect(await named(push({ title }))).toEqual([
			`'${word.replace(/[\u0080-\u009f]/g, '\ufffd')}' looks as if it was read in the wrong encoding (item 0). Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8.`,
		]);
		expect(arrived(sandbox, 'title')).toEqual([title]);
	});

	it.each([{}, { previewOnly: true }])('is named once for many users with %j', async (options) => {
		const rows = ['Köln', 'KÃ¶ln', 'MÃ¼nchen'].map((city, index) => ({
			userID: `C-${index}`,
			city,
		}));
		expect(await named(mapped('user', { options }), rows)).toEqual([
			expect.stringMatching(/^'KÃ¶ln' looks as if .* \(items 1–2\)\./),
		]);
	});

	it('is not any text of another language', async () => {
		const rows = wellRead.map((title) => ({ title }));
		const parameters = push({ title: '={{ $json.title }}', options: { sendDuplicates: true } });
		expect(await named(parameters, rows)).toEqual([]);
		expect(arrived(sandbox, 'title')).toEqual(wellRead);
	});
});
