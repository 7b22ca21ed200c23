import type { N8n } from '../n8n/context';
import type { NodeMemory, RunCounts } from '../n8n/memory';
import type { Operation } from '../operations/operation';
import type { Addressed, Platform } from '../shared/delivery';
import { grouped, nameAudience } from '../shared/formatting';
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
	for (const delivery of deliveries) countOneMore(audienceKey(delivery), counts);
	const countOf = (delivery: SentDelivery) => countFor(audienceKey(delivery), counts);
	const over = deliveries.find((delivery) => countOf(delivery) > maxBroadcasts);
	if (!over) return undefined;
	return {
		field: 'maxBroadcasts',
		rule: `This would make ${countOf(over)} broadcasts to ${nameAudience(over)} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. To write to each person, choose 'Send to User' with the person's own ID, address or number. For one broadcast, which says the same to everybody, turn on 'Execute Once' in the node's Settings. Raise 'Max Broadcasts' only if each item is a broadcast of its own`,
	};
}

/**
 * Notes the messages that a run sent or may have sent, for later runs and attempts: broadcasts by audience, and the
 * number of messages to single people.
 */
export function noteSent(
	results: readonly Result[],
	n8n: Pick<N8n, 'isTool' | 'memory'>,
	operation?: Operation,
): void {
	const { context, runIndex } = n8n.memory();
	const broadcasts = countsOfRun(context.broadcasts, runIndex);
	for (const { delivery } of results.filter(mayBeDelivered))
		if (delivery.audience !== undefined) countOneMore(audienceKey(delivery), broadcasts);
	if (Object.keys(broadcasts.now).length > 0) context.broadcasts = broadcasts;
	if (!operation?.isMessage) return;
	const sent = results.filter(isSent).filter((one) => mayBeDelivered(one) && !isNotLookedUp(one));
	// An earlier attempt has counted what it sent.
	const counted = sent.filter(({ sentBefore, isFound }) => sentBefore && !isFound);
	const known = new Set(counted.map(({ delivery }) => delivery.itemIndex));
	const added = sent.flatMap(({ delivery }) => (known.has(delivery.itemIndex) ? [] : [delivery]));
	const scope = messageScope(n8n);
	const { rounds, attempts } = messagesSent(scope);
	const now = attempts + countMessages(added);
	if (rounds + now > 0)
		scope.context.messages = { runIndex: scope.runIndex, rounds, attempts: now };
}

/** The memory for counts of messages to single people. Each call of an agent counts by itself. */
export function messageScope({ isTool, memory }: Pick<N8n, 'isTool' | 'memory'>): Scope {
	return isTool ? { context: {}, runIndex: 0 } : memory();
}

/** Messages to single people before this run, from earlier rounds and from other attempts of this run. */
export function messagesSent({ context: { messages }, runIndex }: Scope) {
	const { rounds, attempts } = messages ?? { rounds: 0, attempts: 0 };
	return messages?.runIndex === runIndex
		? { rounds, attempts }
		: { rounds: rounds + attempts, attempts: 0 };
}

/** Number of messages to single people. A push to several platforms is one. */
export function countMessages(deliveries: readonly SentDelivery[]): number {
	const toPersons = deliveries.filter(({ audience, test }) => audience === undefined && !test);
	return new Set(toPersons.map(({ itemIndex }) => itemIndex)).size;
}

/** Returns true if a run and the rounds before it have one recipient. A push to several platforms has one. */
export function hasOneRecipient(
	messages: ReadonlyArray<Pick<SentDelivery, 'itemIndex' | 'recipient'>>,
	{ context }: Scope,
): boolean {
	const here = new Set(messages.map(({ itemIndex, recipient = `item ${itemIndex}` }) => recipient));
	const first = [...here].slice(0, 2).map((recipient) => recipientKey({ recipient }));
	context.recipients = [...new Set([...(context.recipients ?? []), ...first])].slice(0, 2);
	return context.recipients.length < 2;
}

/** Refuses more messages to single people than the user allowed, for instance because a query's filter broke. */
export function tooManyMessages(
	deliveries: readonly SentDelivery[],
	maxMessages: number,
	scope: Scope,
): Problem | undefined {
	const { rounds, attempts } = messagesSent(scope);
	// The messages that other attempts of this run sent are among those planned.
	const total = rounds + Math.max(attempts, countMessages(deliveries));
	if (total <= maxMessages) return undefined;
	const what = rounds > 0 ? 'With this run, the execution would send' : 'This run would send';
	return {
		field: 'maxMessages',
		rule: `${what} ${grouped(total)} messages, and Max Messages is ${grouped(maxMessages)}. If that is meant, raise it under Options`,
	};
}

/**
 * Numbers the messages to each recipient in an execution. The numbers of a run continue those of the run before it,
 * also if the run is tried again.
 */
export class RecipientNumbers {
	private readonly planned: RunCounts;
	private readonly memory: NodeMemory;

	constructor({ context, runIndex }: Scope) {
		this.memory = context;
		this.planned = context.planned = countsOfRun(context.planned, runIndex);
	}

	/** @param content identifies a custom request, which has no recipient */
	address(recipient: string, platform?: Platform, content?: string): Addressed {
		const message = { platform, recipient, content };
		const key = recipientKey(message);
		countOneMore(key, this.planned);
		return { ...message, number: countFor(key, this.planned) };
	}

	/** Numbers the messages of a row that cannot be sent, if their recipients can be read. */
	addressRow(
		{ addressees }: Pick<Operation, 'addressees'>,
		...row: Parameters<NonNullable<Operation['addressees']>>
	): Addressed[] {
		const found = addressees?.(...row) ?? [];
		return found.map(({ to, platform }) => this.address(identify(to), platform));
	}

	/** The key shared by messages that differ only in their number. */
	keyOf(message: Omit<Addressed, 'number'>): string {
		return recipientKey(message);
	}

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
