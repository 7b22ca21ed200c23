import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const repository = path.resolve(__dirname, '../../../..');

/** The files that a release is built from, in addition to the installed tools. */
const ingredients = [
	...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js', 'index.js', '.npmrc'],
	...['README.md', 'CHANGELOG.md', 'LICENSE', 'nodes', 'credentials'],
];

/** The files that libraries are built into, each with the licences of its libraries. */
export const bundles = {
	'shared/exactJson': ['lossless-json/LICENSE.md'],
	'fields/smsParts': ['sms-segments-calculator/LICENSE'],
	'fields/phoneLibrary': ['libphonenumber-js/LICENSE', 'libphonenumber-js/LICENSE.Apache'],
};

/** Builds and packs a release in a folder of its own, and unpacks it as npm would install it. */
export function unpackRelease() {
	const workshop = fs.mkdtempSync(path.join(tmpdir(), 'package-test-'));
	const source = path.join(workshop, 'source');
	fs.mkdirSync(source);
	for (const name of ingredients)
		fs.cpSync(path.join(repository, name), path.join(source, name), { recursive: true });
	linkTools(path.join(repository, 'node_modules'), path.join(source, 'node_modules'));
	const npm = (...args: string[]) =>
		execFileSync('npm', [...args, '--silent'], { cwd: source, encoding: 'utf8' });
	npm('run', 'build');
	const tarball = npm('pack', '--ignore-scripts', '--pack-destination', workshop).trim();

	const modules = path.join(workshop, 'installed', 'node_modules');
	const folder = path.join(modules, 'n8n-nodes-customer-messaging');
	fs.mkdirSync(folder, { recursive: true });
	// What n8n provides.
	for (const name of ['n8n-workflow', 'zod', 'luxon'])
		fs.symlinkSync(path.join(repository, 'node_modules', name), path.join(modules, name));
	execFileSync('tar', ['-xzf', path.join(workshop, tarball), '-C', folder, '--strip-components=1']);

	const files = fs
		.readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => fs.statSync(path.join(folder, name)).isFile())
		.sort()
		.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')] as const);
	return {
		/** The unpacked package, with only the packages of n8n beside it. */
		folder,
		/** By path, as text. */
		files: new Map(files),
		remove: () => fs.rmSync(workshop, { recursive: true, force: true }),
	};
}

/** Copies the libraries that are built in. esbuild writes down their real paths, and a link leads out of the folder. */
function linkTools(from: string, to: string): void {
	fs.mkdirSync(to);
	const builtIn = Object.values(bundles).flatMap((licenses) =>
		licenses.map((license) => path.dirname(license)),
	);
	for (const name of fs.readdirSync(from)) {
		const [source, target] = [path.join(from, name), path.join(to, name)];
		if (builtIn.includes(name)) fs.cpSync(source, target, { recursive: true });
		else fs.symlinkSync(source, target);
	}
}
