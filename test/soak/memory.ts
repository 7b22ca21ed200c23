import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sample {
	atMs: number;
	/** What is left after garbage collection. */
	heldMb: number;
	residentMb: number;
}

/** The memory of the n8n that was started with this environment. */
export class Memory {
	readonly env: NodeJS.ProcessEnv;
	private readonly file: string;

	constructor(folder: string) {
		this.file = path.join(folder, 'memory.jsonl');
		this.env = {
			NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'memoryReport.cjs'))}`,
			MEMORY_FILE: this.file,
		};
	}

	samples(): Sample[] {
		try {
			return readFileSync(this.file, 'utf8')
				.trim()
				.split('\n')
				.map((line) => JSON.parse(line) as Sample);
		} catch {
			return [];
		}
	}

	/** Waits for a sample that begins later than now. */
	async next(): Promise<Sample> {
		const nowMs = Date.now();
		for (let attempt = 0; attempt < 240; attempt++) {
			const sample = this.samples().at(-1);
			if (sample && sample.atMs > nowMs) return sample;
			await sleep(500);
		}
		throw new Error('n8n has not said for two minutes how much memory it holds');
	}
}
