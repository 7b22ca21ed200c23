import type { Api } from '../shared/apis';
import { type Body, platforms } from '../shared/delivery';
import type { Host } from './operation';

/** A request that reaches nobody, to learn whether the service answers and accepts the credentials. */
export interface HealthCheck {
	path: string;
	body: Body;
	/** The limit it counts against; absent where the reference does not say. */
	api?: Api;
}

/** An empty list asks for nothing. It is answered 400 once the credentials are accepted (spec §5, §7). */
const emptyList = { nv: [] };
/** Without a recipient, an operation for one person has nobody to reach, and here also nothing to show. */
const noMessage = {};

export const userHealthCheck: HealthCheck = {
	path: '/api/v1/user/create',
	body: emptyList,
	api: 'user',
};
export const pushHealthCheck: HealthCheck = {
	path: '/api/v1/web/send',
	body: noMessage,
	api: 'push',
};
export const mailHealthCheck: HealthCheck = { path: '/api/v1/sendMessage', body: noMessage };

/** The health check for requests to a host. `path` is that of a request, `eventPath` the account's. */
export function healthCheckFor(
	target: { host: Host; api: Api },
	path: string,
	eventPath: string,
): HealthCheck {
	if (target.host === 'mailUrl') return mailHealthCheck;
	if (target.host === 'pushUrl') {
		const platform = platforms.find((one) => path.startsWith(`/api/v1/${one}/`)) ?? 'web';
		return { path: `/api/v1/${platform}/send`, body: noMessage, api: 'push' };
	}
	if (target.api === 'event') return { path: eventPath, body: emptyList, api: 'event' };
	return userHealthCheck;
}
