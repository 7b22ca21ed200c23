import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { freezeClock } from '../support/clock';
import { subjectOf, workflowOf } from '../support/engine';
import { email, push, sms, user } from '../support/mistakes';
import * as order from '../support/orders';

freezeClock('2026-03-02T09:00:00Z');
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
