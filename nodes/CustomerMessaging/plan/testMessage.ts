import type { Body, Delivery } from '../shared/delivery';
import type { TestRecipient } from '../run/guards';
import { inZone } from '../schedule/localTime';
import { isRecord } from '../fields/field';
import { count } from '../shared/formatting';

/**
 * Turns a message into a test for the test recipient, sent by the operation for a single person, at
 * once. Of its fields, only those that reach nobody are kept. What had to change is stated.
 *
 * @param keepsExtraFields whether keys that are no fields of the node are kept too
 */
export function toTestMessage(
	delivery: Delivery,
	recipient: TestRecipient,
	keepsExtraFields = false,
): Delivery {
	const { itemIndex, platform } = delivery;
	const body = delivery.buildBody();
	const { operation, key, value } = recipient;
	const fields: Body = isRecord(body) ? body : {};
	const isKept = (name: string) => {
		const field = findField(recipient, name);
		return field ? field.reaches === 'nobody' : keepsExtraFields;
	};
	const kept = Object.entries(fields).filter(([name]) => isKept(name));
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		buildBody: () => ({ [key]: value, ...Object.fromEntries(kept) }),
		schedule: { kind: 'now' },
		to: { [key]: value },
		test: { changes: describeChanges(delivery, recipient) },
	};
}

function findField({ fields }: TestRecipient, name: string) {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function describeChanges(
	{ audience, to = {}, schedule }: Delivery,
	recipient: TestRecipient,
): string[] {
	const labelOf = (name: string) => findField(recipient, name)?.form.displayName ?? name;
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
