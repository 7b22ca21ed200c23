import { execFile, execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const repository = path.resolve(__dirname, '../../../..');

/** The files that a release is built from, in addition to the installed tools. */
const ingredients = [
	...['package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js', 'index.js', '.npmrc'],
	...['README.md', 'CHANGELOG.md', 'LICENSE', 'nodes', 'credentials'],
];

/** The packages that the code may require, because n8n provides them. */
const provided = ['n8n-workflow', 'zod', 'luxon'];

/** The files that libraries are built into, each library with its licence. */
export const bundles: Readonly<Record<string, ReadonlyArray<[library: string, license: string]>>> =
	{
		'fields/punycode': [['punycode', 'punycode/LICENSE-MIT.txt']],
		'shared/exactJson': [['lossless-json', 'lossless-json/LICENSE.md']],
		'operations/smsParts': [['sms-segments-calculator', 'sms-segments-calculator/LICENSE']],
		'fields/phoneLibrary': [
			['libphonenumber-js', 'libphonenumber-js/LICENSE'],
			['libphonenumber', 'libphonenumber-js/LICENSE.Apache'],
		],
	};

const builtIn = Object.values(bundles)
	.flat()
	.map(([library]) => library);

export interface Unpacked {
	/** Bytes of the tarball itself. */
	packedBytes: number;
	/** The unpacked package, with only the packages of n8n beside it. */
	folder: string;
	/** Its files by path, as text. */
	files: Map<string, string>;
	remove(): void;
}

/** Builds and packs a release in a folder of its own, and unpacks it as npm would install it. */
export function unpackRelease(): Unpacked {
	const workshop = mkdtempSync(path.join(tmpdir(), 'package-test-'));
	const source = path.join(workshop, 'source');
	mkdirSync(source);
	for (const name of ingredients)
		cpSync(path.join(repository, name), path.join(source, name), { recursive: true });
	linkTools(path.join(repository, 'node_modules'), path.join(source, 'node_modules'));
	npm(source, 'run', 'build');
	npm(source, 'pack', '--ignore-scripts', '--pack-destination', workshop);
	const tarball = path.join(
		workshop,
		readdirSync(workshop).find((name) => name.endsWith('.tgz')) ?? '',
	);

	const modules = path.join(workshop, 'installed', 'node_modules');
	const folder = path.join(modules, 'n8n-nodes-customer-messaging');
	mkdirSync(folder, { recursive: true });
	for (const name of provided)
		symlinkSync(path.join(repository, 'node_modules', name), path.join(modules, name));
	execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);

	const names = readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
	return {
		packedBytes: readFileSync(tarball).length,
		folder,
		files: new Map(
			names.sort().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
		),
		remove: () => rmSync(workshop, { recursive: true, force: true }),
	};
}

/** Copies an unpacked package to where zod 4 stands in place of zod 3, and returns the folder. */
export function besideZod4(folder: string): string {
	const modules = path.join(folder, '..', '..', '..', 'installed-with-zod-4', 'node_modules');
	const copy = path.join(modules, path.basename(folder));
	cpSync(folder, copy, { recursive: true });
	for (const name of provided) {
		const installed = name === 'zod' ? 'zod4' : name;
		symlinkSync(path.join(repository, 'node_modules', installed), path.join(modules, name));
	}
	return copy;
}

/** Copies the libraries that are built in. esbuild writes down their real paths, and a link leads out of the folder. */
function linkTools(from: string, to: string): void {
	mkdirSync(to);
	for (const name of readdirSync(from)) {
		if (builtIn.includes(name))
			cpSync(path.join(from, name), path.join(to, name), { recursive: true });
		else symlinkSync(path.join(from, name), path.join(to, name));
	}
}

/** Runs a script in a separate Node process and returns the JSON that it wrote. */
export async function plainNode(cwd: string, ...args: string[]): Promise<unknown> {
	const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: {} });
	return JSON.parse(stdout);
}

/** What npm would publish of the package in a folder. The dry run asks no registry. */
export async function publishDryRun(folder: string): Promise<unknown> {
	const { stdout } = await promisify(execFile)(
		'npm',
		[
			...['publish', folder, '--dry-run', '--json', '--ignore-scripts'],
			...['--registry=http://127.0.0.1:9', '--fetch-retries=0'],
		],
		{ cwd: folder },
	);
	const printed = JSON.parse(stdout) as Record<string, unknown>;
	// npm 11 prints it under the package's name, npm 10 by itself.
	return printed['n8n-nodes-customer-messaging'] ?? printed;
}

function npm(cwd: string, ...args: string[]): void {
	execFileSync('npm', [...args, '--silent'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
