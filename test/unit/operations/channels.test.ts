// First, so that everything else is loaded with this channel.
import { fax } from './support/fax';

import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { outputSchemas } from '../../../scripts/docs/outputSchemas';
import { reference } from '../../../scripts/docs/reference';
import { agentTool } from '../../engine/support/agentTool';
import { execute, type Order, subjectOf, workflowOf } from '../../engine/support/engine';
import { type LocalServer, startServer } from '../../engine/support/localServer';
import { useNewStore } from '../../engine/support/memoryStore';
import { pageOf } from '../../engine/support/pages';

const { description } = new CustomerMessaging();
const values = fax.operations.map(({ value }) => value);

let server: LocalServer;
let status: number;
beforeAll(async () => {
	server = await startServer((response) => response.writeHead(status).end('{}'));
});
beforeEach(() => {
	useNewStore();
	status = 200;
	server.received.length = 0;
});
afterAll(async () => await server.close());

const sender = { faxSenderName: 'Acme', faxSenderMobile: '+4930123456' };
const credentialOf = (fields: object = {}) => ({
	...server.urls,
	...{ brandId: 'b', apiKey: 'k', defaultSenders: true, ...sender, ...fields },
});
const numbers = ['+4930111111', '+4930222222', '+4930333333'];
const rows = numbers.map((number) => ({ number }));
const toOne: INodeParameters = {
	resource: 'fax',
	operation: 'transmit',
	fax_number: '={{ $json.number }}',
	letter: 'We move to a new office',
};
const toAll: INodeParameters = {
	resource: 'fax',
	operation: 'broadcastAll',
	letter: 'We move to a new office',
};

async function run(parameters: INodeParameters, fields: object = {}, rest: Partial<Order> = {}) {
	const report = await execute({ parameters, rows, credential: credentialOf(fields), ...rest });
	const { output, error, hints } = report;
	return {
		...report,
		outcomes: output.map(({ json: { outcome, reason } }) =>
			[outcome, reason].filter((one) => typeof one === 'string').join(' '),
		),
		said: [error?.message, error?.description, ...hints.map(({ message }) => message)].join('\n'),
	};
}
const arrived = () =>
	server.received.map(({ path, body }) => [path, (JSON.parse(body) as IDataObject).fax_number]);

/** The properties of the form for an operation, and of its collections. */
function shownFor(operation: string): INodeProperties[] {
	return description.properties.filter(({ displayOptions: { show = {} } = {} }) => {
		const { resource = ['fax'], operation: operations = [operation] } = show;
		return resource.includes('fax') && operations.includes(operation);
	});
}

test('The form offers the channel and its operations, and begins with a push as before.', () => {
	const choices = (name: string, resource?: string) =>
		description.properties.find(
			(one) =>
				one.name === name &&
				(!resource || one.displayOptions?.show?.resource?.includes(resource) === true),
		);
	const names = choices('resource')?.options?.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(['Custom Request', 'Email', 'Fax', 'Push', 'User']));
	expect(names).toEqual([...(names ?? [])].sort());
	expect(choices('resource')?.default).toBe('push');
	expect(choices('operation')?.displayOptions).toEqual({ show: { resource: ['push'] } });
	const offered = choices('operation', 'fax');
	expect(offered?.options?.map((one) => 'value' in one && one.value)).toEqual(values);
	expect(offered?.default).toBe('transmit');
	expect(description.subtitle).toContain('Fax → everyone');
});

test('The form of each operation has its fields, its guards and what all messages have.', () => {
	const namesOf = (operation: string) => shownFor(operation).map(({ name }) => name);
	const everywhere = ['letter', 'senderFrom', 'sender_name', 'sender_mobile', 'additionalFields'];
	const once = ['sendOnce', 'sendOnceKey', 'sendOncePeriod', 'sendAt', 'scheduledFor'];
	expect(namesOf('broadcastAll')).toEqual(
		expect.arrayContaining([...everywhere, ...once, 'testRuns', 'sendNotice', 'maxBroadcasts']),
	);
	expect(namesOf('broadcastAll')).toContain('toolNotice');
	expect(namesOf('broadcastSegment')).toContain('segment_id');
	expect(namesOf('transmit')).toEqual(
		expect.arrayContaining([...everywhere, ...once, 'testRuns', 'recipientBy', 'fax_number']),
	);
	expect(namesOf('transmit')).toContain('maxBroadcasts');
	expect(namesOf('sendAndWait')).toEqual(expect.arrayContaining(['message', 'responseType']));
	expect(namesOf('transmit')).not.toContain('time');
	const additional = shownFor('transmit').find(({ name }) => name === 'additionalFields');
	expect(additional?.options?.map(({ name }) => name)).toEqual([
		'consent',
		'extraBodyFields',
		'logo_url',
	]);
});

test('The options of messages are offered, and no others.', () => {
	const { options = [] } = description.properties.find(({ name }) => name === 'options') ?? {};
	const offered = (options as INodeProperties[]).filter(
		({ displayOptions }) => displayOptions?.show?.['/resource']?.includes('fax') !== false,
	);
	const names = offered.map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			...['maxMessages', 'maxPerMinute', 'sendDuplicates', 'messageButtonLabel', 'limitWaitTime'],
			...['previewOnly', 'retryUnknown', 'skipTextCheck', 'defaultCountry', 'concurrency'],
		]),
	);
	const ofOthers = ['batchSize', 'leaveOutInvalid', 'sendEmptyValues'];
	expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(ofOthers.join('|'))]));
	expect(names).not.toContain('replaceTypographicCharacters');
});

test('The form warns before a run.', () => {
	const warnings = (parameters: INodeParameters) => {
		const workflow = workflowOf(subjectOf({ parameters }), rows);
		const items = rows.map((json) => ({ json }));
		const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
			workflow.expression.getParameterValue(
				...([displayCondition, null, 0, 0, 'Customer Messaging', items, 'manual', {}] as const),
			),
		);
		return shown.map(({ message }) => message).join('\n');
	};
	const sends = { recipientBy: 'fax_number', testRuns: 'send' };
	expect(warnings({ ...toOne, ...sends })).toMatch(
		/^One click on Execute step sends 2 to 10 messages, one for each input item. To see them first, set/,
	);
	expect(warnings({ ...toAll, testRuns: 'send', maxBroadcasts: 1 })).toMatch(
		/broadcast of its own[^]*real people/,
	);
	expect(warnings({ ...toOne, options: { retryUnknown: true } })).toContain('message twice');
});

test.each([new CustomerMessagingApi(), new CustomerMessagingPartnerApi()])(
	'Each credential has its sender, its test recipient and its limit.',
	({ properties }) => {
		const find = (name: string) => properties.find((property) => property.name === name);
		const behind = (name: string) => Object.keys(find(name)?.displayOptions?.show ?? {});
		expect(['faxSenderName', 'faxSenderMobile', 'testFax', 'faxLimit'].map(behind)).toEqual([
			...[['defaultSenders'], ['defaultSenders'], ['testRecipient'], ['customLimits']],
		]);
		expect(find('faxSenderMobile')?.displayName).toBe('Fax Sender Mobile');
		expect(find('faxLimit')).toMatchObject({
			displayName: 'Fax Limit per Minute',
			default: 77,
		});
	},
);

describe('A run', () => {
	it('sends each message to its path, with the sender of the credential', async () => {
		const { outcomes, output } = await run(toOne, {}, { timezone: 'UTC' });
		expect(outcomes).toEqual(['accepted', 'accepted', 'accepted']);
		expect(output[0]?.json).toMatchObject({ resource: 'fax', fax_number: numbers[0] });
		expect(arrived()).toEqual(numbers.map((number) => ['/api/v1/fax/transmit', number]));
		expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
			letter: 'We move to a new office',
			sender_name: 'Acme',
			sender_mobile: '+4930123456',
		});
	});

	it('is refused without a default sender, and says which fields to fill in', async () => {
		const { said } = await run(toOne, { defaultSenders: false });
		expect(said).toContain("fill in 'Fax Sender Name', 'Fax Sender Mobile' there");
		expect(arrived()).toEqual([]);
	});

	it('calls a fax a fax where one fails', async () => {
		status = 400;
		const { said } = await run(toOne, {}, { rows: rows.slice(0, 1) });
		expect(said).toContain('The service refused the fax (400)');
	});

	it('counts against its own limit', async () => {
		const limited = { customLimits: true, faxLimit: 2 };
		const many = Array.from({ length: 9 }, (_, index) => ({ number: `+493011111${index}` }));
		const { said } = await run({ ...toOne, options: { maxWait: 1 } }, limited, { rows: many });
		expect(said).toContain('9 requests at 2 per minute wait for the rate limit');
	});

	it('shows its preview', async () => {
		const { output } = await run({
			...toOne,
			additionalFields: { logo_url: 'https://example.com/logo.png' },
			options: { previewOnly: true },
		});
		expect(output[0]?.json).toMatchObject({
			outcome: 'preview',
			characters: { letter: { count: 23 } },
		});
		const page = pageOf(output[0]);
		for (const shown of [
			'Fax: Transmit',
			'We move to a new office',
			numbers[0],
			'logo.png',
			'Acme',
		])
			expect(page).toContain(shown);
		expect(page).not.toContain('Part 1');
		expect(arrived()).toEqual([]);
	});

	it('sends the first as a test to the test recipient', async () => {
		const test = { testRecipient: true, testFax: '+49 30 999999' };
		for (const parameters of [toOne, toAll]) {
			server.received.length = 0;
			useNewStore();
			const tested = { ...parameters, testRuns: 'testRecipient' };
			await run(tested, test, { mode: 'manual', rows: rows.slice(0, 1) });
			expect(arrived()).toEqual([['/api/v1/fax/transmit', '+4930999999']]);
		}
		const { said } = await run({ ...toOne, testRuns: 'testRecipient' }, {}, { mode: 'manual' });
		expect(said).toContain('switch on Test Recipient and fill in Test Fax');
	});
});

describe('The guards', () => {
	it('stop what exceeds Max Messages', async () => {
		const { said } = await run({ ...toOne, options: { maxMessages: 2 } });
		expect(said).toContain('This run would send 3 messages, and Max Messages is 2');
		expect(arrived()).toEqual([]);
	});

	it('send the same message once', async () => {
		const { outcomes } = await run({ ...toOne, fax_number: String(numbers[0]) });
		expect(outcomes).toEqual(['accepted', 'skipped sameMessage', 'skipped sameMessage']);
	});

	it('leave out who has not agreed, and ask for consent', async () => {
		const parameters = { ...toOne, additionalFields: { consent: '={{ $itemIndex === 1 }}' } };
		expect((await run(parameters)).outcomes).toEqual([
			'skipped noConsent',
			'accepted',
			'skipped noConsent',
		]);
		const { said } = await run(toOne, { requireConsent: true });
		expect(said).toContain('The credential requires consent');
	});

	it('leave out who is not in Only These Recipients, in any spelling, and refuse other ways', async () => {
		const limited = { limitRecipients: true, onlyRecipients: '0049 30 222222' };
		expect((await run(toOne, limited)).outcomes).toEqual([
			'skipped recipientNotAllowed',
			'accepted',
			'skipped recipientNotAllowed',
		]);
		for (const parameters of [toAll, { ...toOne, recipientBy: 'campaign_id', campaign_id: 5 }])
			expect((await run(parameters, limited)).said).toContain("'Only These Recipients' is on");
		expect(arrived()).toHaveLength(1);
	});

	it('show a broadcast by hand, and send it once a day if it is to be sent', async () => {
		const byHand: Partial<Order> = { mode: 'manual', rows: [{}], timezone: 'UTC' };
		expect((await run(toAll, {}, byHand)).outcomes).toEqual(['preview']);
		const sending = { ...toAll, testRuns: 'send' };
		expect((await run(sending, {}, byHand)).outcomes).toEqual(['accepted']);
		const again = await run(sending, {}, byHand);
		expect(again.outcomes).toEqual(['skipped sentBefore']);
		expect(again.said).toContain('went out today already');
	});

	it('stop what exceeds Max Broadcasts, to a campaign too', async () => {
		const toCampaign = { ...toOne, recipientBy: 'campaign_id', campaign_id: 5 };
		for (const parameters of [toAll, toCampaign])
			expect((await run(parameters)).said).toContain('Max Broadcasts');
		expect(arrived()).toEqual([]);
	});

	it('keep custom requests from its broadcasts, campaigns and people who have not agreed', async () => {
		const post = (path: string, body: object) => ({
			...{ resource: 'customRequest', operation: 'post', host: 'mailUrl', api: 'fax', path },
			body: JSON.stringify(body),
		});
		const toBroadcast = await run(post('/api/v1/fax/broadcast/all', {}));
		expect(toBroadcast.said).toMatch(/Use an operation of Push, Email, SMS.* or Fax instead/);
		const toCampaign = await run(post('/api/v1/fax/Transmit', { campaign_id: 1 }));
		expect(toCampaign.said).toMatch(/Use Send to User of Email, SMS.* or Fax/);
		const toPerson = post('/api/v1/fax/transmit/', { fax_number: numbers[0] });
		const refused = await run(toPerson, { requireConsent: true });
		expect(refused.said).toMatch(/Use Send to User of Push, Email, SMS.* or Fax/);
		expect(arrived()).toEqual([]);
		const harmless = await run(post('/api/v1/report/fax', {}), { requireConsent: true });
		expect(harmless.outcomes[0]).toBe('accepted');
	});

	it('keep an address from ending in the path of its campaigns', async () => {
		const { said } = await run(toOne, { mailUrl: `${server.url}/transmit` });
		expect(said).toContain('has a path that cannot be used');
	});

	it('keep numbers out of messages that n8n writes into its log', async () => {
		const { error } = await run(
			{ ...toOne, fax_number: '12345678901234' },
			{},
			{
				rows: [{}],
			},
		);
		expect(error?.message).toContain("Fax Number '…' has no country code");
	});
});

describe('The rules for AI agents', () => {
	const tool = (parameters: INodeParameters) =>
		agentTool({ parameters, credential: credentialOf() });
	const answerOf = async (parameters: INodeParameters, args: object) => {
		const answer: unknown = await tool(parameters)
			.invoke(args)
			.catch((error: unknown) => error);
		return answer instanceof Error ? answer.message : String(answer);
	};

	it('let a model fill in the text and the number', async () => {
		const parameters = {
			...toOne,
			fax_number: "={{ $fromAI('fax_number') }}",
			letter: "={{ $fromAI('letter') }}",
		};
		await answerOf(parameters, { fax_number: numbers[0], letter: 'Hello' });
		expect(arrived()).toEqual([['/api/v1/fax/transmit', numbers[0]]]);
	});

	it.each([
		['a campaign', { recipientBy: 'campaign_id', campaign_id: "={{ $fromAI('id') }}" }],
		['the sender', { senderFrom: 'define', sender_name: "={{ $fromAI('name') }}" }],
		['a row of its own words', { letter: '={{ $json.letter }}' }],
	])('keep a model from choosing %s', async (_, more) => {
		const parameters = { ...toOne, fax_number: String(numbers[0]), ...more };
		expect(await answerOf(parameters, { id: '5', name: 'x' })).toContain('is left to the model');
		expect(arrived()).toEqual([]);
	});

	it('ask for a key of Send Once for a broadcast', async () => {
		expect(await answerOf(toAll, {})).toContain("Turn on 'Send Once'");
	});
});

test('The generated pages describe it.', () => {
	const page = reference();
	expect(page).toContain('## Fax\n');
	expect(page).toContain('count against the limit `fax`, 77 a minute');
	expect(page).toContain('`{mail_url}/api/v1/fax/transmit` (§4.9)');
	expect(page).toMatch(/- Letter `letter` \*AI\*/);
	expect(page).toMatch(/Messages are Push, Email, SMS.* and Fax;/);
	const files = [...outputSchemas().keys()].filter((file) => file.includes('/fax/'));
	expect(files.map((file) => file.split('/').at(-1))).toEqual(
		values.map((value) => `${value}.json`),
	);
	const schema = outputSchemas().get(String(files.find((file) => file.includes('broadcastAll'))));
	expect(Object.keys(schema?.properties ?? {})).toContain('fax_number');
});

test('Every path of a broadcast says that it is one, by which custom requests are told from it.', () => {
	const broadcasts = resources
		.flatMap(({ operations }) => operations)
		.filter(({ isBroadcast }) => isBroadcast);
	for (const { path } of broadcasts) expect(path).toMatch(/\/broadcast(\/|$)/);
});
