import type { INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { email, event, push, user } from '../support/mistakes';
import { useNode } from '../support/node';

const node = useNode();

async function stopped(parameters: INodeParameters, rows?: Order['rows']) {
	const { error } = await node.run(parameters, { rows });
	return error as unknown as { message: string; description?: string };
}

describe('A stopped workflow', () => {
	const empty = '={{ "" }}';

	it('says of a single item just what is wrong', async () => {
		const { message, description = '' } = await stopped(push({ url: empty }));
		expect(message).toBe('Nothing was sent: URL is empty. {{ "" }} gives nothing. Fill it in');
		expect(description).toBe('');
	});

	it('says each of several things on a line of its own, in the order of the form', async () => {
		const additionalFields = { image_url: 'x', consent: 'perhaps' };
		const wrong = { sendAt: 'at', scheduledFor: 'x', url: empty, user_id: empty };
		const parameters = push({ additionalFields, platforms: ['fax'], ...wrong });
		const { message, description } = await stopped(parameters);
		expect(message).toBe(
			'Nothing was sent: 6 corrections are needed: Platforms, User ID, URL, Date and Time, Consent and 1 more',
		);
		expect(description?.split('<br>\n')).toEqual([
			"Platforms cannot be 'fax'. Choose Android, iOS or Web. In an expression, write android, ios or web.",
			'User ID is empty. {{ "" }} gives nothing. Fill it in.',
			'URL is empty. {{ "" }} gives nothing. Fill it in.',
			"Date and Time: 'x' is not in the expected format. Write it as 2026-11-23T09:30.",
			"Consent is 'perhaps'. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others. Convert other values, such as {{ $json.status === 'subscribed' }}.",
			"Image URL 'x' is not an HTTPS link. Write it as https://example.com/image.png.",
		]);
	});

	it('names one bad row among several by its number and its recipient', async () => {
		const rows = [
			{ id: 'C-1001', title: 'Hello' },
			{ id: 'C-1002', title: '' },
		];
		const why =
			'Title is empty. {{ $json.title }} gives nothing. Fill it in, or choose another column. Columns: id, title';
		expect(
			await stopped(push({ user_id: '={{ $json.id }}', title: '={{ $json.title }}' }), rows),
		).toMatchObject({
			message: `Nothing was sent: ${why} (item 1)`,
			description: `${why}. Item 1 (C-1002).<br>\nTo send the other items anyway, set On Error in the node's Settings to Continue (using error output). Items count from 0.`,
		});
	});

	it('offers the choices of a field by their labels', async () => {
		const { message } = await stopped(push({ sendAt: '={{ $json.value }}' }), [{ value: 'x' }]);
		expect(message).toBe(
			"Nothing was sent: Send At cannot be 'x'. Choose Now, After a Delay, At a Date and Time, Next Weekday and Time or Within Hours. In an expression, write now, delay, at, next or withinHours",
		);
	});

	it('keeps what n8n would read as HTML, and its line breaks', async () => {
		const rows = [{ from: 'Acme <news@acme.example>' }, { from: 'Shop <shop@acme.example>' }];
		const { description } = await stopped(email({ sender_email: '={{ $json.from }}' }), rows);
		expect(description).toMatch(
			/^Sender Email 'Acme &lt;news@acme\.example>' has a name in it\. Enter only 'news@acme\.example', and the name in 'Sender Name'\. Items 0 \(.*\), 1 \(.*\)\. Found: 'Acme &lt;news@acme\.example>' \(item 0\), 'Shop &lt;shop@acme\.example>' \(item 1\)\.<br>\nItems count from 0\.$/,
		);
	});

	it.each([
		['={{ $json["Send Date"] }}', '$json["Send Date"]'],
		["={{ $json['Send Date'] ?? '' }}", '$json.date'],
	])('quotes the dates, with the expression that converts %s', async (scheduledFor, code) => {
		const dates = ['25.12.2026 09:30', '26.12.2026 09:30', '25.12.2026 09:30'];
		const rows = dates.map((date) => ({ 'Send Date': date }));
		const { description } = await stopped(push({ sendAt: 'at', scheduledFor }), rows);
		expect(description).toBe(
			`Date and Time: '25.12.2026 09:30' is not in the expected format. Write it as 2026-11-23T09:30, or convert it: {{ DateTime.fromFormat(${code}, 'd.M.yyyy H:mm').toFormat('yyyy-MM-dd HH:mm') }}. Items 0 (C-1), 1 (C-1), 2 (C-1). Found: '25.12.2026 09:30' (items 0, 2), '26.12.2026 09:30' (item 1).<br>\nItems count from 0.`,
		);
	});

	it('has an expression for the time of an event, which keeps to the timezone of the form', async () => {
		const at = (event_time: string) => event({ event_time, scheduleTimezone: 'Asia/Kolkata' });
		const rows = [{ when: '25/12/2026' }];
		const { message } = await stopped(at('={{ $json.when }}'), rows);
		const [, expression = ''] = /(\{\{.*\}\})$/.exec(message) ?? [];
		expect(expression).toContain('fromFormat($json.when + ');
		await node.run(at(`=${expression}`), { rows });
		expect(node.bodies()).toMatchObject([{ nv: [{ event_time: '2026-12-25 04:00:00' }] }]);
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
			'The service refused the push (400): Caused by a fault of the sandbox (item 1 on web). 1 accepted, 3 not sent: refused by the service (1), run ended (2)',
		);
		expect(description).toContain(
			'Refused: 1 (item 1, C-1002 on web).<br>\nNot sent: 2, items 2 (C-1003), 3 (C-1004) on web.<br>\nRetry sends these 3: in Executions, the arrow beside this run. Execute step would send all 4 again.',
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
		expect(message).toBe('The service refused the user (400): Caused by a fault of the sandbox');
		expect(description).toMatch(
			/^If the answer does not tell the cause, check these, .*\nRecipient: me-1\./,
		);
		expect(description).not.toMatch(/under response|Batch Size|Accepted|Refused|items? 0/);
	});

	it('says that a user without an answer is no message', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 503 });
		const { message, description } = await stopped(user());
		expect(message).toMatch(
			/^The service answered 503, so the user may or may not have been saved/,
		);
		expect(`${message} ${description}`).not.toMatch(/Retry Unknown|message twice|delivered it/);
	});
});
