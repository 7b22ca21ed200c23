import { errorMessage } from '../../shared/formatting';
import type { Message, Environment } from '../message';
import type { Policy } from '../policy';
import type { Names } from './entries';
import { Journal, refusingJournal } from './journal';
import { LookUps } from './lookUps';
import { findReach, Marks, reachesBackTo } from './marks';
import type { ExecutionMemory } from './memory';
import { NamesInUse, type UsersOfNames } from './namesInUse';
import { OwnKeys } from './ownKeys';
import { type LookUp, recall } from './recall';
import type { Sent } from './sent';
import { EntryStore, isMissing, MAX_ENTRIES, type NodeStore, sharedByProcess } from './store';
import { Window } from './window';

/** Without Send Once, the list holds so many entries for each message, and at least so many. */
const ENTRIES_PER_MESSAGE = 4;
const LEAST_ENTRIES = 5_000;

/** The names that the runs of this process are sending. */
const users: UsersOfNames = new Map();

interface RecordOptions<R extends Message, A extends object> {
	environment: Pick<Environment, 'clock' | 'now' | 'cancelled'>;
	store: NodeStore;
	memory: ExecutionMemory;
	sending: {
		policy: Policy;
		/** Number of requests that may be in flight. */
		concurrency: number;
		/** The longest wait for a failing store. */
		maxWaitMs: number;
	};
	attempt: {
		isRetry: boolean;
		/** The execution's first attempt, in epoch milliseconds; absent if it has no other attempts. */
		establishedAtMs?: number;
	};
	names: {
		/** The name of a message for the attempts of this execution; undefined if nobody knows whom it is for. */
		executionKeyOf: (message: object) => string | undefined;
		/** Its keys, by which other executions recognize it. */
		keysOf: (message: R) => Omit<Names, 'executionKey'>;
		/** Messages have keys of Send Once. */
		usesKeys: boolean;
		/** All messages have one. */
		haveKeys: boolean;
	};
	list: {
		/** Nothing may be sent if the list cannot be read. */
		mustRead: boolean;
		/** It may grow as with Send Once. */
		keepsMost: boolean;
		/** Number of messages that the execution has planned. */
		planned: number;
		/** Since when it must hold all that was sent; absent if nobody asks. */
		asksSinceMs?: number;
	};
	/** The messages that a retry has to look up; absent if there are none. */
	lookUp?: () => LookUp<A>;
}

/** Nothing may be sent: another execution has the same marks, or the record cannot be read. */
type NotOpened = { because: 'sharedMarks' } | { because: 'unreadable'; reason: string };

/** Opens n8n's record, and looks up messages of other attempts. Undefined once it is in use. */
export async function openRecord<R extends Message, A extends object>(
	sent: Sent<R>,
	options: RecordOptions<R, A>,
): Promise<NotOpened | undefined> {
	try {
		return await open(sent, options);
	} catch (error) {
		const reason = isMissing(error) ? 'this n8n has no store for it' : errorMessage(error);
		const mustRead = options.list.mustRead || (options.attempt.isRetry && !isMissing(error));
		if (mustRead) return { because: 'unreadable', reason };
		if (!isMissing(error)) sent.openStore({ journal: refusingJournal(reason), isCutOff: false });
		return undefined;
	}
}

async function open<R extends Message, A extends object>(
	sent: Sent<R>,
	{ environment, memory, sending, attempt, names, list, ...options }: RecordOptions<R, A>,
): Promise<NotOpened | undefined> {
	const { clock, cancelled } = environment;
	const { context, execution } = memory;
	const { maxWaitMs, policy, concurrency } = sending;
	const { isRetry, establishedAtMs } = attempt;
	const { asksSinceMs } = list;
	const shared = sharedByProcess;
	const store = new EntryStore(options.store, { clock, cancelled, maxWaitMs, shared });
	const namesInUse = new NamesInUse(users, store.name, { execution });
	const lookUps = new LookUps(store, namesInUse);
	const { haveKeys: hasKeys } = names;
	const marks =
		establishedAtMs !== undefined
			? new Marks(context, {
					execution,
					establishedAtMs,
					nowMs: environment.now(),
					isRetry,
					hasKeys,
				})
			: undefined;
	let isFirst = true;
	let asked: LookUp<A> | undefined;
	let isIntact = true;
	if (isRetry && marks) {
		const reach = await findReach(lookUps, marks, context.marked !== undefined);
		if (reach === 'sharedMarks') return { because: 'sharedMarks' };
		({ isIntact } = reach);
		isFirst = isIntact && !reach.hasBegun;
		if (!isFirst) asked = options.lookUp?.();
	} else {
		await store.assertReadable();
	}
	const recalled = asked && (await recall(asked, lookUps, { ...names, isIntact }));
	const journal = new Journal<R>(store, {
		namesOf: (message) => ({
			executionKey: names.executionKeyOf(message),
			...names.keysOf(message),
			...recalled?.renamed.get(message),
		}),
		policy,
		window: new Window(policy.rowsPerRequest, concurrency),
		keeps: (size) => maxEntries(size, list),
		// An attempt that does not know whether the list reaches back must not make others believe it.
		marks: isFirst ? marks : undefined,
		namesInUse,
		ownKeys: new OwnKeys(context),
	});
	const isCutOff = asksSinceMs !== undefined && !(await reachesBackTo(asksSinceMs, lookUps));
	sent.openStore({ journal, ...recalled, isCutOff });
	return undefined;
}

/** Number of entries that a list keeps. Others made one that is longer already, and may need all of it. */
function maxEntries(
	size: number,
	{ keepsMost, planned }: { keepsMost: boolean; planned: number },
): number {
	if (keepsMost || size > LEAST_ENTRIES) return MAX_ENTRIES;
	return Math.min(MAX_ENTRIES, Math.max(LEAST_ENTRIES, ENTRIES_PER_MESSAGE * planned));
}
