import type { Account } from '../nodes/CustomerMessaging/run/account';
import { recipientList } from '../nodes/CustomerMessaging/run/account';
import { defaultScheduleFormat } from '../nodes/CustomerMessaging/schedule/format';

/** An account all of whose APIs are at one address. */
export function accountAt(origin: string, brandId: string, secret: string): Account {
	return {
		hosts: { baseUrl: origin, pushUrl: origin, mailUrl: origin },
		limits: {},
		format: defaultScheduleFormat,
		eventPath: '/api/v1/event/create',
		segmentNames: new Map(),
		testRecipients: recipientList(''),
		brandId,
		secret,
	};
}
