module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/test/{unit,sandbox,engine}/**/*.test.ts'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
		],
	},
	watchman: false,
	// All cores: many tests wait for a local server rather than compute.
	maxWorkers: '100%',
	// What needs longer says so, and why, in its own file.
	testTimeout: 10_000,
};
