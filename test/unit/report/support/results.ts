import { resources } from '../../../../nodes/CustomerMessaging/operations';
import type { Operation } from '../../../../nodes/CustomerMessaging/operations/operation';
import type { Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';

export function operationOf(resource: string, name: string): Operation {
	const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
	const operation = operations.find(({ value }) => value === name);
	if (!operation) throw new Error(`No such operation: ${resource} ${name}`);
	return operation;
}

export function deliveryOf(itemIndex: number, given: Partial<Delivery> = {}): Delivery {
	return { itemIndex, path: '/api/v1/sendMessage', buildBody: () => ({}), ...given };
}
