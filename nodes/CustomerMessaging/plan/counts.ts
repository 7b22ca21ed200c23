import type { N8n } from '../n8n/context';
import type { NodeMemory, RunCounts } from '../n8n/memory';
import type { Operation } from '../operations/operation';
import type { Addressed } from '../shared/delivery';
import { grouped, onPlatform } from '../shared/formatting';
import {
	isNotLookedUp,
	isSent,
	mayBeDelivered,
	type Problem,
	type Result,
	type SentDelivery,
} from '../shared/ending';
import { audienceKey, identify, recipientKey } from './identity';

/** The counts at the start of a run. One that is tried again starts from zero. */
function countsOfRun(stored: RunCounts | undefined, runIndex: number): RunCounts {
	const before = { ...stored?.before };
	if (stored && stored.runIndex !== runIndex)
		for (const [key, count] of Object.entries(stored.now)) before[key] = (before[key] ?? 0) + count;
	return { runIndex, before, now: {} };
}

function countOneMore(key: string, { now }: RunCounts): void {
	now[key] = (now[key] ?? 0) + 1;
}

/** The total of the execution. */
function countFor(key: string, { before, now }: RunCounts): number {
	return (before[key] ?? 0) + (now[key] ?? 0);
}

/** The memory of an execution, in which each call of an agent counts messages by itself. */
type Memory = Pick<N8n, 'isTool' | 'memory'>;
type Scope = Pick<ReturnType<N8n['memory']>, 'context' | 'runIndex'>;

/**
 * Refuses more broadcasts than the user allowed. Otherwise 500 input items, or 500 rounds of a loop, would send 500
 * broadcasts to the same people. Earlier runs of the node in this execution count.
 */
export function tooManyBroadcasts(
	deliveries: readonly SentDelivery[],
	maxBroadcasts: number,
	{ context, runIndex }: Scope,
): Problem | undefined {
	const counts = countsOfRun(context.broadcasts, runIndex);
	const broadcasts = deliveries.filter(({ audience }) => audience !== undefined);
	for (const delivery of broadcasts) countOneMore(audienceKey(delivery), counts);
	const countOf = (delivery: SentDelivery) => countFor(audienceKey(delivery), counts);
	const over = broadcasts.find((delivery) => countOf(delivery) > maxBroadcasts);
	if (!over) return undefined;
	const whom = `${over.audience}${onPlatform(over.platform)}`;
	const rule = `This would make ${countOf(over)} broadcasts to ${whom} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. To write to each person, choose 'Send to User' with the person's own ID, address or number. For one broadcast, which says the same to everybody, turn on 'Execute Once' in the node's Settings. Raise 'Max Broadcasts' only if each item is a broadcast of its own`;
	return { field: 'maxBroadcasts', rule };
}

/** Notes what a run sent or may have sent, for the limits of later runs and attempts. */
export function noteSent(results: readonly Result[], n8n: Memory, operation?: Operation): void {
	const { context, runIndex } = n8n.memory();
	const broadcasts = countsOfRun(context.broadcasts, runIndex);
	for (const { delivery } of results.filter(mayBeDelivered))
		if (delivery.audience !== undefined) countOneMore(audienceKey(delivery), broadcasts);
	if (Object.keys(broadcasts.now).length > 0) context.broadcasts = broadcasts;
	if (!operation?.isMessage || n8n.isTool) return;
	const sent = results.filter(isSent).filter((one) => mayBeDelivered(one) && !isNotLookedUp(one));
	// An earlier attempt has counted what it sent.
	const counted = sent.filter(({ sentBefore, isFound }) => sentBefore && !isFound);
	const known = new Set(counted.map(({ delivery }) => delivery.itemIndex));
	const added = sent.map(({ delivery }) => delivery).filter((one) => !known.has(one.itemIndex));
	const { rounds, attempts: before } = messagesSent(n8n);
	const attempts = before + countMessages(added);
	if (rounds + attempts > 0) context.messages = { runIndex, rounds, attempts };
}

/** Messages to single people before this run, from earlier rounds and from other attempts of this run. */
export function messagesSent({ isTool, memory }: Memory) {
	const { context, runIndex } = memory();
	if (isTool || !context.messages) return { rounds: 0, attempts: 0 };
	const { rounds, attempts } = context.messages;
	const isOfRun = context.messages.runIndex === runIndex;
	return isOfRun ? { rounds, attempts } : { rounds: rounds + attempts, attempts: 0 };
}

/** Number of messages to single people. A push to several platforms is one. */
export function countMessages(deliveries: readonly SentDelivery[]): number {
	const toPersons = deliveries.filter(({ audience, test }) => audience === undefined && !test);
	return new Set(toPersons.map(({ itemIndex }) => itemIndex)).size;
}

/** Returns true if a run and the rounds before it have one recipient. A push to several platforms has one. */
export function hasOneRecipient(messages: readonly SentDelivery[], { context }: Scope): boolean {
	const here = new Set(messages.map(({ itemIndex, recipient = `item ${itemIndex}` }) => recipient));
	const first = [...here].slice(0, 2).map((recipient) => recipientKey({ recipient }));
	context.recipients = [...new Set([...(context.recipients ?? []), ...first])].slice(0, 2);
	return context.recipients.length < 2;
}

/** Refuses more messages to single people than the user allowed, for instance because a query's filter broke. */
export function tooManyMessages(
	deliveries: readonly SentDelivery[],
	maxMessages: number,
	n8n: Memory,
): Problem | undefined {
	const { rounds, attempts } = messagesSent(n8n);
	// The messages that other attempts of this run sent are among those planned.
	const total = rounds + Math.max(attempts, countMessages(deliveries));
	if (total <= maxMessages) return undefined;
	const what = rounds > 0 ? 'With this run, the execution would send' : 'This run would send';
	const rule = `${what} ${grouped(total)} messages, and Max Messages is ${grouped(maxMessages)}. If that is meant, raise it under Options`;
	return { field: 'maxMessages', rule };
}

/** Numbers the messages to each recipient. A run continues the numbers of the run before it, also if tried again. */
export class RecipientNumbers {
	private readonly planned: RunCounts;
	private readonly memory: NodeMemory;

	constructor({ context, runIndex }: Scope) {
		this.memory = context;
		this.planned = context.planned = countsOfRun(context.planned, runIndex);
	}

	/** Gives a message its number. */
	address(message: Omit<Addressed, 'number'>): Addressed {
		const key = recipientKey(message);
		countOneMore(key, this.planned);
		return { ...message, number: countFor(key, this.planned) };
	}

	/** Numbers the messages of a row that cannot be sent, if their recipients can be read. */
	addressRow(found: ReturnType<NonNullable<Operation['addressees']>> = []): Addressed[] {
		return found.map(({ to, platform }) => this.address({ recipient: identify(to), platform }));
	}

	/** The key shared by messages that differ only in their number. */
	readonly keyOf = recipientKey;

	/** Number of messages to a recipient that the execution has planned so far. */
	countOf(message: Addressed): number {
		return countFor(recipientKey(message), this.planned);
	}

	/** Prepares for attempts with other rows, or the same rows in another order. */
	expectOtherOrder(): void {
		this.memory.madeByOthers ??= {};
	}

	/** Notes, for this run and later ones, that another attempt made a message to a recipient. */
	noteOthers(message: Addressed): void {
		if (this.memory.madeByOthers) this.memory.madeByOthers[recipientKey(message)] = 1;
	}

	hasOthers(message: Addressed): boolean {
		return recipientKey(message) in (this.memory.madeByOthers ?? {});
	}

	/** Number of messages that the execution has planned so far. */
	get total(): number {
		const { before, now } = this.planned;
		return [before, now].flatMap(Object.values<number>).reduce((one, other) => one + other, 0);
	}
}
