import type { Delivery } from '../shared/delivery';
import type { Batches } from './batches';
import { type DeliveryMessage, endOfChunks } from './chunks';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';
import type { SentRecords } from './sentRecords';

export interface ClaimedSending {
	/** The deliveries that this execution has not made yet, in the order of the input. */
	toSend: Iterable<Delivery>;
	records: SentRecords;
	outcomes: Outcomes;
	batches: Batches;
	isRetry: boolean;
	/** Whether nothing may be sent that could not be recorded. */
	mustRecord: boolean;
	/** Called with what n8n's store threw. */
	notRecorded: (error: unknown) => void;
}

/** Yields requests for deliveries that the journal has claimed for this run. */
export async function* requestsByChunk({
	toSend,
	records: { journal, messageOf, firstClaim },
	outcomes,
	batches,
	isRetry,
	mustRecord,
	notRecorded,
}: ClaimedSending): AsyncGenerator<ApiRequest> {
	if (!journal || !messageOf) return;
	const isAsked = new Set<Delivery>();
	if (firstClaim) {
		yield* batches.all(outcomes.adopt(firstClaim));
		for (const { delivery } of [...firstClaim.claimed, ...firstClaim.known.keys()])
			isAsked.add(delivery);
	}
	const deliveries = [...toSend].filter((delivery) => !isAsked.has(delivery));
	let later: DeliveryMessage[] = [];
	for (let next = 0; next < deliveries.length || later.length > 0;) {
		const start = next;
		// What has to wait for others goes first. A retry looks up one chunk at a time.
		if (later.length === 0 || (!isRetry && later.length < journal.window)) {
			next = isRetry ? endOfChunks(deliveries, start, journal.window) : start + journal.window;
		}
		const asked = [...later, ...deliveries.slice(start, next).map(messageOf)];
		let hasFailed = false;
		const claim = await journal.claim(asked).catch((error: unknown) => {
			hasFailed = true;
			notRecorded(error);
			return undefined;
		});
		if (!claim && (mustRecord || !hasFailed)) return;
		later = claim?.later ?? [];
		// The next claim waits for these outcomes, so none of the deliveries may wait for more.
		yield* batches.all(claim ? outcomes.adopt(claim) : asked.map(({ delivery }) => delivery));
	}
}

/** Looks up what other attempts have sent of the deliveries that this one did not come to before it ended. */
export async function recallRest(
	{ toSend, records: { journal, messageOf }, outcomes }: ClaimedSending,
	isStopped: () => boolean,
): Promise<void> {
	if (!journal || !messageOf) return;
	const rest = outcomes.without(toSend).filter((delivery) => !outcomes.isClaimed(delivery));
	// n8n shows nothing of an execution that was stopped.
	for (let next = 0; next < rest.length && !isStopped();) {
		const end = endOfChunks(rest, next, journal.window);
		const known = await journal.lookUp(rest.slice(next, end).map(messageOf));
		for (const [{ delivery }, found] of known) outcomes.recallKnown(delivery, found);
		next = end;
	}
}
