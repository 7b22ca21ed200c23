import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	n8n: { nodes: string[]; credentials: string[] };
};

test('The package has no dependencies at run time', () => {
	expect(manifest).toMatchObject({
		name: 'n8n-nodes-customer-messaging',
		license: 'MIT',
		peerDependencies: { 'n8n-workflow': '*' },
		files: ['dist'],
	});
	for (const key of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'overrides']) {
		expect(manifest).not.toHaveProperty(key);
	}
});

test('n8n is told of the node and both credentials', () => {
	expect(manifest.n8n).toEqual({
		n8nNodesApiVersion: 1,
		strict: true,
		nodes: ['dist/nodes/CustomerMessaging/CustomerMessaging.node.js'],
		credentials: [
			'dist/credentials/CustomerMessagingApi.credentials.js',
			'dist/credentials/CustomerMessagingPartnerApi.credentials.js',
		],
	});
	for (const built of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
		const source = built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
		expect([source, existsSync(join(root, source))]).toEqual([source, true]);
	}
});
