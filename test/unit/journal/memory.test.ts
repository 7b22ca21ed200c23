import type { IDataObject } from 'n8n-workflow';

import { Ledger, type LedgerMemory } from '../../../nodes/CustomerMessaging/journal/ledger';
import type { SentRecord } from '../../../nodes/CustomerMessaging/shared/result';

const accepted: SentRecord = {
	outcome: {
		outcome: 'accepted',
		statusCode: 200,
		response: { id: 1 },
		attempts: 1,
		rateLimitRemaining: 9,
	},
	batch: { index: 1, size: 2 },
	request: { method: 'POST', url: 'https://example.com', body: { user_id: 'u1' } },
};
const stored = (memory: LedgerMemory) => JSON.parse(JSON.stringify(memory)) as LedgerMemory;
const open = (memory: LedgerMemory, runIndex = 0, operation = 'push.send', execution = '1') =>
	new Ledger(
		{ memory: () => ({ context: memory as IDataObject, runIndex, execution }), isTool: false },
		operation,
	);
/** As a tool, the node gets a new run index with each call. */
const openTool = (memory: LedgerMemory, runIndex: number, execution = '1') =>
	new Ledger(
		{ memory: () => ({ context: memory as IDataObject, runIndex, execution }), isTool: true },
		'push.send',
	);
const [a, b] = [{ itemIndex: 0 }, { itemIndex: 1 }];
const message = (text: string) => ({ itemIndex: 0, path: '/p', buildBody: () => ({ text }) });

describe('The ledger of one run', () => {
	it('forgets earlier runs of the node, so that a loop does not make it grow', () => {
		const memory: LedgerMemory = {};
		for (let runIndex = 0; runIndex < 10_000; runIndex++)
			open(memory, runIndex).record(a, accepted);
		expect(open(memory, 10_000).find(a)).toBeUndefined();
		expect(JSON.stringify(memory).length).toBeLessThan(150);
	});

	it('forgets everything if n8n will not call the node again', () => {
		const memory: LedgerMemory = {};
		const once = { maxTries: 1 };
		const ledger = open(memory);
		ledger.record(a, accepted);
		ledger.close(true, once);
		expect(open(memory).find(a)).toBeUndefined();
	});

	it('remembers as long as Retry On Fail has tries left and the first item failed', () => {
		const memory: LedgerMemory = {};
		const twice = { maxTries: 2 };
		const first = open(memory);
		first.record(a, accepted);
		first.close(true, twice);
		const second = open(memory);
		expect(second.find(a)).toEqual(accepted);
		second.close(true, twice);
		expect(open(memory).find(a)).toBeUndefined();
	});

	it('counts the tries of each execution separately', () => {
		const memory: LedgerMemory = {};
		const twice = { maxTries: 2 };
		open(memory).record(a, accepted);
		open(memory).record(b, accepted);
		const retry = open(stored(memory), 0, 'push.send', '2');
		retry.close(true, twice);
		expect(retry.find(a)).toEqual(accepted);
	});

	it('remembers a call of a tool that failed after three that did not', () => {
		const memory: LedgerMemory = {};
		const tool = { maxTries: 3 };
		for (let calls = 0; calls < 3; calls++) openTool(memory, calls).close(false, tool);
		const failing = openTool(memory, 3);
		failing.record(message('hello'), accepted);
		failing.close(true, tool);
		expect(openTool(memory, 4).find(message('hello'))).toEqual(accepted);
		expect(openTool(memory, 4).find(message('bye'))).toBeUndefined();
	});

	it('lets a tool send the same again in one execution, but not in its retry', () => {
		const memory: LedgerMemory = {};
		const call = openTool(memory, 0);
		call.record(message('hello'), accepted);
		call.close(false, { maxTries: 1 });
		expect(openTool(memory, 1).find(message('hello'))).toBeUndefined();
		expect(openTool(stored(memory), 0, '2').find(message('hello'))).toEqual(accepted);
	});
});
