import type { Body, Delivery } from '../shared/delivery';
import type { TestRecipient } from '../run/testRecipient';
import { describeSchedule } from '../schedule/format';
import { isRecord, labelsOf } from '../fields/field';
import { count } from '../shared/formatting';

/** Keys of a single recipient. */
const recipientKeys = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];

/** Keys by which a message could reach other people or devices. A test must not. */
const reachingKeys = ['segment_id', 'email_cc', 'tag', 'android_id', 'ios_ifv'];

/**
 * Turns a message into a test for the test recipient: the same texts and fields, sent by the operation
 * for a single person, at once. What had to change is stated.
 */
export function toTestMessage(delivery: Delivery, recipient: TestRecipient): Delivery {
	const { itemIndex, platform, body } = delivery;
	const { operation, key, value } = recipient;
	const fields: Body = isRecord(body) ? body : {};
	const kept = Object.entries(fields).filter(
		([name]) => !recipientKeys.includes(name) && !reachingKeys.includes(name),
	);
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		body: { [key]: value, ...Object.fromEntries(kept) },
		schedule: { kind: 'now' },
		to: { [key]: value },
		test: { changes: changesOf(delivery, fields, labelsOf(operation.form)) },
	};
}

function changesOf(
	{ audience, to = {}, schedule }: Delivery,
	fields: Body,
	labels: Readonly<Record<string, string>>,
): string[] {
	const labelOf = (key: string) => labels[key] ?? key;
	const recipient = Object.entries(to).map(([key, value]) => `${labelOf(key)} ${String(value)}`);
	const whom = audience ?? recipient.join(', ');
	const leftOut = reachingKeys.filter((key) => Object.hasOwn(fields, key));
	return [
		`Sent to the test recipient instead of ${whom}`,
		...(leftOut.length > 0
			? [`Without ${leftOut.map(labelOf).join(', ')}, which could reach other people or devices`]
			: []),
		...(schedule?.kind === 'at'
			? [`Sent now instead of at ${describeSchedule(schedule)?.local ?? 'the chosen time'}`]
			: []),
		...(schedule?.kind === 'delay'
			? [`Sent now instead of after ${count(schedule.seconds, 'second')}`]
			: []),
	];
}
