import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { bodies, run, useSandbox } from './support/service';

const sandbox = useSandbox();

const rows = [{ name: 'Ann' }, { name: '' }, {}];

/** What is wrong with each row that is refused. */
async function refusals(parameters: INodeParameters, input: IDataObject[] = rows) {
	const { failed } = await run(sandbox(), parameters, {
		rows: input,
		onError: 'continueErrorOutput',
	});
	return failed.map(({ json }) => json.error);
}

const advice = "Write {{ $json.name || 'friend' }}, or turn on 'Skip Text Check'";

describe('A text with an empty placeholder', () => {
	const welcome = { ...order.pushSend, title: '=Welcome, {{ $json.name }}!' };

	it('is refused row by row, with what to write instead', async () => {
		const message = `Title: {{ $json.name }} is empty. ${advice}`;
		expect(await refusals(welcome)).toEqual([message, message]);
		expect(bodies(sandbox())).toMatchObject([{ title: 'Welcome, Ann!' }]);
	});

	it('stops a workflow before the first request, which names its rows', async () => {
		const { error } = await run(sandbox(), welcome, { rows });
		expect(error?.message).toBe('Nothing was sent: 2 of 3 items need a correction: Title (2)');
		expect(error?.description).toContain(
			`Items 1 (C-1), 2 (C-1): Title: {{ $json.name }} is empty. ${advice}.`,
		);
		expect(bodies(sandbox())).toEqual([]);
	});

	it('is refused where n8n evaluates the rest of it', async () => {
		const title = '=Welcome, {{ $json.name }}, {{ $now.year > 2000 ? "now" : "" }}';
		expect(await refusals({ ...order.pushSend, title }, [{}])).toEqual([
			`Title: {{ $json.name }} is empty. ${advice}`,
		]);
		expect(bodies(sandbox())).toEqual([]);
	});

	it.each<[string, INodeParameters, string]>([
		['the message of a push', { ...order.pushSend, message: '=Hi {{ $json.name }}' }, 'Message'],
		['a subject', { ...order.emailSend, subject: '=Hi {{ $json.name }}' }, 'Subject'],
		[
			'the content of an email',
			{ ...order.emailSend, content: '=<p>{{$json.name}}</p>' },
			'Content',
		],
		['an SMS', { ...order.smsSend, message: '=Hi {{ $json.name }}' }, 'Message'],
		['a campaign', { ...order.smsSend, campaign_name: '=To {{ $json.name }}' }, 'Campaign Name'],
		['a sender', { ...order.emailSend, sender_name: '=For {{ $json.name }}' }, 'Sender Name'],
		['the name of a user', { ...order.createUser, name: '={{ $json.name }} Smith' }, 'Name'],
		[
			'a button',
			{ ...order.pushSend, additionalFields: { button_one_title: '=For {{ $json.name }}' } },
			'Button One Title',
		],
	])('is refused in %s', async (_, parameters, label) => {
		expect(await refusals(parameters, [{}])).toEqual([
			`${label}: {{ $json.name }} is empty. ${advice}`,
		]);
		expect(bodies(sandbox())).toEqual([]);
	});

	it('is refused in links, with a fallback for links', async () => {
		const url = '=https://shop.example.com/{{ $json.page }}';
		const additionalFields = { image_url: '=https://cdn.example.com/{{ $json.picture }}.png' };
		expect(await refusals({ ...order.pushSend, url, additionalFields }, [{}])).toEqual([
			"URL: {{ $json.page }} is empty. Write {{ $json.page || 'home' }}, or turn on 'Skip Text Check'; " +
				"Image URL: {{ $json.picture }} is empty. Write {{ $json.picture || 'home' }}, or turn on 'Skip Text Check'",
		]);
	});

	it.each([
		['where its expression has an empty case of its own', "=Welcome{{ $json.name ?? '' }}!"],
		['where a ternary writes nothing', "=Welcome{{ $json.vip ? ', VIP' : '' }}!"],
	])('is sent %s', async (_, title) => {
		expect(await refusals({ ...order.pushSend, title }, [{}])).toEqual([]);
		expect(bodies(sandbox())).toMatchObject([{ title: 'Welcome!' }]);
	});

	it.each([
		[
			'a date is missing',
			'=At {{ DateTime.fromISO($json.at).toFormat("HH:mm") }}',
			'Invalid DateTime',
		],
		['a date cannot be read', '=On {{ new Date($json.name) }}', 'Invalid Date'],
		['code adds to what is missing', '={{ "Hello " + $json.at }}', 'undefined'],
	])('is refused where %s', async (_, title, found) => {
		const [refusal] = await refusals({ ...order.pushSend, title }, [{ name: 'Ann' }]);
		expect(refusal).toContain(`contains '${found}'`);
		expect(bodies(sandbox())).toEqual([]);
	});

	it('is sent with Skip Text Check', async () => {
		expect(await refusals({ ...welcome, options: { skipTextCheck: true } })).toEqual([]);
		expect(bodies(sandbox()).map((body) => (body as IDataObject).title)).toEqual([
			'Welcome, Ann!',
			'Welcome, !',
			'Welcome, !',
		]);
	});

	it('follows the usual rules where the whole field is one expression', async () => {
		expect(await refusals({ ...order.pushSend, title: '={{ $json.name }}' }, [{}])).toEqual([
			'Title is empty. Fill it in',
		]);
	});

	it('does not matter in a field that the form hides', async () => {
		const parameters = {
			...order.createUser,
			dataMode: 'autoMapInputData',
			name: '={{ $json.name }} Smith',
		};
		expect(await refusals(parameters, [{ userID: 'C-1' }])).toEqual([]);
	});
});

describe('A preview with Skip Text Check', () => {
	const options = { previewOnly: true, skipTextCheck: true };

	it.each<[string, INodeParameters, string]>([
		['push', { ...order.pushSend, title: '=Welcome, {{ $json.name }}!' }, 'title'],
		['SMS', { ...order.smsSend, message: '=Welcome, {{ $json.name }}!' }, 'message'],
		['email', { ...order.emailSend, subject: '= Welcome, {{ $json.name }}!' }, 'subject'],
		['email', { ...order.emailSend, content: '=<p>Welcome, {{ $json.name }}!</p>' }, 'content'],
	])('names an empty placeholder in %s', async (_, parameters, field) => {
		const { output } = await run(sandbox(), { ...parameters, options }, { rows: [{}] });
		expect(output[0]?.json.emptyPlaceholders).toEqual([{ field, placeholder: '{{ $json.name }}' }]);
		const page = Buffer.from(output[0]?.binary?.preview?.data ?? '', 'base64').toString();
		expect(page).toContain('Welcome, !');
		expect(page).toMatch(
			/<th>Placeholders<\/th>\s*<td>\s*<bdi>\w+: {{ \$json.name }}<\/bdi>\s*<span class="look">/,
		);
	});

	it('says nothing of texts that are complete', async () => {
		const { output } = await run(sandbox(), { ...order.pushSend, options });
		expect(output[0]?.json).not.toHaveProperty('emptyPlaceholders');
	});
});
