import { errorMessage } from '../../shared/formatting';
import type { Message, Surroundings } from '../message';
import type { Policy } from '../policy';
import type { Names } from './entries';
import { Journal } from './journal';
import { LookUps } from './lookUps';
import { findReach, Marks, reachesBackTo } from './marks';
import type { ExecutionMemory } from './memory';
import { NamesInUse, type UsersOfNames } from './namesInUse';
import { OwnKeys } from './ownKeys';
import { recall, type Recallable, type Recipients } from './recall';
import type { Sent } from './sent';
import { EntryStore, isMissing, MAX_ENTRIES, type NodeStore, sharedByProcess } from './store';
import { Window } from './window';

/** Without Send Once, the list holds so many entries for each message, and at least so many. */
const ENTRIES_PER_MESSAGE = 4;
const LEAST_ENTRIES = 5_000;

/** What the runs of this process send. */
const users: UsersOfNames = new Map();

interface RecordOptions<R extends Message, A extends object> extends Pick<
	Surroundings,
	'clock' | 'now' | 'cancelled'
> {
	store: NodeStore;
	memory: ExecutionMemory;
	policy: Policy;
	/** How many requests may be in flight. */
	concurrency: number;
	/** How long the run may wait for a failing store. */
	maxWaitMs: number;
	/** Whether messages have keys, by which other executions recognize them. */
	usesKeys: boolean;
	/** Whether all have one. */
	haveKeys: boolean;
	/** Whether nothing may be sent if nobody can say what other executions sent. */
	mustRead: boolean;
	/** Whether the list may grow as with Send Once. */
	keepsMost: boolean;
	/** Since when the list must hold all that was sent; absent if nobody asks. */
	asksSinceMs?: number;
	/** The execution's first attempt, in epoch milliseconds; absent if it has no other attempts. */
	establishedAtMs?: number;
	isRetry: boolean;
	/** How many messages the execution has planned. */
	planned: number;
	/** The name of a message for the attempts of this execution; undefined if nobody knows whom it is for. */
	nameHere: (message: object) => string | undefined;
	keysOf: (message: R) => Omit<Names, 'here'>;
	/** What a retry has to look up; absent if it has nothing. */
	lookUp?: () => { rows: ReadonlyArray<Recallable<A>>; recipients: Recipients<A> };
}

/** Why nothing may be sent: another execution has the same marks, or nobody can say what was sent before. */
type NotOpened = { because: 'sharedMarks' } | { because: 'unreadable'; reason: string };

/** Opens n8n's record of what was sent, and looks up what other attempts have sent. Undefined once it is in use. */
export async function openRecord<R extends Message, A extends object>(
	sent: Sent<R>,
	options: RecordOptions<R, A>,
): Promise<NotOpened | undefined> {
	const { clock, now, cancelled, maxWaitMs, memory, policy } = options;
	const { usesKeys, establishedAtMs, isRetry, nameHere, keysOf, asksSinceMs } = options;
	const { context, execution } = memory;
	const store = new EntryStore(options.store, {
		clock,
		cancelled,
		maxWaitMs,
		shared: sharedByProcess,
	});
	const namesInUse = new NamesInUse(users, store.name, { execution });
	/** Names of messages that do not have their usual ones. */
	const others = new Map<object, Names>();
	const marks =
		establishedAtMs === undefined
			? undefined
			: new Marks(context, {
					...{ execution, establishedAtMs, nowMs: now(), isRetry },
					hasKeys: options.haveKeys,
				});
	const openJournal = (toLeave?: Marks) =>
		new Journal<R>(store, {
			namesOf: (message) => ({
				here: nameHere(message),
				...keysOf(message),
				...others.get(message),
			}),
			policy,
			window: new Window(policy.rowsPerRequest, options.concurrency),
			// Others made a list that is longer already, and may need all of it.
			keeps: (size) =>
				options.keepsMost || size > LEAST_ENTRIES
					? MAX_ENTRIES
					: Math.min(MAX_ENTRIES, Math.max(LEAST_ENTRIES, ENTRIES_PER_MESSAGE * options.planned)),
			marks: toLeave,
			namesInUse,
			ownKeys: new OwnKeys(context),
		});
	const lookUps = new LookUps(store, namesInUse);
	const findCutOff = async () =>
		asksSinceMs !== undefined && !(await reachesBackTo(asksSinceMs, lookUps));
	try {
		if (!isRetry || !marks) {
			await store.assertReadable();
			sent.use({ journal: openJournal(marks), isCutOff: await findCutOff() });
			return undefined;
		}
		const reach = await findReach(lookUps, marks, context.marked !== undefined);
		if (reach === 'sharedMarks') return { because: 'sharedMarks' };
		const hasNothing = reach.isIntact && !reach.hasBegun;
		// Whoever does not know whether the list reaches back must not make others believe it.
		const journal = openJournal(hasNothing ? marks : undefined);
		const asked = hasNothing ? undefined : options.lookUp?.();
		const recalled =
			asked &&
			(await recall(asked.rows, asked.recipients, usesKeys, lookUps, nameHere, others, reach));
		sent.use({ journal, ...recalled, isCutOff: await findCutOff() });
		return undefined;
	} catch (error) {
		const reason = isMissing(error) ? 'this n8n has no store for it' : errorMessage(error);
		const mustRead = options.mustRead || (isRetry && !isMissing(error));
		if (mustRead) return { because: 'unreadable', reason };
		if (!isMissing(error)) sent.use({ unrecorded: reason });
		return undefined;
	}
}
