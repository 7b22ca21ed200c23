import { channels } from './channels';
import { event } from './event';
import type { Api, Resource } from './operation';
import { user } from './user';

/** One rate limit of the service. The credential can override it. */
interface Limit {
	api: Api;
	name: string;
	perMinute: number;
}

/** In requests per minute (spec §8). */
export const USUAL_LIMIT = 500;

/** That of a resource is called as the resource is; none if it counts against that of another. */
function ownLimit({ value: api, name, target, perMinute = USUAL_LIMIT }: Resource): Limit[] {
	return target?.api === api ? [{ api, name, perMinute }] : [];
}

/** All rate limits, those of custom requests included (spec §8). */
export const limits: readonly Limit[] = [
	...[user, event].flatMap(ownLimit),
	{ api: 'campaign', name: 'Campaign', perMinute: USUAL_LIMIT },
	{ api: 'reporting', name: 'Reporting', perMinute: 50 },
	...channels.flatMap(ownLimit),
];
