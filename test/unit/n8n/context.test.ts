import type { ICredentialDataDecryptedObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { connect } from '../../../nodes/CustomerMessaging/n8n/context';

const subject: Partial<INode> = { id: 'node-1', name: 'Send Push', type: 'n.customerMessaging' };

interface Given {
	node?: Partial<INode>;
	workflow?: object;
	credential?: ICredentialDataDecryptedObject;
	origin?: object;
	isToolExecution?: boolean;
	runIndex?: number;
	/** What n8n shows of the execution to expressions. */
	$execution?: object;
	stop?: AbortSignal;
}

/** n8n's `this`, as far as it is asked for facts. */
function given({ node, credential = {}, ...more }: Given = {}) {
	const log: string[] = [];
	const context = {
		getNode: () => ({ ...subject, ...node }),
		getWorkflow: () => more.workflow ?? { id: 'w-1', name: 'Orders' },
		getExecutionId: () => '7',
		getMode: () => 'trigger',
		getTimezone: () => 'Europe/Berlin',
		getContext: (type: string) => ({ of: type }),
		getExecutionCancelSignal: () => more.stop,
		getWorkflowDataProxy: () => ({ $runIndex: more.runIndex ?? 0, $execution: more.$execution }),
		getCredentials: async () => credential,
		...(more.origin && { getExecutionContext: () => more.origin }),
		...(more.isToolExecution !== undefined && { isToolExecution: () => more.isToolExecution }),
		getNodeParameter: (...call: unknown[]) => call,
		logger: { info: (line: string) => void log.push(line) },
	} as unknown as IExecuteFunctions;
	return { context, log, n8n: connect(context, true) };
}

describe('A line of the log names where it comes from', () => {
	it.each([
		[{ id: 'w-1', name: 'Orders' }, "'Send Push' in workflow 'Orders' (w-1), execution 7"],
		[{ id: 'w-1' }, "'Send Push' in workflow (w-1), execution 7"],
		[{ name: 'Orders' }, "'Send Push' in workflow 'Orders', execution 7"],
	])('in the workflow %j', (workflow, expected) => {
		const { n8n, log } = given({ workflow });
		n8n.log('done');
		expect(log).toEqual([`${expected}: done`]);
	});

	it('and hides the secrets of the credential that was read', async () => {
		const { n8n, log } = given({ credential: { apiKey: ' key-12345 ', accessToken: 12345678 } });
		await n8n.getCredential('customerMessagingApi');
		n8n.log('refused key-12345 and 12345678');
		expect(log).toEqual(["'Send Push' in workflow 'Orders' (w-1), execution 7: refused … and …"]);
	});
});

test.each([
	[{}, 1],
	[{ retryOnFail: false, maxTries: 4 }, 1],
	[{ retryOnFail: true }, 3],
	[{ retryOnFail: true, maxTries: 0 }, 3],
	[{ retryOnFail: true, maxTries: 1 }, 2],
	[{ retryOnFail: true, maxTries: 4 }, 4],
	[{ retryOnFail: true, maxTries: 9 }, 5],
])('With the settings %j, n8n runs the node at most %i times', (node, maxTries) => {
	expect(given({ node }).n8n.maxTries).toBe(maxTries);
});

describe('An AI agent', () => {
	it.each<[string, Given, { isTool: boolean; isReview: boolean }]>([
		['does not call a node of a workflow', {}, { isTool: false, isReview: false }],
		[
			'does not call a node of a workflow in n8n 2',
			{ isToolExecution: false },
			{ isTool: false, isReview: false },
		],
		[
			'calls a tool in n8n 1',
			{ node: { type: 'n.customerMessagingTool' } },
			{ isTool: true, isReview: false },
		],
		['calls a tool in n8n 2', { isToolExecution: true }, { isTool: true, isReview: false }],
		[
			'is reviewed by a node that is no tool of its own',
			{ node: { type: 'n.customerMessagingHitlTool' }, isToolExecution: true },
			{ isTool: false, isReview: true },
		],
	])('%s', (_, facts, expected) => {
		const { isTool, isReview } = given(facts).n8n;
		expect({ isTool, isReview }).toEqual(expected);
	});
});

test('The facts of an execution are what n8n says of it and of the first one', () => {
	const origin = {
		establishedAt: 1_000,
		source: 'webhook',
		parentExecutionId: '5',
		triggerNode: { type: 'n8n-nodes-base.webhook' },
	};
	expect(given({ origin }).n8n.execution).toEqual({
		id: '7',
		nodeId: 'node-1',
		mode: 'trigger',
		establishedAtMs: 1_000,
		firstMode: 'webhook',
		callerId: '5',
		firstNodeType: 'n8n-nodes-base.webhook',
	});
	expect(given({ origin: {} }).n8n.execution.firstNodeType).toBeUndefined();
});

test('Versions of n8n that say nothing of the first execution leave it open', () => {
	expect(given().n8n.execution).toEqual({ id: '7', nodeId: 'node-1', mode: 'trigger' });
});

test('What is kept during an execution belongs to the node and its run', () => {
	expect(given({ runIndex: 2 }).n8n.memory()).toEqual({
		context: { of: 'node' },
		runIndex: 2,
		execution: '7',
	});
});

test('A credential has the ID and the name that the workflow holds', async () => {
	const credentials = { customerMessagingApi: { id: 'c-1', name: 'Account' } };
	const { n8n } = given({ node: { credentials }, credential: { brandId: 'b' } });
	expect(await n8n.getCredential('customerMessagingApi')).toEqual({
		id: 'c-1',
		name: 'Account',
		type: 'customerMessagingApi',
		data: { brandId: 'b' },
	});
	expect(n8n.credentialId('customerMessagingApi')).toBe('c-1');
	expect(n8n.credentialId('customerMessagingPartnerApi')).toBeUndefined();
});

test('A credential that the workflow does not hold has neither', async () => {
	const { n8n } = given();
	expect(await n8n.getCredential('customerMessagingApi')).toMatchObject({ id: '', name: '' });
	expect(n8n.credentialId('customerMessagingApi')).toBeUndefined();
});

test('A key that is missing or that no header can carry hides nothing in a text', async () => {
	const { n8n } = given({ credential: { apiKey: 'not sent at all' } });
	await n8n.getCredential('customerMessagingApi');
	expect(n8n.mask.text('undefined is not sent at all')).toBe('undefined is not sent at all');
});

test('A parameter that is absent is null, evaluated or not', () => {
	const { n8n } = given();
	expect(n8n.read('title', 3)).toEqual(['title', 3, null]);
	expect(n8n.raw('title')).toEqual(['title', 0, null, { rawExpressions: true }]);
});

test.each([
	['continueErrorOutput', true],
	['continueRegularOutput', false],
	[undefined, false],
] as const)('On Error %s gives an error output: %s', (onError, expected) => {
	expect(given({ node: { onError } }).n8n.hasErrorOutput).toBe(expected);
});

test('Stop is noticed where n8n tells of it', () => {
	expect(given().n8n.cancelled()).toBe(false);
	expect(given({ stop: new AbortController().signal }).n8n.cancelled()).toBe(false);
	expect(given({ stop: AbortSignal.abort() }).n8n.cancelled()).toBe(true);
});

test('Durations are right even if the clock of the machine is set meanwhile', () => {
	const { n8n } = given();
	const elapsed = jest.spyOn(performance, 'now').mockReturnValue(250);
	const startMs = n8n.clock.now();
	jest.useFakeTimers({ now: startMs - 3_600_000, doNotFake: ['performance'] });
	elapsed.mockReturnValue(1_250);
	expect(n8n.clock.now()).toBe(startMs + 1_000);
	expect(n8n.now()).toBe(startMs - 3_600_000);
	jest.useRealTimers();
	elapsed.mockRestore();
});
