/** Pulls requests one at a time from an iterable, which may be asynchronous. */
export class RequestSource<T> {
	private readonly iterator: Iterator<T> | AsyncIterator<T>;
	private state: 'ready' | 'pulling' | 'closed' = 'ready';

	/**
	 * @param pulled called with each request
	 * @param failed called with what the iterable threw, after which nothing more is pulled
	 * @param changed called after an asynchronous pull, unless the source was closed in the meantime
	 */
	constructor(
		requests: Iterable<T> | AsyncIterable<T>,
		private readonly handlers: {
			pulled(request: T): void;
			failed(error: unknown): void;
			changed(): void;
		},
	) {
		this.iterator =
			Symbol.asyncIterator in requests
				? requests[Symbol.asyncIterator]()
				: requests[Symbol.iterator]();
	}

	/** Whether an asynchronous pull is in progress. */
	get isPulling(): boolean {
		return this.state === 'pulling';
	}

	/** Whether there are no more requests. */
	get isClosed(): boolean {
		return this.state === 'closed';
	}

	/** Pulls the next request, unless a pull is in progress. Returns whether one was pulled at once. */
	pull(): boolean {
		if (this.state !== 'ready') return false;
		try {
			const next = this.iterator.next();
			if (!(next instanceof Promise)) return this.take(next);
			void this.await(next);
		} catch (error) {
			this.fail(error);
		}
		return false;
	}

	/** Stops pulling, and drops a request whose pull is in progress. */
	close(): void {
		this.state = 'closed';
	}

	private async await(next: Promise<IteratorResult<T>>): Promise<void> {
		this.state = 'pulling';
		try {
			const result = await next;
			if (this.isClosed) return;
			this.state = 'ready';
			this.take(result);
		} catch (error) {
			if (this.isClosed) return;
			this.fail(error);
		}
		this.handlers.changed();
	}

	private take(result: IteratorResult<T>): boolean {
		if (result.done) this.close();
		else this.handlers.pulled(result.value);
		return !result.done;
	}

	private fail(error: unknown): void {
		this.close();
		this.handlers.failed(error);
	}
}
