import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { pageOf } from '../support/pages';
import { bodies, run, useSandbox } from '../support/service';

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
		const options = { skipTextCheck: true, sendDuplicates: true };
		expect(await refusals({ ...welcome, options })).toEqual([]);
		expect(bodies(sandbox()).map((body) => (body as IDataObject).title)).toEqual([
			'Welcome, Ann!',
			'Welcome, !',
			'Welcome, !',
		]);
	});
});

describe('A text with a bare name, which n8n reads as empty', () => {
	it.each<[title: string, columns: string[], message: string]>([
		['Hi {{ name }}!', ['id', 'Name'], '{{ name }} is empty. Did you mean {{ $json.Name }}?'],
		[
			'Hi {{first_name}}!',
			['Last Name', 'First Name'],
			'{{ first_name }} is empty. Did you mean {{ $json["First Name"] }}?',
		],
		['Hi {{ json.name }}!', ['name'], '{{ json.name }} is empty. Did you mean {{ $json.name }}?'],
		['Hi {{ $name }}!', ['names'], '{{ $name }} is empty. Did you mean {{ $json.names }}?'],
		[
			'Hi {{ contact.firstname }}!',
			['email', 'contact_firstname', 'Vorname'],
			'{{ contact.firstname }} is empty. Did you mean {{ $json.contact_firstname }}?',
		],
		['{{ name }}', ['Mail', 'Vorname'], '{{ name }} is empty. Did you mean {{ $json.Vorname }}?'],
		[
			'Hi {{ name }}!',
			[],
			"{{ name }} is empty. Write a column as {{ $json.column }}, or turn on 'Skip Text Check'",
		],
	])('is refused in %j with the nearest of the columns %j', async (title, columns, message) => {
		const row = Object.fromEntries(columns.map((column) => [column, 'x']));
		expect(await refusals({ ...order.pushSend, title: `=${title}` }, [row])).toEqual([
			`Title: ${message}`,
		]);
		expect(bodies(sandbox())).toEqual([]);
	});

	it('is sent where n8n knows the name', async () => {
		const title = '=On {{ $today.year > 2000 }} {{ $itemIndex }}';
		expect(await refusals({ ...order.pushSend, title }, [{}])).toEqual([]);
		expect(bodies(sandbox())).toMatchObject([{ title: 'On true 0' }]);
	});
});

describe('A broadcast whose text comes from a row', () => {
	const broadcast = { ...order.emailToAll, subject: '=Liebe {{ $json.name }}' };
	const told = async (parameters: INodeParameters, mode?: 'manual') =>
		(await run(sandbox(), parameters, { rows: [{ name: 'Ann' }], mode })).hints
			.map(({ message }) => message)
			.filter((message) => message.includes('everybody'));

	it.each<[string, INodeParameters, 'manual' | undefined]>([
		['in a preview', { testRuns: 'preview' }, 'manual'],
		['after it was sent', {}, undefined],
	])('is named with its value %s', async (_, more, mode) => {
		expect(await told({ ...broadcast, ...more }, mode)).toEqual([
			"A broadcast says the same to everybody: {{ $json.name }} in Subject is 'Ann' for all of its recipients. To write to each person by name, use 'Send to User' with one item for each person.",
		]);
	});

	it.each<INodeParameters>([
		{ ...order.emailToAll, campaign_name: '=Sale {{ $json.name }}' },
		{ ...order.emailToAll, subject: '={{ $json.name }}' },
		{ ...order.emailSend, subject: '=Liebe {{ $json.name }}' },
	])('is not named where that is usual: %j', async (parameters) => {
		expect(await told(parameters)).toEqual([]);
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
		const page = pageOf(output[0]);
		expect(page).toContain('Welcome, !');
		expect(page).toMatch(
			/<dt>Placeholders<\/dt>\s*<dd>\s*<bdi>\w+: {{ \$json.name }}<\/bdi>\s*<span class="look">/,
		);
	});
});
