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
const letter = 'We move to a new office';
const toOne = { resource: 'fax', operation: 'transmit', fax_number: '={{ $json.number }}', letter };
const toAll = { resource: 'fax', operation: 'broadcastAll', letter };
const toCampaign = { ...toOne, recipientBy: 'campaign_id', campaign_id: 5 };

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

const isShownFor = (shown: readonly unknown[] | undefined, value: string) =>
	!shown || shown.includes(value);

/** The properties of the form for an operation. */
const shownFor = (operation: string) =>
	description.properties.filter(
		({ displayOptions: { show } = {} }) =>
			isShownFor(show?.resource, 'fax') && isShownFor(show?.operation, operation),
	);

test('The form offers the channel and its operations, and begins with a push as before', () => {
	const resource = description.properties.find(({ name }) => name === 'resource');
	const names = resource?.options?.map(({ name }) => name) ?? [];
	expect(names).toEqual(expect.arrayContaining(['Custom Request', 'Email', 'Fax', 'Push', 'User']));
	expect(names).toEqual([...names].sort());
	expect(resource?.default).toBe('push');
	const operations = description.properties.filter(({ name }) => name === 'operation');
	expect(operations[0]?.displayOptions).toEqual({ show: { resource: ['push'] } });
	const offered = operations.find(({ displayOptions }) =>
		displayOptions?.show?.resource?.includes('fax'),
	);
	const values = fax.operations.map(({ value }) => value);
	expect(offered?.options?.map((one) => 'value' in one && one.value)).toEqual(values);
	expect(offered?.default).toBe('transmit');
	expect(description.subtitle).toContain('Fax → everyone');
});

test('The form of each operation has its fields, its guards and what all messages have', () => {
	const namesOf = (operation: string) => shownFor(operation).map(({ name }) => name);
	const everywhere = [
		...['letter', 'senderFrom', 'sender_name', 'sender_mobile', 'additionalFields', 'testRuns'],
		...['sendOnce', 'sendOnceKey', 'sendOncePeriod', 'sendAt', 'scheduledFor', 'maxBroadcasts'],
	];
	expect(namesOf('broadcastAll')).toEqual(
		expect.arrayContaining([...everywhere, 'sendNotice', 'toolNotice']),
	);
	expect(namesOf('transmit')).toEqual(
		expect.arrayContaining([...everywhere, 'recipientBy', 'fax_number']),
	);
	expect(namesOf('sendAndWait')).toEqual(expect.arrayContaining(['message', 'responseType']));
	expect(namesOf('transmit')).not.toContain('time');
	const additional = shownFor('transmit').find(({ name }) => name === 'additionalFields');
	expect(additional?.options?.map(({ name }) => name)).toEqual([
		...['consent', 'extraBodyFields', 'logo_url'],
	]);
});

test('The options of messages are offered, and no others', () => {
	const { options } = description.properties.find(({ name }) => name === 'options') ?? {};
	const names = (options as INodeProperties[])
		.filter(({ displayOptions }) => isShownFor(displayOptions?.show?.['/resource'], 'fax'))
		.map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			...['maxMessages', 'maxPerMinute', 'sendDuplicates', 'messageButtonLabel', 'limitWaitTime'],
			...['previewOnly', 'retryUnknown', 'skipTextCheck', 'defaultCountry', 'concurrency'],
		]),
	);
	const ofOthers = [
		'batchSize',
		'leaveOutInvalid',
		'sendEmptyValues',
		'replaceTypographicCharacters',
	];
	expect(names.filter((name) => ofOthers.includes(name))).toEqual([]);
});

const toWarn = { ...toOne, recipientBy: 'fax_number', testRuns: 'send' };

test.each<[RegExp, INodeParameters]>([
	[/^One click on .* sends 2 to 10 messages, one for each input item. To see them/, toWarn],
	[/broadcast of its own[^]*real people/, { ...toAll, testRuns: 'send', maxBroadcasts: 1 }],
	[/message twice/, { ...toOne, options: { retryUnknown: true } }],
])('The form warns before a run: %p', (warning, parameters) => {
	const workflow = workflowOf(subjectOf({ parameters }), rows);
	const items = rows.map((json) => ({ json }));
	const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
		workflow.expression.getParameterValue(
			...([displayCondition, null, 0, 0, 'Customer Messaging', items, 'manual', {}] as const),
		),
	);
	expect(shown.map(({ message }) => message).join('\n')).toMatch(warning);
});

test.each([new CustomerMessagingApi(), new CustomerMessagingPartnerApi()])(
	'Each credential has its sender, its test recipient and its limit',
	({ properties }) => {
		const find = (name: string) => properties.find((property) => property.name === name);
		const behind = (name: string) => Object.keys(find(name)?.displayOptions?.show ?? {});
		expect(['faxSenderName', 'faxSenderMobile', 'testFax', 'faxLimit'].map(behind)).toEqual([
			...[['defaultSenders'], ['defaultSenders'], ['testRecipient'], ['customLimits']],
		]);
		expect(find('faxSenderMobile')?.displayName).toBe('Fax Sender Mobile');
		expect(find('faxLimit')).toMatchObject({ displayName: 'Fax Limit per Minute', default: 77 });
	},
);

test('Each message goes to its path, with the sender of the credential', async () => {
	const { outcomes, output } = await run(toOne, {}, { timezone: 'UTC' });
	expect(outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	expect(output[0]?.json).toMatchObject({ resource: 'fax', fax_number: numbers[0] });
	expect(arrived()).toEqual(numbers.map((number) => ['/api/v1/fax/transmit', number]));
	expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
		...{ letter, sender_name: 'Acme', sender_mobile: '+4930123456' },
	});
});

test('A fax that fails is called a fax', async () => {
	status = 400;
	const { said } = await run(toOne, {}, { rows: rows.slice(0, 1) });
	expect(said).toContain('The service refused the fax (400)');
});

test('A preview shows what would be sent', async () => {
	const additionalFields = { logo_url: 'https://example.com/logo.png' };
	const { output } = await run({ ...toOne, additionalFields, options: { previewOnly: true } });
	expect(output[0]?.json).toMatchObject({
		outcome: 'preview',
		characters: { letter: { count: 23 } },
	});
	const page = pageOf(output[0]);
	for (const shown of ['Fax: Transmit', letter, numbers[0], 'logo.png', 'Acme'])
		expect(page).toContain(shown);
	expect(page).not.toContain('Part 1');
	expect(arrived()).toEqual([]);
});

test.each([toOne, toAll])(
	'The first of $operation is sent to the test recipient',
	async (parameters) => {
		const fields = { testRecipient: true, testFax: '+49 30 999999' };
		const tested = { ...parameters, testRuns: 'testRecipient' };
		await run(tested, fields, { mode: 'manual', rows: rows.slice(0, 1) });
		expect(arrived()).toEqual([['/api/v1/fax/transmit', '+4930999999']]);
	},
);

const post = (path: string, body: object) => ({
	...{ resource: 'customRequest', operation: 'post', host: 'mailUrl', api: 'fax', path },
	body: JSON.stringify(body),
});
const toPerson = { fax_number: String(numbers[0]) };
const consenting = { ...toOne, additionalFields: { consent: '={{ $itemIndex === 1 }}' } };
const requireConsent = { requireConsent: true };
const only = { limitRecipients: true, onlyRecipients: '0049 30 222222' };
const others = (why: string) => [`skipped ${why}`, 'accepted', `skipped ${why}`];

test.each<[INodeParameters, object, string[]]>([
	[consenting, requireConsent, others('noConsent')],
	// In any spelling.
	[toOne, only, others('recipientNotAllowed')],
	[post('/api/v1/report/fax', {}), requireConsent, ['accepted', 'accepted', 'accepted']],
])('Whom a guard holds back is left out: %j, %j', async (parameters, fields, outcomes) => {
	expect((await run(parameters, fields)).outcomes).toEqual(outcomes);
	expect(arrived()).toHaveLength(outcomes.filter((one) => one === 'accepted').length);
});

const toTest = { ...toOne, testRuns: 'testRecipient' };
const many = Array.from({ length: 9 }, (_, index) => ({ number: `+493011111${index}` }));

test.each<[RegExp, INodeParameters, object, Partial<Order>]>([
	[/fill in 'Fax Sender Name', 'Fax Sender Mobile' there/, toOne, { defaultSenders: false }, {}],
	[/switch on Test Recipient and fill in Test Fax/, toTest, {}, { mode: 'manual' }],
	[/The credential requires consent/, toOne, requireConsent, {}],
	[/'Only These Recipients' is on/, toAll, only, {}],
	[/'Only These Recipients' is on/, toCampaign, only, {}],
	[/Max Broadcasts/, toCampaign, {}, {}],
	[/Use an operation of Push, Email, SMS.* or Fax/, post('/api/v1/fax/broadcast/all', {}), {}, {}],
	[
		/Use Send to User of Email, SMS.* or Fax/,
		post('/api/v1/fax/Transmit', { campaign_id: 1 }),
		{},
		{},
	],
	[
		/Use Send to User of Push,.* or Fax/,
		post('/api/v1/fax/transmit/', toPerson),
		requireConsent,
		{},
	],
	[/has a path that cannot be used/, toOne, { mailUrl: 'https://mail.example/transmit' }, {}],
	// n8n writes messages into its log.
	[/Fax Number '…' has no/, { ...toOne, fax_number: '12345678901234' }, {}, { rows: [{}] }],
])('A run is refused: %p', async (said, parameters, fields, rest) => {
	expect((await run(parameters, fields, rest)).said).toMatch(said);
	expect(arrived()).toEqual([]);
});

test('A run counts against its own limit', async () => {
	const limit = { customLimits: true, faxLimit: 2 };
	const { said } = await run({ ...toOne, options: { maxWait: 1 } }, limit, { rows: many });
	expect(said).toContain('9 requests at 2 per minute wait for the rate limit');
});

describe('A model', () => {
	const answerOf = async (parameters: INodeParameters, args: object) => {
		const answer: unknown = await agentTool({ parameters, credential: credentialOf() })
			.invoke(args)
			.catch((error: unknown) => error);
		return answer instanceof Error ? answer.message : String(answer);
	};

	it('may fill in the text and the number', async () => {
		const fromModel = (name: string) => `={{ $fromAI('${name}') }}`;
		const parameters = { ...toOne, fax_number: fromModel('to'), letter: fromModel('letter') };
		await answerOf(parameters, { to: numbers[0], letter: 'Hello' });
		expect(arrived()).toEqual([['/api/v1/fax/transmit', numbers[0]]]);
	});

	it.each([
		['a campaign', { recipientBy: 'campaign_id', campaign_id: "={{ $fromAI('id') }}" }],
		['the sender', { senderFrom: 'define', sender_name: "={{ $fromAI('name') }}" }],
	])('may not choose %s', async (_, more) => {
		const answer = await answerOf({ ...toOne, ...toPerson, ...more }, { id: '5', name: 'x' });
		expect(answer).toContain('is left to the model');
		expect(arrived()).toEqual([]);
	});
});

test('The generated pages describe it', () => {
	const page = reference();
	expect(page).toContain('## Fax\n');
	expect(page).toContain('count against the limit `fax`, 77 a minute');
	expect(page).toContain('`{mail_url}/api/v1/fax/transmit` (§4.9)');
	expect(page).toMatch(/- Letter `letter` \*AI\*/);
	expect(page).toMatch(/Messages are Push, Email, SMS.* and Fax;/);
	const files = [...outputSchemas()].filter(([file]) => file.includes('/fax/'));
	expect(files.map(([file]) => file.split('/').at(-1))).toEqual(
		fax.operations.map(({ value }) => `${value}.json`),
	);
	const [, schema] = files.find(([file]) => file.includes('broadcastAll')) ?? [];
	expect(Object.keys(schema?.properties ?? {})).toContain('fax_number');
});

test('Every path of a broadcast says that it is one, by which custom requests are told from it', () => {
	for (const { path } of resources.flatMap(({ operations }) =>
		operations.filter(({ isBroadcast }) => isBroadcast),
	))
		expect(path).toMatch(/\/broadcast(\/|$)/);
});
