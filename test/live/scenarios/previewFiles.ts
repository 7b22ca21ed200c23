import assert from 'node:assert/strict';
import { extractFromFile, messaging, pushToAll } from '../../../scripts/n8n/workflows';
import { output, runByWebhook, succeeded, type CrashableBench } from '../bench';
import { createBehindWebhook } from '../rows';

/** n8n 3 no longer keeps binary data in memory. n8n 1 has to be told that the database may be used. */
export async function previewFiles(bench: CrashableBench): Promise<void> {
	for (const mode of ['filesystem', 'database']) {
		await bench.crash({
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		});
		const stored = await createBehindWebhook(bench, `preview-${mode}`, [
			messaging('Preview', { ...pushToAll, options: { previewOnly: true } }),
			extractFromFile('Read', { operation: 'text', binaryPropertyName: 'preview', options: {} }),
		]);
		const run = await succeeded(runByWebhook(bench, stored, {}));
		assert.deepEqual(run.arrivals, []);
		const files = output(run.data, 'Preview').map(({ binary }) => binary?.preview?.fileName);
		assert.deepEqual(files, ['item-0-web.html', 'item-0-android.html', 'item-0-ios.html']);
		const read = output(run.data, 'Read');
		assert.equal(read.length, files.length);
		for (const { json } of read)
			assert.match(String(json.data), /^<!doctype html>[^]*The autumn collection is here\./, mode);
	}
	await bench.crash();
}
