import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';
import { misread, wellRead } from '../support/values/encodings';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const lost = 'J\ufffdrg';

describe('A character that was lost because a file was read in the wrong encoding', () => {
	const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
	const attribute = (value: string, name = 'city') => ({
		...order.createUser,
		customAttributes: { assignments: [{ name, type: 'string', value }] },
	});

	it.each<[string, INodeParameters, IDataObject?]>([
		['a title', { ...order.pushSend, title: lost }],
		[
			'a text with Skip Text Check',
			{ ...order.pushSend, title: lost, options: { skipTextCheck: true } },
		],
		['a link', { ...order.pushSend, url: `https://shop.example.com/${lost}` }],
		['a link, encoded', { ...order.pushSend, url: 'https://shop.example.com/?q=J%ef%bf%bdrg' }],
		['an ID', { ...order.pushSend, user_id: lost }],
		['a subject', { ...order.emailSend, subject: lost }],
		['the content of an email', { ...order.emailSend, content: `<p>${lost}</p>` }],
		['a sender', { ...order.emailSend, sender_name: lost }],
		['an address', { ...order.emailSend, email: `${lost}@example.com` }],
		['an SMS', { ...order.smsSend, message: lost }],
		['a button', { ...order.pushSend, additionalFields: { button_one_title: lost } }],
		['a key', { ...order.pushSend, sendOnce: true, sendOnceKey: lost }],
		['a name', { ...order.createUser, name: lost }],
		['an attribute', attribute(lost)],
		['the name of an attribute', attribute('x', 'Stra\ufffde')],
		['a column', mapped, { userID: 'C-1', city: lost }],
		['the name of a column', mapped, { userID: 'C-1', 'Stra\ufffde': 'x' }],
		['a column, deep inside', mapped, { userID: 'C-1', list: { a: [{ b: lost }] } }],
		['the name of a field, deep inside', mapped, { userID: 'C-1', list: { a: [{ [lost]: 1 }] } }],
		['the name of an event', { ...order.trackEvent, event_name: lost }],
		['a custom request', { ...order.customPost, body: { a: { b: lost } } }],
		['extra fields', { ...order.pushSend, additionalFields: { extraBodyFields: { a: lost } } }],
	])('is refused in %s', async (_, parameters, row = {}) => {
		const { error } = await run(sandbox(), parameters, { rows: [row] });
		const told = `${error?.message} ${error?.description}`;
		expect(told).toContain('read in the wrong encoding');
		expect(told).toContain('Save the file as UTF-8 (in Excel: CSV UTF-8)');
		expect(sandbox().record).toEqual([]);
	});
});

describe('A text that looks as if it was read in the wrong encoding', () => {
	const hintsOf = async (parameters: INodeParameters, rows: IDataObject[]) =>
		(await run(sandbox(), parameters, { rows })).hints
			.map(({ message }) => message)
			.filter((message) => message.includes('encoding'));

	it.each(misread)('is sent with a hint: %j', async (title, word) => {
		const hints = await hintsOf({ ...order.pushSend, title }, [{}]);
		expect(hints).toEqual([
			`'${word.replace(/[\u0080-\u009f]/g, '\ufffd')}' looks as if it was read in the wrong encoding (item 0). Choose UTF-8 as the Encoding in the node that reads the file. Or save the file as UTF-8, in Excel as CSV UTF-8.`,
		]);
		expect(bodies(sandbox())).toMatchObject([{ title }]);
	});

	it('is named once for many users, also in a preview', async () => {
		const rows = [{ city: 'Köln' }, { city: 'KÃ¶ln' }, { city: 'MÃ¼nchen' }].map((row, index) => ({
			userID: `C-${index}`,
			...row,
		}));
		const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
		for (const options of [{}, { previewOnly: true }])
			expect(await hintsOf({ ...mapped, options }, rows)).toEqual([
				expect.stringMatching(/^'KÃ¶ln' looks as if .* \(items 1–2\)\./),
			]);
	});

	it('is not any text of another language', async () => {
		const rows = wellRead.map((title) => ({ title }));
		const options = { sendDuplicates: true };
		const parameters = { ...order.pushSend, title: '={{ $json.title }}', options };
		expect(await hintsOf(parameters, rows)).toEqual([]);
		expect(bodies(sandbox())).toHaveLength(wellRead.length);
	});
});
