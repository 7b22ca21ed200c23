import type { Clock } from '../shared/slices';
import { errorMessage } from '../shared/formatting';
import type { Batches } from './batches';
import type { Message, Request } from './interfaces';
import type { Outcomes } from './outcomes';
import type { Policy } from './policy';
import { noJournal } from './record/journal';
import { RanAgain } from './record/marks';
import type { Sent } from './record/sent';

/** A key that is in use is looked at again so often. */
const LOOK_AFTER_MS = 500;

interface ClaimsOptions<R extends Message, M extends R> {
	sent: Pick<Sent<R>, 'claim' | 'journal' | 'settle'>;
	policy: Pick<Policy, 'isBatched' | 'rowsPerRequest'>;
	batches: Pick<Batches<M>, 'plan' | 'requests'>;
	outcomes: Pick<Outcomes<R, M>, 'leaveOut' | 'takeClaimed'>;
	clock: Pick<Clock, 'now'>;
	/** A claim has ended. */
	wake: () => void;
}

/** Makes the requests of a run as they are needed: of all its messages, or of those that were claimed for it. */
export class Claims<R extends Message, M extends R> {
	private requests: Iterator<Request<M>>;
	private unclaimed: readonly M[];
	/** Messages to be claimed after these, in the batches that they will be sent in. */
	private readonly later?: Iterator<Request<M>>;
	private claiming?: Promise<void>;
	/** Set if the last claim got nothing, because the keys of all messages are in use. */
	private lookAgainMs?: number;
	private failed?: { message: string; ranAgain: boolean };

	constructor(
		toSend: readonly M[],
		private readonly options: ClaimsOptions<R, M>,
	) {
		const { sent, policy, batches } = options;
		const claims = sent.journal !== noJournal;
		// A batch is claimed as a whole, whatever rows are between its own.
		if (claims && policy.isBatched) this.later = batches.plan(toSend);
		this.unclaimed = claims && !this.later ? toSend : [];
		this.planClaim();
		this.requests = batches.requests(claims ? [] : toSend);
	}

	/** Every message was claimed, or none can be any more. */
	get isEmpty(): boolean {
		return this.unclaimed.length === 0;
	}

	get isClaiming(): boolean {
		return this.claiming !== undefined;
	}

	/** Why nothing can be recorded, so that nothing more may be sent. `ranAgain`: see {@link RanAgain}. */
	get failure(): { message: string; ranAgain: boolean } | undefined {
		return this.failed;
	}

	/** When a key that is in use is looked at again; infinite if none is. */
	get nextLookMs(): number {
		return this.lookAgainMs ?? Infinity;
	}

	/** The executions that hold the keys of everything that is left; none if something else is waited for. */
	get holders(): string[] {
		const inUse = this.lookAgainMs === undefined ? [] : this.unclaimed;
		return [...new Set(inUse.flatMap((message) => this.journal.heldBy(message) ?? []))];
	}

	/** The next request; undefined if messages have to be claimed first. */
	nextRequest(): Request<M> | undefined {
		const next = this.requests.next();
		return next.done ? undefined : next.value;
	}

	claimMore(nowMs: number, messagesInFlight: number): void {
		if (this.claiming || this.isEmpty || nowMs < (this.lookAgainMs ?? nowMs)) return;
		this.lookAgainMs = undefined;
		if (this.journal.room(this.unclaimed.length, messagesInFlight) > 0)
			this.claiming = this.claim(messagesInFlight);
	}

	/** Messages can be given back: of batches, while nothing is being claimed. */
	get canRelease(): boolean {
		return this.later !== undefined && !this.claiming;
	}

	/** Messages that were claimed and did not leave are claimed again. */
	release(messages: readonly M[]): void {
		for (const message of messages) this.options.sent.settle(message, undefined);
		this.unclaimed = [...messages, ...this.unclaimed];
		this.claiming = this.journal.flush().finally(() => this.end());
	}

	/** Skips the messages whose keys other runs hold for longer than this one may wait. */
	skipHeldKeys(): void {
		const { outcomes } = this.options;
		this.unclaimed = this.unclaimed.filter((each) => {
			const holder = this.journal.heldBy(each);
			if (holder === undefined) return true;
			const message = `execution ${holder} is sending it`;
			const ending = { kind: 'notSent', code: 'keyInUse', values: { message } } as const;
			outcomes.leaveOut([each], ending);
			return false;
		});
		this.planClaim();
		this.lookAgainMs = undefined;
	}

	async settled(): Promise<void> {
		await this.claiming;
	}

	/** Takes batches to be claimed next, so many that they have about as many rows as a full one. */
	private planClaim(): void {
		const planned = [...this.unclaimed];
		while (this.later && planned.length < this.options.policy.rowsPerRequest) {
			const next = this.later.next();
			if (next.done) break;
			planned.push(...next.value.messages);
		}
		this.unclaimed = planned;
	}

	private async claim(messagesInFlight: number): Promise<void> {
		const { sent, batches, outcomes, clock } = this.options;
		try {
			const claim = await sent.claim(this.unclaimed, messagesInFlight);
			// Another run may wait for messages that have ended here.
			if (claim.claimed.length === 0) await this.journal.flush();
			this.unclaimed = claim.later;
			this.planClaim();
			this.requests = batches.requests(outcomes.takeClaimed(claim));
			if (claim.claimed.length === 0 && claim.known.size === 0)
				this.lookAgainMs = clock.now() + LOOK_AFTER_MS;
		} catch (error) {
			this.failed = { message: errorMessage(error), ranAgain: error instanceof RanAgain };
			this.unclaimed = [];
		}
		this.end();
	}

	private end(): void {
		this.claiming = undefined;
		this.options.wake();
	}

	private get journal() {
		return this.options.sent.journal;
	}
}
