import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { ExecutionList } from './support/executionList';
import { useNewStore } from './support/memoryStore';
import { accountOf, idOf, push, roomySandbox, rowsOf, toldBy } from './support/sends';

let sandbox: Sandbox;
let list: ExecutionList;
beforeEach(async () => {
	sandbox = await roomySandbox();
	useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

async function start(parameters: INodeParameters, count = 2) {
	return await list.start({
		parameters,
		rows: rowsOf(count),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});
}

const idsSent = () =>
	sandbox.record.map(({ body }) => (body as { notification_id?: number }).notification_id);
const idsTold = (execution: Awaited<ReturnType<typeof start>>) =>
	toldBy(execution).map(({ details }) => details.notification_id);

const withId = (options: INodeParameters = {}) => push({ addNotificationId: true, ...options });

it('is not added without the option', async () => {
	expect(idsTold(await start(push()))).toEqual([undefined, undefined]);
	expect(idsSent()).toEqual([undefined, undefined]);
});

it('is another one for each row, platform, execution and call of the node, and the output shows it', async () => {
	const parameters = { ...withId({ concurrency: 1 }), platforms: ['web', 'android'] };
	const told = [...idsTold(await start(parameters)), ...idsTold(await start(parameters))];
	expect(told).toEqual(idsSent());
	expect(new Set(told).size).toBe(8);
	for (const id of told) {
		expect(Number.isSafeInteger(id)).toBe(true);
		expect(id).toBeGreaterThan(0);
	}
});

it('stays the same in retries of the execution', async () => {
	sandbox.faults.add({ kind: 'status', status: 503, first: 1, match: { bodyText: idOf(1) } });
	const first = await list.start({
		parameters: withId({ concurrency: 1 }),
		rows: rowsOf(2),
		credential: accountOf(sandbox),
	});
	const again = await list.retry(first, {
		parameters: withId({ concurrency: 1, retryUnknown: true }),
	});
	const retriedTwice = await list.retry(first, {
		parameters: withId({ concurrency: 1, retryUnknown: true }),
	});
	expect(idsTold(again)).toEqual(idsTold(retriedTwice));
	const [, failed, repeated] = idsSent();
	expect(failed).toBeGreaterThan(0);
	expect(repeated).toBe(failed);
	expect(idsTold(again)[1]).toBe(failed);
});

it('follows the key of Send Once into later executions', async () => {
	const once = (options: INodeParameters = {}) => ({
		...withId({ concurrency: 1, ...options }),
		sendOnce: true,
		sendOnceKey: 'order 1',
	});
	sandbox.faults.add({ kind: 'status', status: 503, first: 1, match: { bodyText: idOf(1) } });
	const first = idsTold(await start(once()));
	const skipped = idsTold(await start(once()));
	const repeated = idsTold(await start(once({ retryUnknown: true })));
	expect([skipped, repeated]).toEqual([first, first]);
	expect(idsSent()).toEqual([first[0], first[1], first[1]]);
});

it('is the one that the user gives', async () => {
	const own = { ...withId(), additionalFields: { notification_id: 7 } };
	expect(idsTold(await start(own))).toEqual([undefined, undefined]);
	expect(idsSent()).toEqual([7, 7]);
});
