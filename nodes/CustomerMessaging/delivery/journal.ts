import type { EntryStore } from '../n8n/entryStore';
import {
	type Claim,
	decide,
	entriesToTakeBack,
	type JournalOptions,
	type Known,
	collectKnown,
	type Message,
	collectNames,
} from './claim';
import { EndedMessages } from './endedMessages';
import { listEntries, type State } from './entries';

/**
 * Says of each message whether it is pending, accepted or unknown. A message that it does not name was
 * surely not delivered.
 *
 * Messages are recorded as pending before they are sent. How they ended is written together with the
 * next claim, or once none is left. So a crash leaves no more of them pending than the window allows.
 */
export class Journal<M extends Message> {
	/** Messages that were claimed and have not ended. */
	private readonly pending = new Set<M>();
	private readonly ended: EndedMessages<M>;
	private claimedCount = 0;
	private isClaiming = false;
	private isClosed = false;
	private writing: Promise<unknown> = Promise.resolve();
	/** Ends the waiting of a claim. */
	private wake: () => void = () => undefined;

	constructor(
		private readonly store: EntryStore,
		private readonly options: JournalOptions,
	) {
		this.ended = new EndedMessages(!options.looksUpBlocks);
	}

	/** How many messages may be pending. Ask for no more at once. */
	get window(): number {
		return this.options.windowAfter(this.claimedCount);
	}

	/**
	 * Records messages as pending before they are sent. Waits until enough earlier ones have ended.
	 *
	 * @param marks entries that are added too. Then it does not wait, and claims what it can at once
	 * @returns undefined if the journal was closed meanwhile
	 * @throws what n8n's store throws; then none of the messages must be sent
	 */
	async claim(
		messages: readonly M[],
		marks: readonly string[] = [],
	): Promise<Claim<M> | undefined> {
		this.isClaiming = true;
		try {
			const asked = await this.untilFree(messages, marks.length > 0);
			return asked && (await this.claimNow(messages, asked, marks));
		} finally {
			this.isClaiming = false;
		}
	}

	/** Notes how a claimed message ended; undefined if it was surely not delivered. */
	settle(message: M, state: State | undefined): void {
		if (!this.pending.delete(message)) return;
		this.ended.add(message, state);
		this.wake();
		if (this.pending.size === 0 && !this.isClaiming) {
			this.writing = this.writing.then(async () => await this.flush());
		}
	}

	/** Says what is known of messages that are not about to be sent. A crash makes them pending. */
	async lookUp<L extends Message>(messages: readonly L[]): Promise<Map<L, Known>> {
		const names = collectNames(messages, this.options);
		const stored = await this.store.exclusively(async (list) => {
			const found = await list.add(names.flatMap(listEntries));
			await list.remove(entriesToTakeBack(names, { claimed: [], known: new Map() }, found));
			return found;
		});
		return collectKnown(messages, stored, this.options);
	}

	/** Ends the waiting of a claim. */
	close(): void {
		this.isClosed = true;
		this.wake();
	}

	/** Waits until everything is written. Messages without an outcome stay pending. */
	async finish(): Promise<void> {
		this.close();
		await this.writing;
		await this.flush();
		this.release([...this.ended.messages, ...this.pending]);
	}

	/** Waits until messages may be claimed, and takes those that no other run of this process is sending. */
	private async untilFree(messages: readonly M[], isAtOnce: boolean): Promise<M[] | undefined> {
		const { namesInUse } = this.options;
		while (!this.isClosed) {
			const room = this.roomFor(messages.length);
			// In the order of the input: a message that another run is sending holds up those after it.
			const busy = messages.findIndex(({ names }) => namesInUse.has(names, this.store.name));
			const free = messages.slice(0, busy === -1 ? messages.length : busy);
			if (isAtOnce || messages.length === 0 || (room > 0 && free.length > 0)) {
				const asked = free.slice(0, room);
				// At once, so that no other run takes them too.
				namesInUse.take(
					asked.flatMap(({ names }) => names),
					this.store.name,
				);
				return asked;
			}
			if (room > 0 && this.ended.messages.length > 0 && (await this.flush())) continue;
			await new Promise<void>((resolve) => {
				this.wake = resolve;
				const [first] = messages;
				if (room > 0 && first) {
					void namesInUse.released(first.names, this.store.name).then(resolve);
				}
			});
		}
		return undefined;
	}

	/** How many of a number of messages may be claimed now. Few large writes are better than many small ones. */
	private roomFor(messages: number): number {
		const { looksUpBlocks, unit } = this.options;
		// What is looked up is pending for a moment, so nothing else may be.
		if (looksUpBlocks) return this.pending.size === 0 ? messages : 0;
		const left = this.window - this.pending.size;
		const room = left - (left % unit);
		return room >= Math.min(messages, Math.max(unit, this.window / 2)) ? room : 0;
	}

	private async claimNow(
		messages: readonly M[],
		asked: readonly M[],
		marks: readonly string[],
	): Promise<Claim<M>> {
		const { namesInUse } = this.options;
		const taken = asked.flatMap(({ names }) => names);
		let kept: ReadonlySet<string> = new Set();
		try {
			const names = collectNames(asked, this.options);
			const stored = await this.write([...marks, ...names.flatMap(listEntries)], (found) =>
				entriesToTakeBack(names, decide(asked, found, this.options), found),
			);
			const claim = decide(asked, stored, this.options);
			for (const message of claim.claimed) this.pending.add(message);
			this.claimedCount += claim.claimed.length;
			kept = new Set(claim.claimed.flatMap((message) => message.names));
			const isAsked = new Set(asked);
			return {
				...claim,
				deferred: [...claim.deferred, ...messages.filter((message) => !isAsked.has(message))],
				marks: new Set(marks.filter((mark) => stored.has(mark))),
			};
		} finally {
			namesInUse.release(
				taken.filter((name) => !kept.has(name)),
				this.store.name,
			);
		}
	}

	private async write(
		others: readonly string[],
		takenBack: (stored: ReadonlySet<string>) => string[],
	): Promise<ReadonlySet<string>> {
		return await this.store.exclusively(async (list) => {
			const messages = [...this.ended.messages];
			const stored = await this.ended.write(list, others, takenBack);
			this.release(messages);
			return stored;
		});
	}

	/** Returns whether everything is written. */
	private async flush(): Promise<boolean> {
		if (this.ended.messages.length === 0) return true;
		try {
			await this.write([], () => []);
			return true;
		} catch (error) {
			this.options.failed(error);
			return false;
		}
	}

	private release(messages: readonly M[]): void {
		this.options.namesInUse.release(
			messages.flatMap(({ names }) => names),
			this.store.name,
		);
	}
}
