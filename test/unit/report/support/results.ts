import { resources } from '../../../../nodes/CustomerMessaging/operations';
import type { Operation } from '../../../../nodes/CustomerMessaging/operations/operation';
import type { Run } from '../../../../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';
import type { NotSentReason, Outcome } from '../../../../nodes/CustomerMessaging/shared/outcome';
import type {
	PreviewResult,
	SentResult,
	SkippedResult,
} from '../../../../nodes/CustomerMessaging/shared/result';
import { batchRun } from '../../send/support/batchRun';

/** A run of an operation, with all settings at their defaults. */
export function runOf(resource: string, operation: string, given: Partial<Run> = {}): Run {
	const found = resources.find(({ value }) => value === resource);
	const run = { ...batchRun(), resource, operation: operationOf(resource, operation) };
	return { ...run, target: found?.target ?? run.target, ...given };
}

export function operationOf(resource: string, name: string): Operation {
	const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
	const operation = operations.find(({ value }) => value === name);
	if (!operation) throw new Error(`No such operation: ${resource} ${name}`);
	return operation;
}

export function deliveryOf(itemIndex: number, given: Partial<Delivery> = {}): Delivery {
	return { itemIndex, path: '/api/v1/sendMessage', buildBody: () => ({}), ...given };
}

export function sent(
	itemIndex: number,
	outcome: Outcome,
	delivery: Partial<Delivery> = {},
): SentResult {
	return { kind: 'sent', delivery: deliveryOf(itemIndex, delivery), outcome };
}

export const accepted = (response: unknown = null): Outcome => ({
	outcome: 'accepted',
	statusCode: 200,
	response,
	attempts: 1,
	rateLimitRemaining: 99,
});

export const rejected = (statusCode = 400, response: unknown = null) => ({
	outcome: 'rejected' as const,
	statusCode,
	response,
	attempts: 1,
});

export const notSent = (
	reason: NotSentReason,
	more: { code?: string; message?: string; retryAt?: string } = {},
) => ({ outcome: 'notSent' as const, reason, attempts: 0, ...more });

export const unknown = (
	more: { reason?: 'interrupted' | 'internalError'; statusCode?: number; code?: string } = {},
) => ({ outcome: 'unknown' as const, attempts: 1, ...more });

export function skipped(
	itemIndex: number,
	earlierOutcome: SkippedResult['earlierOutcome'] = 'accepted',
	more: { differs?: true; onceContent?: string } = {},
): SkippedResult {
	const { differs, onceContent } = more;
	const delivery = deliveryOf(itemIndex, { onceContent });
	return { kind: 'skipped', delivery, reason: 'sentBefore', earlierOutcome, differs };
}

export function preview(itemIndex: number, delivery: Partial<Delivery> = {}): PreviewResult {
	const whole = deliveryOf(itemIndex, delivery);
	return {
		kind: 'preview',
		delivery: whole,
		url: `https://api.example.com${whole.path}`,
		body: whole.buildBody(),
	};
}
