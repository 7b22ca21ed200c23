import assert from 'node:assert/strict';
import { outputSchemas } from '../../outputSchemas';
import type { Bench } from '../bench';

/** The schemas by which the editor lists the fields of an output before the first run. */
export async function outputBeforeTheRun({ client }: Bench): Promise<void> {
	const folder = '/schemas/n8n-nodes-customer-messaging.customerMessaging/1.0.0';
	for (const [operation, schema] of outputSchemas)
		assert.deepEqual(await client.file(`${folder}/${operation}.json`), schema, operation);
}

interface ServedType {
	name: string;
	builderHint?: { searchHint: string };
}

/** What n8n's AI workflow builder reads of the node. The builder itself does not run without a network. */
export async function hintsForTheBuilder({ client }: Bench): Promise<void> {
	const types = await client.file<ServedType[]>('/types/nodes.json');
	const served = types.find(
		({ name }) => name === 'n8n-nodes-customer-messaging.customerMessaging',
	);
	assert.ok(served);
	const { searchHint = '' } = served.builderHint ?? {};
	assert.match(searchHint, /outcome.*error output.*Send Once with an order number/);
}
