import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Order } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { executeInLoop } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { push } from '../support/sends';
import { bodies, keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

/** What the items say: the outcome, and of a message that was left out, the reason and the first item. */
async function told(parameters: INodeParameters, input: IDataObject[], rest: Partial<Order> = {}) {
	const { output, hints, error } = await run(sandbox(), parameters, { rows: input, ...rest });
	expect(error).toBeUndefined();
	return {
		items: output.map(({ json }) => json.outcome),
		skipped: output.filter(({ json }) => json.outcome === 'skipped'),
		hints: hints.map(({ message }) => message),
	};
}

const bothSent = ['accepted', 'accepted'];

describe('The same message to the same recipient', () => {
	it('is sent once, and each other one is an item that names the first', async () => {
		const { items, skipped, hints } = await told(push(), rows('u1', 'u2', 'u1', 'u3', 'u1'));
		expect(items).toEqual(['accepted', 'accepted', 'skipped', 'accepted', 'skipped']);
		const about = { user_id: 'u1', reason: 'sameMessage', firstItem: 0, platform: 'web' };
		expect(skipped).toMatchObject([
			{ json: about, pairedItem: { item: 2 } },
			{ json: about, pairedItem: { item: 4 } },
		]);
		expect(hints).toEqual([
			"2 messages were skipped because this run has the same message to the same recipient before. To send them too, turn on 'Send Duplicates' under Options (items 2, 4).",
		]);
		expect(bodies(sandbox())).toHaveLength(3);
	});

	it('is left out on each platform of a push, where the first item has it', async () => {
		const parameters = { ...push(), platforms: '={{ $json.on }}' };
		const input = [['web'], ['web', 'ios'], ['ios']].map((on) => ({ id: 'u1', on }));
		const { skipped } = await told(parameters, input);
		expect(skipped).toMatchObject([
			{ json: { platform: 'web', firstItem: 0 }, pairedItem: { item: 1 } },
			{ json: { platform: 'ios', firstItem: 1 }, pairedItem: { item: 2 } },
		]);
		expect(bodies(sandbox())).toHaveLength(2);
	});

	it('is left out whatever happens to the first, and with On Error too', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const { items } = await told(push(), rows('u1', 'u1'), { onError: 'continueErrorOutput' });
		expect(items).toEqual(['skipped']);
		expect(bodies(sandbox())).toHaveLength(1);
	});

	it.each<[string, INodeParameters]>([
		['email', order.emailSend],
		['SMS', order.smsSend],
	])('is found in %s', async (_, parameters) => {
		expect((await told(parameters, [{}, {}])).items).toEqual(['accepted', 'skipped']);
	});

	it.each<[string, INodeParameters]>([
		['with Send Duplicates', push({ sendDuplicates: true })],
		['to other recipients', { ...push(), user_id: '={{ $json.other }}' }],
		['at another time', { ...push(), sendAt: 'delay', time: '={{ $json.delay }}' }],
		['with a field that differs by itself', { ...push(), title: '=At {{ $now.toMillis() }}' }],
		[
			'with an optional field that differs by itself',
			{ ...push(), additionalFields: { tag: '={{ $execution.id }}' } },
		],
		['that is a user', { ...order.createUser, userID: '={{ $json.id }}' }],
		['that is an event', { ...order.trackEvent, userID: '={{ $json.id }}' }],
		['that is a custom request', order.customPost],
		['that is a broadcast', { ...order.pushToAll, maxBroadcasts: 2 }],
	])('is sent %s', async (_, parameters) => {
		const input = [1, 2].map((delay) => ({ id: 'u1', other: `u${delay}`, delay }));
		expect((await told(parameters, input)).items).toEqual(bothSent);
	});

	it('is left out if what differs by itself is the same all day', async () => {
		const parameters = { ...push(), title: '=On {{ $today.toISODate() }}' };
		expect((await told(parameters, rows('u1', 'u1'))).items).toEqual(['accepted', 'skipped']);
	});

	it('is left to the key with Send Once', async () => {
		const parameters = { ...push(), sendOnce: true, sendOnceKey: '={{ $json.order }}' };
		const input = [1, 2, 1].map((number) => ({ id: 'u1', order: number }));
		const { items, skipped } = await told(parameters, input);
		expect(items).toEqual(['accepted', 'accepted', 'skipped']);
		expect(skipped).toMatchObject([{ json: { reason: 'sentBefore' } }]);
	});

	it('is sent in another round of a loop', async () => {
		const { runs } = await executeInLoop({
			parameters: push(),
			rows: rows('u1', 'u1'),
			rowsPerRun: 1,
			credential: keyCredential(sandbox()),
		});
		const items = runs.flatMap(({ data }) => data?.main?.[0] ?? []);
		expect(items.map(({ json }) => json.outcome)).toEqual(bothSent);
	});
});

describe('A retry', () => {
	const input = rows('u1', 'u2', 'u1', 'u2', 'u3');
	const attempt = () => {
		const list = new ExecutionList();
		const credential = keyCredential(sandbox());
		return { list, order: { parameters: push({ concurrency: 1 }), credential, rows: input } };
	};
	const outcomes = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json.outcome);

	it('leaves out the same messages', async () => {
		const { list, order: first } = attempt();
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u2' }, first: 1 });
		const failed = await list.start(first);
		expect(failed.error).toBeDefined();
		const { output } = await list.retry(failed);
		expect(outcomes(output)).toEqual(['accepted', 'accepted', 'skipped', 'skipped', 'accepted']);
		const sent = sandbox().accepted() as Array<{ body: IDataObject }>;
		expect(sent.map(({ body }) => body.user_id)).toEqual(['u1', 'u2', 'u3']);
	});

	it('reports a message as sent that an earlier attempt with Send Duplicates sent', async () => {
		const { list, order: first } = attempt();
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'u3' }, first: 1 });
		const parameters = push({ concurrency: 1, sendDuplicates: true });
		const failed = await list.start({ ...first, parameters });
		expect(failed.error).toBeDefined();
		const { output } = await list.retry(failed, { parameters: first.parameters });
		expect(outcomes(output)).toEqual(input.map(() => 'accepted'));
		expect(sandbox().accepted()).toHaveLength(input.length);
	});
});
