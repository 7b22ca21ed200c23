import assert from 'node:assert/strict';
import { outputSchemas } from '../../../scripts/docs/outputSchemas';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { builderHint, operationHint } from '../../../nodes/CustomerMessaging/run/builderHints';
import type { Bench } from '../bench';

/** The schemas by which the editor lists the fields of an output before the first run. */
export async function outputBeforeTheRun({ client }: Bench): Promise<void> {
	for (const [file, schema] of outputSchemas()) {
		const [, operation = ''] = file.split('__schema__/v');
		const served = `/schemas/n8n-nodes-customer-messaging.customerMessaging/${operation}`;
		assert.deepEqual(await client.file(served), schema, operation);
	}
}

interface ServedType {
	name: string;
	builderHint?: object;
	properties: Array<{ name: string; options?: Array<{ value: string; builderHint?: object }> }>;
}

/** What n8n's AI workflow builder reads of the node. The builder itself does not run without a network. */
export async function hintsForTheBuilder({ client }: Bench): Promise<void> {
	const types = await client.file<ServedType[]>('/types/nodes.json');
	const served = types.find(
		({ name }) => name === 'n8n-nodes-customer-messaging.customerMessaging',
	);
	assert.deepEqual(served?.builderHint, builderHint);
	const lists = served.properties.filter(({ name }) => name === 'operation');
	const hints = lists.flatMap(({ options = [] }) =>
		options.map((option) => [option.value, option.builderHint]),
	);
	const operations = resources.flatMap((resource) => resource.operations);
	const byValue = (one: unknown[], other: unknown[]) =>
		JSON.stringify(one).localeCompare(JSON.stringify(other));
	assert.deepEqual(
		hints.sort(byValue),
		operations.map((operation) => [operation.value, operationHint(operation)]).sort(byValue),
	);
}
