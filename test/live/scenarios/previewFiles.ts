import assert from 'node:assert/strict';
import {
	extractFromFile,
	messaging,
	pushToAll,
	webhook,
	workflow,
} from '../../../scripts/n8n/workflows';
import { assertSucceeded, create, output, runByWebhook, type CrashableBench } from '../bench';

/** n8n 3 no longer keeps binary data in memory. n8n 1 has to be told that the database may be used. */
export async function previewFiles(bench: CrashableBench): Promise<void> {
	for (const mode of ['filesystem', 'database']) {
		await bench.crash({
			N8N_DEFAULT_BINARY_DATA_MODE: mode,
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		});
		const path = `preview-${mode}`;
		const nodes = [
			webhook(path),
			messaging('Preview', { ...pushToAll, options: { previewOnly: true } }),
			extractFromFile('Read', { operation: 'text', binaryPropertyName: 'preview', options: {} }),
		];
		const stored = await create(bench, workflow(path, nodes, bench.credentialIds));
		const run = await runByWebhook(bench, stored, path, {});
		assertSucceeded(run);
		assert.deepEqual(run.arrivals, []);
		const files = output(run.data, 'Preview').map(({ binary }) => binary?.preview?.fileName);
		assert.deepEqual(files, ['item-0-web.html', 'item-0-android.html', 'item-0-ios.html']);
		for (const { json } of output(run.data, 'Read')) {
			assert.match(String(json.data), /^<!doctype html>[^]*The autumn collection is here\./, mode);
		}
		assert.equal(output(run.data, 'Read').length, files.length);
	}
	await bench.crash();
}
