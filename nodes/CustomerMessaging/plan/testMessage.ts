import type { Delivery } from '../shared/delivery';
import type { TestRecipient } from '../run/guards';
import { inZone } from '../schedule/localTime';
import { isRecord } from '../fields/field';
import { count } from '../shared/formatting';
import { identify } from './identity';

/**
 * Turns a message into a test, sent to the test recipient at once by the operation for a single person. It keeps only
 * fields that reach nobody, and no extra ones. Its changes are described.
 */
export function toTestMessage(
	delivery: Delivery,
	{ operation, key, value, fields }: TestRecipient,
): Delivery {
	const { itemIndex, platform } = delivery;
	const fieldOf = (name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
	const body = delivery.buildBody();
	const kept = Object.entries(isRecord(body) ? body : {}).filter(
		([name]) => fieldOf(name)?.reaches === 'nobody',
	);
	const labelOf = (name: string) => fieldOf(name)?.form.displayName ?? name;
	const to = { [key]: value };
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		buildBody: () => ({ ...to, ...Object.fromEntries(kept) }),
		schedule: { kind: 'now' },
		to,
		recipient: identify(to),
		test: { changes: describeChanges(delivery, labelOf) },
	};
}

function describeChanges(
	{ audience, to = {}, schedule }: Delivery,
	labelOf: (name: string) => string,
): string[] {
	const real = Object.entries(to).map(([name, value]) => `${labelOf(name)} ${String(value)}`);
	const changes = [`Sent to the test recipient instead of ${audience ?? real.join(', ')}`];
	if (schedule?.kind === 'at') {
		const time = inZone(schedule.instantMs, schedule.zone).toFormat('ccc d LLL, HH:mm');
		changes.push(`Sent now instead of ${time}`);
	}
	if (schedule?.kind === 'delay')
		changes.push(`Sent now instead of after ${count(schedule.seconds, 'second')}`);
	if (schedule?.kind === 'within') changes.push('Sent now, whatever the hours');
	return changes;
}
