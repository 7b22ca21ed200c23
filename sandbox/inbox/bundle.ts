import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The page's files by name. */
export type Bundle = Record<'index.html' | 'inbox.js' | 'inbox.css', string>;

const folder = path.join(__dirname, 'page');
let bundling: Promise<Bundle> | undefined;

/** Bundled in memory on the first request, and kept. After a failure, the next request tries again. */
export async function pageBundle(): Promise<Bundle> {
	bundling ??= bundle();
	return await bundling.catch((error: unknown) => {
		bundling = undefined;
		throw error;
	});
}

async function bundle(): Promise<Bundle> {
	// Most programs that start a sandbox never open its page.
	const { build } = await import('esbuild');
	const { outputFiles } = await build({
		entryPoints: { inbox: path.join(folder, 'main.tsx') },
		outdir: folder,
		tsconfig: path.join(folder, 'tsconfig.json'),
		bundle: true,
		minify: true,
		write: false,
		format: 'esm',
		target: 'es2022',
		logLevel: 'silent',
	});
	const output = (name: string) =>
		outputFiles.find((file) => path.basename(file.path) === name)?.text ?? '';
	return {
		'index.html': await readFile(path.join(folder, 'index.html'), 'utf8'),
		'inbox.js': output('inbox.js'),
		'inbox.css': output('inbox.css'),
	};
}
