import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { subjectOf, workflowOf } from '../support/engine';
import * as order from '../support/orders';

const { description } = new CustomerMessaging();

/** Evaluates one of the node's own expressions as the editor does. */
function evaluate(expression: string, parameters: INodeParameters, rows: IDataObject[] = [{}]) {
	const node = subjectOf({ parameters });
	const workflow = workflowOf(node, rows);
	const items = rows.map((json) => ({ json }));
	return workflow.expression.getParameterValue(
		expression,
		null,
		0,
		0,
		node.name,
		items,
		'manual',
		{},
	);
}

describe('The caption on the canvas', () => {
	const toSegment = (segment_id: unknown) =>
		({ ...order.pushToSegment, segment_id }) as INodeParameters;
	const chosen = { __rl: true, mode: 'list', value: '42', cachedResultName: 'Newsletter (ID 42)' };
	const shown = 'preview by hand: ';
	const byId = (value: unknown) => ({ __rl: true, mode: 'id', value });

	it.each<[string, INodeParameters, string]>([
		['the operation', order.pushSend, 'Push: Send to user'],
		['the operation that also updates', order.createUser, 'User: Create or update'],
		['the name of a segment', toSegment(chosen), `${shown}Push → Newsletter (ID 42)`],
		['the ID of a segment', toSegment(byId('42')), `${shown}Push → segment 42`],
		['a plain number', toSegment(42), `${shown}Push → segment 42`],
		['no segment that was not chosen', toSegment(byId('')), `${shown}Push: Broadcast to segment`],
		['no expression', toSegment(byId('={{ $json.id }}')), `${shown}Push: Broadcast to segment`],
		['no plain expression', toSegment('={{ $json.id }}'), `${shown}Push: Broadcast to segment`],
		['no segment of another operation', order.smsToAll, `${shown}SMS → everyone`],
		...Object.entries({
			preview: 'preview by hand',
			testRecipient: 'preview by hand',
			send: 'sends by hand',
		}).map(([testRuns, state]): [string, INodeParameters, string] => [
			`the state of a broadcast: ${state} (${testRuns})`,
			{ ...order.pushToAll, testRuns },
			`${state}: Push → everyone`,
		]),
		[
			'that it sends once',
			{ ...order.pushToAll, testRuns: 'send', sendOnce: true },
			'once: Push → everyone',
		],
		[
			'a preview before Send Once',
			{ ...order.pushToAll, testRuns: 'preview', sendOnce: true },
			'preview by hand: Push → everyone',
		],
		[
			'the state of a message to a campaign',
			{ ...order.emailSend, recipientBy: 'campaign_id', testRuns: 'preview' },
			'preview by hand: Email: Send to user',
		],
		[
			'that nothing is ever sent',
			{ ...order.pushSend, options: { previewOnly: true } },
			'preview only: Push: Send to user',
		],
	])('shows %s', (_, parameters, caption) => {
		expect(evaluate(description.subtitle ?? '', parameters)).toBe(caption);
	});
});

/** The hints that the editor shows before a run, by the setting that causes each. */
function hintsFor(parameters: INodeParameters, rows?: IDataObject[]): string[] {
	const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
		evaluate(displayCondition, parameters, rows),
	);
	return shown.map(({ message }) => /'([^']+)'/.exec(message)?.[1] ?? message);
}

describe('Before a run, the form warns', () => {
	const two = [{ id: 1 }, { id: 2 }];

	it('about several items into a broadcast, beyond what Max Broadcasts allows', () => {
		expect(hintsFor(order.pushToAll, two)).toEqual(['Max Broadcasts']);
		expect(hintsFor({ ...order.pushToAll, maxBroadcasts: 2 }, two)).toEqual([]);
		expect(hintsFor(order.pushToAll)).toEqual([]);
		expect(hintsFor(order.createUser, two)).toEqual([]);
	});

	it('about a run by hand that sends to many people', () => {
		const sends = { ...order.emailToAll, testRuns: 'send' };
		expect(hintsFor(sends)).toEqual(['When Run by Hand']);
		expect(hintsFor({ ...sends, options: { previewOnly: true } })).toEqual([]);
	});

	it.each<[INodeParameters, rows: number, number: string | undefined]>([
		[order.pushSend, 1, undefined],
		[order.pushSend, 2, '2 to 10 messages, one for each input item. To see them first,'],
		[order.emailSend, 10, '2 to 10 messages, one for each input item. To see them first,'],
		[
			order.smsSend,
			172,
			'101 to 1,000 messages, one for each input item. To see them first, and what it costs in parts,',
		],
		[order.pushSend, 1_001, '1,001 or more messages, one for each input item. To see them first,'],
		[{ ...order.pushSend, testRuns: 'preview' }, 20, undefined],
		[{ ...order.pushSend, options: { previewOnly: true } }, 20, undefined],
		[order.createUser, 20, undefined],
		[{ ...order.smsSend, operation: 'sendAndWait' }, 20, undefined],
	])('about how many messages a click sends: %j with %d items', (parameters, rows, number) => {
		const shown = (description.hints ?? []).filter(({ displayCondition = '' }) =>
			evaluate(
				displayCondition,
				parameters,
				Array.from({ length: rows }, () => ({})),
			),
		);
		expect(shown.map(({ message }) => message)).toEqual(
			number === undefined
				? []
				: [`One click on Execute step sends ${number} set 'When Run by Hand' to Show Only.`],
		);
	});

	it('about messages that may arrive twice', () => {
		const options = { retryUnknown: true };
		expect(hintsFor({ ...order.smsSend, options })).toEqual(['Retry Unknown']);
		expect(hintsFor({ ...order.createUser, options })).toEqual([]);
		expect(hintsFor({ ...order.customPost, options })).toEqual([]);
	});

	it('before a run only, beside the output', () => {
		for (const { location, whenToDisplay, type } of description.hints ?? [])
			expect([location, whenToDisplay, type]).toEqual(['outputPane', 'beforeExecution', 'warning']);
	});
});
