/** Pulls requests one at a time from an iterable that may need time for each of them. */
export class RequestSource<T> {
	private readonly iterator: Iterator<T> | AsyncIterator<T>;
	private state: 'ready' | 'pulling' | 'closed' = 'ready';

	/**
	 * @param pulled called with each request
	 * @param failed called with what the iterable threw; it is not pulled again
	 * @param changed called after a pull that took time, unless the source was closed meanwhile
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

	/** Whether a request is on its way that nobody has seen yet. */
	get isPulling(): boolean {
		return this.state === 'pulling';
	}

	/** Whether no further request will come. */
	get isClosed(): boolean {
		return this.state === 'closed';
	}

	/** Pulls the next request, unless one is being pulled already. */
	pull(): void {
		if (this.state !== 'ready') return;
		try {
			const next = this.iterator.next();
			if (next instanceof Promise) void this.await(next);
			else this.take(next);
		} catch (error) {
			this.fail(error);
		}
	}

	/** Nothing is pulled any more, and a request that is still on its way is dropped. */
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

	private take(result: IteratorResult<T>): void {
		if (result.done) this.close();
		else this.handlers.pulled(result.value);
	}

	private fail(error: unknown): void {
		this.close();
		this.handlers.failed(error);
	}
}
