const path = require('node:path');
const Runtime = require('jest-runtime').default;

const packages = new Map();
const sources = new Map();
const scripts = new Map();
/** The n8n whose engine runs the tests, if not that of this project's packages; see scripts/testExpressions.ts. */
const { TESTED_N8N } = process.env;
const ofN8n = /^(n8n-core|n8n-workflow|@n8n\/di|reflect-metadata)(\/|$)/;

/**
 * Keeps what is the same for each test file of a process: installed packages, such as n8n's engine, and
 * the compiled code of the project. In mutation tests, that code holds all mutants beside each other.
 */
module.exports = class KeepingRuntime extends Runtime {
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
		if (moduleName === '@jest/globals' || this._resolver.isCoreModule(moduleName)) return undefined;
		const resolved = this._resolver.resolveModule(from, moduleName);
		return resolved.includes('/node_modules/') ? resolved : undefined;
	}

	transformFile(filename, options) {
		if (!sources.has(filename)) sources.set(filename, super.transformFile(filename, options));
		return sources.get(filename);
	}

	createScriptFromCode(code, filename) {
		if (!scripts.has(filename)) scripts.set(filename, super.createScriptFromCode(code, filename));
		return { runInContext: (_, options) => scripts.get(filename).runInThisContext(options) };
	}
};
