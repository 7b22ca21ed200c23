import assert from 'node:assert/strict';
import { outputSchemas } from '../../outputSchemas';
import { everywhere, newest } from '../scenario';

/** By these schemas, the editor lists the fields of an output. */
everywhere('The schema of every output is served before the first run', async ({ client }) => {
	const folder = '/schemas/n8n-nodes-customer-messaging.customerMessaging/1.0.0';
	for (const [operation, schema] of outputSchemas)
		assert.deepEqual(await client.file(`${folder}/${operation}.json`), schema, operation);
});

/** The builder itself does not run without a network. */
newest("n8n's AI workflow builder is told of the node and its operations", async ({ client }) => {
	const types =
		await client.file<Array<{ name: string; builderHint?: { searchHint: string } }>>(
			'/types/nodes.json',
		);
	const served = types.find(({ name }) => /^n8n-nodes-customer-messaging\.\w+g$/.test(name));
	const { searchHint = '' } = served?.builderHint ?? {};
	assert.match(searchHint, /outcome.*error output.*Send Once with an order number/);
});
