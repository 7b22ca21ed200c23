const config = require('./jest.config');

// The workers inherit it; `PROPERTY_RUNS=5000 npm run test:property` searches longer.
process.env.PROPERTY_RUNS ??= '500';

/** Only the property tests, each on many more random cases than in `npm test`. */
module.exports = {
	...config,
	projects: config.projects.map((project) => ({
		...project,
		testMatch: project.testMatch.map((files) => files.replace('*.test.ts', '*.property.test.ts')),
	})),
	// Hundreds of simulated hours or of real executions in one test.
	testTimeout: 1_800_000,
};
