import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { description, everyOperation, markedIn, shownIn, withDefaults } from './support/form';
import { textOf } from './support/pages';

const valuesOf = (asked: string, changed: INodeParameters = {}) => {
	const [resource, operation] = asked.split(' ');
	return withDefaults({ resource, operation, ...changed });
};
const shownFor = (asked: string, changed?: INodeParameters) => shownIn(valuesOf(asked, changed));

/** Typed by hand from spec §4, the default first: n8n does not store it, so saved nodes would do something else. */
const operations: Record<string, string[]> = {
	email: ['send', 'broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	event: ['track'],
	push: ['send', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	sms: ['send', 'broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	user: ['create'],
	customRequest: ['post'],
};

const { properties } = description;
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];

/** A property with all those inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

const all = [description, ...credentials].flatMap(({ properties }) =>
	properties.flatMap(withInner),
);
const everything = all.filter(({ type }) => type !== 'notice');

test('The form offers the resources of the service, and begins with push', () => {
	const options = Object.keys(operations).map((value) => ({ value }));
	const field = properties.find(({ name }) => name === 'resource');
	expect(field).toMatchObject({ default: 'push', options });
});

test.each(Object.entries(operations))('Of %s, the form offers %j', (resource, offered) => {
	const found = everyOperation.filter(([one]) => one === resource).map(([, one]) => one);
	expect(found.sort()).toEqual([...offered].sort());
	expect(withDefaults({ resource }).operation).toBe(offered[0]);
});

test.each(everyOperation)('The form of %s %s shows no name twice', (resource, operation) => {
	const [when, by] = ['={{ $json.when }}', '={{ $json.by }}'];
	const choices = ['now user_id', 'delay email', 'next user_id'].map((one) => one.split(' '));
	for (const [sendAt, recipientBy] of [...choices, ['at', by], [when, 'email'], [when, by]]) {
		const seen = shownIn({ resource, operation, sendAt, recipientBy }).map(({ name }) => name);
		expect(seen.length).toBeGreaterThan(4);
		expect(seen).toEqual([...new Set(seen)]);
	}
});

const ofMail = ['subject', 'content', 'campaign_name'];
const ofSender = ['sender_name', 'sender_email', 'serviceproviderID'];
const ofNotification = ['title', 'message', 'url'];
const byExpression = { recipientBy: '={{ $json.by }}', sendAt: '={{ $json.when }}' };

test.each<[string, INodeParameters, string[]]>([
	['email send', {}, ['email', ...ofMail]],
	['email send', byExpression, ofMail],
	['email send', { senderFrom: 'define' }, ['email', ...ofMail, ...ofSender]],
	['push broadcastSegment', {}, ['segment_id', ...ofNotification]],
	['push send', { sendAt: 'next' }, ['user_id', ...ofNotification, 'nextTime', 'nextDays']],
	['push send', { sendAt: 'withinHours' }, ['user_id', ...ofNotification, 'hoursFrom', 'hoursTo']],
])('Of %s with %j, empty fields that are required are marked', (asked, changed, expected) => {
	expect(markedIn(valuesOf(asked, changed))).toEqual(expected);
});

const small = ['a', 'an', 'and', 'at', 'by', 'for', 'of', 'or', 'to', 'the', 'in', 'on', 'per'];

test.each(everything)('$name is worded as n8n asks', (property) => {
	const { name, displayName, description: said, type, options = [], placeholder } = property;
	const words = displayName.replace(/[()]/g, '').split(' ');
	for (const word of words.filter((one) => !small.includes(one)))
		expect(word).toMatch(/^([A-Z]|iOS)/);
	if (type === 'boolean') expect(said).toMatch(/^Whether /);
	const isSelfSaid = ['Resource', 'Operation', 'Authentication'].includes(displayName);
	if (!isSelfSaid && type !== 'collection') expect(said).toMatch(/^[A-Z"].{8,}/);
	if (said && !/\. [A-Z]/.test(said)) expect(said).not.toMatch(/\.$/);
	expect(options.length === 0 || type !== 'string').toBe(true);
	const example = /^(c|fixedC)ollection$/.test(type) ? /^Add / : /^e\.g\. /;
	if (placeholder) expect(placeholder).toMatch(example);
	// These are in the order of use.
	if (['nextDays', 'additionalFields', 'options'].includes(name)) return;
	const names = options.map((one) => ('displayName' in one ? one.displayName : one.name));
	// What is chosen most often comes first.
	const common = names[0] === 'Now' ? names.slice(1) : names;
	// What few people need comes last, as n8n's own Custom API Call does.
	const sorted = common.filter((one) => name !== 'resource' || one !== 'Custom Request');
	expect(sorted).toEqual([...sorted].sort((a, b) => a.localeCompare(b, 'en')));
});

describe('The guards', () => {
	test.each(everyOperation)('of %s %s begin as safe as they can be', (resource, operation) => {
		const { testRuns, maxBroadcasts } = withDefaults({ resource, operation });
		const isMessage = ['email', 'push', 'sms'].includes(resource);
		const byKind: Record<string, string> = { send: 'previewLists', sendAndWait: 'send' };
		expect(testRuns).toBe(isMessage ? (byKind[operation] ?? 'preview') : undefined);
		expect(maxBroadcasts).toBe(operation.startsWith('broadcast') ? 1 : undefined);
	});

	test.each(everyOperation)('of %s %s have one notice at most', (...asked) => {
		for (const testRuns of ['send', 'preview', 'testRecipient'])
			for (const recipientBy of ['user_id', 'campaign_id']) {
				const shown = shownFor(asked.join(' '), { testRuns, recipientBy });
				expect(shown.filter(({ type }) => type === 'notice').length).toBeLessThan(2);
			}
	});

	test('take no expression', () => {
		const guards = properties.filter(({ name }) => /^(maxBroadcasts|testRuns)$/.test(name));
		expect(guards.length).toBeGreaterThan(4);
		expect(guards.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
	});

	test('of a broadcast have a notice as a tool', () => {
		const isShown = (name: string, resource: string, operation: string) =>
			shownIn({ resource, operation }, { name }).some((property) => property.name === 'toolNotice');
		for (const resource of ['push', 'email', 'sms']) {
			expect(isShown('customerMessagingTool', resource, 'broadcastAll')).toBe(true);
			expect(isShown('customerMessaging', resource, 'broadcastAll')).toBe(false);
			expect(isShown('customerMessagingTool', resource, 'send')).toBe(false);
		}
	});

	test.each([
		['email', 'previewLists', undefined],
		['campaign_id', 'preview', 1],
		['={{ $json.by }}', 'previewLists', 1],
	])('where Recipient By is %s are %s and %s at first', (recipientBy, testRuns, maxBroadcasts) => {
		for (const resource of ['email', 'sms']) {
			const read = withDefaults({ resource, operation: 'send', recipientBy });
			expect([read.testRuns, read.maxBroadcasts]).toEqual([testRuns, maxBroadcasts]);
		}
	});
});

test.each([
	[['brandId', 'apiKey'], new CustomerMessagingApi()],
	[['accessToken'], new CustomerMessagingPartnerApi()],
])('The credential with %j asks for what everybody needs first', (identity, { properties }) => {
	const always = properties.filter(({ displayOptions }) => !displayOptions);
	expect(always.map(({ name }) => name)).toEqual([
		...[...identity, 'baseUrl', 'pushUrl', 'mailUrl', 'scheduleZone', 'segments'],
		...['defaultSenders', 'testRecipient', 'limitRecipients', 'requireConsent'],
		...['customLimits', 'customSchedule', 'customAnswers', 'customPaths', 'testNotice'],
	]);
	const zone = always.find(({ name }) => name === 'scheduleZone');
	expect(zone?.options).toContainEqual({ name: 'America/New York', value: 'America/New_York' });
	const notices = properties.filter(({ type }) => type === 'notice');
	const said = 'The test checks the key with the user API only, and sends nothing.';
	expect(notices).toEqual([properties.at(-1)]);
	expect(notices[0]?.displayName).toBe(said);
	expect(descriptionIn(properties, 'Test User ID')).toBe(`Who receives test pushes: ${ofShop}`);
});

describe('What n8n and its upcoming rules ask for', () => {
	const folder = 'nodes/CustomerMessaging';

	test('Names are those that saved workflows hold, and categories those that n8n lists.', () => {
		const names = ['customerMessaging', 'customerMessagingApi', 'customerMessagingPartnerApi'];
		expect([description, ...credentials].map(({ name }) => name)).toEqual(names);
		const codex = JSON.parse(textOf(`${folder}/CustomerMessaging.node.json`)) as object;
		expect(codex).toMatchObject({ categories: ['Communication', 'Marketing & Content'] });
		expect(codex).not.toHaveProperty('subcategories');
		expect(description).not.toHaveProperty('codex');
	});

	test('execute() itself calls this.continueOnFail().', () => {
		const [, execute] = textOf(`${folder}/CustomerMessaging.node.ts`).split('async execute(');
		expect(execute).toContain('this.continueOnFail()');
	});

	test('Hints have at most 120 characters, properties a default, and no optional one takes any JSON.', () => {
		expect(all.length).toBeGreaterThan(100);
		expect(all.filter(({ hint = '' }) => hint.length > 120)).toEqual([]);
		expect(all.filter((property) => !('default' in property))).toEqual([]);
		const json = properties.filter(({ type }) => type === 'json');
		expect(json.map(({ name, required }) => [name, required])).toEqual([['body', true]]);
	});
});

/** What somebody sees who chooses an operation and changes some values: the labels, from top to bottom. */
function formOf(asked: string, changed: INodeParameters = {}) {
	const values = valuesOf(asked, changed);
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

const ofShop = 'the ID your shop or CRM uses for this person';
const descriptionIn = (form: INodeProperties[], label: string) =>
	form.find(({ displayName }) => displayName === label)?.description;

test('IDs say whose they are, and a button that it has no link', () => {
	const bySubscription = { recipientBy: 'subscription_id' };
	const theID = 'The ID your shop or CRM uses for this person';
	const ofDevice = 'One browser or device. Ask whoever made your website or app for it.';
	const columns = shownFor('user create', mapped);
	expect(descriptionIn(shownFor('push send'), 'User ID')).toBe(theID);
	expect(descriptionIn(columns, 'User ID Column')).toBe(`Name of the column with ${ofShop}`);
	expect(descriptionIn(shownFor('push send', bySubscription), 'Subscription ID')).toBe(ofDevice);
	const { options } = shownFor('push send').find(({ name }) => name === 'additionalFields') ?? {};
	const noLink = 'First button. The API has no link for it.';
	expect(descriptionIn(options as INodeProperties[], 'Button One Title')).toBe(noLink);
});

test('Preview Only is on once it is added', () => {
	const { options = [] } = shownFor('push send').find(({ name }) => name === 'options') ?? {};
	expect(options).toContainEqual(expect.objectContaining({ name: 'previewOnly', default: true }));
});
