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
import { textOf } from './support/pages';

/** Typed by hand from spec §4. The editor starts with the last one. */
const operations: Record<string, string[]> = {
	customRequest: ['post'],
	email: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	event: ['track'],
	push: ['broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	sms: ['broadcast', 'broadcastAll', 'broadcastSegment', 'sendAndWait', 'send'],
	user: ['create'],
};

const { description } = new CustomerMessaging();
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

const everyOperation = Object.entries(operations).flatMap(([resource, list]) =>
	list.map((one) => [resource, one] as const),
);

const asNode = (parameters: INodeParameters) => ({ typeVersion: 1, parameters }) as INode;

/** The parameters with the defaults of what the form then shows. */
const withDefaults = (parameters: INodeParameters) =>
	NodeHelpers.getNodeParameters(
		nodeProperties,
		parameters,
		true,
		false,
		asNode(parameters),
		description,
	) ?? {};

/** What the form shows if these are its values. */
const shownIn = (parameters: INodeParameters, form: INodeTypeDescription = description) =>
	nodeProperties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, asNode(parameters), form),
	);

describe('The form', () => {
	test('offers the resources and operations of the service, and begins with one recipient', () => {
		const valuesOf = ({ options = [] }: INodeProperties) =>
			options.map((option) => 'value' in option && option.value);
		const [resource] = nodeProperties.filter(({ name }) => name === 'resource');
		expect(resource && valuesOf(resource)).toEqual(Object.keys(operations));
		const offered = nodeProperties
			.filter(({ name }) => name === 'operation')
			.map((one) => [
				one.displayOptions?.show?.resource?.[0] as string,
				[valuesOf(one), one.default],
			]);
		expect(Object.fromEntries(offered)).toEqual(
			Object.fromEntries(
				Object.entries(operations).map(([name, list]) => [name, [list, list.at(-1)]]),
			),
		);
		expect(offered).toHaveLength(Object.keys(operations).length);
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
		const node = asNode(withDefaults(choices));
		const issues = NodeHelpers.getNodeParametersIssues(nodeProperties, node, description);
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
			const words = displayName.replace(/[()]/g, '').split(' ');
			for (const word of words.filter((one) => !small.includes(one)))
				expect(word).toMatch(/^([A-Z]|iOS)/);
			if (type === 'boolean') expect(said).toMatch(/^Whether /);
			const isSelfSaid = ['Resource', 'Operation', 'Authentication'].includes(displayName);
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
	const messages = everyOperation
		.filter(([resource]) => operations[resource]?.includes('sendAndWait'))
		.map((names) => names.join(' '))
		.sort();
	const isBroadcast = (name: string) => name.includes(' broadcast');

	// Whatever has campaigns can also be addressed to one.
	const toCampaigns = Object.keys(operations)
		.filter((resource) => operations[resource]?.includes('broadcast'))
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
				shownIn({ resource, operation }, { ...description, name }).some(
					(property) => property.name === 'toolNotice',
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
		const read = withDefaults({ resource: 'email', operation: 'send', recipientBy });
		expect(read).toMatchObject({ testRuns: expected });
	});
});

test.each([
	[new CustomerMessagingApi(), ['brandId', 'apiKey']],
	[new CustomerMessagingPartnerApi(), ['accessToken']],
])('%o asks for what everybody needs first', ({ properties }, identity) => {
	const always = properties.filter(({ displayOptions }) => !displayOptions);
	expect(always.map(({ name }) => name)).toEqual([
		...[...identity, 'baseUrl', 'pushUrl', 'mailUrl', 'scheduleZone', 'testNotice'],
		...['defaultSenders', 'testRecipient', 'limitRecipients', 'requireConsent', 'segments'],
		...['customLimits', 'customSchedule', 'customAnswers', 'customPaths'],
	]);
	for (const { name, hint = '', type } of always)
		if (type === 'boolean')
			expect([name, hint]).toEqual([name, expect.stringMatching(/^Turn on /)]);
	const zone = always.find(({ name }) => name === 'scheduleZone');
	expect(zone?.options).toContainEqual({ name: 'America/New York', value: 'America/New_York' });
});

describe('What upcoming rules of n8n ask for', () => {
	const folder = 'nodes/CustomerMessaging';

	test('The categories are ones that n8n lists, and there are no subcategories.', () => {
		const codex = JSON.parse(textOf(`${folder}/CustomerMessaging.node.json`)) as object;
		expect(codex).toMatchObject({ categories: ['Communication', 'Marketing & Content'] });
		expect(codex).not.toHaveProperty('subcategories');
		expect(description).not.toHaveProperty('codex');
	});

	test('execute() itself calls this.continueOnFail().', () => {
		const [, execute] = textOf(`${folder}/CustomerMessaging.node.ts`).split('async execute(');
		expect(execute).toContain('this.continueOnFail()');
	});

	test('Hints have at most 120 characters, and every property has a default.', () => {
		expect(all.length).toBeGreaterThan(100);
		expect(all.filter(({ hint = '' }) => hint.length > 120)).toEqual([]);
		expect(all.filter((property) => !('default' in property))).toEqual([]);
	});

	test('No optional field at the top level takes any JSON.', () => {
		const json = nodeProperties.filter(({ type }) => type === 'json');
		expect(json.map(({ name, required }) => [name, required])).toEqual([['body', true]]);
	});

	/** By WCAG, with colors as `#rgb` or `#rrggbb`. */
	function luminance(color: string): number {
		const digits = color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
		const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
			const share = parseInt(digits.slice(start, start + 2), 16) / 255;
			return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
		});
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	}

	test.each([
		['customerMessaging.svg', '#ffffff'],
		['customerMessaging.dark.svg', '#2b2b2b'],
	])('%s is clear on its background', (icon, background) => {
		const colors = textOf(`${folder}/${icon}`).matchAll(/\b(?:fill|stroke)="(#[0-9a-f]{3,6})"/g);
		const contrasts = [...colors].map(([, color = '']) => {
			const [dark = 0, light = 0] = [color, background].map(luminance).sort((a, b) => a - b);
			return (light + 0.05) / (dark + 0.05);
		});
		expect(Math.max(...contrasts)).toBeGreaterThan(3);
	});
});
