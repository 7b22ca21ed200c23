import assert from 'node:assert/strict';
import { outputSchemas } from '../../../scripts/docs/outputSchemas';
import { everywhere } from '../scenario';

/** The package has the schemas without their descriptions. */
const published = (name: string, value: unknown) =>
	name === 'description' && typeof value === 'string' ? undefined : value;

/** By these schemas, the editor lists the fields of an output. */
everywhere('The schema of every output is served before the first run', async ({ client }) => {
	for (const [file, schema] of outputSchemas()) {
		const [version, ...operation] = file.split('/').slice(-3);
		const type = 'n8n-nodes-customer-messaging.customerMessaging';
		const served = await client.file(
			`/schemas/${type}/${version?.slice(1)}/${operation.join('/')}`,
		);
		assert.deepEqual(served, JSON.parse(JSON.stringify(schema), published), file);
	}
});
