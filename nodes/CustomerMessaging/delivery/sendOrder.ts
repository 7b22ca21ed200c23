/**
 * Keeps requests with a common key in order: each one waits until the earlier ones have ended. The
 * earliest request never waits, so they cannot all wait for each other.
 */
export class SendOrder<R extends { readonly keys: readonly string[] }> {
	/** By key, the requests that have not ended, the earliest first. */
	private readonly queues = new Map<string, R[]>();

	/** Adds a request after all others. */
	add(request: R): void {
		for (const key of request.keys) {
			const queue = this.queues.get(key);
			if (queue) queue.push(request);
			else this.queues.set(key, [request]);
		}
	}

	/** Whether all earlier requests that share a key with this one have ended. */
	mayLeave(request: R): boolean {
		return request.keys.every((key) => this.queues.get(key)?.[0] === request);
	}

	/** Puts the parts of a request in its place. Together they must have the keys of the request. */
	replace(request: R, parts: readonly R[]): void {
		for (const key of request.keys) {
			const queue = this.queues.get(key) ?? [];
			const withKey = parts.filter(({ keys }) => keys.includes(key));
			queue.splice(queue.indexOf(request), 1, ...withKey);
		}
	}

	/** Ends a request, whether or not it was sent. */
	end(request: R): void {
		for (const key of request.keys) {
			const queue = (this.queues.get(key) ?? []).filter((other) => other !== request);
			if (queue.length > 0) this.queues.set(key, queue);
			else this.queues.delete(key);
		}
	}
}
