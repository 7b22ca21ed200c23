import { ExecutionList } from './support/executionList';
import { useNewStore } from './support/memoryStore';
import { accountOf, arrivalsByPush, push, roomySandbox, rowsOf } from './support/sends';

/** How often each of three people is reached by two executions with the same rows. */
async function reachedByTwoExecutions(more: object): Promise<number[]> {
	const sandbox = await roomySandbox();
	useNewStore();
	const list = new ExecutionList();
	const rows = rowsOf(3);
	const start = async () =>
		await list.start({
			parameters: { ...push(), ...more },
			rows,
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
	try {
		await start();
		await start();
		const arrivals = arrivalsByPush(sandbox.record);
		return rows.map(({ id }) => arrivals.get(`web ${id}`)?.length ?? 0);
	} finally {
		await sandbox.close();
	}
}

test('Without Send Once, a new execution sends everything again', async () => {
	expect(await reachedByTwoExecutions({})).toEqual([2, 2, 2]);
});

test('With Send Once, it sends nothing again', async () => {
	expect(await reachedByTwoExecutions({ sendOnce: true })).toEqual([1, 1, 1]);
});
