// `n8n-node build` only copies files. The package has no dependencies, so two libraries have to be built into it.
const { readFile, writeFile } = require('node:fs/promises');
const { Transform } = require('node:stream');

const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

/** Puts the icons and the codex file next to the compiled code. */
function copyStatic() {
	return src('nodes/**/*.{svg,node.json}', { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Puts the schemas of the output next to the compiled code, without the layout that is for readers. */
function copySchemas() {
	const onOneLine = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
			done(null, file);
		},
	});
	return src('nodes/**/__schema__/**/*.json', { base: '.' }).pipe(onOneLine).pipe(dest('dist'));
}

/** Prints the compiled code with less indentation, to keep the package small. */
async function reprint() {
	await build({
		entryPoints: ['dist/**/*.js'],
		outdir: 'dist',
		outbase: 'dist',
		allowOverwrite: true,
		charset: 'utf8',
		platform: 'node',
		target: 'node20',
	});
}

/** Builds the library that counts the parts of an SMS into the file that uses it, with its licences. */
async function bundleSmsParts() {
	const outfile = 'dist/nodes/CustomerMessaging/operations/smsParts.js';
	await build({
		entryPoints: [outfile],
		outfile,
		allowOverwrite: true,
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		banner: {
			js: '/*! Holds sms-segments-calculator and grapheme-splitter, MIT: see smsParts.licenses.txt */',
		},
	});
}

/** How numbers are laid out for people takes most of the metadata, and the node only parses numbers. */
const withoutFormats = {
	name: 'without-formats',
	setup({ onLoad }) {
		onLoad({ filter: /metadata\.min\.json\.js$/ }, async ({ path }) => {
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
	await build({
		entryPoints: ['nodes/CustomerMessaging/fields/phoneLibrary.ts'],
		outfile: 'dist/nodes/CustomerMessaging/fields/phoneLibrary.js',
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		plugins: [withoutFormats],
		banner: {
			js: '/*! Holds libphonenumber-js, MIT, with data of libphonenumber, Apache 2.0: see phoneLibrary.licenses.txt */',
		},
	});
}

/** Both licences ask that their text travels with the code. */
async function copyLicenses() {
	const library = 'libphonenumber-js';
	await Promise.all([
		collect('operations/smsParts', [
			['sms-segments-calculator', 'sms-segments-calculator/LICENSE'],
			['grapheme-splitter', 'grapheme-splitter/LICENSE'],
		]),
		collect('fields/phoneLibrary', [
			[library, `${library}/LICENSE`],
			['libphonenumber', `${library}/LICENSE.Apache`],
		]),
	]);
}

async function collect(bundle, licenses) {
	const notices = await Promise.all(
		licenses.map(
			async ([name, file]) => `${name}\n\n${await readFile(`node_modules/${file}`, 'utf8')}`,
		),
	);
	await writeFile(`dist/nodes/CustomerMessaging/${bundle}.licenses.txt`, notices.join('\n'));
}

exports.default = series(
	reprint,
	parallel(copyStatic, copySchemas, bundleSmsParts, bundlePhoneLibrary, copyLicenses),
);
