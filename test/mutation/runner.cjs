const TestRunner = require('jest-runner').default;
const memory = require('./memory.cjs');

/**
 * Runs only the files with a test that can notice the mutant, and none after a test has failed: then the
 * mutant is noticed. Jest itself would load every file, and n8n's engine with it.
 */
module.exports = class UntilNoticed extends TestRunner {
	async runTests(tests, watcher, options) {
		const { testNamePattern } = this._globalConfig;
		const wanted = tests.filter(({ path }) => memory.mayMatch(path, testNamePattern));
		this.on('test-file-success', ([{ path }, result]) => {
			if (!process.env.__STRYKER_ACTIVE_MUTANT__) memory.remember(path, result);
		});
		memory.startRun();
		for (const test of wanted.sort((a, b) => memory.rank(a.path) - memory.rank(b.path))) {
			await super.runTests([test], watcher, options);
			if (memory.isOver()) return;
		}
	}
};
