import {
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';

/** Typed by hand from spec §4, with the value that the editor must start with. */
const operations: Record<string, { all: string[]; first: string }> = {
	customRequest: { all: ['post'], first: 'post' },
	email: {
		all: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
		first: 'send',
	},
	event: { all: ['track'], first: 'track' },
	push: { all: ['broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'], first: 'send' },
	sms: {
		all: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
		first: 'send',
	},
	user: { all: ['create'], first: 'create' },
};

const { description } = new CustomerMessaging();
const nodeProperties = description.properties;
const credentialProperties = [
	new CustomerMessagingApi(),
	new CustomerMessagingPartnerApi(),
].flatMap(({ properties }) => properties);

/** A property with all those inside it. */
function withInner(property: INodeProperties): INodeProperties[] {
	const inner = (property.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [property, ...inner.flatMap(withInner)];
}

function choices(name: string, resource: string): string[] {
	const property = nodeProperties.find(
		(one) => one.name === name && one.displayOptions?.show?.resource?.includes(resource),
	);
	return (property?.options ?? []).map((option) => String('value' in option && option.value));
}

const everything = [...nodeProperties, ...credentialProperties]
	.flatMap(withInner)
	.filter(({ type }) => type !== 'notice');

const everyOperation = Object.entries(operations).flatMap(([resource, { all }]) =>
	all.map((one) => [resource, one] as const),
);

function asNode(parameters: INodeParameters): INode {
	const { defaults } = description;
	return {
		id: '1',
		name: String(defaults.name),
		type: 'n8n-nodes-customer-messaging.customerMessaging',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
}

/** What the form shows if these are its values. */
function shownIn(parameters: INodeParameters): INodeProperties[] {
	const node = asNode(parameters);
	return nodeProperties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, node, description),
	);
}

describe('The form', () => {
	test('offers the resources and operations of the service, and begins with one recipient', () => {
		const resources = nodeProperties.find(({ name }) => name === 'resource')?.options ?? [];
		expect(resources.map((option) => 'value' in option && option.value)).toEqual(
			Object.keys(operations),
		);
		for (const [resource, { all, first }] of Object.entries(operations)) {
			expect(choices('operation', resource)).toEqual(all);
			const choice = nodeProperties.find(
				(one) => one.name === 'operation' && one.displayOptions?.show?.resource?.includes(resource),
			);
			expect(choice?.default).toBe(first);
		}
	});

	test.each(everyOperation)('shows no name twice for %s %s', (resource, operation) => {
		for (const sendAt of ['now', 'delay', 'at', 'next', '={{ $json.when }}']) {
			for (const recipientBy of ['user_id', 'email', '={{ $json.by }}']) {
				const seen = shownIn({ resource, operation, sendAt, recipientBy }).map(({ name }) => name);
				expect(seen.length).toBeGreaterThan(4);
				expect(seen).toEqual([...new Set(seen)]);
			}
		}
	});
});

describe('A required field that is empty', () => {
	/** The fields that the editor marks in a form in which only these choices are filled in. */
	const marked = (choices: INodeParameters) => {
		const defaults =
			NodeHelpers.getNodeParameters(
				nodeProperties,
				choices,
				true,
				false,
				asNode(choices),
				description,
			) ?? {};
		const issues = NodeHelpers.getNodeParametersIssues(
			nodeProperties,
			asNode(defaults),
			description,
		);
		return Object.keys(issues?.parameters ?? {});
	};
	const email = { resource: 'email', operation: 'send' };
	const ofEmail = ['subject', 'content', 'campaign_name'];
	const push = { resource: 'push', operation: 'send' };
	const ofPush = ['title', 'message', 'url'];

	test.each([
		['the recipient, by the way that is chosen', email, ['email', ...ofEmail]],
		[
			'a recipient chosen by the number',
			{ ...email, recipientBy: 'mobile' },
			['mobile', ...ofEmail],
		],
		['the user ID of a push', push, ['user_id', ...ofPush]],
		['the date of a schedule', { ...push, sendAt: 'at' }, ['user_id', ...ofPush, 'scheduledFor']],
		[
			'the time and the weekdays of a schedule',
			{ ...push, sendAt: 'next' },
			['user_id', ...ofPush, 'nextTime', 'nextDays'],
		],
		[
			'the hours of a schedule',
			{ ...push, sendAt: 'withinHours' },
			['user_id', ...ofPush, 'hoursFrom', 'hoursTo'],
		],
		[
			"the sender's fields, the service provider too",
			{ ...email, senderFrom: 'define' },
			['email', ...ofEmail, 'sender_name', 'sender_email', 'serviceproviderID'],
		],
		[
			'the segment of a broadcast',
			{ resource: 'push', operation: 'broadcastSegment' },
			['segment_id', ...ofPush],
		],
		[
			'no way to name the recipient where an expression chooses one',
			{ ...email, recipientBy: '={{ $json.by }}', sendAt: '={{ $json.when }}' },
			ofEmail,
		],
	] as const)('is marked: %s', (_, choices, expected) => {
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

	test.each(everything.map((property) => [property.name, property] as const))(
		'%s has a label in title case and a description',
		(_, { displayName, description: said, type, options = [] }) => {
			for (const word of displayName
				.replace(/[()]/g, '')
				.split(' ')
				.filter((one) => !small.includes(one))) {
				expect(word).toMatch(/^([A-Z]|iOS)/);
			}
			if (type === 'boolean') expect(said).toMatch(/^Whether /);
			const isSelfSaid = ['resource', 'operation', 'authentication'].includes(
				displayName.toLowerCase(),
			);
			if (!isSelfSaid && type !== 'collection') expect(said).toMatch(/^[A-Z"].{8,}/);
			if (said && !/\. [A-Z]/.test(said)) expect(said).not.toMatch(/\.$/);
			expect(options.length === 0 || type !== 'string').toBe(true);
		},
	);

	test.each(
		everything.filter(({ placeholder }) => placeholder).map((one) => [one.name, one] as const),
	)(
		'%s begins its placeholder with e.g., or with Add where entries are added',
		(_, { placeholder, type }) => {
			expect(placeholder).toMatch(
				['collection', 'fixedCollection'].includes(type) ? /^Add / : /^e\.g\. /,
			);
		},
	);

	test.each(
		everything
			.filter(({ name, options }) => (options ?? []).length > 1 && name !== 'nextDays')
			.map((one) => [one.name, one] as const),
	)('the options of %s are sorted as the editor shows them', (_, { options = [] }) => {
		const names = options.map((option) =>
			'displayName' in option ? option.displayName : option.name,
		);
		// What is chosen most often comes first.
		const sorted = names[0] === 'Now' ? names.slice(1) : names;
		expect(sorted).toEqual([...sorted].sort((a, b) => a.localeCompare(b, 'en')));
	});

	test('passwords are the only secrets, and hidden', () => {
		const hidden = credentialProperties.filter(({ typeOptions }) => typeOptions?.password);
		expect(hidden.map(({ name }) => name)).toEqual(['apiKey', 'accessToken']);
	});
});

describe('The guards', () => {
	/** Whether the parameter is shown for an operation, its default, and whether it takes an expression. */
	const shownAs = (name: string) =>
		nodeProperties
			.filter((one) => one.name === name)
			.map(({ displayOptions, default: value, noDataExpression }) => {
				const { resource = [], operation = [] } = displayOptions?.show ?? {};
				return [`${resource[0] as string} ${operation[0] as string}`, value, noDataExpression];
			})
			.sort();
	const messages = Object.entries(operations)
		.filter(([, { all }]) => all.includes('sendAndWait'))
		.flatMap(([resource, { all }]) => all.map((operation) => `${resource} ${operation}`))
		.sort();
	const isBroadcast = (name: string) => name.includes(' broadcast');

	// Whatever has campaigns can also be addressed to one.
	const toCampaigns = Object.keys(operations)
		.filter((resource) => operations[resource]?.all.includes('broadcast'))
		.map((resource) => `${resource} send`);

	test('Max Broadcasts is 1 for every broadcast and for campaigns, and takes no expression', () => {
		expect(shownAs('maxBroadcasts')).toEqual(
			messages
				.filter((name) => isBroadcast(name) || toCampaigns.includes(name))
				.map((name) => [name, 1, true]),
		);
	});

	test('When Run by Hand previews broadcasts and campaigns and sends messages to one person, and takes no expression', () => {
		const defaults = (name: string) => {
			if (isBroadcast(name)) return ['preview'];
			return toCampaigns.includes(name) ? ['preview', 'send'] : ['send'];
		};
		expect(shownAs('testRuns')).toEqual(
			messages.flatMap((name) => defaults(name).map((value) => [name, value, true])),
		);
	});

	test.each(['push', 'email', 'sms'])(
		'Of %s, a broadcast as a tool says that it needs Send Once',
		(resource) => {
			const isShown = (name: string, operation: string) =>
				nodeProperties
					.filter((property) => property.name === 'toolNotice')
					.some((property) =>
						NodeHelpers.displayParameter({ resource, operation }, property, { typeVersion: 1 }, {
							name,
						} as INodeTypeDescription),
					);
			expect(isShown('customerMessagingTool', 'broadcastAll')).toBe(true);
			expect(isShown('customerMessaging', 'broadcastAll')).toBe(false);
			expect(isShown('customerMessagingTool', 'send')).toBe(false);
		},
	);

	test.each([
		['email', 'send'],
		['campaign_id', 'preview'],
		['={{ $json.by }}', 'send'],
	])('Where Recipient By is %s, When Run by Hand is %s at first', (recipientBy, expected) => {
		const parameters = { resource: 'email', operation: 'send', recipientBy };
		const node = { typeVersion: 1 } as INode;
		const description = { properties: nodeProperties } as INodeTypeDescription;
		const read = NodeHelpers.getNodeParameters(
			nodeProperties,
			parameters,
			true,
			false,
			node,
			description,
		);
		expect(read).toMatchObject({ testRuns: expected });
	});
});

test.each([
	[new CustomerMessagingApi(), ['brandId', 'apiKey']],
	[new CustomerMessagingPartnerApi(), ['accessToken']],
])('%o asks for what everybody needs first', ({ properties }, identity) => {
	const always = properties.filter(({ displayOptions }) => !displayOptions);
	expect(always.map(({ name }) => name)).toEqual([
		...identity,
		'baseUrl',
		'pushUrl',
		'mailUrl',
		'scheduleZone',
		'testNotice',
		'defaultSenders',
		'testRecipient',
		'limitRecipients',
		'requireConsent',
		'segments',
		'customLimits',
		'customSchedule',
		'customAnswers',
		'customPaths',
	]);
	for (const { name, hint = '', type } of always)
		if (type === 'boolean')
			expect([name, hint]).toEqual([name, expect.stringMatching(/^Turn on /)]);
	const zone = always.find(({ name }) => name === 'scheduleZone');
	expect(zone?.options).toContainEqual({ name: 'America/New York', value: 'America/New_York' });
});
