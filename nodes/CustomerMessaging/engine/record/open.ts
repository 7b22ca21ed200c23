import { errorMessage } from '../../shared/formatting';
import type { Environment, Message } from '../interfaces';
import type { Policy } from '../policy';
import { Journal, noJournal } from './journal';
import type { ExecutionMemory } from './ledger';
import { type LookUp, LookUps, recall } from './lookUps';
import { Marks, reachesBackTo } from './marks';
import { type Names, NamesInUse } from './names';
import type { Sent } from './sent';
import { EntryStore, isMissing, MAX_ENTRIES, type NodeStore } from './store';
import { Window } from './window';

/** Without Send Once, the list holds so many entries for each message, and at least so many. */
const ENTRIES_PER_MESSAGE = 4;
const LEAST_ENTRIES = 5_000;

type Attempt = ConstructorParameters<typeof Marks>[1];

interface RecordOptions<R extends Message, A extends object> {
	environment: Pick<Environment, 'clock' | 'now' | 'random' | 'cancelled'>;
	store: NodeStore;
	memory: ExecutionMemory;
	sending: {
		policy: Policy;
		/** Number of requests that may be in flight. */
		concurrency: number;
		/** The longest wait for a failing store. */
		maxWaitMs: number;
	};
	/** `establishedAtMs` is absent if the execution has no other attempts. */
	attempt: Pick<Attempt, 'isRetry' | 'hasKeys'> & { establishedAtMs?: number };
	names: {
		/** The name of a message for the attempts of this execution; undefined if nobody knows whom it is for. */
		executionKeyOf: (message: object) => string | undefined;
		/** Its keys, by which other executions recognize it. */
		keysOf: (message: R) => Omit<Names, 'executionKey'>;
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
		if (isMissing(error)) return undefined;
		// Nothing can be recorded, so nothing may be claimed.
		const claim = async () => await Promise.reject(new Error(reason));
		sent.openStore({ journal: { ...noJournal, claim }, isCutOff: false });
		return undefined;
	}
}

async function open<R extends Message, A extends object>(
	sent: Sent<R>,
	{ environment, memory, sending, attempt, names, list, ...options }: RecordOptions<R, A>,
): Promise<NotOpened | undefined> {
	const { context, execution } = memory;
	const { policy, concurrency, maxWaitMs } = sending;
	const { isRetry, establishedAtMs, hasKeys } = attempt;
	const { executionKeyOf, keysOf } = names;
	const store = new EntryStore(options.store, environment, maxWaitMs);
	const namesInUse = new NamesInUse(options.store.node, { execution });
	const lookUps = new LookUps(store, namesInUse);
	const marks =
		establishedAtMs !== undefined
			? new Marks(context, { ...attempt, establishedAtMs, execution, nowMs: environment.now() })
			: undefined;
	const reach = isRetry ? await marks?.findReach(lookUps) : undefined;
	if (reach === 'sharedMarks') return { because: reach };
	if (!reach) await store.assertReadable();
	const { isIntact, isFirst } = reach ?? { isIntact: true, isFirst: true };
	const asked = isFirst ? undefined : options.lookUp?.();
	const recalled = asked && (await recall(asked, lookUps, { executionKeyOf, hasKeys, isIntact }));
	const journal = new Journal<R>(store, {
		namesOf: (message) => ({
			executionKey: executionKeyOf(message),
			...keysOf(message),
			...recalled?.renamed.get(message),
		}),
		policy,
		window: new Window(policy.rowsPerRequest, concurrency),
		keeps: (size) => maxEntries(size, list),
		// An attempt that does not know whether the list reaches back must not make others believe it.
		marks: isFirst ? marks : undefined,
		namesInUse,
		memory: context,
	});
	const { asksSinceMs } = list;
	const isCutOff = asksSinceMs !== undefined && !(await reachesBackTo(asksSinceMs, lookUps));
	sent.openStore({ journal, ...recalled, isCutOff });
	return undefined;
}

/** Number of entries that a list keeps. Others made one that is longer already, and may need all of it. */
function maxEntries(size: number, list: { keepsMost: boolean; planned: number }): number {
	if (list.keepsMost || size > LEAST_ENTRIES) return MAX_ENTRIES;
	return Math.min(MAX_ENTRIES, Math.max(LEAST_ENTRIES, ENTRIES_PER_MESSAGE * list.planned));
}
