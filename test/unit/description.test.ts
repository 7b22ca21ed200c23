import * as n8n from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { textOf } from './support/pages';

/** Typed by hand from spec §4. */
const operations: Record<string, string[]> = {
	email: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	event: ['track'],
	push: ['broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	sms: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	user: ['create'],
	customRequest: ['post'],
};

/** Typed by hand, because n8n does not store a default: with another one, saved nodes would do something else. */
const defaults: Record<string, string> = {
	customRequest: 'post',
	email: 'send',
	event: 'track',
	push: 'send',
	sms: 'send',
	user: 'create',
};

const { description } = new CustomerMessaging();
const nodeProperties = description.properties;
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];
const credentialProperties = credentials.flatMap(({ properties }) => properties);

/** A property with all those inside it. */
function withInner(property: n8n.INodeProperties): n8n.INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

const all = [...nodeProperties, ...credentialProperties].flatMap(withInner);
const everything = all.filter(({ type }) => type !== 'notice');

const everyOperation = Object.entries(operations).flatMap(([resource, list]) =>
	list.map((one) => [resource, one] as const),
);

const asNode = (parameters: n8n.INodeParameters) => ({ typeVersion: 1, parameters }) as n8n.INode;

/** The parameters with the defaults of what the form then shows. */
const withDefaults = (parameters: n8n.INodeParameters) => {
	const given = [nodeProperties, parameters, true, false, asNode(parameters), description] as const;
	return n8n.NodeHelpers.getNodeParameters(...given) ?? {};
};

/** What the form shows if these are its values. */
const shownIn = (parameters: n8n.INodeParameters, form: n8n.INodeTypeDescription = description) =>
	nodeProperties.filter((property) =>
		n8n.NodeHelpers.displayParameter(parameters, property, asNode(parameters), form),
	);

describe('The form', () => {
	test('offers the resources and operations of the service, and begins with one recipient', () => {
		const valuesOf = ({ options = [] }: n8n.INodeProperties) =>
			options.map((option) => 'value' in option && option.value);
		const called = (wanted: string) => nodeProperties.filter(({ name }) => name === wanted);
		expect(called('resource').map(valuesOf)).toEqual([Object.keys(operations)]);
		expect(called('resource').map((one) => one.default)).toEqual(['push']);
		const offered = called('operation').map((one) => {
			return [one.displayOptions?.show?.resource, valuesOf(one), one.default];
		});
		const all = Object.entries(operations).map(([name, list]) => [[name], list, defaults[name]]);
		expect(new Set(offered)).toEqual(new Set(all));
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
	/** The fields that the editor marks in a form in which only these choices are filled in. */
	const marked = (choices: n8n.INodeParameters) => {
		const node = asNode(withDefaults(choices));
		const issues = n8n.NodeHelpers.getNodeParametersIssues(nodeProperties, node, description);
		return Object.keys(issues?.parameters ?? {});
	};
	const email = { resource: 'email', operation: 'send' };
	const push = { resource: 'push', operation: 'send' };
	const toSegment = { resource: 'push', operation: 'broadcastSegment' };
	const byExpression = { recipientBy: '={{ $json.by }}', sendAt: '={{ $json.when }}' };
	const ofEmail = ['subject', 'content', 'campaign_name'];
	const ofPush = ['title', 'message', 'url'];
	const sender = ['sender_name', 'sender_email', 'serviceproviderID'];

	test.each<[n8n.INodeParameters, string[]]>([
		[email, ['email', ...ofEmail]],
		[{ ...email, recipientBy: 'mobile' }, ['mobile', ...ofEmail]],
		[{ ...email, ...byExpression }, ofEmail],
		[{ ...email, senderFrom: 'define' }, ['email', ...ofEmail, ...sender]],
		[push, ['user_id', ...ofPush]],
		[toSegment, ['segment_id', ...ofPush]],
		[{ ...push, sendAt: 'at' }, ['user_id', ...ofPush, 'scheduledFor']],
		[{ ...push, sendAt: 'next' }, ['user_id', ...ofPush, 'nextTime', 'nextDays']],
		[{ ...push, sendAt: 'withinHours' }, ['user_id', ...ofPush, 'hoursFrom', 'hoursTo']],
	])('is marked in %j', (choices, expected) => {
		expect(marked(choices)).toEqual(expected);
	});

	test.each(everyOperation)('shows no 0 in a number of %s %s', (resource, operation) => {
		const numbers = shownIn({ resource, operation, senderFrom: 'define', sendAt: 'delay' })
			.flatMap(withInner)
			.filter(({ type, name }) => type === 'number' && name !== 'maxWait');
		for (const { name, default: value } of numbers)
			expect([name, value === null || Number(value) > 0]).toEqual([name, true]);
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

	test('passwords are the only secrets, and hidden', () => {
		const hidden = credentialProperties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey', 'accessToken']);
	});
});

describe('The guards', () => {
	/** Where a parameter is shown, with its default, and whether it takes no expression. */
	const shownAs = (name: string) =>
		nodeProperties
			.filter((one) => one.name === name)
			.map(({ displayOptions, default: value, noDataExpression }) => {
				const { resource, operation } = displayOptions?.show ?? {};
				return JSON.stringify([resource, operation, value, noDataExpression]);
			})
			.sort();
	const guarded = (names: string[], value: unknown) =>
		names.map((name) => JSON.stringify([...name.split(' ').map((one) => [one]), value, true]));
	const messages = everyOperation
		.filter(([resource]) => ['email', 'push', 'sms'].includes(resource))
		.map((names) => names.join(' '));
	const broadcasts = messages.filter((name) => name.includes(' broadcast'));
	const toCampaigns = ['email send', 'sms send'];

	test('Max Broadcasts is 1 for every broadcast and for campaigns, and takes no expression', () => {
		const expected = guarded([...broadcasts, ...toCampaigns], 1);
		expect(shownAs('maxBroadcasts')).toEqual(expected.sort());
	});

	test('When Run by Hand previews broadcasts, campaigns and lists, sends questions, and takes no expression', () => {
		const previewed = guarded([...broadcasts, ...toCampaigns], 'preview');
		const toOne = messages.filter((name) => !broadcasts.includes(name));
		const asked = toOne.filter((name) => name.includes('sendAndWait'));
		const lists = toOne.filter((name) => !asked.includes(name));
		const others = [...guarded(lists, 'previewLists'), ...guarded(asked, 'send')];
		expect(shownAs('testRuns')).toEqual([...previewed, ...others].sort());
	});

	test.each(['push', 'email', 'sms'])('As a tool, a broadcast of %s has a notice', (resource) => {
		const isShown = (name: string, operation: string) =>
			shownIn({ resource, operation }, { ...description, name }).some(
				(property) => property.name === 'toolNotice',
			);
		expect(isShown('customerMessagingTool', 'broadcastAll')).toBe(true);
		expect(isShown('customerMessaging', 'broadcastAll')).toBe(false);
		expect(isShown('customerMessagingTool', 'send')).toBe(false);
	});

	test.each([
		['email', 'previewLists'],
		['campaign_id', 'preview'],
		['={{ $json.by }}', 'previewLists'],
	])('Where Recipient By is %s, When Run by Hand is %s at first', (recipientBy, expected) => {
		const read = withDefaults({ resource: 'email', operation: 'send', recipientBy });
		expect(read).toMatchObject({ testRuns: expected });
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
	for (const { name, hint = '', type } of always)
		if (type === 'boolean')
			expect([name, hint]).toEqual([name, expect.stringMatching(/^Turn on /)]);
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

	test('The icons are clear on their backgrounds: by WCAG, their contrast is above 3.', () => {
		expect(textOf(`${folder}/customerMessaging.svg`)).toContain('fill="#1f5fbf"');
		expect(textOf(`${folder}/customerMessaging.dark.svg`)).toContain('fill="#7fb2ff"');
	});
});
