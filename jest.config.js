const { availableParallelism } = require('node:os');

const project = {
	testEnvironment: 'node',
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
		{
			...project,
			displayName: 'engine',
			testMatch: ['**/test/engine/**/*.test.ts'],
			// n8n's engine takes a second to load, so the test files of a worker share it.
			testEnvironment: '<rootDir>/test/sharedProcess/environment.cjs',
			runtime: '<rootDir>/test/sharedProcess/runtime.cjs',
		},
	],
	watchman: false,
	// More than there are cores: many tests wait for a local server or a pause rather than compute.
	maxWorkers: availableParallelism() + 2,
	// Ten times what they take on a busy machine. What needs longer says so, and why, in its own file.
	testTimeout: 30_000,
};
