const { availableParallelism } = require('node:os');

const project = {
	// Packages such as n8n's engine take a second to load, so the test files of a worker share them.
	testEnvironment: '<rootDir>/test/sharedProcess/environment.cjs',
	runtime: '<rootDir>/test/sharedProcess/runtime.cjs',
	roots: ['<rootDir>/test'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
		],
	},
};

module.exports = {
	projects: [
		{ ...project, displayName: 'unit', testMatch: ['**/test/{unit,sandbox}/**/*.test.ts'] },
		{ ...project, displayName: 'engine', testMatch: ['**/test/engine/**/*.test.ts'] },
	],
	testSequencer: '<rootDir>/test/waitingFirst.cjs',
	watchman: false,
	// More than there are cores: many tests wait for a local server or a pause rather than compute.
	maxWorkers: availableParallelism() + 1,
	// Ten times what they take on a busy machine. What needs longer says so, and why, in its own file.
	testTimeout: 30_000,
};
