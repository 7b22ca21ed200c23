import type { Claim, Journal } from '../journal/journal';
import type { SentRecords } from '../journal/sentRecords';
import type { Delivery } from '../shared/delivery';
import { errorMessage } from '../shared/formatting';
import type { Batches } from './batches';
import type { Outcomes } from './outcomes';
import type { ApiRequest } from './requests';

/** How often a run looks whether a key that is in use is free. */
const LOOK_AFTER_MS = 500;

/** Makes the requests of a run: for all its deliveries, or for those that the journal has claimed for it. */
export class Source {
	/** Why nothing can be recorded, so that nothing more may be sent. */
	unrecorded?: string;
	/** When it is worth claiming again, because a key may be free. */
	lookAgainMs = Infinity;
	private readonly journal?: Journal<Delivery>;
	private made: Iterator<ApiRequest>;
	/** Deliveries that the journal has not claimed for this run yet. */
	private unclaimed: readonly Delivery[];
	private claiming?: Promise<void>;
	private claim?: Claim<Delivery>;
	/** Deliveries that the last claim got none of, because their keys are in use. */
	private inUse: readonly Delivery[] = [];

	/** @param wake called when a claim has ended */
	constructor(
		toSend: readonly Delivery[],
		{ opened, unrecorded }: SentRecords,
		private readonly batches: Batches,
		private readonly outcomes: Outcomes,
		private readonly wake: () => void,
	) {
		this.journal = opened?.journal;
		this.unrecorded = unrecorded;
		this.unclaimed = this.journal ? toSend : [];
		this.made = batches.all(this.journal || unrecorded !== undefined ? [] : toSend);
	}

	/** The next request, if one can be made now. */
	next(): ApiRequest | undefined {
		const next = this.made.next();
		return next.done ? undefined : next.value;
	}

	/** Whether no more requests will come once none can be made now. */
	get isExhausted(): boolean {
		return this.unclaimed.length === 0;
	}

	/** Lets the journal claim more deliveries, unless it does so already. */
	claimMore(nowMs: number): void {
		const { journal, claiming, inUse, lookAgainMs } = this;
		if (!journal || claiming || this.isExhausted) return;
		if (inUse.length > 0 && nowMs < lookAgainMs) return;
		this.lookAgainMs = Infinity;
		this.claiming = this.claimFrom(journal);
	}

	/** Takes over what the journal has claimed. */
	takeIn(nowMs: number): void {
		const { claim } = this;
		if (!claim) return;
		this.claim = this.claiming = undefined;
		this.unclaimed = claim.later;
		this.made = this.batches.all(this.outcomes.takeClaimed(claim));
		const isEmpty = claim.claimed.length === 0 && claim.known.size === 0;
		this.inUse = isEmpty ? claim.later : [];
		if (isEmpty) this.lookAgainMs = nowMs + LOOK_AFTER_MS;
	}

	/** The executions that hold the keys of everything that is left; none if something else is waited for. */
	get holders(): string[] {
		if (this.claiming) return [];
		return [...new Set(this.inUse.flatMap((delivery) => this.journal?.heldBy(delivery) ?? []))];
	}

	/** Leaves out the deliveries whose keys other runs hold for longer than this one may wait. */
	leaveOutInUse(): void {
		this.unclaimed = this.unclaimed.filter((delivery) => {
			const holder = this.journal?.heldBy(delivery);
			if (holder !== undefined) this.outcomes.keyInUse(delivery, holder);
			return holder === undefined;
		});
		this.inUse = [];
	}

	/** No more is claimed. Waits for a claim that has begun, and takes it over. */
	async end(nowMs: number): Promise<void> {
		await this.claiming;
		this.takeIn(nowMs);
	}

	private async claimFrom(journal: Journal<Delivery>): Promise<void> {
		try {
			const claim = await journal.claim(this.unclaimed);
			// Another run may wait for what has ended here.
			if (claim.claimed.length === 0) await journal.flush();
			this.claim = claim;
		} catch (error) {
			this.unrecorded = errorMessage(error);
			this.unclaimed = [];
		}
		this.wake();
	}
}
