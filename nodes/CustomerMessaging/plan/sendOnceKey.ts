import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';

import { isEmpty } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Checked } from '../operations/operation';
import type { Run } from '../run/resolveRun';
import type { SendOncePeriod } from '../run/sendOnce';
import type { Delivery } from '../shared/delivery';
import { given } from '../shared/formatting';
import type { Problem } from '../shared/problem';

/** What all keys of a run have in common. */
interface KeyScope {
	origin: string;
	resource: string;
	operation: string;
	/** From {@link periodOf}. */
	period: string;
}

/**
 * Returns a function that gives the deliveries of a row their key for Send Once, and the parameters
 * that it needs. Without Send Once, the function changes nothing.
 */
export function sendOnceKeys({ origin, resource, operation, settings, history }: Run, n8n: N8n) {
	if (!settings.sendOnce) return { parameters: [], addKeys: (checked: Checked) => checked };
	// A retry belongs to the period in which the execution began.
	const beganMs = (history.isRetry ? history.establishedAtMs : undefined) ?? n8n.now();
	const period = periodOf(settings.sendOncePeriod, beganMs, n8n.workflowZone);
	const scope = { origin, resource, operation: operation.value, period };
	return {
		parameters: ['sendOnceKey'],
		addKeys: (checked: Checked, parameters: Record<string, unknown>): Checked => {
			const read = readKey(parameters.sendOnceKey);
			if ('problems' in checked || 'problems' in read)
				return { problems: problemsOf(checked, read) };
			const deliveries = checked.deliveries.map((delivery) => ({
				...delivery,
				onceKey: keyOf(delivery, read.key, scope),
			}));
			return { deliveries };
		},
	};
}

/** Identifies a calendar period by its first day. The text is empty for `ever`. */
export function periodOf(period: SendOncePeriod, nowMs: number, zone: string): string {
	if (period === 'ever') return '';
	return `${period} ${DateTime.fromMillis(nowMs, { zone }).startOf(period).toISODate()}`;
}

/** The key that the user chose for a row. It is empty if the whole request is the key. */
function readKey(value: unknown): { key: string } | { problems: Problem[] } {
	if (isEmpty(value)) return { key: '' };
	if (['string', 'number', 'boolean'].includes(typeof value)) return { key: String(value).trim() };
	const message = `Send Once Key must be text or a number, but it is ${given(value)}`;
	return { problems: [{ field: 'sendOnceKey', message }] };
}

/**
 * Two messages with the same key are the same message to the same recipient on the same platform.
 * The account is told apart by its address only, because an API key or token may be replaced.
 */
function keyOf(delivery: Delivery, key: string, scope: KeyScope): string {
	const { path, body, envelope, schedule, userID, platform } = delivery;
	const { origin, resource, operation, period } = scope;
	const content = key === '' ? [body, envelope, schedule] : [key];
	const parts = [
		origin,
		path,
		resource,
		operation,
		platform,
		recipientOf(delivery),
		userID,
		period,
		content,
	];
	return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** The recipient as it is sent. Mail systems ignore case in practice. */
function recipientOf({ to = {}, body }: Delivery): unknown {
	if (Array.isArray(body) || !('email' in to)) return to;
	return String(body.email).toLowerCase();
}

function problemsOf(...read: ReadonlyArray<object | { problems: Problem[] }>): Problem[] {
	return read.flatMap((one) => ('problems' in one ? one.problems : []));
}
