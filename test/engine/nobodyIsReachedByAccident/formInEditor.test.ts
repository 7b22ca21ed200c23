import {
	type IDataObject,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { freezeClock } from '../support/clock';
import { subjectOf, workflowOf } from '../support/engine';
import { useNewStore } from '../support/memoryStore';
import { email, push, sms, user } from '../support/mistakes';
import { useNode } from '../support/node';
import * as order from '../support/orders';

freezeClock('2026-03-02T09:00:00Z');
const node = useNode();
const { description } = new CustomerMessaging();

/** Evaluates one of the node's own expressions as the editor does. */
function evaluate(expression: string, parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	const node = subjectOf({ parameters });
	const items = rows.map((json) => ({ json }));
	const evaluator = workflowOf(node, rows).expression;
	return evaluator.getParameterValue(expression, null, 0, 0, node.name, items, 'manual', {});
}

const toAll = (more: INodeParameters) => ({ ...order.pushToAll, ...more });
const previewOnly = { options: { previewOnly: true } };
const byHand = { testRuns: 'preview' };

test.each([
	[push(), 'Push: Send to user'],
	[user(), 'User: Create or update'],
	[order.smsToAll, 'SMS: Broadcast to everyone'],
])('The caption on the canvas names the operation: %j', (parameters, caption) => {
	expect(evaluate(description.subtitle ?? '', parameters)).toBe(caption);
});

describe('Before a run, the form', () => {
	/** The hints that the editor shows. */
	const hintsFor = (parameters: INodeParameters, count: number) => {
		const rows = Array.from({ length: count }, () => ({}));
		return (description.hints ?? [])
			.filter(({ displayCondition = '' }) => evaluate(displayCondition, parameters, rows))
			.map(({ message }) => message);
	};
	const options = { retryUnknown: true };

	it.each<[INodeParameters, count: number, settings: string[]]>([
		[order.pushToAll, 2, ['Max Broadcasts']],
		[toAll({ maxBroadcasts: 2 }), 2, []],
		[order.pushToAll, 1, []],
		[toAll({ testRuns: 'send' }), 1, []],
		[sms({ options }), 1, ['Resend Unconfirmed']],
		[user({ options }), 1, []],
	])('warns by the setting that causes it: %j with %d items', (parameters, count, settings) => {
		const found = hintsFor(parameters, count).map((hint) => /'([^']+)'/.exec(hint)?.[1]);
		expect(found).toEqual(settings);
	});

	const send = { testRuns: 'send' };

	it.each<[INodeParameters, count: number, isTold: boolean]>([
		[push(send), 1, false],
		[push(), 2, false],
		[push(send), 2, true],
		[email(send), 10, true],
		[push(byHand), 20, false],
		[push(previewOnly), 20, false],
		[user(), 20, false],
		[sms({ operation: 'sendAndWait' }), 20, false],
	])('says that a click sends a message for each item: %j with %d items', (...given) => {
		const [parameters, count, isTold] = given;
		const hint =
			"One click on Execute step sends a message for each input item. To see them first, set 'When Run by Hand' to Show Only.";
		expect(hintsFor(parameters, count)).toEqual(isTold ? [hint] : []);
	});

	it('warns before a run only, beside the output', () => {
		for (const { location, whenToDisplay, type } of description.hints ?? [])
			expect([location, whenToDisplay, type]).toEqual(['outputPane', 'beforeExecution', 'warning']);
	});
});

describe('Under Options, the editor offers what can apply, and nothing else', () => {
	const all = description.properties.find(({ name }) => name === 'options')?.options;
	const always = 'includeInputFields maxWait previewOnly requestTimeout retryUnknown skipTextCheck';

	/** The options for a node, without those of every operation. */
	function offered(parameters: INodeParameters): string[] {
		const node = subjectOf({ parameters });
		const whole = { ...parameters, options: {} };
		return (all as INodeProperties[])
			.filter((option) => NodeHelpers.displayParameterPath(whole, option, '', node, description))
			.map(({ name }) => name)
			.filter((name) => !always.split(' ').includes(name));
	}

	const toMany = ['concurrency', 'sendDuplicates'];
	const toOne = [...toMany, 'maxMessages'];
	const ofSms = ['defaultCountry', 'replaceTypographicCharacters'];
	const ofUsers = ['batchSize', 'concurrency', 'defaultCountry', 'leaveOutInvalid'];
	const ask = { operation: 'sendAndWait' };
	const askForText = { ...ask, responseType: 'freeText' };
	const ofText = ['limitWaitTime', 'responseFormButtonLabel'];

	it.each<[string, INodeParameters, string[]]>([
		['a push', push(), toOne],
		['a push to everyone', order.pushToAll, toMany],
		['an email', email(), toOne],
		['an email by mobile number', email({ recipientBy: 'mobile' }), [...toOne, 'defaultCountry']],
		['an email to a segment', order.emailToSegment, toMany],
		['an SMS', sms(), [...toOne, ...ofSms]],
		['an SMS to everyone', order.smsToAll, [...toMany, ...ofSms]],
		['users', user(), [...ofUsers, 'sendEmptyValues']],
		['events', order.trackEvent, ['batchSize', 'concurrency']],
		['a custom request', order.customPost, ['concurrency']],
		['a question by push', push(ask), ['limitWaitTime']],
		['a question by push with a text', push(askForText), ofText],
		['a question by email', email(ask), ['limitWaitTime', 'messageButtonLabel']],
	])('%s', (_, parameters, expected) => {
		expect(offered(parameters).sort()).toEqual([...expected].sort());
	});

	it('and all where an expression chooses the operation, and Preview Only is on once added', () => {
		expect(offered(push({ operation: '={{ $json.what }}' }))).toContain('maxMessages');
		expect(all?.find(({ name }) => name === 'previewOnly')).toHaveProperty('default', true);
	});
});

describe('A hidden option that is stored, as another operation left it, changes nothing:', () => {
	const rows = [{ id: 'a' }, { id: 'b' }];
	const perItem = '={{ $json.id }}';

	it.each<[string, INodeParameters, INodeParameters]>([
		['no number', order.pushToAll, { maxMessages: 'many' }],
		['an expression that fails', order.pushToAll, { maxMessages: '={{ $json.a.b.c() }}' }],
		['a country', push(), { defaultCountry: 'Atlantis', limitWaitTime: { values: 7 } }],
		['both kinds', user(), { maxMessages: perItem, sendEmptyValues: true }],
		['beside an expression', order.trackEvent, { maxWait: '={{ 30 }}', maxMessages: perItem }],
	])('%s', async (_, parameters, stored) => {
		const whole = { ...parameters, testRuns: 'send', maxBroadcasts: 2 };
		const { error: without } = await node.run(whole, { rows });
		const expected = node.bodies();
		node.sandbox.reset();
		useNewStore();
		const { error, output } = await node.run({ ...whole, options: stored }, { rows });
		expect([without, error]).toEqual([undefined, undefined]);
		expect(output.map(({ json }) => json.outcome)).not.toContain('invalid');
		expect(node.bodies()).toEqual(expected);
		expect(expected.length).toBeGreaterThan(0);
	});

	it('not even where a model fills it in', async () => {
		const parameters = push({ options: { batchSize: "={{ $fromAI('size') }}" } });
		const { error } = await node.run(parameters, { calledAs: 'Tool' });
		expect(error).toBeUndefined();
		expect(node.sandbox.record).toHaveLength(1);
	});
});
