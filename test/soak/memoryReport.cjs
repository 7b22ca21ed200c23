// Loaded into n8n before its own code. Every few seconds, it collects garbage and writes down what is left.
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const EVERY_MS = 10_000;
const BYTES_PER_MB = 1024 * 1024;

// n8n's task runners inherit the environment.
if (process.argv.includes('start')) {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc');
	setInterval(() => {
		collectGarbage();
		const { heapUsed, external } = process.memoryUsage();
		const sample = { atMs: Date.now(), heldMb: (heapUsed + external) / BYTES_PER_MB };
		try {
			writeFileSync(process.env.MEMORY_FILE, JSON.stringify(sample));
		} catch {
			// The file's folder is gone once the suite has ended.
		}
	}, EVERY_MS).unref();
}
