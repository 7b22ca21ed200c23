import type { N8n } from '../nodes/CustomerMessaging/n8n/context';
import { createMask } from '../nodes/CustomerMessaging/shared/mask';
import type { VirtualClock } from './virtualClock';

/** What sending needs from n8n, on a virtual clock; everything else throws. */
export function fakeN8n(
	clock: VirtualClock,
	post: (body: unknown) => ReturnType<N8n['post']>,
): N8n {
	const unused = () => {
		throw new Error('Sending does not need this');
	};
	return {
		node: { id: 'node', name: '', type: '', typeVersion: 1, position: [0, 0], parameters: {} },
		clock,
		now: () => clock.now(),
		random: Math.random,
		post: async ({ body }) => await post(JSON.parse(String(body))),
		mask: createMask([]),
		stop: undefined,
		cancelled: () => false,
		untilStopped: async (work) => await work,
		branch: () => undefined,
		log: () => undefined,
		stopsOnFailure: false,
		hasErrorOutput: false,
		execution: { id: '1', mode: 'webhook' },
		maxTries: 1,
		isTool: false,
		hasOthersArguments: false,
		isReview: false,
		answerUrl: unused,
		addressOfN8n: () => '',
		waitForAnswer: unused,
		workflowZone: 'UTC',
		memory: () => ({ context: {}, runIndex: 0, execution: '1' }),
		read: unused,
		raw: unused,
		evaluate: unused,
		showHints: unused,
		getCredential: unused,
		store: unused,
	};
}
