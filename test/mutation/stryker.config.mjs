const folder = process.env.MUTATED_FOLDER;
const cache = '.cache/mutation';

/** Mutates the folder MUTATED_FOLDER; see main.ts. */
export default {
	mutate: [
		folder === 'credentials' ? 'credentials/**/*.ts' : `nodes/CustomerMessaging/${folder}/**/*.ts`,
	],
	plugins: ['@stryker-mutator/jest-runner', './test/mutation/ignoreLabels.mjs'],
	ignorers: ['labels'],
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	ignoreStatic: process.env.MUTATION_QUICK === 'yes',
	incremental: true,
	incrementalFile: `${cache}/${folder}.json`,
	reporters: ['progress-append-only'],
	concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
	// Loops on a virtual clock are quick; a machine with other work is not.
	timeoutMS: 10_000,
	dryRunTimeoutMinutes: 30,
	ignorePatterns: ['hosts', 'docs/images', 'bench', 'dist', '.cache', '.n8n-data*', '.git'],
	tempDirName: `${cache}/copy`,
	allowConsoleColors: false,
};
