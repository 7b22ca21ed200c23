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

/** Resources and operations of the form, each of them with each, as a condition of an option. */
interface Place {
	'/resource': string[];
	'/operation': string[];
}

/** Where operations of a kind are chosen in the form, in few places. */
export function placesOf(isOfKind: (operation: Operation) => boolean): Place[] {
	const isExact = ({ '/resource': values, '/operation': chosen }: Place) =>
		resources
			.filter(({ value }) => values.includes(value))
			.flatMap(({ operations }) => operations)
			.every((operation) => isOfKind(operation) || !chosen.includes(operation.value));
	return resources.reduce<Place[]>((places, { value, operations }) => {
		const own = operations.filter(isOfKind).map((operation) => operation.value);
		if (own.length === 0) return places;
		const added = ({ '/resource': values, '/operation': chosen }: Place): Place => ({
			'/resource': [...values, value],
			'/operation': [...new Set([...chosen, ...own])],
		});
		const at = places.findIndex((place) => isExact(added(place)));
		return at === -1
			? [...places, { '/resource': [value], '/operation': own }]
			: places.map((place, index) => (index === at ? added(place) : place));
	}, []);
}

/** The operation that the form chooses; undefined if there is none, or an expression chooses it. */
export function findOperation(resource: unknown, operation: unknown): Operation | undefined {
	const found = resources.find(({ value }) => value === resource);
	return found?.operations.find(({ value }) => value === operation);
}
