import fc from 'fast-check';

import type { Course } from './executionList';
import { type LocalServer, startServer } from './localServer';
import type { MemoryStore } from './memoryStore';
import { idOf, pause } from './sends';

/** What the service does with a push instead of accepting it. */
export type Fault = 'refuse' | 'acceptAndReset' | 'reset';

/** After how many requests n8n is killed or the execution stopped. */
export interface Ends {
	after: number;
	how: 'kill' | 'stop';
}

/** Faults for up to three rows. */
export const anyFaults = (maxRow: number) =>
	fc.array(
		fc.record({
			row: fc.nat(maxRow),
			fault: fc.constantFrom<Fault>('refuse', 'acceptAndReset', 'reset'),
		}),
		{ maxLength: 3 },
	);

/** An early end of every second execution or so. */
export const anyEnd = fc.option(
	fc.record({
		after: fc.integer({ min: 1, max: 20 }),
		how: fc.constantFrom('kill' as const, 'stop' as const),
	}),
	{ nil: undefined, freq: 2 },
);

export interface Arrival {
	user: string;
	message: string;
	fault?: Fault;
}

/** A service that takes pushes until its client is killed. */
export class FaultyService {
	/** How often a push to each user was accepted. */
	readonly accepted = new Map<string, number>();
	faults = new Map<string, Fault>();
	sequence = 0;
	requests = 0;
	onRequest: (arrival: Arrival) => void = () => {};
	private isCutOff = false;
	private server?: LocalServer;

	async open(): Promise<void> {
		this.server = await startServer((response, { socket }, sent) => {
			if (this.isCutOff) return void socket.destroy();
			const { user_id: user, message } = JSON.parse(sent) as { user_id?: string; message: string };
			// Whether the service is back is asked with a body that names nobody, so nobody is reached.
			if (user === undefined) return void response.writeHead(400).end('{}');
			this.requests++;
			const fault = this.faults.get(user);
			if (fault !== 'refuse' && fault !== 'reset')
				this.accepted.set(user, (this.accepted.get(user) ?? 0) + 1);
			this.onRequest({ user, message, fault });
			if (fault === 'reset' || fault === 'acceptAndReset') return void socket.destroy();
			response
				.writeHead(fault === 'refuse' ? 400 : 200, { 'x-ratelimit-remaining': '100000' })
				.end('{}');
		});
	}

	async close(): Promise<void> {
		await this.server?.close();
	}

	get credential() {
		const url = this.server?.url ?? '';
		return {
			baseUrl: url,
			pushUrl: url,
			mailUrl: url,
			brandId: 'brand',
			apiKey: 'secret-key',
			customLimits: true,
			pushLimit: 100_000,
		};
	}

	countOf(row: number): number {
		return this.accepted.get(this.userOf(row)) ?? 0;
	}

	/** Users differ from sequence to sequence: a request that was aborted in one may arrive in the next. */
	userOf(row: number): string {
		return idOf(row, `s${this.sequence}u`);
	}

	/** Prepares the service for one execution, which it may kill or stop. */
	prepare(
		store: MemoryStore,
		faults: ReadonlyArray<{ row: number; fault: Fault }>,
		ends?: Ends,
		arrived: (arrival: Arrival) => void = () => {},
	) {
		this.faults = new Map(faults.map(({ row, fault }) => [this.userOf(row), fault]));
		let ended = false;
		let stop = () => {};
		const startedAt = this.requests;
		this.onRequest = (arrival) => {
			arrived(arrival);
			if (!ends || this.requests - startedAt < ends.after) return;
			ended = true;
			if (ends.how === 'kill') store.isCrashed = this.isCutOff = true;
			stop();
		};
		const isKilled = () => ended && ends?.how === 'kill';
		const course: Course = { started: (press) => (stop = press), isKilled };
		return {
			course,
			isKilled,
			isStopped: () => ended && ends?.how === 'stop',
			end: async () => {
				// What was in flight when n8n was killed arrives while the service is still cut off.
				if (this.isCutOff) await pause(50);
				this.faults.clear();
				this.onRequest = () => {};
				store.isCrashed = this.isCutOff = false;
			},
		};
	}
}
