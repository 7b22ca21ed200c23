import type { INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { listedAs, toldBy } from '../../../../engine/support/sends';

const DAY_MS = 24 * 3_600_000;

/** What an attempt says of a message. */
export interface Telling {
	told: string;
	reason?: unknown;
}

/** An attempt, as far as the judge has to know it. */
export interface Attempted {
	name: string;
	/** The execution that it belongs to. */
	chain: { number: number; isByHand: boolean };
	setup: { usesOnce: boolean; retryUnknown: boolean; brandId: string };
	beganAtMs: number;
	isOver: boolean;
	/** The attempt whose memory it began with. */
	remembers?: Attempted;
	/** Whether a kill, a stall or a failed call may have left names that it claimed or looked up. */
	mayHaveLeft: boolean;
}

/** A message: of the execution and its retries, and with Send Once by its key. */
export interface Message {
	/** The recipient, as this attempt sees it. */
	user: string;
	/** The row. It stays the same whatever its text, key or recipient becomes. */
	row: string;
	/** What Send Once knows the message by; absent without Send Once, or if the key differs by itself. */
	onceKey?: string;
	/** What lists by hand know it by, on a day; absent if its text differs by itself. */
	listKey?: string;
	/** Whether it is sent by hand to this recipient alone. */
	isAlone: boolean;
}

interface Event {
	by: Attempted;
	atMs: number;
}

/** What happened to a message, by one of its names. */
class Known {
	/** Requests with it, whatever the service made of them. */
	readonly arrived: Event[] = [];
	/** Requests that the service may have taken. */
	readonly posted: Event[] = [];
	readonly delivered: Array<Event & { isAlone: boolean }> = [];
	/** When attempts said that it was accepted. */
	readonly accepted: Event[] = [];
	/** When attempts said that it was not sent, and so claimed it no longer. */
	readonly released: Event[] = [];
	/** Of a key, the messages that an attempt had with it. What was sent of them without the key counts for it, too. */
	readonly withKey = new Set<Known>();
	/** The attempts that had it among their rows. */
	readonly holders = new Set<Attempted>();
	/** Who called it unknown. */
	readonly doubters = new Set<Attempted>();
	/** Somebody chose to send it again while it was being sent. */
	hasNoPromise = false;
	/** Whether a retry with Send Once knew it without its key, and passed it on with the key. */
	isPassedOn = false;
	/** Whether an attempt rightly called it unknown. */
	isInDoubt = false;
}

/** Compares what arrived with what is told. */
export class Judge {
	/** What broke a promise, with its kind first. */
	readonly broken: string[] = [];
	/** Messages that were told to be in doubt although nobody ever sent them. */
	readonly doubtedForNothing = new Map<string, Event & { about: readonly Known[] }>();
	/** Whether nothing is disturbed any longer, and all other attempts have ended. */
	isSettled = false;
	/** When the list last dropped names of executions, and keys. */
	droppedAtMs = { names: -Infinity, keys: -Infinity };
	private readonly known = new Map<string, Known>();

	constructor(private readonly nowMs: () => number) {}

	breaks(kind: string, text: string): void {
		this.broken.push(`${kind}: ${text}`);
	}

	/** An attempt has the message. It may note for the key what was sent before, and be killed before it tells. */
	has(message: Message, by: Attempted): void {
		const [own, once] = this.find(message, by);
		for (const one of [own, once]) one?.holders.add(by);
		if (once) once.withKey.add(own);
	}

	/** Whether anything was sent or said of a message, as far as an attempt can know. */
	isKnown(message: Message, by: Attempted): boolean {
		return this.find(message, by).some(
			({ delivered, doubters }) => delivered.length > 0 || doubters.size > 0,
		);
	}

	/**
	 * A request with the message arrives. Until its sender has ended, an attempt on another worker cannot know
	 * whether it was taken, from the moment on when it was claimed.
	 */
	arrives(message: Message, by: Attempted): void {
		const all = this.find(message, by);
		this.note('arrived', all, by);
		this.hadClaimed(all, by);
	}

	private note(what: 'arrived' | 'released', all: readonly Known[], by: Attempted): void {
		this.giveUpBeside(all, by);
		for (const known of all) known[what].push({ by, atMs: this.nowMs() });
	}

	/**
	 * With Resend Unconfirmed, requests may arrive in either order, and what one gives back, or calls unknown, the other
	 * may have sent.
	 */
	private giveUpBeside(all: readonly Known[], by: Attempted): void {
		for (const known of all)
			known.hasNoPromise ||= [...known.arrived, ...known.released].some(
				(other) =>
					other.by !== by &&
					(!other.by.isOver || other.atMs >= by.beganAtMs) &&
					(by.setup.retryUnknown || other.by.setup.retryUnknown),
			);
	}

	/** An attempt had claimed the message, so that doubts beside it were not for nothing. */
	private hadClaimed(all: readonly Known[], by: Attempted): void {
		for (const [name, doubt] of this.doubtedForNothing) {
			if (!isBeside(by, doubt) || !doubt.about.some((one) => all.includes(one))) continue;
			this.doubtedForNothing.delete(name);
			// Later attempts repeat what was noted for the key.
			for (const one of doubt.about) one.isInDoubt = true;
		}
	}

	/** The service may have taken the message. */
	posted(message: Message, by: Attempted): void {
		for (const { posted } of this.find(message, by)) posted.push({ by, atMs: this.nowMs() });
	}

	/** The service has taken the message. `excuse`: why this is given up, if it is taken twice. */
	takes(message: Message, by: Attempted, excuse: string | undefined): void {
		const { isAlone } = message;
		const atMs = this.nowMs();
		const all = this.find(message, by);
		for (const one of all) {
			const isList = one !== all[0] && !by.setup.usesOnce;
			// One recipient alone is always sent, and within an execution, lists are not compared.
			const first = one.delivered.find(
				(before) =>
					!isList ||
					(!isAlone &&
						!before.isAlone &&
						before.by.chain !== by.chain &&
						// For a calendar day. A retry without its memory may begin a round on another one.
						Math.floor(before.atMs / DAY_MS) === Math.floor(atMs / DAY_MS)),
			);
			if (!first || by.setup.retryUnknown || one.hasNoPromise || excuse) continue;
			if (!this.isForgotten(first.by, by))
				this.breaks(
					one === all[0] ? 'twice' : 'twice by key',
					`${nameOf(message)} by ${first.by.name} and ${by.name}`,
				);
		}
		for (const one of all) one.delivered.push({ by, atMs, isAlone });
	}

	/** Whether the list dropped what an attempt had noted, and another one could not know that. */
	private isForgotten(sender: Attempted, by: Attempted): boolean {
		const { names, keys } = this.droppedAtMs;
		// The marks of its own execution tell a retry how far back the list reaches, unless this changes while it runs.
		return sender.chain === by.chain ? by.beganAtMs <= names : sender.beganAtMs <= keys;
	}

	/**
	 * An attempt says how a message ended.
	 *
	 * @param excuse why this may be false
	 * @param mayDoubt why it may be in doubt for nothing
	 */
	tells(message: Message, by: Attempted, telling: Telling, excuse?: string, mayDoubt?: string) {
		const { told, reason } = telling;
		const all = this.find(message, by);
		const [own] = all;
		const event = { by, atMs: this.nowMs() };
		// A retry with Send Once passes on to the key what was left without it.
		const related = all.flatMap((one) => [one, ...one.withKey]);
		const isDelivered =
			all.some(({ isPassedOn }) => isPassedOn) ||
			related.some(({ delivered }) => delivered.length > 0);
		const breaks = (kind: string, text: string) =>
			this.breaks(kind, `${nameOf(message)} is called ${told} by ${by.name}, ${text}`);
		if (told === 'accepted') {
			own.accepted.push(event);
			if (isDelivered) for (const one of all) one.isPassedOn = true;
		}
		if ((told === 'accepted' || told === 'skipped') && !isDelivered && !excuse)
			breaks('falsely accepted', 'but was not accepted');
		if (told === 'notSent' || told === 'rejected') {
			const before = own.delivered.find(
				(one) => one.atMs < by.beganAtMs || one.by === by || reason === 'notRecorded',
			);
			const isGivenUp = own.hasNoPromise && before?.by !== by;
			if (before && !excuse && !isGivenUp && !this.isForgotten(before.by, by))
				breaks(`falsely ${told}`, `but was accepted by ${before.by.name}`);
			this.hadClaimed(all, by);
			this.note('released', all, by);
		}
		if (told !== 'unknown') return;
		this.giveUpBeside(all, by);
		const mayOthersHaveLeft = all.some(({ holders }) =>
			[...holders].some((one) => one !== by && one.mayHaveLeft),
		);
		const isNoted = own.accepted.some(
			(one) => one.by.isOver && one.atMs < by.beganAtMs && !one.by.mayHaveLeft,
		);
		// Of what an attempt itself got no answer to, its memory tells; of what another attempt of its execution, the record.
		const isOwn = own.posted.some(
			({ by: one }) =>
				remembersOneOf(new Set([one]), by.remembers) ||
				(one.chain === by.chain && !own.accepted.some((event) => event.by === one)),
		);
		// A look-up that a kill ended leaves it pending.
		if (isNoted && !isOwn && !mayOthersHaveLeft && this.isSettled && !mayDoubt)
			breaks('stale doubt', 'although it was noted that it was accepted');
		const wasInDoubt = all.some(({ isInDoubt }) => isInDoubt);
		const isRepeated = all.some(({ doubters }) => remembersOneOf(doubters, by));
		for (const { doubters } of all) doubters.add(by);
		const isPosted = all.some(({ posted }) => posted.length > 0);
		// Whoever was killed before it noted a refusal has left a doubt.
		const senders = all.flatMap(({ arrived }) => arrived.map((one) => one.by));
		const isBeingSent =
			all.some(({ released }) => released.some(({ atMs }) => atMs >= by.beganAtMs)) ||
			senders.some((one) => !one.isOver && isBeside(one, event));
		// With another key, it repeats what an attempt said of the key.
		if (wasInDoubt || (!isRepeated && (isPosted || isBeingSent)))
			for (const one of all) one.isInDoubt = true;
		if (isRepeated || mayDoubt || isPosted || isBeingSent || wasInDoubt) return;
		this.doubtedForNothing.set(`${by.chain.number} ${nameOf(message)}`, { ...event, about: all });
	}

	/** What is known of a message in its execution, and by its key or by what lists by hand know it by. */
	private find(message: Message, { chain, setup }: Attempted): [own: Known, ...shared: Known[]] {
		const { user, row, onceKey, listKey } = message;
		const find = (name: string) => {
			const known = this.known.get(name) ?? new Known();
			this.known.set(name, known);
			return known;
		};
		const to = `${setup.brandId} ${user}`;
		const own = find(`${chain.number} ${to} ${row}`);
		if (setup.usesOnce) return onceKey === undefined ? [own] : [own, find(`once ${to} ${onceKey}`)];
		return chain.isByHand && listKey !== undefined ? [own, find(`list ${to} ${listKey}`)] : [own];
	}
}

/** Whether an attempt had begun when another one was in doubt. */
const isBeside = (one: Attempted, { by, atMs }: Event) => one !== by && one.beganAtMs <= atMs;

/** Whether an attempt, or one whose memory it has, is among some. */
const remembersOneOf = (some: ReadonlySet<Attempted>, by: Attempted | undefined): boolean =>
	by !== undefined && (some.has(by) || remembersOneOf(some, by.remembers));

export const nameOf = ({ user, row }: Message) => `${row} to ${user}`;

/** What output items say of their rows. */
export const readItems = (output: INodeExecutionData[]) =>
	new Map(
		toldBy({ output, failed: [] }).map(({ item, outcome, details }): [number, Telling] => {
			const { reason, earlierOutcome } = details;
			if (outcome !== 'skipped') return [item, { told: outcome, reason }];
			return [item, { told: earlierOutcome === 'unknown' ? 'unknown' : outcome }];
		}),
	);

const headings = [
	['Refused', 'rejected'],
	['May have been delivered', 'unknown'],
	['Not sent', 'notSent'],
] as const;

/**
 * What the error of a node that stopped the workflow says of its rows: it names all that did not end well. The
 * rest was accepted or skipped, or if nothing was sent, is not spoken of.
 */
export function readError(error: NodeApiError | NodeOperationError, items: number) {
	const { message, description } = error;
	const told = new Map<number, Telling>();
	const reason = message.startsWith("n8n's store failed") ? 'notRecorded' : undefined;
	for (const [heading, outcome] of headings)
		for (const item of listedAs(heading, error)) told.set(item, { told: outcome, reason });
	// Of what was skipped because it may have been delivered, only the number is told.
	const isPartial = /^May have been delivered before/m.test(String(description));
	if (isPartial || /^Nothing (more )?was sent/.test(message)) return told;
	if (items === 1 && told.size === 0) return told.set(0, { told: readOnly(message), reason });
	for (let index = 0; index < items; index++)
		if (!told.has(index)) told.set(index, { told: 'accepted' });
	return told;
}

/** The only item of a run has no list, only the message of its failure. */
function readOnly(message: string): string {
	if (/may .*been delivered|not known whether/.test(message)) return 'unknown';
	return /not sent|before it was sent/.test(message) ? 'notSent' : 'rejected';
}
