import { createHash } from 'node:crypto';

import type { FieldOptions } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { Addressed, Platform } from '../shared/delivery';
import { nameAudience } from '../shared/formatting';
import { mayBeDelivered, type Problem, type Result, type SentDelivery } from '../shared/result';
import { identify } from './sendOnceKey';

/** Numbers of messages by whom they are for. */
type Counts = Record<string, number>;

/** Counts of the runs of the node before this one in its execution, and of this one. */
interface RunCounts {
	runIndex: number;
	before: Counts;
	now: Counts;
}

/** The counts of a run that has counted nothing yet. A run that is tried again begins anew. */
function countsOfRun(stored: RunCounts | undefined, runIndex: number): RunCounts {
	const before = { ...stored?.before };
	if (stored && stored.runIndex !== runIndex)
		for (const [key, count] of Object.entries(stored.now)) before[key] = (before[key] ?? 0) + count;
	return { runIndex, before, now: {} };
}

/** Counts one more, and returns how many these are in the execution. */
function countOneMore(key: string, counts: RunCounts): number {
	counts.now[key] = (counts.now[key] ?? 0) + 1;
	return countFor(key, counts);
}

function countFor(key: string, { before, now }: RunCounts): number {
	return (before[key] ?? 0) + (now[key] ?? 0);
}

/** What n8n stores between the runs of the node in one execution. */
interface CountMemory {
	/** The broadcasts that were sent, by audience. */
	broadcasts?: RunCounts;
	/** The messages that were planned, by recipient. */
	planned?: RunCounts;
	/** To whom other attempts had made messages, if they may have had the rows in another order. */
	madeByOthers?: Counts;
}

type Scope = { context: CountMemory; runIndex: number };

/**
 * Prevents an execution from sending more broadcasts than the user allowed. Otherwise 500 input items, or
 * 500 rounds of a loop, would send 500 broadcasts to the same people. Broadcasts from earlier runs of the
 * node in this execution count, but a try of n8n's Retry On Fail does not count twice.
 *
 * @returns a problem if there are too many
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
	return (
		over && {
			field: 'maxBroadcasts',
			message: `This would make ${countOf(over)} broadcasts to ${nameAudience(over)} in one execution, and 'Max Broadcasts' allows ${maxBroadcasts}. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'`,
		}
	);
}

/** Counts the broadcasts of a run for the runs after it, except those that certainly reached nobody. */
export function countBroadcasts(results: readonly Result[], { context, runIndex }: Scope): void {
	const counts = countsOfRun(context.broadcasts, runIndex);
	for (const result of results)
		if (result.kind === 'sent' && mayBeDelivered(result) && result.delivery.audience !== undefined)
			countOneMore(audienceKey(result.delivery), counts);
	if (Object.keys(counts.now).length > 0) context.broadcasts = counts;
}

/** A segment counts by its ID, because its name in the credential may change between two runs. */
function audienceKey({ to, platform }: SentDelivery): string {
	return JSON.stringify({ ...to, platform });
}

/**
 * Numbers the messages to the same recipient through an execution. The numbers of a run begin where the run
 * before it ended, also if the run is tried again.
 */
export class RecipientNumbers {
	private readonly planned: RunCounts;
	private readonly memory: CountMemory;

	constructor({ context, runIndex }: Scope) {
		this.memory = context;
		this.planned = context.planned = countsOfRun(context.planned, runIndex);
	}

	address(recipient: string, platform?: Platform): Addressed {
		const number = countOneMore(recipientKey({ recipient, platform }), this.planned);
		return { platform, recipient, number };
	}

	/** The messages of a row that cannot be sent, as far as their recipient can be read. */
	addressRow(
		{ addressees }: Pick<Operation, 'addressees'>,
		read: (parameter: string) => unknown,
		options: FieldOptions = {},
	): Addressed[] {
		const found = addressees?.(read, options) ?? [];
		return found.map(({ to, platform }) => this.address(identify(to), platform));
	}

	/** How many messages to a recipient the execution has planned so far. */
	countOf(message: Addressed): number {
		return countFor(recipientKey(message), this.planned);
	}

	/** Whether other attempts may have had other rows, or the same ones in another order. */
	get mayDiffer(): boolean {
		return this.memory.madeByOthers !== undefined;
	}

	set mayDiffer(mayDiffer: boolean) {
		if (mayDiffer) this.memory.madeByOthers ??= {};
	}

	/** Notes for this run and the following ones that another attempt has made a message to a recipient. */
	noteMade(message: Addressed): void {
		(this.memory.madeByOthers ??= {})[recipientKey(message)] = 1;
	}

	wereMade(message: Addressed): boolean {
		return recipientKey(message) in (this.memory.madeByOthers ?? {});
	}

	/** How many messages the execution has planned so far. */
	get total(): number {
		const counts = [this.planned.before, this.planned.now].flatMap(Object.values) as number[];
		return counts.reduce((one, other) => one + other, 0);
	}
}

/** Short, because n8n stores it with the execution. Two recipients with one key only have higher numbers. */
function recipientKey({ recipient, platform }: Omit<Addressed, 'number'>): string {
	return createHash('sha1').update(`${platform} ${recipient}`).digest('base64').slice(0, 8);
}
