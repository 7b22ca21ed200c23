import type { NamesInUse } from './namesInUse';
import { entriesWithout, type State, readState } from './entries';

/** A message that the journal can record. */
export interface Message {
	/** What the message is recorded under. It is sent only if nothing is known of any name. */
	readonly names: readonly string[];
	/** Neighboring messages that share one entry once all of them are accepted. */
	readonly block?: { readonly name: string; readonly size: number };
}

/** What is known of a message. */
export interface Known {
	state: State;
	/** Which of the names says so. */
	name: string;
}

/** Which of some messages are to be sent. */
export interface Decision<M> {
	/** The messages that this run must send now. */
	claimed: M[];
	/** Those of the claimed that may have been delivered before. */
	repeated: ReadonlySet<M>;
	/** What is known of messages that are not to be sent. */
	known: ReadonlyMap<M, Known>;
	/** Messages that have to be claimed once others with the same name have ended. */
	deferred: M[];
}

export interface Claim<M> extends Decision<M> {
	/** The marks that were stored before. */
	marks: ReadonlySet<string>;
}

export interface ClaimOptions {
	/** Whether messages that may have been delivered are sent again. */
	retryUnknown: boolean;
	/** Whether an earlier attempt may have recorded blocks. A run that records blocks itself looks up none. */
	looksUpBlocks: boolean;
}

export interface JournalOptions extends ClaimOptions {
	/** The names of messages that runs of this process are sending. */
	namesInUse: NamesInUse;
	/** How many messages may be pending, given how many were claimed before. */
	windowAfter: (claimed: number) => number;
	/** Messages are claimed in multiples of this number, such as the size of a batch. */
	unit: number;
	/** Called if the store cannot be written after messages were sent. They stay pending. */
	failed: (error: unknown) => void;
}

/** All names that say something of the messages. */
export function collectNames(messages: readonly Message[], options: ClaimOptions): string[] {
	return [...new Set(messages.flatMap((message) => listNames(message, options)))];
}

/** @param stored the entries of all names of the messages that were stored before */
export function collectKnown<M extends Message>(
	messages: readonly M[],
	stored: ReadonlySet<string>,
	options: ClaimOptions,
): Map<M, Known> {
	const known = new Map<M, Known>();
	for (const message of messages) {
		for (const name of listNames(message, options)) {
			const state = readState(name, stored);
			if (state && !known.has(message)) known.set(message, { state, name });
		}
	}
	return known;
}

/** Decides which messages are to be sent. Of several with a common name, only the first is. */
export function decide<M extends Message>(
	asked: readonly M[],
	stored: ReadonlySet<string>,
	options: ClaimOptions,
): Decision<M> {
	const claimed: M[] = [];
	const repeated = new Set<M>();
	const found = collectKnown(asked, stored, options);
	const known = new Map<M, Known>();
	const deferred: M[] = [];
	const names = new Set<string>();
	for (const message of asked) {
		const before = found.get(message);
		const isToSend = !before || (options.retryUnknown && before.state !== 'accepted');
		if (!isToSend) known.set(message, before);
		else if (message.names.some((name) => names.has(name))) deferred.push(message);
		else {
			claimed.push(message);
			if (before) repeated.add(message);
			for (const name of message.names) names.add(name);
		}
	}
	return { claimed, repeated, known, deferred };
}

/**
 * The entries that were added only to look them up. What another name says of a message, such as the key
 * of Send Once, is also recorded under its own name.
 */
export function entriesToTakeBack<M extends Message>(
	names: readonly string[],
	{ claimed, known }: Pick<Decision<M>, 'claimed' | 'known'>,
	stored: ReadonlySet<string>,
): string[] {
	const states = new Map<string, State>();
	for (const message of claimed) for (const name of message.names) states.set(name, 'pending');
	for (const [message, { state, name }] of known) {
		const [own] = message.names;
		// This run reports it as unknown.
		const reported = state === 'pending' ? 'unknown' : state;
		if (own !== undefined && message.names.indexOf(name) > 0) states.set(own, reported);
	}
	return names
		.flatMap((name) => entriesWithout(name, states.get(name)))
		.filter((entry) => !stored.has(entry));
}

/**
 * A block counts more than the own name, which is pending until the block has replaced it. Both count more than another
 * name, such as the key of Send Once.
 */
function listNames({ names, block }: Message, { looksUpBlocks }: ClaimOptions): readonly string[] {
	return block && looksUpBlocks ? [block.name, ...names] : names;
}
