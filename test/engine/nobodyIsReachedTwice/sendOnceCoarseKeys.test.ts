import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { ExecutionList } from '../support/executionList';
import { useNewStore } from '../support/memoryStore';
import { accountOf, push, toldBy } from '../support/sends';

let sandbox: Sandbox;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await startSandbox();
	useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const byKey = {
	...push({ concurrency: 1 }),
	message: '={{ $json.text }}',
	sendOnce: true,
	sendOnceKey: '={{ $json.key }}',
};

async function send(rows: IDataObject[], changes: INodeParameters = {}) {
	const execution = await list.start({
		parameters: { ...byKey, ...changes },
		rows,
		credential: accountOf(sandbox),
		onError: 'continueRegularOutput',
	});
	const hints = execution.hints.filter(({ message }) => message.includes('too coarse'));
	return {
		told: toldBy(execution).map(({ outcome, details }) =>
			details.differs === undefined
				? outcome
				: `${outcome}, differs: ${JSON.stringify(details.differs)}`,
		),
		hints: hints.map(({ type, message }) => [type, message]),
	};
}

const row = (id: string, key: string, text: string) => ({ id, key, text });
const coarse =
	"'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as";
const advice = `${coarse} their occasion: shipped, delivered.`;

describe('A key of Send Once that different messages share', () => {
	test('is told by each skipped item that differs from the one that was sent', async () => {
		const { told, hints } = await send([
			row('u1', 'order', 'Order 1 is on its way'),
			row('u1', 'order', 'Order 2 is on its way'),
			row('u1', 'order', 'Order 1 is on its way'),
			row('u2', 'order', 'Order 3 is on its way'),
			row('u1', 'order', 'Order 4 is on its way'),
		]);
		expect(told).toEqual([
			'accepted',
			'skipped, differs: true',
			'skipped',
			'accepted',
			'skipped, differs: true',
		]);
		expect(hints).toEqual([
			[
				'warning',
				`Send Once: 2 messages were skipped although another message of this run with the same key says something else: items 1, 4. If people should get all of them, ${advice}`,
			],
		]);
		expect(sandbox.accepted()).toHaveLength(2);
	});

	test.each([
		['Autumn sale', 'an order number'],
		["=Sale {{ $today.toFormat('yyyy') }}", 'an order number'],
		['={{ $json.key }}', 'their occasion: shipped, delivered'],
		['=Order {{ $json.key }}', 'their occasion: shipped, delivered'],
		['={{ $input.item.json.key }}', 'their occasion: shipped, delivered'],
	])('is told what to add, which it does not hold already: %s', async (sendOnceKey, what) => {
		const rows = [row('u1', '17', 'Order 17 has left'), row('u1', '17', 'Order 17 is here')];
		const { hints } = await send(rows, { sendOnceKey });
		expect(hints.map(([, message]) => message)).toEqual([
			expect.stringContaining(`${coarse} ${what}.`),
		]);
	});

	test('is not suspected where they are the same, or each has a key', async () => {
		const same = await send([row('u1', 'a', 'Hello'), row('u1', 'a', 'Hello')]);
		expect(same).toEqual({ told: ['accepted', 'skipped'], hints: [] });
		const apart = await send([row('u1', 'b', 'Order 1'), row('u1', 'c', 'Order 2')]);
		expect(apart).toEqual({ told: ['accepted', 'accepted'], hints: [] });
	});
});

test('A run that is skipped as a whole has no hint, as texts to different people always differ', async () => {
	await send([row('u1', 'u1', 'Order 1'), row('u2', 'u2', 'Order 2')]);
	const { told, hints } = await send([row('u1', 'u1', 'Dear Ann'), row('u2', 'u2', 'Dear Ben')]);
	expect(told).toEqual(['skipped', 'skipped']);
	expect(hints).toEqual([]);
});
