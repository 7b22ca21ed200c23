import { hasPlatforms, type Operation } from '../operations/operation';
import { type Delivery, type Platform, platforms } from '../shared/delivery';
import type { SentResult } from '../shared/result';
import type { N8n } from '../n8n/context';
import { type DeliveryRecord, Ledger } from './ledger';
import type { SendOnce } from './sendOnce';
import type { Earlier, SharedLedger } from './sharedLedger';

type Position = Pick<Delivery, 'itemIndex' | 'platform'>;

/** What earlier attempts of a run sent, as far as the node can know. */
export interface SentRecords {
	/** For this execution, and for those whose data it started with. */
	ledger: Ledger;
	/** For all attempts; undefined if n8n has no store for it, and for tools and previews. */
	shared?: SharedLedger;
	/** Present if Send Once is on. */
	once?: SendOnce;
	/** Returns a key that identifies a delivery within the run. */
	keyOf: (delivery: Position) => string;
}

/** @param operation for example `push.send` */
export function openSentRecords(n8n: N8n, operation: string): SentRecords {
	const { context, runIndex } = n8n.memory();
	const { id: execution } = n8n.execution;
	// As a tool, the node gets a new run index with every try. All its calls therefore share one
	// ledger, and their content identifies their deliveries.
	return n8n.isTool
		? { ledger: new Ledger(context, { execution, runIndex: 0 }, operation), keyOf: contentKey }
		: { ledger: new Ledger(context, { execution, runIndex }, operation), keyOf: positionKey };
}

/** The records of the deliveries of one item in this execution, by platform. */
export function recordsOfItem(
	itemIndex: number,
	operation: Operation,
	{ ledger, keyOf }: SentRecords,
): Array<{ platform?: Platform; record: DeliveryRecord }> {
	return possiblePlatforms(operation).flatMap((platform) => {
		const record = ledger.find(keyOf({ itemIndex, platform }));
		return record ? [{ platform, record }] : [];
	});
}

export function possiblePlatforms(operation: Operation): ReadonlyArray<Platform | undefined> {
	return hasPlatforms(operation) ? platforms : [undefined];
}

/** The record of a delivery that another attempt made. */
export function recordOf(earlier: Earlier): DeliveryRecord {
	return earlier === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: { outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 } };
}

/** The result of a delivery that an earlier attempt made. */
export function resultOf(delivery: Position, record: DeliveryRecord): SentResult {
	return { kind: 'sent', delivery, sentBefore: true, ...record };
}

function positionKey({ itemIndex, platform }: Position): string {
	return platform ? `${itemIndex} ${platform}` : String(itemIndex);
}

function contentKey(delivery: Partial<Delivery>): string {
	const { path, body, envelope, schedule } = delivery;
	return JSON.stringify([path, body, envelope, schedule]);
}
