import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, mapped, push, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const lost = 'J\ufffdrg';
const whole = (...words: string[]) => words.map((word): [string, string] => [word, word]);

describe('A character that was lost because a file was read in the wrong encoding', () => {
	const attribute = (value: string, name = 'city') =>
		user({ customAttributes: { assignments: [{ name, type: 'string', value }] } });
	const row = (columns: IDataObject) => ({ userID: 'C-1', ...columns });

	it.each<[string, INodeParameters, IDataObject?]>([
		['a title', push({ title: lost })],
		['a text with Skip Text Check', push({ title: lost, options: { skipTextCheck: true } })],
		['a link', push({ url: `https://shop.example.com/${lost}` })],
		['an ID', push({ user_id: lost })],
		['the content of an email', email({ content: `<p>${lost}</p>` })],
		['an address', email({ email: `${lost}@example.com` })],
		['an attribute', attribute(lost)],
		['the name of an attribute', attribute('x', 'Stra\ufffde')],
		['the name of a column', mapped('user'), row({ 'Stra\ufffde': 'x' })],
		['a column, deep inside', mapped('user'), row({ list: { a: [{ b: lost }] } })],
		['a custom request', { ...order.customPost, body: { a: { b: lost } } }],
	])('is refused in %s', async (_, parameters, columns = {}) => {
		const { error } = await node.run(parameters, { rows: [columns] });
		const told = `${error?.message} ${error?.description}`;
		expect(told).toContain('read in the wrong encoding');
		expect(told).toContain('Save the file as UTF-8 (in Excel: CSV UTF-8)');
		expect(node.sandbox.record).toEqual([]);
	});
});

describe('A text that looks as if it was read in the wrong encoding', () => {
	const named = async (parameters: INodeParameters, rows: IDataObject[] = [{}]) =>
		hintsOf(await node.run(parameters, { rows })).filter((hint) => hint.includes('encoding'));

	it.each<[text: string, word: string]>([
		...whole('JosÃ©', 'Ã–sterreich', 'Å\u0081Ã³dÅº', 'ÐŸÑ€Ð¸Ð²ÐµÑ‚'),
		['Hallo JÃ¶rg', 'JÃ¶rg'],
		['Itâ€™s here', 'Itâ€™s'],
		['10Â\u00a0°C', '10Â °C'],
		['ä½\u00a0å¥½', 'ä½ å¥½'],
		['20 \u0080', '\u0080'],
	])('is sent with a hint: %j', async (title, word) => {
		expect(await named(push({ title }))).toEqual([
			`Item 0 (C-1): '${word.replace(/[\u0080-\u009f]/g, '\ufffd')}' looks as if it was read in the wrong encoding. Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8.`,
		]);
		expect(node.arrived('title')).toEqual([title]);
	});

	it('is named once for many users', async () => {
		const cities = ['Köln', 'KÃ¶ln', 'MÃ¼nchen'];
		const rows = cities.map((city, index) => ({ userID: `C-${index}`, city }));
		const told = expect.stringMatching(
			/^Items 1 \(C-1\), 2 \(C-2\): 'KÃ¶ln' looks as if /,
		) as string;
		expect(await named(mapped('user'), rows)).toEqual([told]);
	});

	it('is not any text of another language', async () => {
		const wellRead = [
			...['SÃO PAULO', '“MAÇÃ”', '«MAÇÃ»', 'IRMÃ…', 'ÂME', 'Ãgua', 'Vũ Thị Ân', 'Łódź'],
			...['CAFÉ…', '« café… »', 'Spaß”', 'Åse', 'À la carte', 'ça va ?', 'È vero…', '20 €'],
			...['3×½', 'ÐÞ', 'Ñandú', '“Ñ”', 'It’s “it”', 'Привет', '你好', 'สวัสดี', 'Đặng'],
		];
		const rows = wellRead.map((title) => ({ title }));
		const parameters = push({ title: '={{ $json.title }}', options: { sendDuplicates: true } });
		expect(await named(parameters, rows)).toEqual([]);
		expect(node.arrived('title')).toEqual(wellRead);
	});
});
