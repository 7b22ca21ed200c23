import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { useFastClock } from '../support/clock';
import { useLogLines } from '../support/logLines';
import { email, push, user } from '../support/mistakes';
import { hintsIn, inShort, useNode } from '../support/node';
import * as order from '../support/orders';

useFastClock(20);
const lines = useLogLines();
const node = useNode();

const onError = 'continueRegularOutput';
const perRow = push({ user_id: '={{ $json.id }}', options: { concurrency: 1 } });
const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => ({ id: `C-${row}` }));

describe('A parameter that holds for the whole run', () => {
	const rows = [{ test: true, key: 'apiKey' }];
	const read =
		'holds for the whole run, but its expression reads an item. Set it to one value for all items; to treat items differently, separate them with an If node before two of these nodes';

	it.each<[label: string, field: string, changes: INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Parallel Requests', 'concurrency', { options: { concurrency: '={{ $input.all() }}' } }],
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

describe('What failed says what to check first:', () => {
	async function failedWith(fault: Fault, parameters: INodeParameters) {
		node.sandbox.faults.add(fault);
		const { output } = await node.run(parameters, { onError });
		const json = output[0]?.json as { outcome: string; error: string; details: object };
		return { ...json, ...(json.details as { description: string }) };
	}

	const ofRequest =
		/^The service refused .*\nIf the answer does not tell the cause, check the recipient, .*A preview shows/;
	const ofRights =
		/^The service does not permit the request for C-1 on web \(403\): Caused by .*\nThe key may lack the right.*plan.*list.*the key may be wrong/;
	test.each([
		[400, ofRequest],
		[422, ofRequest],
		[403, ofRights],
	])('%d', async (status, words) => {
		const { error, description } = await failedWith({ kind: 'status', status }, push());
		expect(`${error}\n${description}`).toMatch(words);
	});

	const userApi = "the 'User and Event API URL'";
	test.each<[string, INodeParameters, 'baseUrl' | 'pushUrl' | 'mailUrl', string]>([
		['user create', order.createUser, 'baseUrl', userApi],
		['event track', order.trackEvent, 'baseUrl', `${userApi} and 'Custom API Paths'`],
		['push broadcastAll', order.pushToAll, 'pushUrl', "the 'Push API URL'"],
		['email send', order.emailSend, 'mailUrl', "the 'Email and SMS API URL'"],
		['customRequest post', order.customPost, 'baseUrl', `'Path' and 'Host', and ${userApi}`],
	])('%s: 404 names the address alone', async (_, parameters, host, check) => {
		expect(await failedWith({ kind: 'status', status: 404 }, parameters)).toMatchObject({
			error: `Nothing was found at ${node.sandbox.urls[host]} (404): Caused by a fault of the sandbox`,
			description: `Check ${check} in the credential. Each API may have a host of its own.`,
		});
	});

	const repeat =
		"Check in the account whether it arrived before you send it again. With the option 'Resend Unconfirmed', the node repeats such requests, and some people may get the message twice.";
	const again = 'Run it again: creating or updating a user a second time does no harm.';
	const shortly = push({ options: { requestTimeout: 1 } });
	test.each<[string, Fault, INodeParameters, string]>([
		['a 503', { kind: 'status', status: 503 }, order.pushSend, repeat],
		['no answer in time', { kind: 'hang' }, shortly, `${repeat} Reported: `],
		['a cut', { kind: 'resetAfterAccept' }, order.pushSend, `${repeat} Reported: `],
		['a user', { kind: 'resetAfterAccept' }, order.createUser, `${again} Reported: `],
	])('%s may have been delivered', async (_, fault, parameters, expected) => {
		const { outcome, description } = await failedWith(fault, parameters);
		expect(outcome).toBe('unknown');
		expect(description.slice(0, expected.length)).toBe(expected);
	});
});

describe('A run that ends because of a request', () => {
	const stopped = async (parameters: INodeParameters, rows: IDataObject[] = [{}]) => {
		const { error } = await node.run(parameters, { rows });
		return error as unknown as { message: string; description: string };
	};

	it('names the rows that were not accepted by number and recipient', async () => {
		node.refuseOnce('C-1', 400);
		const { message, description } = await stopped(perRow, rowsOf(4));
		expect(message).toBe(
			'The service refused the request (400) (item 1 on web). 1 accepted, 3 not sent: refused by the service (1), run ended (2)',
		);
		expect(description).toMatch(/^The service answered: Caused by a fault of the sandbox\./);
		expect(description).toContain(
			'Refused: 1, item 1 (C-1) on web.<br>\nNot sent: 2, items 2 (C-2), 3 (C-3) on web.<br>\nRetry sends the 3 that were not sent: in Executions, the arrow beside this run.',
		);
	});

	it('names many rows by their numbers, and the recipient of the first', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 404 });
		const { message, description } = await stopped(perRow, rowsOf(20));
		expect(message).toMatch(/ \(item 0 on web\)\. 0 accepted, 20 not sent: /);
		expect(description).toContain('Not sent: 19, items 1–19 (the first is C-1) on web.');
	});

	it('quotes the answer to a single user, without counts and without advice about batches', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 400 });
		const { message, description } = await stopped(user({ userID: 'me-1' }));
		expect(message).toBe('The service refused the request (400)');
		expect(description).toMatch(
			/^The service answered: Caused by a fault of the sandbox\. If the answer does not tell the cause, check .*\nRecipient: me-1\./,
		);
		expect(description).not.toMatch(/under response|Batch Size|Accepted|Refused|items? 0/);
	});

	it('says that a user without an answer is no message', async () => {
		node.sandbox.faults.add({ kind: 'status', status: 503 });
		const { message } = await stopped(user());
		expect(message).toBe('The service answered 503, so the user may or may not have been saved');
	});
});

test('A run tells what happened first, with what to do, and each number once', async () => {
	const parameters = { ...perRow, title: '={{ $json.title }}' };
	const rows = ['', 'Hi', 'Hi'].map((title) => ({ id: title ? 'K-2' : 'K-1', title }));
	const run = await node.start({ parameters, rows, onError });
	expect(run.hints.map(({ type }) => type)).toEqual(['warning', 'info']);
	expect(hintsIn(run).split('\n')).toEqual([
		'1 accepted, 1 skipped, 1 not sent: Title (1). What failed says why in its item.',
		'{{ $json.title }} in Title is empty. Correct it, or leave such items out with a Filter node. Item 0 (K-1).',
		expect.stringMatching(/^Item 2 \(K-2\): 1 message was skipped because this run has the same/),
	]);
	const shown = { ...parameters, options: { previewOnly: true } };
	const told = hintsIn(await node.start({ parameters: shown, rows, onError }));
	expect(told).toMatch(/^1 previewed, 1 skipped, 1 not sent: Title \(1\)\./);
	expect(told).not.toMatch(/Preview: |requests? in all/);
});

test.each([
	['a push', order.pushToAll, 'everyone on web', 'title'],
	['an email', order.emailToAll, 'everyone', 'campaign name'],
])('Of %s to all by hand, the first box says what can still be done', async (...one) => {
	const [, toAll, whom, name] = one;
	const run = await node.start({ parameters: { ...toAll, testRuns: 'send' }, mode: 'manual' });
	expect(hintsIn(run).split('\n')[0]).toBe(
		`This run by hand sent 1 broadcast to real people: ${whom}. n8n cannot change, cancel or recall it. If it was not meant, ask the service's support at once; a correction goes out under another ${name}.`,
	);
});

test('A retry that turns green warns of a message that may never have arrived, in the output and the log', async () => {
	node.loseOnce('"C-1"');
	const first = await node.start({ rows: rowsOf(2), parameters: perRow });
	expect(first.error?.message).toContain('may or may not have been delivered');
	const second = await node.retry(first);
	expect(second.error).toBeUndefined();
	expect(inShort(second)).toMatch(/unknown/);
	const warning = '1 message of an earlier attempt may never have arrived: item 1';
	const check = 'Check in the account: nothing of it is sent again.';
	const box = second.hints.find(({ type }) => type === 'warning');
	expect(box?.message).toBe(`${warning} (C-1). ${check}`);
	expect(lines).toContainEqual(['warn', `${warning} (counted from 0). ${check}`]);
});
