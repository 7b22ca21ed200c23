const { readFile, writeFile } = require('node:fs/promises');

const { build } = require('esbuild');
const { dest, parallel, src } = require('gulp');

/** Puts the icons and the codex file next to the compiled code. */
function copyStatic() {
	return src('nodes/**/*.{svg,node.json}', { base: '.', encoding: false }).pipe(dest('dist'));
}

/** Builds the one library that n8n does not bring into the file that uses it, with its licences. */
async function bundleSmsParts() {
	const outfile = 'dist/nodes/CustomerMessaging/operations/smsParts.js';
	await build({
		entryPoints: [outfile],
		outfile,
		allowOverwrite: true,
		bundle: true,
		minifyWhitespace: true,
		minifySyntax: true,
		platform: 'node',
		target: 'node20',
		banner: {
			js: '/*! Holds sms-segments-calculator and grapheme-splitter, MIT: see smsParts.licenses.txt */',
		},
	});
}

/** MIT asks that its notice travels with the code. */
async function copyLicenses() {
	const notices = await Promise.all(
		['sms-segments-calculator', 'grapheme-splitter'].map(
			async (name) => `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, 'utf8')}`,
		),
	);
	await writeFile(
		'dist/nodes/CustomerMessaging/operations/smsParts.licenses.txt',
		notices.join('\n'),
	);
}

exports.default = parallel(copyStatic, bundleSmsParts, copyLicenses);
