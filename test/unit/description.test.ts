import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { description, everyOperation, markedIn, shownIn, withDefaults } from './support/form';
import { textOf } from './support/pages';

/** Typed by hand from spec §4, the default first: n8n does not store it, so saved nodes would do something else. */
const operations: Record<string, string[]> = {
	email: ['send', 'broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	event: ['track'],
	push: ['send', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	sms: ['send', 'broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait'],
	user: ['create'],
	customRequest: ['post'],
};

const nodeProperties = description.properties;
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];
const credentialProperties = credentials.flatMap(({ properties }) => properties);

/** A property with all those inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

const all = [...nodeProperties, ...credentialProperties].flatMap(withInner);
const everything = all.filter(({ type }) => type !== 'notice');

describe('The form', () => {
	test('offers the resources and operations of the service, and begins with one recipient', () => {
		const valuesOf = ({ options = [] }: INodeProperties) =>
			options.map((option) => 'value' in option && option.value);
		const called = (wanted: string) => nodeProperties.filter(({ name }) => name === wanted);
		expect(called('resource').map(valuesOf)).toEqual([Object.keys(operations)]);
		expect(called('resource').map((one) => one.default)).toEqual(['push']);
		const offered = called('operation').map((one) => {
			const [resource] = one.displayOptions?.show?.resource ?? [];
			return [
				resource,
				[one.default, valuesOf(one).filter((value) => value !== one.default)].flat(),
			];
		});
		expect(new Map(offered as Array<[string, unknown[]]>)).toEqual(
			new Map(Object.entries(operations)),
		);
	});

	test.each(everyOperation)('shows no name twice for %s %s', (resource, operation) => {
		const [when, by] = ['={{ $json.when }}', '={{ $json.by }}'];
		const choices = ['now user_id', 'delay email', 'next user_id'].map((one) => one.split(' '));
		for (const [sendAt, recipientBy] of [...choices, ['at', by], [when, 'email'], [when, by]]) {
			const seen = shownIn({ resource, operation, sendAt, recipientBy }).map(({ name }) => name);
			expect(seen.length).toBeGreaterThan(4);
			expect(seen).toEqual([...new Set(seen)]);
		}
	});
});

describe('A required field that is empty', () => {
	const email = { resource: 'email', operation: 'send' };
	const push = { resource: 'push', operation: 'send' };
	const byExpression = { recipientBy: '={{ $json.by }}', sendAt: '={{ $json.when }}' };
	const ofEmail = ['subject', 'content', 'campaign_name'];
	const ofPush = ['title', 'message', 'url'];
	const sender = ['sender_name', 'sender_email', 'serviceproviderID'];

	test.each<[INodeParameters, string[]]>([
		[email, ['email', ...ofEmail]],
		[{ ...email, ...byExpression }, ofEmail],
		[{ ...email, senderFrom: 'define' }, ['email', ...ofEmail, ...sender]],
		[{ resource: 'push', operation: 'broadcastSegment' }, ['segment_id', ...ofPush]],
		[{ ...push, sendAt: 'next' }, ['user_id', ...ofPush, 'nextTime', 'nextDays']],
		[{ ...push, sendAt: 'withinHours' }, ['user_id', ...ofPush, 'hoursFrom', 'hoursTo']],
	])('is marked in %j', (choices, expected) => {
		expect(markedIn(withDefaults(choices))).toEqual(expected);
	});
});

describe("n8n's wording", () => {
	const small = ['a', 'an', 'and', 'at', 'by', 'for', 'of', 'or', 'to', 'the', 'in', 'on', 'per'];

	test.each(everything)('$name has a label in title case, and more in their form', (property) => {
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
});

describe('The guards', () => {
	test.each(everyOperation)('of %s %s begin as safe as they can be', (resource, operation) => {
		const { testRuns, maxBroadcasts } = withDefaults({ resource, operation });
		const isMessage = ['email', 'push', 'sms'].includes(resource);
		const byKind: Record<string, string> = { send: 'previewLists', sendAndWait: 'send' };
		expect(testRuns).toBe(isMessage ? (byKind[operation] ?? 'preview') : undefined);
		expect(maxBroadcasts).toBe(operation.startsWith('broadcast') ? 1 : undefined);
	});

	test('take no expression', () => {
		const guards = nodeProperties.filter(({ name }) => /^(maxBroadcasts|testRuns)$/.test(name));
		expect(guards.length).toBeGreaterThan(4);
		expect(guards.filter(({ noDataExpression }) => noDataExpression !== true)).toEqual([]);
	});

	test.each(['push', 'email', 'sms'])('As a tool, a broadcast of %s has a notice', (resource) => {
		const isShown = (name: string, operation: string) =>
			shownIn({ resource, operation }, { name }).some((property) => property.name === 'toolNotice');
		expect(isShown('customerMessagingTool', 'broadcastAll')).toBe(true);
		expect(isShown('customerMessaging', 'broadcastAll')).toBe(false);
		expect(isShown('customerMessagingTool', 'send')).toBe(false);
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
		const json = nodeProperties.filter(({ type }) => type === 'json');
		expect(json.map(({ name, required }) => [name, required])).toEqual([['body', true]]);
	});
});
