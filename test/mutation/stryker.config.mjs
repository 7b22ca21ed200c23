/** What is mutated is an argument of `npm run test:mutation`. */
export default {
	plugins: ['@stryker-mutator/jest-runner', './test/mutation/ignoreLabels.mjs'],
	ignorers: ['labels'],
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportScoreTable: false, allowColor: false },
	concurrency: 1,
	// Loops on a virtual clock are quick; a machine with other work is not.
	timeoutMS: 10_000,
	dryRunTimeoutMinutes: 30,
	ignorePatterns: [
		'scripts/n8n/hosts/*/node_modules',
		'bench',
		'dist',
		'.cache',
		'.n8n-data*',
		'.git',
	],
	tempDirName: '.cache/mutation',
	allowConsoleColors: false,
};
