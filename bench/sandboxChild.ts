/** Runs the sandboxes of a measurement in a separate process, so that they do not slow down the measuring one. */
import { startSandbox, type Arrival, type Sandbox, type SandboxOptions } from '../sandbox/index';
import type { Answer, Question, Seen } from './sandboxProcess';

const sandboxes = new Map<string, Sandbox>();

const work: Record<Question['ask'], (name: string, options?: SandboxOptions) => unknown> = {
	open: async (name, options) => {
		const sandbox = await startSandbox({ separateHosts: false, ...options });
		sandboxes.set(name, sandbox);
		return sandbox.url;
	},
	seen: (name) => sandboxes.get(name)?.record.map(toSeen),
	count: (name) => sandboxes.get(name)?.record.length,
	reset: (name) => sandboxes.get(name)?.reset(),
	close: async (name) => {
		await sandboxes.get(name)?.close();
		sandboxes.delete(name);
	},
};

function toSeen({ time, body, status, accepted }: Arrival): Seen {
	const { user_id, nv } = (body ?? {}) as { user_id?: string; nv?: Array<{ userID: string }> };
	return {
		atMs: time,
		users: nv?.map(({ userID }) => userID) ?? (user_id === undefined ? [] : [user_id]),
		status,
		accepted,
	};
}

process.on('message', (question: Question) => void answer(question));

async function answer({ id, ask, name, options }: Question): Promise<void> {
	const reply: Answer = { id };
	try {
		reply.result = await work[ask](name, options);
	} catch (error) {
		reply.error = String(error);
	}
	process.send?.(reply);
}

process.on('disconnect', () => process.exit(0));
