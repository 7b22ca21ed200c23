import type { N8n } from '../../../../nodes/CustomerMessaging/n8n/context';
import type { VirtualClock } from '../../../../simulation/virtualClock';

/** What `sendAll` needs from n8n, on a virtual clock; everything else throws. */
export function fakeN8n(
	clock: VirtualClock,
	post: (body: unknown) => ReturnType<N8n['post']>,
): N8n {
	const unused = () => {
		throw new Error('Sending does not need this');
	};
	return {
		clock,
		now: () => clock.now(),
		post: async (_credentialType, _url, json) => await post(JSON.parse(json)),
		cancelled: () => false,
		log: () => undefined,
		stopsOnFailure: false,
		hasErrorOutput: false,
		execution: { id: '1', mode: 'webhook' },
		maxTries: 1,
		isTool: false,
		workflowZone: 'UTC',
		memory: () => ({ context: {}, runIndex: 0 }),
		read: unused,
		raw: unused,
		getCredential: unused,
		openStore: unused,
	};
}
