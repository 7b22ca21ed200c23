const Runtime = require('jest-runtime').default;

/**
 * Loads installed packages once for all test files and all mutants. n8n's engine alone takes longer to
 * load than most test files take to run.
 */
module.exports = class PackagesOnceRuntime extends Runtime {
	requireModuleOrMock(from, moduleName) {
		const load = () => super.requireModuleOrMock(from, moduleName);
		if (moduleName === '@jest/globals' || this._resolver.isCoreModule(moduleName)) return load();
		const path = this._resolver.resolveModule(from, moduleName);
		return path.includes('/node_modules/') ? require(path) : load();
	}

	createScriptFromCode(code, filename) {
		const script = super.createScriptFromCode(code, filename);
		return { runInContext: (_context, options) => script.runInThisContext(options) };
	}
};
