import type { N8n } from '../n8n/context';
import type { NodeMemory } from '../n8n/memory';
import type { Plan } from '../plan/plan';
import { hash } from '../plan/sendOnceKey';
import type { KnownRun } from '../run/resolveRun';
import type { Addressed, Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import { isProblem, type Problem, type SentRecord } from '../shared/result';
import { groupBy } from '../shared/slices';
import type { Names, State } from './entries';
import { Journal } from './journal';
import type { Ledger } from './ledger';
import { LookUps } from './lookUps';
import { cannotGoOn, type Marks, marksOf, olderMarks, runAgain, twoBegan } from './marks';
import { NamesInUse, type UsersOfNames } from './namesInUse';
import { Sent } from './sent';
import { EntryStore, isMissing, MAX_ENTRIES, type SharedByStores } from './store';

/** What the runs of one process share. */
export interface SharedByRuns {
	namesInUse: UsersOfNames;
	stores: SharedByStores;
}

const ofThisProcess: SharedByRuns = {
	namesInUse: new Map(),
	stores: { random: Math.random, workflows: new Map() },
};

/** A run as far as the journal has to know it. */
type Asked = Plan & { run: KnownRun; account?: string; operation: string };

/** Thrown if the first claim shows that the run must not send anything. */
export class RefusedRun extends Error {
	constructor(readonly problem: Problem) {
		super(problem.message);
	}
}

/** Opens the journal, and looks up what other attempts have sent. Or says why nothing must be sent. */
export async function openJournal(
	asked: Asked,
	n8n: N8n,
	ledger: Ledger,
	{ namesInUse: users, stores } = ofThisProcess,
): Promise<Sent | Problem> {
	const { run, account, operation, numbers } = asked;
	const { isRetry, establishedAtMs } = run.history;
	const { settings } = run;
	const usesOnce = settings?.sendOnce === true;
	const hasAttempts = establishedAtMs !== undefined && !n8n.isTool;
	if (!hasAttempts && !usesOnce) return new Sent(ledger, n8n);

	const { context, execution } = n8n.memory();
	const { clock, cancelled } = n8n;
	const maxWaitMs = settings?.maxWaitMs ?? Infinity;
	const store = new EntryStore(n8n.store(), { clock, cancelled, maxWaitMs, shared: stores });
	const namesInUse = new NamesInUse(users, store.name, { execution });
	/** Names of messages that do not have their usual ones. */
	const others = new Map<Addressed, Names>();
	const nameHere = ({ platform, recipient, content, number }: Partial<Addressed>) => {
		if (!hasAttempts || account === undefined) return undefined;
		const scope = [account, establishedAtMs, context.marked?.own, operation];
		return `here ${hash([...scope, platform, recipient, content, number])}`;
	};
	const namesOf = (delivery: Delivery): Names =>
		others.get(delivery as Addressed) ?? { here: nameHere(delivery), key: delivery.onceKey };
	const marks = hasAttempts
		? marksOf(establishedAtMs, n8n.now(), isRetry ? undefined : execution)
		: undefined;
	const options = {
		namesOf,
		retryUnknown: settings?.retryUnknown === true,
		unit: (run.operation?.batchKey && settings?.batchSize) || 1,
		maxEntries: usesOnce
			? MAX_ENTRIES
			: Math.min(MAX_ENTRIES, Math.max(5_000, 4 * (numbers?.total ?? 0))),
		marks,
		onMarking: () => {
			const { mayBeMarked = false } = context;
			context.mayBeMarked = true;
			return mayBeMarked;
		},
		onMarked: (found: ReadonlySet<string>, mayBeOwn: boolean, wasRetried: boolean) => {
			if (isRetry || !marks) return false;
			const isKnown = marks.ofExecution.some((mark) => found.has(mark));
			// It goes on by its keys if all messages have one.
			const hasKeys = asked.deliveries.every(({ onceKey }) => onceKey !== undefined);
			if (isKnown && !mayBeOwn && !context.marked && !hasKeys)
				throw new RefusedRun(runAgain(context));
			const isOwn = context.marked !== undefined || (isKnown && mayBeOwn);
			const isTwin = found.has(marks.established) && !isOwn && !wasRetried;
			context.marked ??= isTwin ? { own: execution } : {};
			return isTwin;
		},
		namesInUse,
	};
	try {
		if (!hasAttempts || !isRetry || !marks) {
			await store.assertReadable();
			return new Sent(ledger, n8n, new Journal(store, options));
		}
		const lookUps = new LookUps(store, namesInUse);
		const reach = await findReach(lookUps, marks, establishedAtMs, context);
		if (isProblem(reach)) return reach;
		// Whoever does not know whether the list reaches back must not make others believe it.
		const toLeave = reach.isIntact && !reach.hasBegun ? marks : undefined;
		const journal = new Journal(store, { ...options, marks: toLeave });
		const recalled = await recall(asked, ledger, lookUps, nameHere, others, reach);
		return new Sent(ledger, n8n, journal, recalled);
	} catch (error) {
		const failure = isMissing(error) ? 'this n8n has no store for it' : errorMessage(error);
		if (usesOnce) return unknownToOnce(failure, run);
		if (isMissing(error)) return new Sent(ledger, n8n);
		if (!isRetry) return new Sent(ledger, n8n, undefined, undefined, failure);
		return cannotGoOn(
			`n8n cannot read what other attempts of this execution sent: ${failure}. Check n8n's database, then retry the execution`,
		);
	}
}

/** How far back the list reaches for a retry. */
interface Reach {
	/** Whether nothing of the execution was dropped, so that a message without a name was not sent. */
	isIntact: boolean;
	/** Whether an attempt of the execution may have sent before. */
	hasBegun: boolean;
}

async function findReach(
	lookUps: LookUps,
	{ established, twins }: Marks,
	establishedAtMs: number,
	{ marked }: NodeMemory,
): Promise<Reach | Problem> {
	if (await lookUps.isEmpty()) return { isIntact: true, hasBegun: false };
	const own = await lookUps.findMarks([established, twins]);
	if (own.found.includes(twins) && !marked) return twoBegan;
	if (own.found.includes(established)) return { isIntact: true, hasBegun: true };
	// A retry that was killed while it looked the mark up leaves one that proves nothing.
	const hasBegun = own.maybe.includes(established);
	for (const older of olderMarks(establishedAtMs))
		if ((await lookUps.findMarks(older)).found.length > 0) return { isIntact: true, hasBegun };
	return { isIntact: false, hasBegun: true };
}

/** A message of a retry. */
interface Row {
	message: Addressed;
	key?: string;
	/** What the ledger knows of it. */
	record?: SentRecord;
}

/**
 * Looks up what other attempts have made of the messages that the ledger does not know.
 *
 * @param others where messages get other names than their usual ones
 */
async function recall(
	{ deliveries, invalid, numbers, run }: Asked,
	ledger: Ledger,
	lookUps: LookUps,
	nameHere: (message: Addressed) => string | undefined,
	others: Map<Addressed, Names>,
	{ isIntact, hasBegun }: Reach,
): Promise<Map<Addressed, State>> {
	const recalled = new Map<Addressed, State>();
	if (!numbers || (isIntact && !hasBegun)) return recalled;
	if (ledger.isNew) numbers.expectOtherOrder();
	const usesOnce = run.settings?.sendOnce === true;
	const rows: Row[] = [
		...deliveries
			.filter((delivery): delivery is Delivery & Addressed => delivery.number !== undefined)
			.map((message) => ({ message, key: message.onceKey, record: ledger.find(message) })),
		...invalid.flatMap(({ itemIndex, addressed = [] }) =>
			addressed.map((message) => ({ message, record: ledger.find({ itemIndex, ...message }) })),
		),
	];
	const groups = [...groupBy(rows, ({ message }) => numbers.keyOf(message)).values()];
	const isSingle = ({ message }: Row) => numbers.countOf(message) === 1;
	const asked = groups.filter((group) => usesOnce || group.some(({ record }) => !record));
	const found = await lookUps.find(
		asked.flat().map((row) => ({
			here: nameHere(row.message),
			key: usesOnce && isSingle(row) ? row.key : undefined,
			remembered: stateOf(row.record),
		})),
	);
	for (const group of asked) {
		const left = group.filter(({ record }) => !record);
		const [first] = left;
		if (!first) continue;
		const states = left.map(({ message }) => found.get(nameHere(message) ?? ''));
		const [state] = states;
		const isAny = states.some((one) => one !== undefined);
		// A loop may have cut the rows in other pieces, so what others made in one round counts in all later ones.
		const wereMade = numbers.wereMade(first.message);
		if (isAny) numbers.noteMade(first.message);
		const areAlike = states.every((one) => one === state);
		if (areAlike && state !== undefined)
			for (const { message } of left) recalled.set(message, state);
		else if (isAny || wereMade || !isIntact)
			// The attempts may have had their rows in another order, so it is not known which of them were made.
			for (const { message, key } of left) {
				recalled.set(message, 'pending');
				if (!isSingle(first)) others.set(message, { here: `${nameHere(message)} again`, key });
			}
	}
	return recalled;
}

function stateOf(record: SentRecord | undefined): State | undefined {
	return record && (record.outcome.outcome === 'accepted' ? 'accepted' : 'unknown');
}

function unknownToOnce(reason: string, { isOnceADay, needsOnceKey }: KnownRun): Problem {
	const why = isOnceADay ? 'Started by hand, a broadcast goes out once a day' : 'Send Once is on';
	const orElse = isOnceADay || needsOnceKey ? '' : ', or turn off Send Once';
	return {
		field: 'sendOnce',
		message: `${why}, but n8n cannot read what was sent before: ${reason}. Check n8n's database${orElse}`,
	};
}
