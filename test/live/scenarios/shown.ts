import assert from 'node:assert/strict';
import { outputSchemas } from '../../outputSchemas';
import { everywhere } from '../scenario';

/** By these schemas, the editor lists the fields of an output. */
everywhere('The schema of every output is served before the first run', async ({ client }) => {
	const folder = '/schemas/n8n-nodes-customer-messaging.customerMessaging/1.0.0';
	for (const [operation, schema] of outputSchemas)
		assert.deepEqual(await client.file(`${folder}/${operation}.json`), schema, operation);
});
