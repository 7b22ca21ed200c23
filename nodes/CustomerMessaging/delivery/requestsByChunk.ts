import type { Plan } from '../plan/plan';
import type { Delivery } from '../shared/delivery';
import { chunkOf, chunksOf } from './attempt';
import type { Batches } from './batches';
import type { ChunkNotes } from './chunkNotes';
import type { Outcomes } from './outcomes';
import type { Followers } from './repeatedIds';
import type { ApiRequest } from './requests';
import type { SendOnce } from './sendOnce';
import type { SentRecords } from './sentRecords';

export interface ChunkedSending {
	plan: Pick<Plan, 'deliveries' | 'invalid'>;
	/** The deliveries that this execution has not made yet. */
	toSend: ReadonlySet<Delivery>;
	records: SentRecords;
	notes?: ChunkNotes;
	outcomes: Outcomes;
	batches: Batches;
	/** Deliveries that have to follow others which are sent again. */
	followers: Followers;
	/** With Send Once, how many deliveries are claimed at a time. */
	groupSize: number;
	/** Whether nothing may be sent that could not be recorded in the shared ledger. */
	mustRecord: boolean;
	/** Called with what n8n's store threw, after which nothing more is sent. */
	notRecorded: (error: unknown) => void;
}

/**
 * Yields requests for what no other attempt and, with Send Once, no other execution has sent. Each chunk
 * is recorded before its first request is yielded.
 */
export async function* requestsByChunk(sending: ChunkedSending): AsyncGenerator<ApiRequest> {
	const { plan, toSend, records, notes, batches } = sending;
	// A chunk with a row that cannot be sent is never accepted as a whole.
	const partial = new Set(plan.invalid.map(({ itemIndex }) => chunkOf(itemIndex)));
	let unclaimed: Delivery[] = [];
	for (const chunk of chunksOf(plan.deliveries, records.keyOf)) {
		const ofChunk = chunk.deliveries.filter((delivery) => toSend.has(delivery));
		if (ofChunk.length === 0) continue;
		const isWhole = ofChunk.length === chunk.deliveries.length && !partial.has(chunk.name);
		const own = await beginChunk(chunk.name, ofChunk, isWhole, sending);
		if (!own) return;
		notes?.begun({ name: chunk.name, keys: own.map(records.keyOf) });
		// Deliveries that do not fill a batch wait for the next chunk.
		if (!records.once) {
			yield* batches.add(own);
			continue;
		}
		unclaimed.push(...own);
		const full = unclaimed.length - (unclaimed.length % batches.maxDeliveries);
		if (!(yield* requestsOnce(unclaimed.slice(0, full), records.once, sending))) return;
		unclaimed = unclaimed.slice(full);
	}
	if (records.once) yield* requestsOnce(unclaimed, records.once, sending);
	yield* batches.rest();
}

/** Looks up what other attempts have sent of the chunks that this one did not come to before it ended. */
export async function recallRest(
	{ toSend, records: { shared, keyOf }, notes, outcomes }: ChunkedSending,
	isStopped: () => boolean,
): Promise<void> {
	if (!shared) return;
	const rest = outcomes.without(toSend).filter((delivery) => !notes?.includes(keyOf(delivery)));
	// n8n shows nothing of an execution that was stopped.
	const earlier = await shared.lookUp([...chunksOf(rest, keyOf)], isStopped);
	for (const delivery of rest) outcomes.recallEarlier(delivery, earlier.get(keyOf(delivery)));
}

/** Begins a chunk in the shared ledger. Returns the deliveries that no other attempt has made. */
async function beginChunk(
	name: string,
	deliveries: Delivery[],
	isWhole: boolean,
	{ records: { shared, keyOf }, outcomes, followers, mustRecord, notRecorded }: ChunkedSending,
): Promise<Delivery[] | undefined> {
	if (!shared) return deliveries;
	const keys = deliveries.map(keyOf);
	const earlier = await shared.begin({ name, keys }, isWhole).catch(notRecorded);
	if (!earlier && mustRecord) return undefined;
	return await outcomes.unsent(deliveries, followers, (delivery) =>
		outcomes.recallEarlier(delivery, earlier?.get(keyOf(delivery))),
	);
}

/**
 * Claims deliveries before it yields their requests. Repeated keys wait for the outcome of the first.
 * Returns whether more may be claimed.
 */
async function* requestsOnce(
	deliveries: readonly Delivery[],
	once: SendOnce,
	{ outcomes, batches, groupSize, notRecorded }: ChunkedSending,
): AsyncGenerator<ApiRequest, boolean> {
	let rest = deliveries;
	while (rest.length > 0) {
		const first = new Map<string | undefined, Delivery>();
		for (const delivery of rest) {
			if (!first.has(delivery.onceKey)) first.set(delivery.onceKey, delivery);
		}
		const keys = [...first.keys()].map(String);
		const claim = await once.claim(keys, groupSize).catch(notRecorded);
		if (!claim) return false;
		const left: Delivery[] = [];
		const toSend: Delivery[] = [];
		for (const delivery of rest) {
			const key = String(delivery.onceKey);
			const state = claim.known.get(key);
			if (claim.claimed.has(key) && first.get(key) === delivery) {
				if (state) outcomes.repeat(delivery);
				toSend.push(delivery);
			} else if (state && !claim.claimed.has(key)) {
				outcomes.recallOnce(delivery, state);
			} else {
				left.push(delivery);
			}
		}
		// The next claim waits for these outcomes, so none of the deliveries may wait for more.
		yield* batches.all(toSend);
		rest = left;
	}
	return true;
}
