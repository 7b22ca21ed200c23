import type { SentEnding } from '../shared/ending';
import { groupBy, inSlices, type Clock } from '../shared/slices';
import type { Message, Request, Wire } from './interfaces';
import { type Policy, ruleOf, type Verdict } from './policy';

/** A batch is closed before its body becomes larger. The reference names no maximum. */
const MAX_BODY_BYTES = 1_000_000;
/** Once so many were rejected in requests of their own and nothing was accepted, the messages are not the cause. */
const MOST_REJECTED_ALONE = 100;

/** Cuts messages into requests: one each, or batches of neighbours of a group, numbered across the whole run. */
export class Batches<M extends Message> {
	private maxBytes = MAX_BODY_BYTES;
	private haveAccepted = false;
	private rejectedAlone = 0;

	constructor(
		private readonly wire: Wire<M>,
		private readonly policy: Policy,
		private firstBatch = 0,
	) {}

	/** The requests for messages, without a number. */
	plan(messages: readonly M[]): Iterator<Request<M>> {
		return new Batches(this.wire, this.policy).requests(messages);
	}

	*requests(messages: readonly M[]): Generator<Request<M>> {
		const { wire, policy } = this;
		let batch: M[] = [];
		let [group, bytes] = ['', 0];
		for (const message of messages) {
			if (!policy.isBatched) {
				yield this.toRequest([message]);
				continue;
			}
			const own = wire.elementBytes(message) + ','.length;
			const isFull = batch.length === policy.rowsPerRequest || bytes + own > this.maxBytes;
			if (batch.length > 0 && (isFull || group !== wire.groupOf(message))) {
				yield this.toRequest(batch);
				batch = [];
			}
			if (batch.length === 0) {
				group = wire.groupOf(message);
				bytes = wire.bodyBytes([message]) - own;
			}
			batch.push(message);
			bytes += own;
		}
		if (batch.length > 0) yield this.toRequest(batch);
	}

	settle({ messages }: Request<M>, { kind }: SentEnding): void {
		if (kind === 'accepted') this.haveAccepted = true;
		if (kind === 'rejected' && messages.length === 1) this.rejectedAlone++;
	}

	/**
	 * The two halves of a rejected batch, to find the messages that cause it. If it was too large, no later batch becomes
	 * larger than half of it. Undefined if it must not be split.
	 */
	halves({ messages }: Request<M>, verdict: Verdict): Array<Request<M>> | undefined {
		const { halves } = ruleOf(verdict);
		// More halves would only use up the rate limit.
		const isFutile = !this.haveAccepted && this.rejectedAlone >= MOST_REJECTED_ALONE;
		if (!halves || isFutile || messages.length < 2) return undefined;
		if (halves === 'ofSize')
			this.maxBytes = Math.min(this.maxBytes, Math.ceil(this.wire.bodyBytes(messages) / 2));
		return this.split(messages, Math.ceil(messages.length / 2));
	}

	/** Two requests, the first with so many messages. */
	split(messages: readonly M[], first: number): [Request<M>, Request<M>] {
		return [this.toRequest(messages.slice(0, first)), this.toRequest(messages.slice(first))];
	}

	private toRequest(messages: readonly M[]): Request<M> {
		const { isBatched } = this.policy;
		return {
			messages,
			batch: isBatched ? { index: this.firstBatch++, size: messages.length } : undefined,
		};
	}
}

/**
 * Puts messages of the same group next to each other. Where messages of one lane are of different groups, the order
 * stays, because they leave one after another.
 */
export function inGroups<M extends Message>(
	messages: readonly M[],
	lanes: ReadonlyMap<string, readonly M[]>,
	{ groupOf }: Wire<M>,
): readonly M[] {
	const isMixed = (some: readonly M[]) => new Set(some.map(groupOf)).size > 1;
	if (!isMixed(messages) || [...lanes.values()].some(isMixed)) return messages;
	return [...groupBy(messages, groupOf).values()].flat();
}

/** Lanes that have several messages. */
export async function lanesOf<M extends Message>(
	messages: readonly M[],
	laneOf: Wire<M>['laneOf'],
	clock: Clock,
): Promise<Map<string, M[]>> {
	const firsts = new Map<string, M>();
	const lanes = new Map<string, M[]>();
	await inSlices(messages, { clock }, (message) => {
		const lane = laneOf(message);
		if (lane === undefined) return;
		const first = firsts.get(lane);
		const known = lanes.get(lane);
		if (known) known.push(message);
		// A single message has no list, which saves memory.
		else if (first) lanes.set(lane, [first, message]);
		else firsts.set(lane, message);
	});
	return lanes;
}
