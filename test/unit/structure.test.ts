import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '../..');
const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json'];
const folders = ['nodes', 'credentials', 'sandbox', 'scripts', 'bench', 'simulation', 'test'];
// It exits with the number of violations; its output is what counts.
const { stdout } = spawnSync(process.execPath, [cruiser, ...options, ...folders], {
	cwd: root,
	maxBuffer: 100_000_000,
	encoding: 'utf8',
});
const cruised = JSON.parse(stdout) as {
	modules: Array<{ source: string; dependencies: Array<{ resolved: string }> }>;
	summary: { totalCruised: number; violations: Array<{ from: string; to: string }> };
};

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
