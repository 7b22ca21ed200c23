import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, event, mapped, push, sms, user } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';
import { pageOf } from '../support/pages';

const node = useNode();

/** What is wrong with each row that is refused, and the titles that were sent for the others. */
async function send(parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	const refused = await node.refusals(parameters, rows);
	return { refused, titles: node.arrived('title') };
}

const advice = "Write {{ $json.name || 'friend' }}, or turn on 'Skip Text Check'";
const skipTextCheck = true;

describe('A text with an empty placeholder', () => {
	const welcome = '=Welcome, {{ $json.name }}!';
	it('is refused row by row with what to write instead, or sent with Skip Text Check', async () => {
		const three = [{ name: 'Ann' }, { name: '' }, {}];
		const message = `Title: {{ $json.name }} is empty. ${advice}`;
		const { refused, titles } = await send(push({ title: welcome }), three);
		expect([refused, titles]).toEqual([[message, message], ['Welcome, Ann!']]);
		node.sandbox.reset();
		const options = { skipTextCheck, sendDuplicates: true };
		const all = { refused: [], titles: ['Welcome, Ann!', 'Welcome, !', 'Welcome, !'] };
		expect(await send(push({ title: welcome, options }), three)).toEqual(all);
	});

	it.each<[string, INodeParameters]>([
		['Message', push({ message: '=Hi {{ $json.name }}' })],
		['Subject', email({ subject: '=Hi {{ $json.name }}' })],
		['Content', email({ content: '=<p>{{$json.name}}</p>' })],
		['Message', sms({ message: '=Hi {{ $json.name }}' })],
		['Campaign Name', sms({ campaign_name: '=To {{ $json.name }}' })],
		['Sender Name', email({ sender_name: '=For {{ $json.name }}' })],
		['Name', user({ name: '={{ $json.name }} Smith' })],
		['Button One Title', push({ additionalFields: { button_one_title: '=For {{ $json.name }}' } })],
	])('is refused in %s: %j', async (label, parameters) => {
		const { refused } = await send(parameters);
		expect(refused).toEqual([`${label}: {{ $json.name }} is empty. ${advice}`]);
		expect(node.sandbox.record).toEqual([]);
	});

	it('is refused with what else is wrong in the row', async () => {
		const { refused } = await send(sms({ message: '=Hi {{ $json.name }}', mobile: '12' }));
		const gap = `Message: {{ $json.name }} is empty. ${advice}`;
		const number =
			"Mobile '12' is not a phone number with country code. Write it as +4915112345678";
		expect(refused).toEqual([`${number}; ${gap}`]);
	});

	it('is refused in links, with a fallback for links', async () => {
		const url = '=https://shop.example.com/{{ $json.page }}';
		const additionalFields = { image_url: '=https://cdn.example.com/{{ $json.picture }}.png' };
		const told = (label: string, code: string) =>
			`${label}: {{ ${code} }} is empty. Write {{ ${code} || 'home' }}, or turn on 'Skip Text Check'`;
		expect((await send(push({ url, additionalFields }))).refused).toEqual([
			`${told('URL', '$json.page')}; ${told('Image URL', '$json.picture')}`,
		]);
	});

	it.each([
		['=At {{ DateTime.fromISO($json.at).toFormat("HH:mm") }}', 'Invalid DateTime'],
		['=On {{ new Date($json.name) }}', 'Invalid Date'],
		['={{ "Hello " + $json.at }}', 'undefined'],
	])('is refused where a value is missing or cannot be read: %s', async (title, found) => {
		const { refused, titles } = await send(push({ title }), [{ name: 'Ann' }]);
		expect(refused).toEqual([expect.stringContaining(`contains '${found}'`)]);
		expect(titles).toEqual([]);
	});
});

describe('A text with a bare name, which n8n reads as empty', () => {
	it.each<[title: string, columns: string[], advice: string]>([
		['Hi {{ name }}!', ['id', 'Name'], 'Did you mean {{ $json.Name }}?'],
		['Hi {{ first_name }}!', ['Last', 'First Name'], 'Did you mean {{ $json["First Name"] }}?'],
		['Hi {{ json.name }}!', ['name'], 'Did you mean {{ $json.name }}?'],
		['Hi {{ $name }}!', ['names'], 'Did you mean {{ $json.names }}?'],
		['{{ contact.name }}', ['contact_name', 'Vorname'], 'Did you mean {{ $json.contact_name }}?'],
		['{{ name }}', ['Mail', 'Vorname'], 'Did you mean {{ $json.Vorname }}?'],
		['Hi {{ name }}!', [], "Write a column as {{ $json.column }}, or turn on 'Skip Text Check'"],
	])('is refused in %j with the nearest of the columns %j', async (title, columns, correction) => {
		const row = Object.fromEntries(columns.map((column) => [column, 'x']));
		const [name] = /\{\{.*\}\}/.exec(title) ?? [];
		expect(await send(push({ title: `=${title}` }), [row])).toEqual({
			refused: [`Title: ${name} is empty. ${correction}`],
			titles: [],
		});
	});

	it('is sent where n8n knows the name', async () => {
		const title = '=On {{ $today.year > 2000 }} {{ $itemIndex }}';
		expect(await send(push({ title }))).toEqual({ refused: [], titles: ['On true 0'] });
	});
});

describe('A broadcast whose text comes from a row', () => {
	const subject = '=Liebe {{ $json.name }}';
	const told = async (parameters: INodeParameters, mode?: 'manual') =>
		hintsOf(await node.run(parameters, { rows: [{ name: 'Ann' }], mode })).filter((hint) =>
			hint.includes('everybody'),
		);

	it('is named with its value, in a preview and after it was sent', async () => {
		const words =
			"A broadcast says the same to everybody: {{ $json.name }} in Subject is 'Ann' for all of its recipients. To write to each person by name, use 'Send to User' with one item for each person.";
		const parameters = { ...order.emailToAll, subject };
		expect(await told({ ...parameters, testRuns: 'preview' }, 'manual')).toEqual([words]);
		expect(await told(parameters)).toEqual([words]);
	});

	it.each<INodeParameters>([
		{ ...order.emailToAll, campaign_name: '=Sale {{ $json.name }}' },
		{ ...order.emailToAll, subject: '={{ $json.name }}' },
		email({ subject }),
	])('is not named where that is usual: %j', async (parameters) => {
		expect(await told(parameters)).toEqual([]);
	});
});

test.each<[string, INodeParameters]>([
	['title', push({ title: '=Welcome, {{ $json.name }}!' })],
	['message', sms({ message: '=Welcome, {{ $json.name }}!' })],
	['content', email({ content: '=<p>Welcome, {{ $json.name }}!</p>' })],
])('A preview with Skip Text Check names what is empty in the %s', async (field, parameters) => {
	const options = { previewOnly: true, skipTextCheck };
	const { output } = await node.run({ ...parameters, options });
	expect(output[0]?.json.emptyPlaceholders).toEqual([{ field, placeholder: '{{ $json.name }}' }]);
	const page = pageOf(output[0]);
	expect(page).toContain('Welcome, !');
	expect(page).toMatch(
		/<dt>Placeholders<\/dt>\s*<dd>\s*<bdi>\w+: {{ \$json.name }}<\/bdi>\s*<span class="look">/,
	);
});

const lost = 'J\ufffdrg';
const whole = (...words: string[]) => words.map((word): [string, string] => [word, word]);

describe('A character that was lost because a file was read in the wrong encoding', () => {
	const attribute = (value: string, name = 'city') =>
		user({ customAttributes: { assignments: [{ name, type: 'string', value }] } });
	const row = (columns: IDataObject) => ({ userID: 'C-1', ...columns });

	it.each<[string, INodeParameters, IDataObject?]>([
		['a title', push({ title: lost })],
		['a text with Skip Text Check', push({ title: lost, options: { skipTextCheck } })],
		['a link', push({ url: `https://shop.example.com/${lost}` })],
		['a link, encoded', push({ url: 'https://shop.example.com/?q=J%ef%bf%bdrg' })],
		['an ID', push({ user_id: lost })],
		['the content of an email', email({ content: `<p>${lost}</p>` })],
		['a sender', email({ sender_name: lost })],
		['an address', email({ email: `${lost}@example.com` })],
		['a button', push({ additionalFields: { button_one_title: lost } })],
		['a key', push({ sendOnce: true, sendOnceKey: lost })],
		['a name', user({ name: lost })],
		['an attribute', attribute(lost)],
		['the name of an attribute', attribute('x', 'Stra\ufffde')],
		['the name of a column', mapped('user'), row({ 'Stra\ufffde': 'x' })],
		['a column, deep inside', mapped('user'), row({ list: { a: [{ b: lost }] } })],
		['the name of a field, deep inside', mapped('user'), row({ list: { a: [{ [lost]: 1 }] } })],
		['the name of an event', event({ event_name: lost })],
		['a custom request', { ...order.customPost, body: { a: { b: lost } } }],
		['extra fields', push({ additionalFields: { extraBodyFields: { a: lost } } })],
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
		...whole('JosÃ©', 'Ã–sterreich', 'KÃ»nstler', 'Å\u0081Ã³dÅº', 'GdaÅ„sk', 'ÐŸÑ€Ð¸Ð²ÐµÑ‚'),
		['Hallo JÃ¶rg', 'JÃ¶rg'],
		['Itâ€™s here', 'Itâ€™s'],
		['20 â‚¬', 'â‚¬'],
		['10Â\u00a0°C', '10Â °C'],
		['ä½\u00a0å¥½', 'ä½ å¥½'],
		['ðŸ˜€ sale', 'ðŸ˜€'],
		['20 \u0080', '\u0080'],
	])('is sent with a hint: %j', async (title, word) => {
		expect(await named(push({ title }))).toEqual([
			`'${word.replace(/[\u0080-\u009f]/g, '\ufffd')}' looks as if it was read in the wrong encoding (item 0). Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8.`,
		]);
		expect(node.arrived('title')).toEqual([title]);
	});

	it.each([{}, { previewOnly: true }])('is named once for many users with %j', async (options) => {
		const cities = ['Köln', 'KÃ¶ln', 'MÃ¼nchen'];
		const rows = cities.map((city, index) => ({ userID: `C-${index}`, city }));
		const told = expect.stringMatching(/^'KÃ¶ln' looks as if .* \(items 1–2\)\./) as string;
		expect(await named(mapped('user', { options }), rows)).toEqual([told]);
	});

	it('is not any text of another language', async () => {
		const wellRead = [
			...['SÃO PAULO', '“MAÇÃ”', '«MAÇÃ»', 'IRMÃ…', 'ÂME', 'Âge', 'MÃE', 'Ãgua', 'Vũ Thị Ân'],
			...['CAFÉ…', '« café… »', 'Spaß”', 'Größe', 'Åse', 'À la carte', 'ça va ?', 'È vero…'],
			...['3×½', 'ÐÞ', 'Ð', 'Ñandú', '“Ñ”', 'naïve', 'à…', '5 £', '20 €', 'It’s “it”', 'Łódź'],
			...['Привет', 'Αθήνα', '你好', '😀', 'שלום', 'مرحبا', 'สวัสดี', 'Đặng'],
		];
		const rows = wellRead.map((title) => ({ title }));
		const parameters = push({ title: '={{ $json.title }}', options: { sendDuplicates: true } });
		expect(await named(parameters, rows)).toEqual([]);
		expect(node.arrived('title')).toEqual(wellRead);
	});
});
