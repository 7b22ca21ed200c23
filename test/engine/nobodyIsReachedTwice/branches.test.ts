import type { IDataObject, INodeExecutionData, INodeParameters, ITaskData } from 'n8n-workflow';

import { nodeName } from '../support/engine';
import { type Connection, executeGraph, type GraphOrder } from '../support/graph';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { push } from '../support/sends';
import { bodies, keyCredential, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const itemsOf = (runs: readonly ITaskData[]) =>
	runs.map(({ data, error }) =>
		error ? [error.message] : (data?.main ?? []).flatMap((items) => (items ?? []).map(outcomeOf)),
	);
const outcomeOf = ({ json }: INodeExecutionData) => {
	const { outcome } = (json.details ?? json) as { outcome: string };
	return typeof json.reason === 'string' ? `${outcome} ${json.reason}` : outcome;
};
const to = () => bodies(sandbox()).map((body) => (body as IDataObject).user_id);

async function execute(connections: Connection[], rest: Partial<GraphOrder> = {}) {
	return await executeGraph({
		parameters: push(),
		rows: rows('u1', 'u2'),
		credential: keyCredential(sandbox()),
		connections,
		...rest,
	});
}

const same = 'skipped sameMessage';
const twoNodes: Connection[] = [
	['Start', 0, 'A'],
	['Start', 0, 'B'],
	['A', 0, nodeName],
	['B', 0, nodeName],
];

describe('Two branches into one node', () => {
	it('send the same message once', async () => {
		const { runs } = await execute(twoNodes);
		expect(itemsOf(runs)).toEqual([
			['accepted', 'accepted'],
			[same, same],
		]);
		expect(to()).toEqual(['u1', 'u2']);
		const hints = runs.at(-1)?.hints?.map(({ message }) => message);
		expect(hints).toEqual([
			"2 messages were skipped because another branch of the workflow leads to this node too, and sent the same message to the same recipient. To send them too, turn on 'Send Duplicates' under Options (items 0–1).",
		]);
		expect(runs.at(-1)?.data?.main?.[0]?.map(({ json }) => json.firstItem)).toEqual([0, 1]);
	});

	it('may be two outputs of one node', async () => {
		const { runs } = await execute([
			['Start', 0, nodeName],
			['Start', 1, nodeName],
		]);
		expect(itemsOf(runs)).toEqual([
			['accepted', 'accepted'],
			[same, same],
		]);
	});

	it.each<[string, Partial<GraphOrder>]>([
		['with Send Duplicates', { parameters: push({ sendDuplicates: true }) }],
		[
			'with Send Once, whose key differs',
			{
				parameters: { ...push(), sendOnce: true, sendOnceKey: '={{ $runIndex }}' },
			},
		],
		[
			'if a field differs by itself',
			{ parameters: { ...push(), title: '={{ $now.toMillis() }}' } },
		],
		['if it says something else', { parameters: { ...push(), message: '={{ $prevNode.name }}' } }],
	])('send both %s', async (_, rest) => {
		const { runs } = await execute(twoNodes, rest);
		expect(itemsOf(runs)).toEqual([
			['accepted', 'accepted'],
			['accepted', 'accepted'],
		]);
	});

	it('send in the second what the first could not', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u1' }, first: 1 });
		const { runs } = await execute(twoNodes, { onError: 'continueRegularOutput' });
		expect(itemsOf(runs)).toEqual([
			['rejected', 'accepted'],
			['accepted', same],
		]);
	});

	it('do not send again what may have arrived', async () => {
		sandbox().faults.add({ kind: 'resetAfterAccept', match: { bodyText: 'u1' }, first: 1 });
		const { runs } = await execute(twoNodes, { onError: 'continueRegularOutput' });
		expect(itemsOf(runs)).toEqual([
			['unknown', 'accepted'],
			[same, same],
		]);
	});

	it('send once after a retry, too', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u3' }, first: 1 });
		const split = (items: INodeExecutionData[]) => [
			items,
			items.filter(({ json }) => json.id !== 'u3'),
		];
		const graph: Partial<GraphOrder> = { rows: rows('u1', 'u3'), splits: { Start: split } };
		const connections: Connection[] = [
			['Start', 0, nodeName],
			['Start', 1, nodeName],
		];
		const first = await execute(connections, graph);
		expect(itemsOf(first.runs)[0]).toEqual(['accepted']);
		expect(first.run.data.resultData.error).toBeDefined();
		const retried = await execute(connections, { ...graph, retryOf: first.run });
		expect(itemsOf(retried.runs)).toEqual([['accepted'], [same, 'accepted']]);
		expect(to()).toEqual(['u1', 'u3', 'u3']);
	});

	it.each<[string, INodeParameters]>([
		['email', { ...order.emailSend, email: '={{ $json.id }}@example.com' }],
		['SMS', { ...order.smsSend, mobile: '={{ "+49151123456" + $json.id.replace("u", "8") }}' }],
	])('send the same %s once', async (_, parameters) => {
		const { runs } = await execute(twoNodes, { parameters });
		expect(itemsOf(runs)).toEqual([
			['accepted', 'accepted'],
			[same, same],
		]);
	});
});

describe('The same message is sent each time', () => {
	it('by an IF after the node that leads back to it, such as a reminder', async () => {
		const { runs } = await execute(
			[
				['Start', 0, nodeName],
				[nodeName, 0, 'If'],
				['If', 0, nodeName],
			],
			{
				parameters: { ...push(), user_id: '={{ $json.id ?? $json.user_id }}' },
				splits: { If: (items, run) => [run === 0 ? items : [], []] },
			},
		);
		expect(itemsOf(runs)).toEqual([
			['accepted', 'accepted'],
			['accepted', 'accepted'],
		]);
	});

	it('by an error output that comes back', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u1' }, first: 1 });
		const { runs } = await execute(
			[
				['Start', 0, nodeName],
				[nodeName, 1, 'Correct'],
				['Correct', 0, nodeName],
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(itemsOf(runs)).toEqual([['accepted', 'rejected'], ['accepted']]);
	});

	it('in rounds of a loop that has two branches inside', async () => {
		const { runs } = await execute(
			[
				['Start', 0, 'Loop'],
				['Loop', 0, 'A'],
				['Loop', 0, 'B'],
				['A', 0, nodeName],
				['B', 0, nodeName],
				[nodeName, 0, 'Loop'],
			],
			{
				rows: rows('u1'),
				parameters: { ...push(), user_id: 'u1' },
				splits: { Loop: (items, run) => [run === 0 ? items : [], []] },
			},
		);
		expect(itemsOf(runs)).toEqual([['accepted'], ['accepted']]);
	});
});
