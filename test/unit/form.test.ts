import type { INodeProperties } from 'n8n-workflow';

import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';

const { properties } = new CustomerMessaging().description;

type Values = Record<string, unknown>;

/** Whether n8n's editor shows a property: `@tool` is false, and a condition on a value is one of the three used. */
function isShown({ displayOptions = {} }: INodeProperties, given: Values): boolean {
	const holds = ([name, wanted = []]: [string, unknown[] | undefined]) => {
		const value = name === '@tool' ? false : given[name.replace('/', '')];
		const values = [value ?? ''].flat() as Array<string | boolean>;
		return values.some((one) =>
			wanted.some((each) => {
				const { _cnd: when } = (each ?? {}) as { _cnd?: Record<string, unknown> };
				if (!when) return each === one;
				if ('exists' in when) return one !== '';
				if ('not' in when) return one !== when.not;
				return new RegExp(String(when.regex)).test(String(one));
			}),
		);
	};
	const { show = {}, hide = {} } = displayOptions as { show?: Values; hide?: Values };
	return (
		(Object.entries(show) as Array<[string, unknown[]]>).every(holds) &&
		!(Object.entries(hide) as Array<[string, unknown[]]>).some(holds)
	);
}

/** What somebody sees who chooses an operation and changes some values. */
function formOf(asked: string, changed: Values = {}) {
	const [resource, operation] = asked.split(' ');
	const values: Values = { resource, operation, ...changed };
	const shown = properties.filter((property) => {
		const isHere = isShown(property, values);
		if (isHere) values[property.name] ??= property.default;
		return isHere;
	});
	const labels = shown
		.filter(({ name }) => !['authentication', 'resource', 'operation'].includes(name))
		.map(({ displayName, type }) => (type === 'notice' ? `(${displayName})` : displayName));
	const listOf = (name: string) =>
		((shown.find((one) => one.name === name)?.options ?? []) as INodeProperties[])
			.filter((option) => isShown(option, values))
			.map(({ displayName }) => displayName);
	return { labels, more: listOf('additionalFields'), options: listOf('options') };
}

const lists = ['Additional Fields', 'Options'];

test.each<[string, string[], Values?]>([
	[
		'push send',
		[
			...['Platforms', 'Recipient By', 'User ID', 'Title', 'Message', 'URL', 'Send At'],
			...['When Run by Hand', 'Send Once'],
		],
	],
	[
		'email send',
		[
			...['Recipient By', 'Email', 'Subject', 'Email Type', 'Content', 'Campaign Name', 'Sender'],
			...['Send At', 'When Run by Hand', 'Send Once'],
		],
	],
	[
		'sms send',
		[
			...['Recipient By', 'Mobile', 'Message', 'Campaign Name', 'Sender', 'Send At'],
			...['When Run by Hand', 'Send Once'],
		],
	],
	[
		'sms broadcastSegment',
		[
			...['Segment', 'Message', 'Campaign Name', 'Sender', 'Send At', 'When Run by Hand'],
			...['Send Once', 'Max Broadcasts'],
		],
	],
	[
		'push broadcastAll',
		[
			'(This reaches everyone. By hand, only if you choose Send.)',
			...['Platforms', 'Title', 'Message', 'URL', 'Send At', 'When Run by Hand', 'Send Once'],
			'Max Broadcasts',
		],
	],
	[
		'push broadcastAll',
		[
			'(<b>Execute step</b> sends this to real people. It cannot be recalled.)',
			...['Platforms', 'Title', 'Message', 'URL', 'Send At', 'When Run by Hand', 'Send Once'],
			'Max Broadcasts',
		],
		{ testRuns: 'send' },
	],
	[
		'email send',
		[
			'(<b>Execute step</b> sends this to real people. It cannot be recalled.)',
			...['Recipient By', 'Campaign ID', 'Subject', 'Email Type', 'Content', 'Campaign Name'],
			...['Sender', 'Send At', 'When Run by Hand', 'Send Once', 'Max Broadcasts'],
		],
		{ recipientBy: 'campaign_id', testRuns: 'send' },
	],
	[
		'email sendAndWait',
		[
			...['Recipient By', 'Email', 'Subject', 'Message', 'Campaign Name', 'Sender'],
			...['Response Type', 'Approval Options', 'When Run by Hand'],
		],
	],
	['user create', ['Data Mode', 'User ID', 'Name', 'Email', 'Mobile', 'Custom Attributes']],
	[
		'user create',
		[
			'Data Mode',
			'User ID Column',
			'Name Column',
			'Email Column',
			'Mobile Column',
			'Ignore Columns',
		],
		{ dataMode: 'autoMapInputData' },
	],
	['event track', ['Event Name', 'Data Mode', 'User ID', 'Attributes', 'Event Time', 'Send Once']],
	[
		'event track',
		[
			...['Event Name', 'Data Mode', 'User ID', 'Attributes', 'Event Time'],
			...['Timezone Name or ID', 'Send Once'],
		],
		{ event_time: '2026-11-23 09:30' },
	],
	['customRequest post', ['Host', 'Path', 'Body', 'Rate Limit', 'Send Once']],
])('The form of %s, from top to bottom', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).labels).toEqual([...labels, ...lists]);
});

test.each<[string, string[], Values?]>([
	[
		'push send',
		[
			...['Consent', 'Image URL', 'Hero Image URL', 'Button One Title', 'Button Two Title'],
			...['Button Two URL', 'Tag', 'Notification ID', 'Extra Body Fields'],
		],
	],
	[
		'push send',
		[
			...['Consent', 'Image URL', 'Tag', 'Notification ID', 'Android ID'],
			...['iOS Identifier for Vendor', 'Extra Body Fields'],
		],
		{ platforms: ['android', 'ios'] },
	],
	[
		'email send',
		[
			...['Consent', 'Reply To', 'CC Email', 'Segment', 'Track Opens', 'Track Clicks'],
			...['Track Replies', 'Do Not Disturb', 'Frequency Capping', 'Extra Body Fields'],
		],
	],
	['sms send', ['Consent', 'Segment', 'Do Not Disturb', 'Frequency Capping', 'Extra Body Fields']],
])('The additional fields of %s, in order', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).more).toEqual(labels);
});

const last = ['Skip Text Check', 'Resend Unconfirmed', 'Max Wait (Minutes)'];
const timing = ['Parallel Requests', 'Request Timeout (Seconds)'];
const toOne = ['Include Input Fields', 'Preview Only', 'Max Messages', 'Allow Duplicates'];

test.each<[string, string[], Values?]>([
	['push send', [...toOne, ...last, ...timing]],
	['sms send', ['Default Country', 'Replace Typographic Characters', ...toOne, ...last, ...timing]],
	['email send', [...toOne, ...last, ...timing]],
	['email send', ['Default Country', ...toOne, ...last, ...timing], { recipientBy: 'mobile' }],
	[
		'user create',
		[
			...['Default Country', 'Leave Out Invalid Values', 'Send Empty Values'],
			...['Include Input Fields', 'Preview Only', ...last, 'Batch Size', ...timing],
		],
	],
	[
		'sms sendAndWait',
		[
			...['Default Country', 'Replace Typographic Characters', 'Limit Wait Time'],
			...['Response Form Button Label', 'Include Input Fields', 'Preview Only', ...last],
			'Request Timeout (Seconds)',
		],
		{ responseType: 'freeText' },
	],
])('The options of %s, in order of use', (...[asked, labels, changed]) => {
	expect(formOf(asked, changed).options).toEqual(labels);
});

test('No form has more than one notice', () => {
	const operations = properties.filter(({ name }) => name === 'operation');
	const asked = operations.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = (displayOptions?.show?.resource ?? []) as string[];
		return options.map((one) => `${resource} ${'value' in one ? String(one.value) : ''}`);
	});
	expect(asked.length).toBeGreaterThan(15);
	for (const one of asked)
		for (const testRuns of ['send', 'preview', 'testRecipient'])
			for (const recipientBy of [undefined, 'campaign_id']) {
				const { labels } = formOf(one, { testRuns, ...(recipientBy && { recipientBy }) });
				expect(labels.filter((label) => label.startsWith('(')).length).toBeLessThan(2);
			}
});
