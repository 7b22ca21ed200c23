import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { everyOperation, shownIn, withDefaults } from './support/form';

type Values = INodeParameters;

function shownFor(asked: string, changed: Values = {}): INodeProperties[] {
	const [resource, operation] = asked.split(' ');
	return shownIn(withDefaults({ resource, operation, ...changed }));
}

/** What somebody sees who chooses an operation and changes some values: the labels, from top to bottom. */
function formOf(asked: string, changed: INodeParameters = {}) {
	const [resource, operation] = asked.split(' ');
	const values = withDefaults({ resource, operation, ...changed });
	const shown = shownIn(values);
	const labels = shown
		.filter(({ name }) => !['authentication', 'resource', 'operation'].includes(name))
		.map(({ displayName, type }) => (type === 'notice' ? `(${displayName})` : displayName));
	const listOf = (name: string) => {
		const among = (shown.find((one) => one.name === name)?.options ?? []) as INodeProperties[];
		return shownIn(values, { among }).map(({ displayName }) => displayName);
	};
	return { labels, more: listOf('additionalFields'), options: listOf('options') };
}

const lists = ', Additional Fields, Options';
const guards = 'Send At, When Run by Hand, Send Once';
const ofPush = `Title, Message, URL, ${guards}`;
const ofEmail = `Subject, Email Type, Content, Campaign Name, Sender, ${guards}`;
const ofSms = `Message, Campaign Name, Sender, ${guards}`;
const toAll = `Platforms, ${ofPush}, Max Broadcasts`;
const question = 'Subject, Message, Campaign Name, Sender, Response Type, Approval Options';
const ofEvent = 'Event Name, Data Mode, User ID, Attributes, Event Time';
const byColumns = 'User ID Column, Name Column, Email Column, Mobile Column, Ignore Columns';
const mapped = { dataMode: 'autoMapInputData' };
const timed = { event_time: '2026-11-23 09:30' };
const toCampaign = { recipientBy: 'campaign_id', testRuns: 'send' };
const sends = '(<b>Execute step</b> sends this to real people. It cannot be recalled.)';

test.each<[string, string, INodeParameters?]>([
	['push send', `Platforms, Recipient By, User ID, ${ofPush}`],
	['email send', `Recipient By, Email, ${ofEmail}`],
	['sms send', `Recipient By, Mobile, ${ofSms}`],
	['sms broadcastSegment', `Segment, ${ofSms}, Max Broadcasts`],
	['push broadcastAll', `(This reaches everyone. By hand, only if you choose Send.), ${toAll}`],
	['email send', `${sends}, Recipient By, Campaign ID, ${ofEmail}, Max Broadcasts`, toCampaign],
	['email sendAndWait', `Recipient By, Email, ${question}, When Run by Hand`],
	['user create', 'Data Mode, User ID, Name, Email, Mobile, Custom Attributes'],
	['user create', `Data Mode, ${byColumns}`, mapped],
	['event track', `${ofEvent}, Send Once`],
	['event track', `${ofEvent}, Timezone Name or ID, Send Once`, timed],
	['customRequest post', 'Host, Path, Body, Rate Limit, Send Once'],
])('The form of %s, from top to bottom', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).labels.join(', ')).toBe(labels + lists);
});

const buttons = 'Button One Title, Button Two Title, Button Two URL';
const devices = 'Android ID, iOS Identifier for Vendor';
const tracking = 'Track Opens, Track Clicks, Track Replies';
const restraint = 'Do Not Disturb, Frequency Capping';

test.each<[string, string, INodeParameters?]>([
	['push send', `Image URL, Hero Image URL, ${buttons}, Tag, Notification ID`],
	['push send', `Image URL, Tag, Notification ID, ${devices}`, { platforms: ['android', 'ios'] }],
	['email send', `Reply To, CC Email, Segment, ${tracking}, ${restraint}`],
	['sms send', `Segment, ${restraint}`],
])('The additional fields of %s, in order', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).more.join(', ')).toBe(`Consent, ${labels}, Extra Body Fields`);
});

const last = 'Skip Text Check, Resend Unconfirmed, Max Wait (Minutes)';
const timing = 'Parallel Requests, Request Timeout (Seconds)';
const result = 'Include Input Fields, Preview Only';
const country = 'Default Country';
const replaced = `${country}, Replace Typographic Characters`;
const button = 'Limit Wait Time, Response Form Button Label';
const toOne = `${result}, Max Messages, Allow Duplicates, ${last}, ${timing}`;
const inBatches = `${result}, ${last}, Batch Size, ${timing}`;
const toMany = `${result}, Allow Duplicates, ${last}, ${timing}`;
const asking = `${result}, ${last}, Request Timeout (Seconds)`;

test.each<[string, string, INodeParameters?]>([
	['push send', toOne],
	['push broadcastAll', toMany],
	['email send', toOne],
	['email send', `${country}, ${toOne}`, { recipientBy: 'mobile' }],
	['sms send', `${replaced}, ${toOne}`],
	['sms broadcastAll', `${replaced}, ${toMany}`],
	['user create', `${country}, Leave Out Invalid Values, Send Empty Values, ${inBatches}`],
	['event track', inBatches],
	['customRequest post', `${result}, ${last}, ${timing}`],
	['push sendAndWait', `Limit Wait Time, ${asking}`],
	['email sendAndWait', `Limit Wait Time, Message Button Label, ${asking}`],
	['sms sendAndWait', `${replaced}, ${button}, ${asking}`, { responseType: 'freeText' }],
	// Any operation may be meant.
	['push ={{ $json.what }}', `${button}, ${toOne}`],
])('The options of %s, in order of use', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).options.join(', ')).toBe(labels);
});

test('Preview Only is on once it is added', () => {
	const options = shownIn({ resource: 'push', operation: 'send' }).at(-1)
		?.options as INodeProperties[];
	expect(options.find(({ name }) => name === 'previewOnly')?.default).toBe(true);
});

test.each(everyOperation)('The form of %s %s has no more than one notice', (...names) => {
	for (const testRuns of ['send', 'preview', 'testRecipient'])
		for (const recipientBy of [undefined, 'campaign_id']) {
			const { labels } = formOf(names.join(' '), { testRuns, ...(recipientBy && { recipientBy }) });
			expect(labels.filter((label) => label.startsWith('(')).length).toBeLessThan(2);
		}
});

const toOneExample = ['Your order is on its way', 'It arrives tomorrow'];
const toManyExample = ['Spring sale starts today', '20 % off until Sunday'] as const;
const questionExample = ['Your decision by 17:00', 'May the campaign go out?'];
const page = 'https://example.com/page';

test.each<[string, string[]]>([
	['push send', ['C-1001', ...toOneExample, page]],
	['push broadcastAll', [...toManyExample, page]],
	['push sendAndWait', ['C-1001', ...questionExample]],
	['email send', ['nathan@example.com', 'Your invoice', '<p>Hello Anna</p>', 'Order confirmation']],
	['email broadcastAll', [toManyExample[0], '<p>20 % off until Sunday</p>', 'Spring sale 2027']],
	['email sendAndWait', ['nathan@example.com', ...questionExample, 'Order confirmation']],
	['sms send', ['+4915112345678', 'Your appointment is tomorrow', 'Order confirmation']],
	['sms broadcast', ['20 % off until Sunday', 'Spring sale 2027']],
])('The examples of %s fit what is sent, and to whom', (asked, examples) => {
	const shown = shownFor(asked);
	const found = shown.flatMap(({ type, placeholder = '' }) =>
		type === 'string' && placeholder !== '' ? [placeholder.replace('e.g. ', '')] : [],
	);
	expect(found).toEqual(examples);
});

const describes = (form: INodeProperties[], label: string) =>
	form.find(({ displayName }) => displayName === label)?.description;
const ofShop = 'the ID your shop or CRM uses for this person';
const theID = 'The ID your shop or CRM uses for this person';
const ofDevice = 'One browser or device. Ask whoever made your website or app for it.';
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];

test.each<[string, Values, string, string]>([
	['push send', {}, 'User ID', theID],
	['user create', mapped, 'User ID Column', `Name of the column with ${ofShop}`],
	['push send', { recipientBy: 'subscription_id' }, 'Subscription ID', ofDevice],
])('In the form of %s with %j, %s says whose it is and where it is found', (...one) => {
	const [asked, changed, label, said] = one;
	expect(describes(shownFor(asked, changed), label)).toBe(said);
});

test('In the credential, IDs say whose they are and where they are found', () => {
	expect(describes(new CustomerMessagingApi().properties, 'Brand ID')).toBe(
		"Identifies your account at the service. Ask the service's support if the API key's page does not show it.",
	);
	for (const { properties: form } of credentials)
		expect(describes(form, 'Test User ID')).toBe(`Who receives test pushes: ${ofShop}`);
});

test.each(credentials)('The form of $name has one notice, at its end', ({ properties: form }) => {
	const notices = form.filter(({ type }) => type === 'notice');
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		'The test checks the key with the user API only, and sends nothing.',
	]);
	expect(form.at(-1)).toBe(notices[0]);
});

test('A button without a link of its own says so', () => {
	const shown = shownFor('push send');
	const more = shown.find(({ name }) => name === 'additionalFields')?.options as INodeProperties[];
	expect(describes(more, 'Button One Title')).toBe('First button. The API has no link for it.');
	expect(more.map(({ name }) => name)).not.toContain('button_one_url');
});
