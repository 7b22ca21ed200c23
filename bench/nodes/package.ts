import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { npm } from '../../scripts/command';

const NAME = 'n8n-nodes-customer-messaging-bench';
const NODES = ['BenchRows', 'BenchStopwatch', 'BenchPassThrough', 'BenchFloor'];

/** The type of one of the nodes, as it is written in a workflow. */
export const benchType = (name: string) => `${NAME}.${name}`;

/** Packs the nodes that exist only for the measurements as a separate package. Returns the path of the tarball. */
export async function packBenchNodes(): Promise<string> {
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-bench-nodes-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const files = NODES.map((name) => `${name}.node.js`);
	mkdirSync(path.join(folder, 'dist'));
	await build({
		entryPoints: NODES.map((name) => path.join(__dirname, `${name}.node.ts`)),
		outdir: path.join(folder, 'dist'),
		bundle: true,
		external: ['n8n-workflow'],
		platform: 'node',
		target: 'node20',
		format: 'cjs',
	});
	const n8n = { n8nNodesApiVersion: 1, nodes: files.map((file) => `dist/${file}`) };
	const keywords = ['n8n-community-node-package'];
	writeFileSync(
		path.join(folder, 'package.json'),
		JSON.stringify({ name: NAME, version: '0.0.0', private: true, keywords, files: ['dist'], n8n }),
	);
	await npm(['pack', '--ignore-scripts'], { cwd: folder });
	return path.join(folder, `${NAME}-0.0.0.tgz`);
}
