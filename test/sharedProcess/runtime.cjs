const { isBuiltin } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const Runtime = require('jest-runtime').default;

const packages = new Map();
const sources = new Map();
const functions = new Map();
/** The n8n whose engine runs the tests, if not that of this project's packages; see scripts/testExpressions.ts. */
const { TESTED_N8N } = process.env;
const ofN8n = /^(n8n-core|n8n-workflow|@n8n\/di|reflect-metadata)(\/|$)/;

/** What `make` gives for a file, once in this process. */
function once(kept, filename, make) {
	if (!kept.has(filename)) kept.set(filename, make());
	return kept.get(filename);
}

/**
 * Keeps what is the same for each test file of a process: installed packages, such as n8n's engine, and
 * the compiled code of the project. In mutation tests, that code holds all mutants beside each other.
 */
module.exports = class KeepingRuntime extends Runtime {
	constructor(...parts) {
		super(...parts);
		const { executor, transformCache } = this;
		const transform = transformCache.transform.bind(transformCache);
		transformCache.transform = (filename, options) =>
			once(sources, filename, () => transform(filename, options));
		executor.compile = (source, filename) =>
			once(functions, filename, () =>
				vm.compileFunction(source, executor.injectedModuleParameters, { filename }),
			);
	}

	requireModuleOrMock(from, moduleName) {
		const place = `${path.dirname(from)} ${moduleName}`;
		if (!packages.has(place)) packages.set(place, this.packageAt(from, moduleName));
		const found = packages.get(place);
		return found ? require(found) : super.requireModuleOrMock(from, moduleName);
	}

	/** The path of an installed package; undefined for what is the project's own or Node's. */
	packageAt(from, moduleName) {
		if (TESTED_N8N && ofN8n.test(moduleName))
			return require.resolve(moduleName, { paths: [TESTED_N8N] });
		if (moduleName === '@jest/globals' || isBuiltin(moduleName)) return undefined;
		const resolved = this._resolution.resolveCjs(from, moduleName);
		return resolved.includes('/node_modules/') ? resolved : undefined;
	}
};
