import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../..');
const folders = ['nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'simulation', 'test'];

interface Cruised {
	modules: Array<{ source: string; dependencies: Array<{ resolved: string }> }>;
	summary: { totalCruised: number; violations: Array<{ from: string; to: string }> };
}

let cruised: Cruised;
beforeAll(async () => {
	const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
	const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
	// It exits with the number of violations; its output is what counts.
	const args = [cruiser, ...options, ...folders];
	const { stdout } = await promisify(execFile)(process.execPath, args, {
		...{ cwd: root, maxBuffer: 100_000_000 },
	}).catch((error: { stdout: string }) => error);
	cruised = JSON.parse(stdout) as Cruised;
}, 300_000);

test('Imports keep to the rules of .dependency-cruiser.cjs.', () => {
	const found = cruised.summary.violations.map(({ from, to }) => `${from} imports ${to}`);
	expect(found).toEqual([]);
	expect(cruised.summary.totalCruised).toBeGreaterThan(300);
});

test('The black-box suites know the product only by the classes of the node and its credentials.', () => {
	const blackBox = /^test\/(engine|live|queue|faults|soak|browser)\//;
	const product = /^(nodes|credentials)\//;
	const imports = new Map(cruised.modules.map((one) => [one.source, one.dependencies]));
	const found = new Set<string>();
	const seen = new Set([...imports.keys()].filter((file) => blackBox.test(file)));
	for (const file of seen)
		for (const { resolved } of imports.get(file) ?? [])
			(product.test(resolved) ? found : seen).add(resolved);
	expect([...found].sort()).toEqual([
		'credentials/CustomerMessagingApi.credentials.ts',
		'credentials/CustomerMessagingPartnerApi.credentials.ts',
		'nodes/CustomerMessaging/CustomerMessaging.node.ts',
	]);
});
