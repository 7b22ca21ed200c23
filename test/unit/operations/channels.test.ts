// First, so that everything else is loaded with this channel.
import './support/fax';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../../credentials/CustomerMessagingPartnerApi.credentials';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { execute, type Order } from '../../engine/support/engine';
import { type LocalServer, startServer } from '../../engine/support/localServer';
import { useNewStore } from '../../engine/support/memoryStore';
import { customPost } from '../../engine/support/orders';
import { everyOperation, shownIn, withDefaults } from '../support/form';

let server: LocalServer;
beforeAll(async () => {
	server = await startServer((response) => response.end('{}'));
});
beforeEach(() => {
	useNewStore();
	server.received.length = 0;
});
afterAll(async () => await server.close());

const account = {
	brandId: 'b',
	apiKey: 'k',
	defaultSenders: true,
	faxSenderName: 'Acme',
	faxSenderMobile: '+4930123456',
};
const rows = ['+4930111111', '+4930222222', '+4930333333'].map((number) => ({ number }));
const letter = 'We move to a new office';
const toOne = { resource: 'fax', operation: 'transmit', fax_number: '={{ $json.number }}', letter };
const toCampaign = { ...toOne, recipientBy: 'campaign_id', campaign_id: 5 };

async function run(parameters: INodeParameters, fields: object = {}, rest: Partial<Order> = {}) {
	const credential = { ...server.urls, ...account, ...fields };
	const { output, error, hints } = await execute({ parameters, rows, credential, ...rest });
	return {
		outcomes: output.map(({ json }) => json.reason ?? json.outcome),
		said: [error?.message, error?.description, ...hints.map(({ message }) => message)].join('\n'),
	};
}
const arrived = () =>
	server.received.map(({ path, body }) => [path, (JSON.parse(body) as IDataObject).fax_number]);

test('The form offers the channel with its operations and fields', () => {
	const ofFax = everyOperation.filter(([resource]) => resource === 'fax');
	expect(ofFax).toEqual([['fax', 'transmit']]);
	const chosen = { resource: 'fax', operation: 'transmit', senderFrom: 'define' };
	const shown = shownIn(withDefaults(chosen));
	const names = ['recipientBy', 'fax_number', 'letter', 'sender_mobile', 'testRuns', 'sendAt'];
	expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
	const added = shown.find(({ name }) => name === 'additionalFields')?.options ?? [];
	expect(added.map(({ name }) => name)).toEqual(['consent', 'logo_url', 'extraBodyFields']);
});

const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];
test.each(credentials)('$name has its sender, its test recipient and its limit', (credential) => {
	const find = (name: string) => credential.properties.find((property) => property.name === name);
	const behind = (name: string) => Object.keys(find(name)?.displayOptions?.show ?? {});
	const switches = ['faxSenderName', 'faxSenderMobile', 'testFax', 'faxLimit'].flatMap(behind);
	expect(switches.join(' ')).toBe('defaultSenders defaultSenders testRecipient customLimits');
	expect(find('faxLimit')).toMatchObject({ displayName: 'Fax Limit per Minute', default: 77 });
});

test('Each message goes to its path, with the sender of the credential', async () => {
	expect((await run(toOne)).outcomes).toEqual(['accepted', 'accepted', 'accepted']);
	expect(arrived()).toEqual(rows.map(({ number }) => ['/api/v1/fax/transmit', number]));
	expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
		...{ letter, sender_name: 'Acme', sender_mobile: '+4930123456' },
	});
});

const post = { ...customPost, host: 'mailUrl', api: 'fax', path: '/api/v1/fax/broadcast/all' };
const impatient = { ...toOne, options: { maxWait: 1 } };
const limited = { customLimits: true, faxLimit: 2 };
const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => ({ number: `+493011111${digit}` }));

test.each<[RegExp, INodeParameters, object?, Partial<Order>?]>([
	[/fill in 'Fax Sender Name', 'Fax Sender Mobile' there/, toOne, { defaultSenders: false }],
	[/fill in Test Fax/, { ...toOne, testRuns: 'testRecipient' }, {}, { mode: 'manual' }],
	[/'Only These Recipients' is on/, toCampaign, { limitRecipients: true, onlyRecipients: 'C-1' }],
	[/Max Broadcasts/, toCampaign],
	[/Use an operation of Push, Email, SMS.* or Fax/, post],
	[/9 requests at 2 per minute wait for the rate limit/, impatient, limited, { rows: nine }],
])('A run says: %p', async (...[said, parameters, fields = {}, rest = {}]) => {
	expect((await run(parameters, fields, rest)).said).toMatch(said);
	expect(arrived()).toEqual([]);
});

test('Every path of a broadcast says that it is one, by which custom requests are told from it', () => {
	const operations = resources.flatMap((resource) => resource.operations);
	for (const { path } of operations.filter(({ isBroadcast }) => isBroadcast))
		expect(path).toMatch(/\/broadcast(\/|$)/);
});
