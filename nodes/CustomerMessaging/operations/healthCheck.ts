import { type Body, platforms } from '../shared/delivery';
import { channels } from './channels';
import { event } from './event';
import { type Api, type Host, isToOne, type Operation, type Resource } from './operation';
import { user } from './user';

/** A request that reaches nobody, to learn whether the service answers and accepts the credentials. */
export interface HealthCheck {
	path: string;
	body: Body;
	/** The limit it counts against; absent where the reference does not say. */
	api?: Api;
}

/** The first at a host answers for it. */
const asked: readonly Resource[] = [user, event, ...channels];

function askedBy({ operations }: Resource): Partial<Operation> {
	return operations.find(isToOne) ?? operations[0] ?? {};
}

/** The health check for requests to a host. `path` is that of a request, `eventPath` the account's. */
export function healthCheckFor(
	{ host, api }: { host: Host; api?: Api },
	path = '',
	eventPath = '',
): HealthCheck {
	const there = asked.filter(({ target }) => target?.host === host);
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
