import { resources } from '../../../../nodes/CustomerMessaging/operations';
import type { Operation } from '../../../../nodes/CustomerMessaging/operations/operation';
import type { Run } from '../../../../nodes/CustomerMessaging/run/resolveRun';
import type { Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';
import { batchRun } from '../../send/support/batchRun';

/** A run of an operation, with all settings at their defaults. */
export function runOf(resource: string, operation: string, given: Partial<Run> = {}): Run {
	const found = resources.find(({ value }) => value === resource);
	const run = { ...batchRun(), resource, operation: operationOf(resource, operation) };
	return { ...run, target: found?.target ?? run.target, ...given };
}

export function operationOf(resource: string, name: string): Operation {
	const operations = resources.find(({ value }) => value === resource)?.operations ?? [];
	const operation = operations.find(({ value }) => value === name);
	if (!operation) throw new Error(`No such operation: ${resource} ${name}`);
	return operation;
}

export function deliveryOf(itemIndex: number, given: Partial<Delivery> = {}): Delivery {
	return { itemIndex, path: '/api/v1/sendMessage', buildBody: () => ({}), ...given };
}
