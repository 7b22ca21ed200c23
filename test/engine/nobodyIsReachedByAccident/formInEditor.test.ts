import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { freezeClock } from '../support/clock';
import { subjectOf, workflowOf } from '../support/engine';
import { email, push, sms, toCampaign, user } from '../support/mistakes';
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

describe('The caption on the canvas', () => {
	const toSegment = (segment_id: unknown) =>
		({ ...order.pushToSegment, segment_id }) as INodeParameters;
	const chosen = { __rl: true, mode: 'list', value: '42', cachedResultName: 'Newsletter (ID 42)' };
	const byId = (value: unknown) => toSegment({ __rl: true, mode: 'id', value });
	const shown = 'preview by hand: ';

	it.each<[string, INodeParameters, string]>([
		['the operation', push(), 'Push: Send to user'],
		['the operation that also updates', user(), 'User: Create or update'],
		['the name of a segment', toSegment(chosen), `${shown}Push → Newsletter (ID 42)`],
		['the ID of a segment', byId('42'), `${shown}Push → segment 42`],
		['a plain number', toSegment(42), `${shown}Push → segment 42`],
		['no segment that was not chosen', byId(''), `${shown}Push: Broadcast to segment`],
		['no expression', byId('={{ $json.id }}'), `${shown}Push: Broadcast to segment`],
		['no segment of another operation', order.smsToAll, `${shown}SMS → everyone`],
		['that it sends', toAll({ testRuns: 'send' }), 'sends by hand: Push → everyone'],
		['that it sends once', toAll({ testRuns: 'send', sendOnce: true }), 'once: Push → everyone'],
		['a message to a campaign', { ...toCampaign, ...byHand }, `${shown}Email: Send to user`],
		['that nothing is ever sent', push(previewOnly), 'preview only: Push: Send to user'],
	])('shows %s', (_, parameters, caption) => {
		expect(evaluate(description.subtitle ?? '', parameters)).toBe(caption);
	});
});

describe('Before a run, the form', () => {
	/** The hints that the editor shows. */
	const hintsFor = (parameters: INodeParameters, count: number) => {
		const rows = Array.from({ length: count }, () => ({}));
		return (description.hints ?? [])
			.filter(({ displayCondition = '' }) => evaluate(displayCondition, parameters, rows))
			.map(({ message }) => message);
	};
	const sends = { ...order.emailToAll, testRuns: 'send' };
	const options = { retryUnknown: true };

	it.each<[INodeParameters, count: number, settings: string[]]>([
		[order.pushToAll, 2, ['Max Broadcasts']],
		[toAll({ maxBroadcasts: 2 }), 2, []],
		[order.pushToAll, 1, []],
		[sends, 1, ['When Run by Hand']],
		[{ ...sends, ...previewOnly }, 1, []],
		[sms({ options }), 1, ['Resend Unconfirmed']],
		[user({ options }), 1, []],
	])('warns by the setting that causes it: %j with %d items', (parameters, count, settings) => {
		const found = hintsFor(parameters, count).map((hint) => /'([^']+)'/.exec(hint)?.[1]);
		expect(found).toEqual(settings);
	});

	const each = 'messages, one for each input item. To see them first,';
	const send = { testRuns: 'send' };

	it.each<[INodeParameters, count: number, number: string | undefined]>([
		[push(send), 1, undefined],
		[push(), 2, undefined],
		[push(send), 2, `2 to 10 ${each}`],
		[email(send), 10, `2 to 10 ${each}`],
		[sms(send), 172, `101 to 1,000 ${each} and what it costs in parts,`],
		[push(send), 1_001, `1,001 or more ${each}`],
		[push(byHand), 20, undefined],
		[push(previewOnly), 20, undefined],
		[user(), 20, undefined],
		[sms({ operation: 'sendAndWait' }), 20, undefined],
	])('says how many messages a click sends: %j with %d items', (parameters, count, number) => {
		const hint = `One click on Execute step sends ${number} set 'When Run by Hand' to Show Only.`;
		expect(hintsFor(parameters, count)).toEqual(number === undefined ? [] : [hint]);
	});

	it('warns before a run only, beside the output', () => {
		for (const { location, whenToDisplay, type } of description.hints ?? [])
			expect([location, whenToDisplay, type]).toEqual(['outputPane', 'beforeExecution', 'warning']);
	});
});
