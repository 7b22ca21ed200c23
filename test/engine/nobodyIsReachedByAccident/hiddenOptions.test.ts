import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { subjectOf } from '../support/engine';
import * as order from '../support/orders';
import { useNewStore } from '../support/memoryStore';
import { bodies, freezeClock, run, useSandbox } from '../support/service';

freezeClock('2026-03-02T09:00:00Z');
const sandbox = useSandbox();
const { description } = new CustomerMessaging();
const options = description.properties.find(({ name }) => name === 'options')
	?.options as INodeProperties[];

/** The options that the editor offers for a node, without those of every operation. */
function offered(parameters: INodeParameters): string[] {
	const node = subjectOf({ parameters });
	return options
		.filter((option) =>
			NodeHelpers.displayParameterPath(
				{ ...parameters, options: {} },
				option,
				'',
				node,
				description,
			),
		)
		.map(({ name }) => name)
		.filter((name) => !always.includes(name));
}

const always = [
	...['includeInputFields', 'includeRequest', 'maxWait', 'previewOnly'],
	...['requestTimeout', 'retryUnknown', 'skipTextCheck'],
];
const toOne = ['concurrency', 'maxMessages', 'maxPerMinute', 'sendDuplicates'];
const ofUsers = ['batchSize', 'concurrency', 'defaultCountry', 'leaveOutInvalid'];
const ask = { ...order.pushSend, operation: 'sendAndWait' };

describe('Under Options, the editor offers what can apply, and nothing else', () => {
	it.each<[string, INodeParameters, string[]]>([
		['a push', order.pushSend, toOne],
		['a push to everyone', order.pushToAll, ['concurrency', 'sendDuplicates']],
		['an email', order.emailSend, [...toOne, 'defaultCountry']],
		['an email to a segment', order.emailToSegment, ['concurrency', 'sendDuplicates']],
		['an SMS', order.smsSend, [...toOne, 'defaultCountry', 'replaceTypographicCharacters']],
		[
			'an SMS to everyone',
			order.smsToAll,
			['concurrency', 'defaultCountry', 'replaceTypographicCharacters', 'sendDuplicates'],
		],
		['users', order.createUser, [...ofUsers, 'sendEmptyValues']],
		['events', order.trackEvent, ['batchSize', 'concurrency']],
		['a custom request', order.customPost, ['concurrency']],
		['a question by push', ask, ['limitWaitTime']],
		[
			'a question by push with a text',
			{ ...ask, responseType: 'freeText' },
			['limitWaitTime', 'responseFormButtonLabel'],
		],
		[
			'a question by email with a text',
			{ ...ask, resource: 'email', responseType: 'freeText' },
			['defaultCountry', 'limitWaitTime', 'messageButtonLabel', 'responseFormButtonLabel'],
		],
	])('%s', (_, parameters, expected) => {
		expect(offered(parameters).sort()).toEqual([...expected].sort());
	});

	it('offers all where an expression chooses the operation', () => {
		const names = new Set(offered({ ...order.pushSend, operation: '={{ $json.what }}' }));
		expect(names).toContain('maxMessages');
	});
});

describe('A hidden option that is stored, as another operation left it, changes nothing', () => {
	const rows = [{ id: 'a' }, { id: 'b' }];
	it.each<[string, INodeParameters, INodeParameters]>([
		['no number', order.pushToAll, { maxMessages: 'many', maxPerMinute: 0 }],
		['an expression that fails', order.pushToAll, { maxMessages: '={{ $json.a.b.c() }}' }],
		['a country', order.pushSend, { defaultCountry: 'Atlantis', limitWaitTime: { values: 7 } }],
		['one value for each item', order.pushSend, { batchSize: '={{ $json.id }}' }],
		[
			'both kinds beside one that applies',
			order.createUser,
			{ maxMessages: '={{ $json.id }}', sendEmptyValues: true },
		],
		['a switch that is none', order.smsSend, { sendEmptyValues: 'perhaps', batchSize: -1 }],
		[
			'what differs beside an expression',
			order.trackEvent,
			{ maxWait: '={{ 30 }}', maxMessages: '={{ $json.id }}' },
		],
	])('%s', async (_, parameters, stored) => {
		const whole = { ...parameters, testRuns: 'send', maxBroadcasts: 2 };
		const { error: without } = await run(sandbox(), whole, { rows });
		const expected = bodies(sandbox());
		sandbox().reset();
		useNewStore();
		const { error, output } = await run(sandbox(), { ...whole, options: stored }, { rows });
		expect([without, error]).toEqual([undefined, undefined]);
		expect(output.map(({ json }) => json.outcome)).not.toContain('invalid');
		expect(bodies(sandbox())).toEqual(expected);
		expect(expected.length).toBeGreaterThan(0);
	});

	it('not even where a model fills it in', async () => {
		const { error } = await run(
			sandbox(),
			{ ...order.pushSend, options: { batchSize: "={{ $fromAI('size') }}" } },
			{ calledAs: 'Tool' },
		);
		expect(error).toBeUndefined();
		expect(sandbox().record).toHaveLength(1);
	});
});
