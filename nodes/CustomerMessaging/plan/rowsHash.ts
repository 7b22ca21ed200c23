import { createHash } from 'node:crypto';

import type { Delivery } from '../shared/delivery';

/** Hashes deliveries, so that an attempt can tell whether another attempt had the same rows. */
export class RowsHash {
	private readonly hash = createHash('sha256');

	add({ itemIndex, path, to, buildBody, envelope, schedule, ask }: Delivery): void {
		// The body of a question holds a link that is another one in each execution.
		const content = ask ? [to, ask] : buildBody();
		this.hash.update(JSON.stringify([itemIndex, path, content, envelope, schedule], shortened));
	}

	/** Call this once, after the last delivery was added. */
	digest(): string {
		return this.hash.digest('base64');
	}
}

/** The content of an email may be long. Its beginning and length are enough to identify it. */
function shortened(_key: string, value: unknown): unknown {
	return typeof value === 'string' && value.length > 200
		? `${value.slice(0, 200)} ${value.length}`
		: value;
}
