import {
	type HistoryMemory,
	readHistory,
	rememberSendOnce,
} from '../../../nodes/CustomerMessaging/run/sendOnce';

const first = { id: '1', nodeId: 'node', mode: 'trigger', establishedAtMs: 1_000 };
const retry = { ...first, id: '2', mode: 'retry' };
const origin = {
	executionId: '1',
	establishedAtMs: 1_000,
	startedByHand: false,
	isSubWorkflow: false,
};

test('An execution is the first of its retries', () => {
	const memory: HistoryMemory = {};
	expect(readHistory(first, memory)).toEqual({
		isRetry: false,
		wasInterrupted: false,
		...origin,
	});
	expect(memory.origin).toEqual(origin);
});

test('A retry begins with what the first execution stored, however often it is retried', () => {
	const memory: HistoryMemory = {};
	readHistory({ ...first, mode: 'manual' }, memory);
	for (const id of ['2', '3'])
		expect(readHistory({ ...retry, id }, memory)).toEqual({
			isRetry: true,
			wasInterrupted: false,
			...origin,
			startedByHand: true,
		});
});

test('A retry of an execution that stored nothing is what n8n says of it', () => {
	expect(readHistory({ ...retry, firstMode: 'manual' }, {})).toMatchObject({
		isRetry: true,
		executionId: '2',
		startedByHand: true,
	});
});

test('A retry of which n8n says nothing has no origin, and stores none', () => {
	const memory = { wasInterrupted: true };
	expect(readHistory(retry, memory)).toEqual({ isRetry: true, wasInterrupted: true });
	expect(memory).toEqual({ wasInterrupted: true });
});

test.each([
	[{ mode: 'manual' }, true],
	[{ mode: 'evaluation' }, true],
	[{ mode: 'trigger' }, false],
	[{ mode: 'webhook' }, false],
	[{ mode: 'integrated', callerId: '5', firstNodeType: 'n8n-nodes-base.manualTrigger' }, true],
	[
		{
			mode: 'integrated',
			callerId: '5',
			firstNodeType: '@n8n/n8n-nodes-langchain.manualChatTrigger',
		},
		true,
	],
	[{ mode: 'integrated', callerId: '5', firstNodeType: 'n8n-nodes-base.evaluationTrigger' }, true],
	[{ mode: 'integrated', callerId: '5', firstNodeType: 'n8n-nodes-base.executeWorkflow' }, true],
	[{ mode: 'integrated', callerId: '5', firstNodeType: 'n8n-nodes-base.webhook' }, false],
	[{ mode: 'integrated', callerId: '5' }, false],
	// Without a caller, the workflow's own trigger says nothing of who started it.
	[{ mode: 'webhook', firstNodeType: 'n8n-nodes-base.manualTrigger' }, false],
])('Whether %j was started by hand: %s', (facts, startedByHand) => {
	expect(readHistory({ ...first, ...facts }, {})).toMatchObject({ startedByHand });
});

describe('That an execution sent with Send Once', () => {
	const remembered = (...runs: Array<[typeof first, boolean]>) => {
		const memory: HistoryMemory = {};
		for (const [facts, sendOnce] of runs)
			rememberSendOnce(readHistory(facts, memory), memory, sendOnce);
		return readHistory(retry, memory).usedSendOnce;
	};

	it('is known to its retries', () => {
		expect(remembered([first, true])).toBe(true);
		expect(remembered([first, false])).toBe(false);
	});

	it('is not believed if one of its runs sent without', () => {
		expect(remembered([first, false], [first, true])).toBe(false);
		expect(remembered([first, true], [first, false])).toBe(false);
		expect(remembered([first, true], [first, true])).toBe(true);
	});

	it('does not depend on the settings of a retry', () => {
		expect(remembered([first, true], [retry, false])).toBe(true);
		expect(remembered([first, false], [retry, true])).toBe(false);
	});
});
