import { createHash } from 'node:crypto';

import type { Delivery } from '../shared/delivery';

/** A hash of what a delivery sends to whom. Long texts that begin alike and are equally long count as the same. */
export function hashDelivery({ path, to, buildBody, envelope, schedule, ask }: Delivery): string {
	// The body of a question holds a link that is another one in each execution.
	const content = ask ? [to, ask] : buildBody();
	const text = JSON.stringify([path, content, envelope, schedule], shortened);
	return createHash('sha256').update(text).digest('base64');
}

/** Hashes deliveries, so that an attempt can tell whether another attempt had the same rows. */
export class RowsHash {
	private readonly hash = createHash('sha256');

	add({ itemIndex }: Delivery, digest: string): void {
		this.hash.update(`${itemIndex} ${digest}`);
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
