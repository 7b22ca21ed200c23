import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../..');
const folders = ['nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'simulation', 'test'];

interface Cruised {
	summary: {
		totalCruised: number;
		violations: Array<{ from: string; to: string; rule: { name: string } }>;
	};
}

test('Imports keep to the rules of .dependency-cruiser.cjs.', async () => {
	const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const args = [
		cruiser,
		'--config',
		'.dependency-cruiser.cjs',
		'--output-type',
		'json',
		...folders,
	];
	// It exits with the number of violations; its output is what counts.
	const { stdout } = await promisify(execFile)(process.execPath, args, {
		cwd: root,
		maxBuffer: 100_000_000,
	}).catch((error: { stdout: string }) => error);
	const { summary } = JSON.parse(stdout) as Cruised;
	const found = summary.violations.map(
		({ from, to, rule }) => `${rule.name}: ${from} imports ${to}`,
	);
	expect(found).toEqual([]);
	expect(summary.totalCruised).toBeGreaterThan(300);
}, 300_000);
