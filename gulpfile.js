const { dest, src } = require('gulp');

/** Puts the icons and the codex file next to the compiled code. */
function copyStatic() {
	return src('nodes/**/*.{svg,node.json}', { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.default = copyStatic;
