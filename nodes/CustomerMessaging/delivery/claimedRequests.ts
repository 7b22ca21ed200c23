import type { OpenJournal } from '../journal/open';
import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Interruptible } from '../shared/slices';
import type { Batches } from './batches';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';

/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

/** Makes the requests for deliveries that the journal claims for this run, a few at a time. */
export class ClaimedRequests {
	/** What n8n's store threw, if that ended the requests. */
	storeError?: string;

	/** @param maxWaitMs how long it may wait for keys that other runs hold */
	constructor(
		private readonly toSend: Iterable<Delivery>,
		private readonly opened: OpenJournal,
		private readonly outcomes: Outcomes,
		private readonly batches: Batches,
		private readonly deps: Pick<Interruptible, 'clock'> & { log: (message: string) => void },
		private readonly maxWaitMs: number,
	) {}

	/** Yields each request once its deliveries are claimed. */
	async *all(): AsyncGenerator<ApiRequest> {
		const { journal } = this.opened;
		let waitedMs = 0;
		for (let rest = [...this.toSend]; rest.length > 0;) {
			const claim = await this.claim(rest);
			if (!claim) return;
			rest = claim.later;
			yield* this.batches.all(this.outcomes.adopt(claim));
			if (claim.claimed.length > 0 || claim.known.size > 0 || rest.length === 0) continue;
			// Nothing but messages with keys that are in use is left, by this run or by others.
			const held = rest.filter((delivery) => journal.heldBy(delivery));
			if (held.length > 0 && waitedMs >= this.maxWaitMs) {
				for (const delivery of held) this.outcomes.keyInUse(delivery, journal.heldBy(delivery));
				rest = rest.filter((delivery) => !held.includes(delivery));
				continue;
			}
			if (held.length > 0 && waitedMs === 0) this.logWait(held);
			const startedMs = this.deps.clock.now();
			// Another run may wait for what has ended here.
			await journal.flush();
			await this.deps.clock.sleep(LOOK_AFTER_MS);
			if (held.length > 0) waitedMs += this.deps.clock.now() - startedMs;
		}
	}

	private logWait(held: readonly Delivery[]): void {
		const executions = new Set(held.map((delivery) => this.opened.journal.heldBy(delivery)));
		this.deps.log(
			`Waiting for execution ${[...executions].slice(0, 3).join(', ')}, which is sending with the same Send Once Key`,
		);
	}

	/** Returns undefined if nothing more is to be sent. */
	private async claim(asked: readonly Delivery[]) {
		const { journal } = this.opened;
		if (journal.isClosed) return undefined;
		try {
			return await journal.claim(asked);
		} catch (error) {
			this.storeError = errorMessage(error);
			return undefined;
		}
	}
}
