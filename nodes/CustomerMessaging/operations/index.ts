import { byName } from '../fields/field';
import { channels } from './channels';
import { customRequest } from './customRequest';
import { event } from './event';
import type { Operation, Resource } from './operation';
import { user } from './user';

/**
 * All resources and operations of the node, in the order shown in the editor, by name. What few people need is last:
 * n8n's node panel lists actions in this order.
 */
export const resources: readonly Resource[] = [
	...[event, user, ...channels].sort((one, other) => byName(one.name, other.name)),
	customRequest,
];

/** Where operations of a kind are chosen in the form, as conditions of an option. */
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
