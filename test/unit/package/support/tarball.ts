import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const repository = path.resolve(__dirname, '../../../..');

/** The files that a release is built from, in addition to the installed tools. */
const ingredients = [
	...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js', 'index.js', '.npmrc'],
	...['README.md', 'CHANGELOG.md', 'LICENSE', 'nodes', 'credentials'],
];

/** The files that libraries are built into, each library with its licence. */
export const bundles: Readonly<Record<string, ReadonlyArray<[library: string, license: string]>>> =
	{
		'shared/exactJson': [['lossless-json', 'lossless-json/LICENSE.md']],
		'fields/smsParts': [['sms-segments-calculator', 'sms-segments-calculator/LICENSE']],
		'fields/phoneLibrary': [
			['libphonenumber-js', 'libphonenumber-js/LICENSE'],
			['libphonenumber', 'libphonenumber-js/LICENSE.Apache'],
		],
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
		execFileSync('npm', [...args, '--silent'], {
			cwd: source,
			stdio: ['ignore', 'ignore', 'inherit'],
		});
	npm('run', 'build');
	npm('pack', '--ignore-scripts', '--pack-destination', workshop);
	const [packed = ''] = fs.readdirSync(workshop).filter((name) => name.endsWith('.tgz'));
	const tarball = path.join(workshop, packed);

	const modules = path.join(workshop, 'installed', 'node_modules');
	const folder = path.join(modules, 'n8n-nodes-customer-messaging');
	fs.mkdirSync(folder, { recursive: true });
	providePackages(modules);
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const files = fs
		.readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => fs.statSync(path.join(folder, name)).isFile())
		.sort()
		.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')] as const);
	return {
		/** Of the tarball itself. */
		packedBytes: fs.readFileSync(tarball).length,
		/** The unpacked package, with only the packages of n8n beside it. */
		folder,
		/** By path, as text. */
		files: new Map(files),
		remove: () => fs.rmSync(workshop, { recursive: true, force: true }),
	};
}

/** Links what n8n provides, or another package in place of one of them. */
export function providePackages(modules: string, instead: Record<string, string> = {}): void {
	for (const name of ['n8n-workflow', 'zod', 'luxon']) {
		const installed = path.join(repository, 'node_modules', instead[name] ?? name);
		fs.symlinkSync(installed, path.join(modules, name));
	}
}

/** Copies the libraries that are built in. esbuild writes down their real paths, and a link leads out of the folder. */
function linkTools(from: string, to: string): void {
	fs.mkdirSync(to);
	const builtIn = Object.values(bundles).flatMap((list) => list.map(([library]) => library));
	for (const name of fs.readdirSync(from)) {
		const [source, target] = [path.join(from, name), path.join(to, name)];
		if (builtIn.includes(name)) fs.cpSync(source, target, { recursive: true });
		else fs.symlinkSync(source, target);
	}
}

/** Runs a program in an empty environment, unless it is npm, and returns what it printed. */
export async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
	const env = program === 'npm' ? process.env : {};
	return (await promisify(execFile)(program, args, { cwd, env })).stdout;
}
