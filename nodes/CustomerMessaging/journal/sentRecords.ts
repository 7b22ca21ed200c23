import { hasPlatforms, type Operation } from '../operations/operation';
import { type Delivery, type Platform, platforms } from '../shared/delivery';
import type { SentRecord, SentResult } from '../shared/result';
import type { N8n } from '../n8n/context';
import type { State } from './journal';
import { Ledger, type LedgerMemory } from './memory';
import type { OpenJournal } from './open';

/** Identifies a delivery within the run. */
export type Position = Pick<Delivery, 'itemIndex' | 'platform'>;

/** What was sent before, as far as the node can know. */
export interface SentRecords {
	/** For this execution, and for those whose data it started with. */
	ledger: Ledger;
	/** Returns a key that identifies a delivery within the run. */
	keyOf: (delivery: Position) => string;
	/** For other attempts of this execution, and with Send Once for all executions. */
	opened?: OpenJournal;
	/** Why nothing can be recorded, so that nothing may be sent. */
	unrecorded?: string;
}

/** Whether n8n has called `execute()` before for a run of the node. */
export function wasTried({ context, runIndex }: { context: LedgerMemory; runIndex: number }) {
	return context.sent?.runIndex === runIndex;
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
): Array<{ platform?: Platform; record: SentRecord }> {
	return possiblePlatforms(operation).flatMap((platform) => {
		const record = ledger.find(keyOf({ itemIndex, platform }));
		return record ? [{ platform, record }] : [];
	});
}

export function possiblePlatforms(operation: Operation): ReadonlyArray<Platform | undefined> {
	return hasPlatforms(operation) ? platforms : [undefined];
}

/** The record of a delivery that another attempt made. */
export function makeRecord(state: State): SentRecord {
	return state === 'accepted'
		? { outcome: { outcome: 'accepted', response: null, attempts: 1, rateLimitRemaining: null } }
		: { outcome: { outcome: 'unknown', reason: 'interrupted', attempts: 1 } };
}

/** The result of a delivery that an earlier attempt made. */
export function makeResult(delivery: Position, record: SentRecord): SentResult {
	return { kind: 'sent', delivery, sentBefore: true, ...record };
}

function positionKey({ itemIndex, platform }: Position): string {
	return platform ? `${itemIndex} ${platform}` : String(itemIndex);
}

function contentKey(delivery: Partial<Delivery>): string {
	const { path, buildBody, envelope, schedule } = delivery;
	return JSON.stringify([path, buildBody?.(), envelope, schedule]);
}
