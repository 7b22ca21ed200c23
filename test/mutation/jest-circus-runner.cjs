const { createEmptyTestResult } = require('@jest/test-result');
const circus = require('jest-circus/runner');
const memory = require('./memory.cjs');

/**
 * Jest's own runner, but it does not even load a file that no test of the run is in, or any file after
 * a test has failed. Stryker wants "jest-circus" in the name of this file.
 */
module.exports = async (globalConfig, config, environment, runtime, testPath, send) => {
	const { testNamePattern } = globalConfig;
	const isWanted = !testNamePattern || memory.mayMatch(testPath, testNamePattern);
	if (memory.isOver() || !isWanted) {
		return { ...createEmptyTestResult(), skipped: true, testFilePath: testPath };
	}
	const startMs = Date.now();
	const result = await circus(globalConfig, config, environment, runtime, testPath, send);
	if (result.testExecError) memory.fail(testPath);
	else if (!process.env.__STRYKER_ACTIVE_MUTANT__)
		memory.remember(testPath, result, Date.now() - startMs);
	return result;
};
