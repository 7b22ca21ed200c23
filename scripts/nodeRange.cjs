// Plain Node without packages, because it runs before anything is installed.

const numbers = (version) => version.split('.').map(Number);

/** Less than 0, 0 or more than 0, as for sorting. */
function compareVersions(one, other) {
	const [a, b] = [numbers(one), numbers(other)];
	const differing = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
	return differing === undefined ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
}

/** Ranges here are of the form `>=20.19` or `>=20.19 <25`. */
function suits(range, node = process.versions.node) {
	const [, from, below] = /^>=([\d.]+)(?: <([\d.]+))?$/.exec(range) ?? [];
	if (!from) throw new Error(`"${range}" is not of the form ">=20.19 <25"`);
	return compareVersions(node, from) >= 0 && (!below || compareVersions(node, below) < 0);
}

module.exports = { compareVersions, suits };
