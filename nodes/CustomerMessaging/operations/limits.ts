import { type Body, platforms } from '../shared/delivery';
import { channels } from './channels';
import { event } from './event';
import { type Host, isToOne, type Operation, type Resource } from './operation';
import { user } from './user';

/** In requests per minute (spec §8). */
export const USUAL_LIMIT = 500;

/** The limit of a resource has its name. One that counts against the limit of another has none. */
function ownLimit({ value: api, name, target, perMinute = USUAL_LIMIT }: Resource) {
	return target?.api === api ? [{ api, name, perMinute }] : [];
}

/** All rate limits, those of custom requests included (spec §8). The credential can override them. */
export const limits: ReadonlyArray<{ api: string; name: string; perMinute: number }> = [
	...[user, event].flatMap(ownLimit),
	{ api: 'campaign', name: 'Campaign', perMinute: USUAL_LIMIT },
	{ api: 'reporting', name: 'Reporting', perMinute: 50 },
	...channels.flatMap(ownLimit),
];

function askedBy({ operations }: Resource): Partial<Operation> {
	return operations.find(isToOne) ?? operations[0] ?? {};
}

/**
 * A request that reaches nobody, to learn whether the service answers and accepts the credentials.
 *
 * @param target the host of a request, and the limit that it counts against
 * @param path that of the request; `eventPath` is the account's
 * @returns `api`: the limit that it counts against; absent where the reference does not say
 */
export function healthCheckFor(
	{ host, api }: { host: Host; api?: string },
	path = '',
	eventPath = '',
): { path: string; body: Body; api?: string } {
	// The first at a host answers for it.
	const there = [user, event, ...channels].filter(({ target }) => target?.host === host);
	const resource = there.find(({ target }) => target?.api === api) ?? there[0];
	if (!resource) throw new Error(`No request goes to ${host}`);
	const { path: generic = '', batchKey } = askedBy(resource);
	const platform = platforms.find((one) => path.startsWith(`/api/v1/${one}/`)) ?? 'web';
	const isShared = there.filter((other) => askedBy(other).path === generic).length > 1;
	return {
		path: resource === event ? eventPath : generic.replace('<platform>', platform),
		// An empty list asks for nothing. It is answered 400 once the credentials are accepted (spec §5, §7).
		// Without a recipient, an operation for one person has nobody to reach, and here also nothing to show.
		body: batchKey === undefined ? {} : { [batchKey]: [] },
		...(isShared ? {} : { api: resource.target?.api }),
	};
}
