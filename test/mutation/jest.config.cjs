const {
	projects: [, engine],
} = require('../../jest.config');

/** The tests that Stryker runs against each mutant that they reach: those whose path TESTS matches, but not those that read sources. */
module.exports = {
	...engine,
	// With a mutant, a test may wait for ever.
	testTimeout: 10_000,
	rootDir: '../..',
	testMatch: undefined,
	// Stryker does not know <rootDir>.
	testEnvironment: require.resolve('../sharedProcess/environment.cjs'),
	testRegex: `/test/(?=.*\\.test\\.ts$)(?!.*property)(${process.env.TESTS ?? 'unit/(?!package|pages|structure|wording|rooms)|engine'})`,
};
