import { byName } from '../fields/field';
import { channels } from './channels';
import { customRequest } from './customRequest';
import { event } from './event';
import type { Operation, Resource } from './operation';
import { user } from './user';

/** All resources and operations of the node, in the order shown in the editor. */
export const resources: readonly Resource[] = [customRequest, event, user, ...channels].sort(
	(one, other) => byName(one.name, other.name),
);

/** The values of the resources with an operation of a kind. */
export function resourcesWith(isOfKind: (operation: Operation) => unknown): string[] {
	return resources.filter(({ operations }) => operations.some(isOfKind)).map(({ value }) => value);
}
