import { type IExecuteFunctions, WAIT_INDEFINITELY } from 'n8n-workflow';

import { waiting } from '../../../nodes/CustomerMessaging/n8n/waiting';

/** What n8n is asked to do, in order. `runIndex` counts the rounds of a loop. */
function asked(runIndex = 0) {
	const calls: unknown[] = [];
	const context = {
		getSignedResumeUrl: (query: Record<string, string>) =>
			`https://n8n.example/wait?${new URLSearchParams({ ...query, signature: 's' }).toString()}`,
		putExecutionToWait: async (until: Date) => void calls.push(until),
		getExecuteData: () => ({ data: {} }),
	};
	return { calls, ...waiting(context as unknown as IExecuteFunctions, () => runIndex) };
}

test('Each round of a loop has an answer link of its own', () => {
	expect(asked(0).answerUrl()).toBe('https://n8n.example/wait?signature=s');
	expect(asked(2).answerUrl()).toBe('https://n8n.example/wait?run=2&signature=s');
});

test('An execution without a limit waits until there is an answer', async () => {
	const { calls, waitForAnswer } = asked();
	await waitForAnswer();
	expect(calls).toEqual([WAIT_INDEFINITELY]);
});

test('An execution with a limit waits until then', async () => {
	const { calls, waitForAnswer } = asked();
	await waitForAnswer(0);
	expect(calls).toEqual([new Date(0)]);
});

test('Versions of n8n that check the signature of a link on request are asked to, before the wait', async () => {
	const calls: unknown[] = [];
	const context = {
		setSignatureValidationRequired(this: unknown) {
			calls.push(this === context ? 'check the signature' : 'lost its context');
		},
		putExecutionToWait: async () => void calls.push('wait'),
		getExecuteData: () => ({ data: {} }),
	};
	await waiting(context as unknown as IExecuteFunctions, () => 0).waitForAnswer();
	expect(calls).toEqual(['check the signature', 'wait']);
});
