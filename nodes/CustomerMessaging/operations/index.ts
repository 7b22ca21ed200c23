import { byName } from '../fields/field';
import { channels } from './channels';
import { customRequest } from './customRequest';
import { event } from './event';
import type { Operation, Resource } from './operation';
import { user } from './user';

/**
 * All resources, by name. Few people need Custom Request, so it is last. n8n's editor and its node panel keep this
 * order.
 */
export const resources: readonly Resource[] = [
	...[event, user, ...channels].sort((one, other) => byName(one.name, other.name)),
	customRequest,
];

/** Returns the display conditions under which an operation of a kind is chosen. */
export function placesOf(isOfKind: (operation: Operation) => boolean) {
	const places = new Map<string, { '/resource': string[]; '/operation': string[] }>();
	for (const resource of resources) {
		const chosen = resource.operations.filter(isOfKind).map(({ value }) => value);
		const place = places.get(chosen.join()) ?? { '/resource': [], '/operation': chosen };
		place['/resource'].push(resource.value);
		if (chosen.length > 0) places.set(chosen.join(), place);
	}
	return [...places.values()];
}
