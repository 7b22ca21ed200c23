import type { Delivery } from '../shared/delivery';
import type { Mode } from '../run/guards';
import { isRecord } from '../fields/field';
import { identify } from './identity';

/**
 * Turns a message into a test, sent to the test recipient at once by the operation for a single person. It keeps only
 * fields that reach nobody, and no extra ones.
 */
export function toTestMessage(
	delivery: Delivery,
	{ operation, key, value, fields }: Extract<Mode, { kind: 'test' }>['recipient'],
): Delivery {
	const { itemIndex, platform } = delivery;
	const body = delivery.buildBody();
	const kept = Object.entries(isRecord(body) ? body : {}).filter(
		([name]) => Object.hasOwn(fields, name) && fields[name]?.reaches === 'nobody',
	);
	const to = { [key]: value };
	return {
		itemIndex,
		platform,
		path: (operation.path ?? '').replace('<platform>', platform ?? ''),
		buildBody: () => ({ ...to, ...Object.fromEntries(kept) }),
		schedule: { kind: 'now' },
		to,
		recipient: identify(to),
		test: true,
	};
}
