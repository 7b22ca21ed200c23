import { type Body, platforms } from '../shared/delivery';
import { channels } from './channels';
import { event } from './event';
import { type Host, isToOne, type Operation, type Resource } from './operation';
import { user } from './user';

/** In requests per minute (spec §8). */
export const USUAL_LIMIT = 500;

/** A limit is named after its resource. A resource that counts against another's limit has none of its own. */
function ownLimit({ value: api, name, target, perMinute = USUAL_LIMIT }: Resource) {
	return target?.api === api ? [{ api, name, perMinute }] : [];
}

/** All rate limits, including those of custom requests (spec §8). The credential can override them. */
export const limits: ReadonlyArray<{ api: string; name: string; perMinute: number }> = [
	...[user, event].flatMap(ownLimit),
	{ api: 'campaign', name: 'Campaign', perMinute: USUAL_LIMIT },
	{ api: 'reporting', name: 'Reporting', perMinute: 50 },
	...channels.flatMap(ownLimit),
];

function chooseOperation({ operations }: Resource): Partial<Operation> {
	return operations.find(isToOne) ?? operations[0] ?? {};
}

/**
 * Builds a request that reaches nobody, to check that the service responds and accepts the credentials.
 *
 * @param target host and rate limit of the requests to check
 * @param path the path of these requests; `eventPath` is the account's
 * @returns `api`: the rate limit of the check; absent if the reference does not name it
 */
export function healthCheckFor(
	{ host, api }: { host: Host; api?: string },
	path = '',
	eventPath = '',
): { path: string; body: Body; api?: string } {
	// Without a resource for the limit, check the first one at the host.
	const atHost = [user, event, ...channels].filter(({ target }) => target?.host === host);
	const resource = atHost.find(({ target }) => target?.api === api) ?? atHost[0];
	if (!resource) throw new Error(`No request goes to ${host}`);
	const { path: generic = '', batchKey } = chooseOperation(resource);
	const platform = platforms.find((one) => path.startsWith(`/api/v1/${one}/`)) ?? 'web';
	const isShared = atHost.filter((other) => chooseOperation(other).path === generic).length > 1;
	return {
		path: resource === event ? eventPath : generic.replace('<platform>', platform),
		// The service refuses an empty list with 400 after it has accepted the credentials (spec §5, §7).
		// A message has neither a recipient nor content here, so it reaches nobody.
		body: batchKey === undefined ? {} : { [batchKey]: [] },
		...(isShared ? {} : { api: resource.target?.api }),
	};
}
