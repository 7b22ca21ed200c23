import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import { findHost, nodeFor } from '../scripts/n8n/hosts';

/** The machine of the measurements. */
export interface Machine {
	cpu: string;
	cores: number;
	memoryGb: number;
	kernel: string;
	/** The Node of the harness and of the sandbox. */
	node: string;
	/** n8n by version, with the Node that it ran on. */
	n8n: Array<{ version: string; node: string }>;
}

export function machine(versions: string[]): Machine {
	const processors = cpus();
	return {
		cpu: processors[0]?.model ?? 'unknown',
		cores: processors.length,
		memoryGb: totalmem() / 2 ** 30,
		kernel: `${type()} ${release()}`,
		node: process.versions.node,
		n8n: versions.map((version) => ({ version, node: nodeVersion(version) })),
	};
}

function nodeVersion(version: string): string {
	return execFileSync(nodeFor(findHost(version)), ['--version'], { encoding: 'utf8' })
		.trim()
		.slice(1);
}
