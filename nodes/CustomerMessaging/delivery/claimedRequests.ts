import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Batches } from './batches';
import { type DeliveryMessage, endOfChunks } from './chunks';
import type { Decision } from './claim';
import type { OpenJournal } from './openJournal';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';

/** Makes the requests for deliveries that the journal claims for this run, a few at a time. */
export class ClaimedRequests {
	/** What n8n's store threw, if that ended the requests. */
	storeError?: string;

	/**
	 * @param toSend the deliveries that this execution has not made yet, in the order of the input
	 * @param isRetry whether an earlier attempt may have made some of them
	 * @param mustRecord whether nothing may be sent that could not be recorded
	 */
	constructor(
		private readonly toSend: ReadonlySet<Delivery>,
		private readonly opened: OpenJournal,
		private readonly outcomes: Outcomes,
		private readonly batches: Batches,
		private readonly isRetry: boolean,
		private readonly mustRecord: boolean,
	) {}

	/** Yields each request once its deliveries are claimed. */
	async *all(): AsyncGenerator<ApiRequest> {
		const { journal, nameMessage, firstClaim } = this.opened;
		const isAsked = new Set<Delivery>();
		if (firstClaim) {
			yield* this.batches.all(this.outcomes.adopt(firstClaim));
			for (const { delivery } of [...firstClaim.claimed, ...firstClaim.known.keys()])
				isAsked.add(delivery);
		}
		const deliveries = [...this.toSend].filter((delivery) => !isAsked.has(delivery));
		let deferred: DeliveryMessage[] = [];
		for (let next = 0; next < deliveries.length || deferred.length > 0;) {
			const start = next;
			// What has to wait for others goes first. A retry looks up one chunk at a time.
			if (deferred.length === 0 || (!this.isRetry && deferred.length < journal.window)) {
				next = this.isRetry
					? endOfChunks(deliveries, start, journal.window)
					: start + journal.window;
			}
			const asked = [...deferred, ...deliveries.slice(start, next).map(nameMessage)];
			const claim = await this.claim(asked);
			if (!claim) return;
			deferred = claim.deferred;
			// The next claim waits for these outcomes, so none of the deliveries may wait for more.
			yield* this.batches.all(this.outcomes.adopt(claim));
		}
	}

	/** Returns undefined if nothing more is to be sent. */
	private async claim(
		asked: readonly DeliveryMessage[],
	): Promise<Decision<DeliveryMessage> | undefined> {
		try {
			return await this.opened.journal.claim(asked);
		} catch (error) {
			if (!this.mustRecord)
				return { claimed: [...asked], repeated: new Set(), known: new Map(), deferred: [] };
			this.storeError = errorMessage(error);
			return undefined;
		}
	}
}
