import type { IDataObject } from 'n8n-workflow';

const DAY_MS = 24 * 3_600_000;

/** Lists by hand are compared for a calendar day. A retry without its memory may begin a round on another one. */
function isSameDay(oneMs: number, otherMs: number): boolean {
	return Math.floor(oneMs / DAY_MS) === Math.floor(otherMs / DAY_MS);
}

/** What an attempt says of a message. */
export type Told = 'accepted' | 'skipped' | 'unknown' | 'notSent' | 'rejected' | 'invalid';

export interface Telling {
	told: Told;
	reason?: unknown;
}

/** An attempt, as far as the judge has to know it. */
export interface Attempted {
	id: string;
	chain: number;
	beganAtMs: number;
	worker: string;
	isOver: boolean;
	usesOnce: boolean;
	/** Whether it belongs to an execution that somebody started by hand. */
	isByHand?: boolean;
	retryUnknown: boolean;
	brandId: string;
	/** The attempt whose memory it began with. */
	remembers?: Attempted;
	/** Whether a kill, a stall or a failed call may have left names that it claimed or looked up. */
	mayHaveLeft?: boolean;
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
	isAlone?: boolean;
}

/** A request that reached the service, and how it ended for its sender. */
interface Post {
	by: Attempted;
	atMs: number;
	answer?: 'clear' | 'lost';
}

interface Known {
	posted: Post[];
	/** Requests with it, whatever the service made of them. */
	readonly arrived: Array<{ by: Attempted; atMs: number }>;
	delivered: Array<{ by: Attempted; atMs: number; isAlone?: boolean }>;
	/** Somebody chose to send it again while it was being sent. */
	hasNoPromise: boolean;
	/** Whether a retry with Send Once knew it without its key, and passed it on with the key. */
	isPassedOn?: boolean;
	/** Of a key, the messages that an attempt had with it. What was sent of them without the key counts for it, too. */
	readonly withKey: Set<Known>;
	/** Whether an attempt rightly called it unknown. */
	isInDoubt?: boolean;
	/** The attempts that had it among their rows. */
	readonly holders: Set<Attempted>;
	/** Who called it unknown. */
	readonly doubters: Set<Attempted>;
	/** When attempts said that it was accepted. */
	accepted?: Array<{ by: Attempted; atMs: number }>;
	/** When attempts said that it was not sent, and so claimed it no longer. */
	released?: Array<{ by: Attempted; atMs: number }>;
}

/** A message that was called unknown. */
interface Doubt {
	by: Attempted;
	atMs: number;
	about: readonly Known[];
}

/** What is given up (journal.md), and where. Each is one line of the counts. */
export const givenUp = [
	'retry unknown beside a living attempt',
	'fewer messages to a recipient with several',
	'several messages to one recipient without a memory in common',
	'several messages to one recipient beside a living attempt',
	'twins of which one was killed at its start',
	'twins of which one lost the answer to its first claim',
	'run a second time by n8n',
	'a node that was pasted meanwhile',
	'a list that turned over',
	'a mark whose look-up was interrupted',
	'an execution that was taken for dead, and cannot read the list',
	'a call that commits after another worker has taken the lock over',
] as const;
export type GivenUp = (typeof givenUp)[number];

/** Compares what arrived with what is told. */
export class Judge {
	/** What broke a promise, with its kind first. */
	readonly broken: string[] = [];
	/** Messages that were told to be in doubt although nobody ever sent them. */
	readonly doubtedForNothing = new Map<string, Doubt>();
	readonly givenUp = new Map<string, number>();
	delivered = 0;
	inDoubt = 0;
	/** Whether nothing is disturbed any longer, and all other attempts have ended. */
	isSettled = false;
	/** When the list last dropped names of executions, and keys. */
	droppedAtMs = { names: -Infinity, keys: -Infinity };
	private readonly known = new Map<string, Known>();

	constructor(private readonly nowMs: () => number) {}

	breaks(kind: string, text: string): void {
		this.broken.push(`${kind}: ${text}`);
	}

	givesUp(what: string): void {
		this.givenUp.set(what, (this.givenUp.get(what) ?? 0) + 1);
	}

	/** An attempt has the message. It may note for the key what was sent before, and be killed before it tells. */
	has(message: Message, by: Attempted): void {
		const [own, once] = this.find(message, by);
		for (const one of [own, once]) one?.holders.add(by);
		if (own && once) once.withKey.add(own);
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
		const atMs = this.nowMs();
		for (const known of all) {
			const live = known.arrived.filter(
				(other) => other.by !== by && (!other.by.isOver || other.atMs >= by.beganAtMs),
			);
			// Their requests may arrive in either order, and what one gives back the other may have sent.
			if (live.some((other) => by.retryUnknown || other.by.retryUnknown)) known.hasNoPromise = true;
			known.arrived.push({ by, atMs });
		}
		this.hadClaimed(all, by);
	}

	/** An attempt had claimed the message, so that doubts beside it were not for nothing. */
	private hadClaimed(all: readonly Known[], by: Attempted): void {
		for (const [name, doubt] of this.doubtedForNothing)
			if (isBeside(by, doubt) && doubt.about.some((one) => all.includes(one)))
				this.doubtedForNothing.delete(name);
	}

	/** The service may have taken the message. */
	posted(message: Message, by: Attempted): Post {
		const post: Post = { by, atMs: this.nowMs() };
		for (const known of this.find(message, by)) known.posted.push(post);
		return post;
	}

	/** The service has taken the message. `excuse`: why this is given up, if it is taken twice. */
	takes(message: Message, by: Attempted, excuse?: GivenUp): void {
		this.delivered++;
		const [known, once] = this.find(message, by);
		for (const one of [known, once]) {
			if (!one) continue;
			const isList = one !== known && !by.usesOnce;
			// One recipient alone is always sent, and within an execution, lists are not compared.
			if (isList && message.isAlone) continue;
			const [first] = one.delivered.filter(
				({ by: other, isAlone, atMs }) =>
					!isList || (other.chain !== by.chain && !isAlone && isSameDay(atMs, this.nowMs())),
			);
			if (first && !by.retryUnknown) {
				if (one.hasNoPromise) this.givesUp('retry unknown beside a living attempt');
				else if (excuse) this.givesUp(excuse);
				else if (this.isForgotten(first.by, by)) this.givesUp('a list that turned over');
				else
					this.breaks(
						one === known ? 'twice' : 'twice by key',
						`${nameOf(message)} by ${first.by.id} and ${by.id}`,
					);
			}
		}
		const { isAlone } = message;
		for (const one of [known, once]) one?.delivered.push({ by, atMs: this.nowMs(), isAlone });
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
	tells(
		message: Message,
		by: Attempted,
		{ told, reason }: Telling,
		excuse?: GivenUp,
		mayDoubt = excuse,
	): void {
		const all = this.find(message, by);
		const [own] = all;
		const isDelivered = all.some(
			({ delivered, isPassedOn, withKey }) =>
				isPassedOn === true || [{ delivered }, ...withKey].some((one) => one.delivered.length > 0),
		);
		if (told === 'accepted' && isDelivered) for (const one of all) one.isPassedOn = true;
		if (told === 'accepted' && own) (own.accepted ??= []).push({ by, atMs: this.nowMs() });
		const breaks = (kind: string, text: string, given = excuse) => {
			if (given) this.givesUp(given);
			else this.breaks(kind, `${nameOf(message)} is called ${told} by ${by.id}, ${text}`);
		};
		if ((told === 'accepted' || told === 'skipped') && !isDelivered)
			breaks('falsely accepted', 'but was not accepted');
		if (told === 'notSent' || told === 'rejected') {
			const before = own?.delivered.find(
				(one) => one.atMs < by.beganAtMs || one.by === by || reason === 'notRecorded',
			);
			if (before) breaks(`falsely ${told}`, `but was accepted by ${before.by.id}`);
			this.hadClaimed(all, by);
			for (const one of all) (one.released ??= []).push({ by, atMs: this.nowMs() });
		}
		if (told === 'unknown') {
			this.inDoubt++;
			const isNoted = own?.accepted?.some(
				(one) => one.by.isOver && one.atMs < by.beganAtMs && one.by.mayHaveLeft !== true,
			);
			// Of what an attempt itself got no answer to, its memory tells.
			const isOwn = own?.posted.some((post) => remembersOneOf(new Set([post.by]), by.remembers));
			// A look-up that a kill ended leaves it pending.
			const wasLookedUp = all.some(({ holders }) =>
				[...holders].some((one) => one !== by && one.mayHaveLeft === true),
			);
			if (isNoted && !isOwn && !wasLookedUp && this.isSettled && !mayDoubt)
				breaks('stale doubt', 'although it was noted that it was accepted');
			const wasInDoubt = all.some(({ isInDoubt }) => isInDoubt === true);
			const isRepeated = all.some(({ doubters }) => remembersOneOf(doubters, by));
			for (const { doubters } of all) doubters.add(by);
			if (isRepeated) {
				// With another key, it repeats what an attempt said of the key.
				if (wasInDoubt) for (const one of all) one.isInDoubt = true;
				return;
			}
			const posts = all.flatMap(({ posted }) => posted);
			const isSending = (post: Post) =>
				post.by !== by && !post.by.isOver && post.by.worker === by.worker && post.answer !== 'lost';
			// Whoever was killed before it noted a refusal has left a doubt.
			const senders = all.flatMap(({ arrived }) => arrived.map((one) => one.by));
			// A retry with Send Once passes on to the key what was left without it.
			const related = all.flatMap((one) => [one, ...one.withKey]);
			const wasLeft =
				related.some(({ holders }) => [...holders].some((one) => one !== by && one.mayHaveLeft)) ||
				senders.some((one) => one.isOver && one.beganAtMs < by.beganAtMs);
			const doubt = { by, atMs: this.nowMs(), about: all };
			const wasClaimed = ({ released = [] }: Known) =>
				released.some((one) => one.by.worker !== by.worker && one.atMs >= by.beganAtMs);
			const isBeingSent =
				all.some(wasClaimed) || senders.some((one) => !one.isOver && isBeside(one, doubt));
			const isElsewhere = wasLeft || isBeingSent || reason === 'notRecorded';
			if (posts.length > 0 && posts.every(isSending) && !isElsewhere)
				breaks('doubts a living one', `which ${posts[0]?.by.id} is sending`, mayDoubt);
			if (posts.length > 0 || isBeingSent || wasInDoubt) {
				for (const one of all) one.isInDoubt = true;
				return;
			}
			if (mayDoubt) this.givesUp(mayDoubt);
			else this.doubtedForNothing.set(`${by.chain} ${nameOf(message)}`, doubt);
		}
	}

	private find(message: Message, { chain, brandId, usesOnce, isByHand }: Attempted): Known[] {
		const { user, row, onceKey, listKey } = message;
		const names = [`${chain} ${brandId} ${user} ${row}`];
		if (isByHand && !usesOnce && listKey !== undefined)
			names.push(`list ${brandId} ${user} ${listKey}`);
		if (usesOnce && onceKey !== undefined) names.push(`once ${brandId} ${user} ${onceKey}`);
		return names.map((name) => {
			const known = this.known.get(name) ?? {
				posted: [],
				arrived: [],
				delivered: [],
				hasNoPromise: false,
				withKey: new Set(),
				holders: new Set(),
				doubters: new Set(),
			};
			this.known.set(name, known);
			return known;
		});
	}
}

/** Whether an attempt on another worker had begun when one was in doubt. */
function isBeside(one: Attempted, { by, atMs }: Doubt): boolean {
	return one.worker !== by.worker && one.beganAtMs <= atMs;
}

/** Whether an attempt, or one whose memory it has, is among some. */
function remembersOneOf(some: ReadonlySet<Attempted>, by: Attempted | undefined): boolean {
	return by !== undefined && (some.has(by) || remembersOneOf(some, by.remembers));
}

function nameOf({ user, row }: Message): string {
	return `${row} to ${user}`;
}

/** What an output item says of its row. */
export function readItem(json: IDataObject): Telling {
	const details = (json.details ?? json) as IDataObject;
	const { outcome, reason, earlierOutcome } = details;
	if (outcome === 'skipped') return { told: earlierOutcome === 'unknown' ? 'unknown' : 'skipped' };
	return { told: outcome as Told, reason };
}

const headings: Readonly<Record<string, Told>> = {
	Refused: 'rejected',
	'May have been delivered': 'unknown',
	'Not sent': 'notSent',
};

/**
 * What the error of a node that stopped the workflow says of its rows: it names all that did not end well. The
 * rest was accepted or skipped, or if nothing was sent, is not spoken of.
 */
export function readError(
	{ message, description }: { message: string; description?: string | null },
	items: number,
): Map<number, Telling> {
	const told = new Map<number, Telling>();
	const reason = message.startsWith("n8n's store failed") ? 'notRecorded' : undefined;
	const lines = (description ?? '').replace(/<br>/g, '').split('\n');
	for (const line of lines) {
		const [, heading = '', one, many = ''] = namedItems.exec(line) ?? [];
		const named = one === undefined ? readNumbers(many) : [Number(one)];
		for (const index of named) told.set(index, { told: headings[heading] as Told, reason });
	}
	// Of what was skipped because it may have been delivered, only the number is told.
	const isPartial = lines.some((line) => line.startsWith('May have been delivered before'));
	if (isPartial || /^Nothing (more )?was sent/.test(message)) return told;
	if (items === 1 && told.size === 0) return told.set(0, { told: readOnly(message), reason });
	for (let index = 0; index < items; index++)
		if (!told.has(index)) told.set(index, { told: 'accepted' });
	return told;
}

const namedItems =
	/(?:^|: )(Refused|May have been delivered|Not sent): \d+(?: \(item (\d+)|, items (.*))/;

/** The only item of a run has no list, only the message of its failure. */
function readOnly(message: string): Told {
	if (/may .*been delivered|not known whether/.test(message)) return 'unknown';
	return /not sent|before it was sent/.test(message) ? 'notSent' : 'rejected';
}

/** `0 (u1), 2–4 and 96 more`; what is not named is not read. */
function readNumbers(text: string): number[] {
	const ranges = text.replace(/\([^)]*\)|and \d+ more.*/g, '').matchAll(/(\d+)(?:–(\d+))?/g);
	return Array.from(ranges).flatMap(([, first, last = first]) =>
		Array.from({ length: Number(last) - Number(first) + 1 }, (_, more) => Number(first) + more),
	);
}
