import { createHash } from 'node:crypto';

import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import { isRecord } from '../fields/field';
import type { Delivery } from '../shared/delivery';

/**
 * Returns a function that gives a push an ID of its own, unless it has one: the same whenever the same
 * message is sent again, and no other message's. It follows from the key of Send Once, otherwise from the
 * original execution, the node and the row. Without the option, the function changes nothing.
 */
export function notificationIds(
	{ settings, history, resource }: Run,
	{ execution, memory, isTool }: Pick<N8n, 'execution' | 'memory' | 'isTool'>,
) {
	if (!settings.addNotificationId || resource !== 'push') return (delivery: Delivery) => delivery;
	const scope = [history.executionId ?? execution.id, execution.nodeId];
	/** @param digest from `hashDelivery` */
	return (delivery: Delivery, digest: string): Delivery => {
		const { itemIndex, platform, onceKey } = delivery;
		const body = delivery.buildBody();
		if (isRecord(body) && 'notification_id' in body) return delivery;
		// As a tool, the node gets a new run index with every try, but the content stays.
		const row = isTool ? digest : `${memory().runIndex} ${itemIndex}`;
		const source = onceKey === undefined ? [...scope, row, platform] : [onceKey];
		return { ...delivery, notificationId: toId(JSON.stringify(source)) };
	};
}

/** A positive number that JSON holds exactly. */
function toId(source: string): number {
	const digest = createHash('sha256').update(source).digest('hex');
	return Number.parseInt(digest.slice(0, 13), 16) || 1;
}
