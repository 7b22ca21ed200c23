import assert from 'node:assert/strict';
import { outputSchemas } from '../../../scripts/docs/outputSchemas';
import type { Bench } from '../bench';

/** The schemas by which the editor lists the fields of an output before the first run. */
export async function outputBeforeTheRun({ client }: Bench): Promise<void> {
	for (const [file, schema] of outputSchemas()) {
		const [, operation = ''] = file.split('__schema__/v');
		const served = `/schemas/n8n-nodes-customer-messaging.customerMessaging/${operation}`;
		assert.deepEqual(await client.file(served), schema, operation);
	}
}
