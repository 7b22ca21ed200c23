import type { Body, Delivery } from '../shared/delivery';
import type { TestRecipient } from '../run/testRecipient';
import { describeSchedule } from '../schedule/format';
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
	const leftOut = Object.keys(fields).filter((name) => !isKept(name));
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		buildBody: () => ({ [key]: value, ...Object.fromEntries(kept) }),
		schedule: { kind: 'now' },
		to: { [key]: value },
		test: { changes: describeChanges(delivery, leftOut, recipient) },
	};
}

function findField({ fields }: TestRecipient, name: string) {
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function describeChanges(
	{ audience, to = {}, schedule }: Delivery,
	leftOut: readonly string[],
	recipient: TestRecipient,
): string[] {
	const labelOf = (name: string) => findField(recipient, name)?.form.displayName ?? name;
	const real = Object.entries(to).map(([name, value]) => `${labelOf(name)} ${String(value)}`);
	const whom = audience ?? real.join(', ');
	// The field that names the recipient is not missing, but replaced.
	const missing = leftOut.filter(
		(name) => !Object.hasOwn(to, name) || findField(recipient, name)?.reaches === 'fewer',
	);
	return [
		`Sent to the test recipient instead of ${whom}`,
		...(missing.length > 0
			? [`Without ${missing.map(labelOf).join(', ')}, which could reach other people or devices`]
			: []),
		...(schedule?.kind === 'at'
			? [`Sent now instead of at ${describeSchedule(schedule)?.local ?? 'the chosen time'}`]
			: []),
		...(schedule?.kind === 'delay'
			? [`Sent now instead of after ${count(schedule.seconds, 'second')}`]
			: []),
		...(schedule?.kind === 'within' ? ['Sent now, whatever the hours'] : []),
	];
}
