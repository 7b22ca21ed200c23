const {
	projects: [, engine],
} = require('../../jest.config');
const folders = require('./folders.cjs');

/** The tests that Stryker runs against each mutant of the folder MUTATED_FOLDER. */
module.exports = {
	...engine,
	// With a mutant, a test may wait for ever.
	testTimeout: 10_000,
	rootDir: '../..',
	testMatch: undefined,
	testRegex: folders[process.env.MUTATED_FOLDER].map(
		(tests) => `/test/(?=.*\\.test\\.ts$)${tests}`,
	),
	testEnvironment: require.resolve('./environment.cjs'),
	runner: require.resolve('./runner.cjs'),
};
