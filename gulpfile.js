// `n8n-node build` only copies files. The package has no dependencies, so its libraries have to be built into it.
const { readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');

const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

/** Puts the icons and the codex file next to the compiled code. */
function copyStatic() {
	return src('nodes/**/*.{svg,node.json}', { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Puts the schemas of the output next to the compiled code, without layout and descriptions: n8n's editor shows neither. */
function copySchemas() {
	const shown = (name, value) =>
		name === 'description' && typeof value === 'string' ? undefined : value;
	const onOneLine = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString()), shown));
			done(null, file);
		},
	});
	return src('nodes/**/__schema__/**/*.json', { base: '.' }).pipe(onOneLine).pipe(dest('dist'));
}

/** The mark of a converted module matters to modules that import a default, and none of these has one. */
const mark = /Object\.defineProperty\(exports,"__esModule",\{value:!0\}\)[,;]/;

/** Prints the compiled code in fewer characters, with all of its names, to keep the package small. */
async function reprint() {
	const { outputFiles } = await build({
		entryPoints: ['dist/**/*.js'],
		outdir: 'dist',
		outbase: 'dist',
		charset: 'utf8',
		platform: 'node',
		minifySyntax: true,
		minifyWhitespace: true,
		target: 'node20',
		write: false,
	});
	await Promise.all(
		outputFiles.map(({ path: file, text }) => writeFile(file, text.replace(mark, ''))),
	);
}

/** The files into which libraries are built: each library with the file of its license. */
const bundles = {
	'fields/smsParts': { 'sms-segments-calculator': 'sms-segments-calculator/LICENSE' },
	'shared/exactJson': { 'lossless-json': 'lossless-json/LICENSE.md' },
	'fields/phoneLibrary': {
		'libphonenumber-js': 'libphonenumber-js/LICENSE',
		libphonenumber: 'libphonenumber-js/LICENSE.Apache',
	},
};

async function bundle(name, options) {
	const outfile = `dist/nodes/CustomerMessaging/${name}.js`;
	const libraries = Object.keys(bundles[name]).join(' and ');
	await build({
		entryPoints: [outfile],
		outfile,
		allowOverwrite: true,
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		banner: { js: `/*! Holds ${libraries}: see ${path.basename(name)}.licenses.txt */` },
		...options,
	});
}

/** What Node.js brings splits a text into characters too, without 33 kB of tables. */
const withOwnSegmenter = {
	name: 'with-own-segmenter',
	setup({ onLoad, onResolve }) {
		onResolve({ filter: /^grapheme-splitter$/ }, ({ path }) => ({ path, namespace: 'built-in' }));
		onLoad({ filter: /.*/, namespace: 'built-in' }, () => ({
			contents: `module.exports = class {
				splitGraphemes(text) {
					return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
				}
			}`,
		}));
	},
};

/** Builds libraries into the files that use them. */
async function bundleLibraries() {
	await bundle('fields/smsParts', { plugins: [withOwnSegmenter] });
	// From the source, whose import finds the library without a wrapper that names `globalThis`.
	const exactJson = 'shared/exactJson';
	await bundle(exactJson, { entryPoints: [`nodes/CustomerMessaging/${exactJson}.ts`] });
}

/** How numbers are laid out for people takes most of the metadata, and the node only parses numbers. */
const withoutFormats = {
	name: 'without-formats',
	setup({ onLoad }) {
		onLoad({ filter: /metadata\.max\.json\.js$/ }, async ({ path }) => {
			const metadata = JSON.parse(await readFile(path.replace(/\.js$/, ''), 'utf8'));
			for (const plan of [
				...Object.values(metadata.countries),
				...Object.values(metadata.nonGeographic),
			])
				plan[formatsIndex] = 0;
			return { contents: `export default ${JSON.stringify(metadata)}` };
		});
	},
};
const formatsIndex = 4;

/** Builds the library for phone numbers into a file of its own, which the node loads on first use. */
async function bundlePhoneLibrary() {
	const name = 'fields/phoneLibrary';
	const entryPoints = [`nodes/CustomerMessaging/${name}.ts`];
	await bundle(name, { entryPoints, plugins: [withoutFormats] });
}

/** The licenses ask that their text travels with the code. */
async function copyLicenses() {
	for (const [name, libraries] of Object.entries(bundles)) {
		const notices = await Promise.all(
			Object.entries(libraries).map(
				async ([library, file]) =>
					`${library}\n\n${await readFile(`node_modules/${file}`, 'utf8')}`,
			),
		);
		await writeFile(`dist/nodes/CustomerMessaging/${name}.licenses.txt`, notices.join('\n'));
	}
}

exports.default = series(
	reprint,
	parallel(copyStatic, copySchemas, bundleLibraries, bundlePhoneLibrary, copyLicenses),
);
