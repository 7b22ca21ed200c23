const {
	projects: [, engine],
	testTimeout,
} = require('../../jest.config');
const folders = require('./folders.cjs');

/** The tests that Stryker runs against each mutant of the folder MUTATED_FOLDER. */
module.exports = {
	...engine,
	testTimeout,
	rootDir: '../..',
	testMatch: undefined,
	testRegex: folders[process.env.MUTATED_FOLDER].map(
		(tests) => `/test/(?=.*\\.test\\.ts$)${tests}`,
	),
	testEnvironment: require.resolve('./environment.cjs'),
	runner: require.resolve('./runner.cjs'),
};
