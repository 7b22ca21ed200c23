import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the package brings nothing along at run time', () => {
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
	for (const built of [...manifest.n8n.nodes, ...manifest.n8n.credentials] as string[]) {
		const source = built.replace(/^dist\//, '').replace(/\.js$/, '.ts');
		expect([source, existsSync(join(root, source))]).toEqual([source, true]);
	}
});

test('what is packed is the build and what a package needs, nothing else', () => {
	const listing = execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=silent'], {
		cwd: root,
		encoding: 'utf8',
	});
	const files = (JSON.parse(listing)[0].files as Array<{ path: string }>).map(({ path }) => path);
	const outside = files.filter((path) => !path.startsWith('dist/'));
	expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json']);
});
