import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { execute } from '../support/engine';
import { ExecutionList } from '../support/executionList';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { keyCredential, useSandbox } from '../support/service';
import { rowsOf, toldBy } from '../support/sends';

interface Events {
	nv: IDataObject[];
}

const sandbox = useSandbox();
beforeEach(() => {
	useNewStore();
});
const fromRows = { ...order.trackEvent, userID: '={{ $json.id }}' };

describe('An event is not tracked twice', () => {
	const rows = rowsOf(30);
	const of = (options: INodeParameters = {}) => ({
		parameters: { ...fromRows, options: { batchSize: 10, concurrency: 1, ...options } },
		rows,
		credential: keyCredential(sandbox()),
	});
	/** The events of the middle batch may have been stored. */
	const loseAnAnswer = () =>
		sandbox().faults.add({ kind: 'resetAfterAccept', match: { bodyText: rows[15]?.id }, first: 1 });
	const storedTimes = () => {
		const stored = sandbox().record.flatMap(({ accepted, body }) =>
			accepted ? (body as Events).nv.map(({ userID }) => userID) : [],
		);
		return rows.map(({ id }) => stored.filter((userID) => userID === id).length);
	};
	const inMiddle = (middle: number, others: number) =>
		rows.map((_, row) => (row >= 10 && row < 20 ? middle : others));

	it('by Retry On Fail or a retry from the list, although its time is then another', async () => {
		loseAnAnswer();
		const list = new ExecutionList();
		const first = await list.start({ ...of(), retryOnFail: true });
		expect(first.error?.message).toContain('may or may not have been delivered');
		const second = await list.retry(first);
		expect(second.error).toBeUndefined();
		expect(toldBy(second)[10]).toMatchObject({ outcome: 'unknown' });
		expect(storedTimes()).toEqual(inMiddle(1, 1));
	});

	it("unless 'Retry Unknown' is on", async () => {
		loseAnAnswer();
		await execute(of({ retryUnknown: true }));
		expect(storedTimes()).toEqual(inMiddle(2, 1));
	});

	it('if a batch is refused: its halves hold each event once', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: rows[15]?.id } });
		const report = await execute({ ...of(), onError: 'continueRegularOutput' });
		expect(storedTimes()).toEqual(rows.map((_, row) => (row === 15 ? 0 : 1)));
		expect(toldBy(report).filter(({ outcome }) => outcome === 'rejected')).toHaveLength(1);
	});
});
