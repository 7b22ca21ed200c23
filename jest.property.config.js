const { randomInt } = require('node:crypto');
const config = require('./jest.config');

// The workers inherit these. `PROPERTY_RUNS=5000 npm run test:property` searches longer.
process.env.PROPERTY_RUNS ??= '250';
process.env.PROPERTY_SEED ??= String(randomInt(2 ** 31));

/** Only the property tests, each on many more random cases than in `npm test`. */
module.exports = {
	...config,
	projects: config.projects.map((project) => ({
		...project,
		testMatch: project.testMatch.map((files) => files.replace('*.test.ts', '*.property.test.ts')),
	})),
	reporters: ['default', '<rootDir>/test/seedReporter.cjs'],
	// Hundreds of simulated hours or of real executions in one test.
	testTimeout: 1_800_000,
};
