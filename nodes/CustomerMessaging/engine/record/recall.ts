import type { Recorded } from '../../shared/ending';
import { groupBy } from '../../shared/slices';
import type { Names, State } from './entries';
import type { LookUps } from './lookUps';

/** A message of a retry. */
interface Recallable<A> {
	message: A;
	/** Its key of Send Once, if that may name its outcome. */
	key?: string;
	/** Its outcome, if the execution remembers it. */
	record?: Recorded;
}

/** To whom other attempts made messages. Rounds of a loop are one list that is cut in pieces, so it is kept for all of them. */
interface Recipients<A> {
	keyOf(message: A): string;
	/** Number of messages to its recipient that the execution has planned so far. */
	countOf(message: A): number;
	hasOthers(message: A): boolean;
	noteOthers(message: A): void;
}

/** The messages that a retry looks up. */
export interface LookUp<A> {
	rows: ReadonlyArray<Recallable<A>>;
	recipients: Recipients<A>;
}

/** The list's knowledge of messages that the execution does not remember. */
export interface Recalled {
	recalled: ReadonlyMap<object, State>;
	/** Messages that other runs of this process were sending. */
	beingSent: ReadonlySet<object>;
	/** Messages that get other names than their usual ones, because those may be taken. */
	renamed: ReadonlyMap<object, Names>;
}

/**
 * Decides about the messages to one recipient that the execution does not remember.
 *
 * | the list says | and nothing is missing | something may be missing |
 * |---|---|---|
 * | nothing | not sent | in doubt |
 * | the same of all | that | that |
 * | something of some | in doubt | in doubt |
 *
 * Attempts may have had the rows in another order, so nothing tells which message is which.
 *
 * @param states the state of each in the list
 * @param isMissing the list may have dropped a message, or earlier rounds found one of others
 */
export function decideRecipient(
	states: ReadonlyArray<State | undefined>,
	isMissing: boolean,
): State | 'inDoubt' | undefined {
	const [state] = states;
	const areAlike = states.every((one) => one === state);
	if (areAlike && state !== undefined) return state;
	return areAlike && !isMissing ? undefined : 'inDoubt';
}

interface RecallOptions {
	/** The usual name of a message for the attempts of this execution. */
	executionKeyOf: (message: object) => string | undefined;
	/** Messages have keys of Send Once, by which others should know of them. */
	usesKeys: boolean;
	/** The list has dropped nothing of the execution. */
	isIntact: boolean;
}

/** Looks up messages of other attempts that the execution does not remember. */
export async function recall<A extends object>(
	{ rows, recipients }: LookUp<A>,
	lookUps: Pick<LookUps, 'find'>,
	{ executionKeyOf, usesKeys, isIntact }: RecallOptions,
): Promise<Recalled> {
	const recalled = new Map<object, State>();
	const beingSent = new Set<object>();
	const renamed = new Map<object, Names>();
	const groups = [...groupBy(rows, ({ message }) => recipients.keyOf(message)).values()];
	const isSingle = (message: A) => recipients.countOf(message) === 1;
	const asked = groups.filter((group) => usesKeys || group.some(({ record }) => !record));
	const { found, inUse } = await lookUps.find(
		asked.flat().map(({ message, key, record }) => ({
			executionKey: executionKeyOf(message),
			key: isSingle(message) ? key : undefined,
			remembered: record && (record.ending.kind === 'accepted' ? 'accepted' : 'unknown'),
		})),
	);
	for (const group of asked) {
		const left = group.filter(({ record }) => !record);
		const [first] = left;
		if (!first) continue;
		for (const { message } of left)
			if (inUse.has(executionKeyOf(message) ?? '')) beingSent.add(message);
		const names = group.map(({ message }) => executionKeyOf(message));
		const free = names.filter((name) => !found.has(name ?? ''));
		// The list holds no more than the execution remembers, so nobody sent the rest, whatever their numbers are.
		const isUnsent = left.length < group.length && free.length >= left.length;
		const states = left.map(({ message }) =>
			isUnsent ? undefined : found.get(executionKeyOf(message) ?? ''),
		);
		const isOne = isSingle(first.message);
		const isMissing = !isIntact || (!isOne && recipients.hasOthers(first.message));
		if (states.some((state) => state !== undefined)) recipients.noteOthers(first.message);
		const decided = decideRecipient(states, isMissing);
		if (decided === undefined) {
			// A corrected one may have the number, and so the name, of one that was sent.
			if (isUnsent)
				left.forEach(({ message, key }, index) =>
					renamed.set(message, { executionKey: free[index], key }),
				);
			continue;
		}
		for (const { message, key } of left) {
			recalled.set(message, decided === 'inDoubt' ? 'pending' : decided);
			// If it is sent again, it must not take the name of another message.
			if (decided === 'inDoubt' && !isOne)
				renamed.set(message, { executionKey: `${executionKeyOf(message)} again`, key });
		}
	}
	return { recalled, beingSent, renamed };
}
